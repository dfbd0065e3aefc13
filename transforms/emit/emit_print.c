/* SPDX-License-Identifier: MIT */
/*
 * The printer's lowest layer: tokens with what stands between them, and #line. Everything that
 * replaces a node is decided in print_node; all else is copied.
 */
#include <stdarg.h>
#include <stdio.h>

#include "analyzer/base/check.h"
#include "transforms/emit/emit.h"

static void track(struct printer *p, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\n')
            p->line++;
    }
    if (len > 0)
        p->at_line_start = text[len - 1] == '\n';
}

static bool is_word(char c)
{
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
           (unsigned char)c >= 0x80;
}

/* Would the next character become part of what was printed last, or an operator with it? */
static bool joins(const struct printer *p, char next)
{
    if (p->out.len == 0)
        return false;
    char last = p->out.at[p->out.len - 1];
    return (is_word(last) && is_word(next)) || last == ';' || last == '}' || last == '{' ||
           next == '{' || next == '}' || next == '=' ||
           (last == next && strchr("+-&<>|", next) != NULL);
}

void print_text(struct printer *p, const char *text)
{
    if (text[0] == '\0')
        return;
    if (p->previous != UINT32_MAX || joins(p, text[0]))
        strbuf_char(&p->out, ' ');
    strbuf_str(&p->out, text);
    track(p, text, strlen(text));
    p->previous = UINT32_MAX;
}

void print_fmt(struct printer *p, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    AWC_ASSERT(len >= 0);
    char *text = arena_alloc(p->l->mem, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    print_text(p, text);
}

void print_line(struct printer *p, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    AWC_ASSERT(len >= 0);
    char *text = arena_alloc(p->l->mem, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    if (p->is_dense) {
        while (*text == ' ')
            text++;
        strbuf_str(&p->out, text);
        strbuf_char(&p->out, ' ');
        p->at_line_start = false;
        p->previous = UINT32_MAX;
        return;
    }
    if (!p->at_line_start)
        strbuf_char(&p->out, '\n');
    strbuf_str(&p->out, text);
    strbuf_char(&p->out, '\n');
    p->file = NULL; /* whatever follows says where it is */
    p->at_line_start = true;
    p->previous = UINT32_MAX;
}

void print_dense_begin(struct printer *p)
{
    if (!p->l->unit->options->line_directives)
        return;
    print_at(p, p->l->fn->root->first);
    p->is_dense = true;
}

void print_dense_end(struct printer *p)
{
    if (!p->is_dense)
        return;
    p->is_dense = false;
    strbuf_char(&p->out, '\n');
    p->at_line_start = true;
    p->file = NULL;
}

static bool same_file(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* White space in front of the first token of the buffer's line that holds this offset. */
static void indent(struct printer *p, uint32_t offset)
{
    const char *text = p->l->fn->buffer.at;
    uint32_t begin = offset;
    while (begin > 0 && text[begin - 1] != '\n')
        begin--;
    uint32_t end = begin;
    while (end < offset && (text[end] == ' ' || text[end] == '\t'))
        end++;
    strbuf_add(&p->out, text + begin, end - begin);
}

static void print_quoted(strbuf *out, const char *text)
{
    strbuf_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            strbuf_char(out, '\\');
        strbuf_char(out, *text);
    }
    strbuf_char(out, '"');
}

void print_at(struct printer *p, uint32_t token)
{
    uint32_t offset = p->l->fn->tokens[token].begin;
    struct diag_place at = unit_line(p->l->unit, offset);
    if (same_file(at.file, p->file) && at.line == p->line)
        return;
    bool near = same_file(at.file, p->file) && at.line > p->line && at.line - p->line <= 3;
    if (near) {
        for (uint32_t i = p->line; i < at.line; i++)
            strbuf_char(&p->out, '\n');
    } else {
        if (!p->at_line_start)
            strbuf_char(&p->out, '\n');
        if (p->l->unit->options->line_directives) {
            strbuf_fmt(&p->out, "#line %u ", at.line);
            print_quoted(&p->out, at.file == NULL ? "" : at.file);
            strbuf_char(&p->out, '\n');
        }
    }
    p->file = at.file;
    p->line = at.line;
    p->at_line_start = true;
    p->previous = UINT32_MAX;
    indent(p, offset);
}

/* A pragma stands on a line of its own. */
static void print_pragma(struct printer *p, uint32_t token)
{
    if (!p->at_line_start)
        strbuf_char(&p->out, '\n');
    strview text = ast_token_text(p->l->fn, token);
    strbuf_sv(&p->out, text);
    if (!sv_starts(text, "_Pragma") && !sv_starts(text, "__pragma")) {
        strbuf_char(&p->out, '\n');
        p->at_line_start = true;
    } else {
        p->at_line_start = false;
    }
    p->file = NULL;
    p->previous = UINT32_MAX;
}

/* What stands in front of a token, or of what replaces it: the user's white space and comments. */
static void print_lead(struct printer *p, uint32_t token)
{
    const ast_function *fn = p->l->fn;
    if (p->previous != UINT32_MAX && p->previous + 1 == token) {
        uint32_t gap = fn->tokens[p->previous].end, end = fn->tokens[token].begin;
        strbuf_add(&p->out, fn->buffer.at + gap, end - gap);
        track(p, fn->buffer.at + gap, end - gap);
    } else if (!p->at_line_start) {
        strbuf_char(&p->out, ' ');
    }
    p->previous = UINT32_MAX;
    print_at(p, token);
}

void print_token(struct printer *p, uint32_t token)
{
    const ast_function *fn = p->l->fn;
    const struct token *t = &fn->tokens[token];
    strview text = ast_token_text(fn, token);
    if (t->kind == TOKEN_PRAGMA) {
        print_pragma(p, token);
        return;
    }
    if (sv_is(text, "__awaitc_async__") || sv_is(text, "__awaitc_await__"))
        return;
    print_lead(p, token);
    strbuf_sv(&p->out, text);
    track(p, text.at, text.len);
    p->at_line_start = false;
    p->previous = token;
}

void print_tokens(struct printer *p, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++)
        print_token(p, i);
}

void print_children(struct printer *p, ast_node *n)
{
    ast_node **kids;
    uint32_t count = ast_sorted_kids(p->l->mem, n, &kids);
    uint32_t at = n->first;
    for (uint32_t i = 0; i < count; i++) {
        print_tokens(p, at, kids[i]->first);
        print_node(p, kids[i]);
        at = kids[i]->last;
    }
    print_tokens(p, at, n->last);
}

static void print_replacement(struct printer *p, ast_node *n)
{
    const struct replacement *r = n->data;
    if (r->temp == NULL) {
        print_text(p, r->suffix != NULL && r->suffix[0] != '\0' ? r->suffix : "(void)0");
        return;
    }
    if (type_of(p->l, r->temp->type)->is_variable && !fault_planted(FAULT_ARRAY_ROW_UNCAST)) {
        print_variable_read(p, n, r);
        return;
    }
    const char *name = local_ref(p->l, r->temp, false);
    if (r->deref)
        print_fmt(p, "(*%s)", name);
    else
        print_fmt(p, "%s%s", name, r->suffix);
}

/* A compound literal whose object outlives the statement: filled again each time it is reached. */
static void print_literal_object(struct printer *p, ast_node *n)
{
    const char *ref = local_ref(p->l, n->data, true);
    if (fault_planted(FAULT_LITERAL_NOT_REFILLED)) {
        print_fmt(p, "(*(__typeof__(%s) *)&%s)", ref, ref);
        return;
    }
    print_fmt(p, "(*(__typeof__(%s) *)__builtin_memcpy((void *)&%s, &", ref, ref);
    print_children(p, n);
    print_fmt(p, ", sizeof %s))", ref);
}

static bool print_expression(struct printer *p, ast_node *n)
{
    const ast_node *within = p->typeof_node;
    if (within != NULL && n->kind == AST_IDENT && n->ref != NULL &&
        n->ref->token >= within->first && n->ref->token < within->last)
        return false;
    if (n->kind == AST_IDENT && n->ref != NULL && n->ref->local != UINT32_MAX &&
        (n->ref->kind == DECL_VAR || n->ref->kind == DECL_PARAM) &&
        (p->l->plan[n->ref->local].place == PLACE_RESIDENT ||
         p->l->plan[n->ref->local].c_name != NULL)) {
        print_lead(p, n->first);
        print_text(p, local_ref(p->l, n->ref, false));
        return true;
    }
    if (n->kind == AST_FUNC_NAME && p->l->is_async) {
        print_lead(p, n->first);
        print_text(p, "aw__func");
        return true;
    }
    if (p->typeof_node != NULL)
        return false;
    if ((n->bits & MARK_LITERAL_OBJECT) != 0 &&
        (type_of(p->l, n->type)->before != NULL ||
         p->l->plan[((ast_decl *)n->data)->local].place == PLACE_RESIDENT)) {
        print_literal_object(p, n);
        return true;
    }
    if (n->kind == AST_FORM)
        return form_print_plain(p, n);
    return false;
}

/* An await in the operand of a typeof: an expression of the result's type. */
static bool print_await_type(struct printer *p, const ast_node *n)
{
    const struct replacement *r = (n->bits & MARK_REPLACED) != 0 ? n->data : NULL;
    if (n->kind != AST_AWAIT || r == NULL || r->temp == NULL)
        return false;
    print_fmt(p, "(*(%s)0)", declare(p->l, r->temp->type, "*"));
    return true;
}

void print_node(struct printer *p, ast_node *n)
{
    if (p->typeof_node != NULL) {
        if (print_await_type(p, n))
            return;
        if (!ast_is_expression(n->kind) || !print_expression(p, n))
            print_children(p, n);
        return;
    }
    if ((n->bits & MARK_REPLACED) != 0) {
        print_lead(p, n->first);
        print_replacement(p, n);
        return;
    }
    if (ast_is_expression(n->kind) ? print_expression(p, n)
                                   : ast_is_statement(n->kind) && print_statement(p, n))
        return;
    if (n->kind == AST_ATTRIBUTE && (n->bits & MARK_HAND_CLEANUP) != 0)
        return;
    print_children(p, n);
}

void print_typeof(struct printer *p, ast_node *e)
{
    print_text(p, "__typeof__(");
    p->typeof_node = e;
    print_node(p, e);
    p->typeof_node = NULL;
    print_text(p, ")");
}

const char *node_text(lowering *l, ast_node *n)
{
    struct diag_place at = unit_line(l->unit, l->fn->tokens[n->first].begin);
    struct printer p = {
        .l = l, .out = strbuf_in(l->mem), .previous = UINT32_MAX, .file = at.file, .line = at.line};
    print_node(&p, n);
    return strbuf_text(&p.out);
}
