/* SPDX-License-Identifier: MIT */
/*
 * Small questions about syntax trees.
 */
#include "rules/tree_terms.h"

/* ---- walks ----------------------------------------------------------------------------------- */

void tree_visit(const ast_node *n, bool (*visit)(void *context, const ast_node *n), void *context)
{
    if (n == NULL || n->is_unevaluated || !visit(context, n))
        return;
    for (uint32_t i = 0; i < n->kid_count; i++)
        tree_visit(n->kid[i], visit, context);
}

bool tree_is_inside(const ast_node *n, const ast_node *around)
{
    while (n != NULL && n != around)
        n = n->parent;
    return n != NULL;
}

const ast_node *tree_around(const ast_node *n, enum ast_kind kind)
{
    do
        n = n->parent;
    while (n != NULL && n->kind != kind);
    return n;
}

bool tree_is_on_pool(const ast_node *n)
{
    for (; n != NULL; n = n->parent) {
        if (n->kind == AST_FORM && (n->op == FORM_BLOCKING || n->op == FORM_COMPUTE))
            return true;
    }
    return false;
}

bool tree_is_loop(const ast_node *n)
{
    return n->kind == AST_WHILE || n->kind == AST_DO || n->kind == AST_FOR;
}

const ast_node *tree_loop_body(const ast_node *loop)
{
    switch (loop->kind) {
    case AST_WHILE:
        return loop->kid[1];
    case AST_DO:
        return loop->kid[0];
    case AST_FOR:
        return loop->kid[3];
    default:
        return NULL;
    }
}

const ast_node *tree_loop_condition(const ast_node *loop)
{
    switch (loop->kind) {
    case AST_WHILE:
        return loop->kid[0];
    case AST_DO:
    case AST_FOR:
        return loop->kid[1];
    default:
        return NULL;
    }
}

/* ---- expressions ----------------------------------------------------------------------------- */

bool tree_same(const ast_function *fn, const ast_node *a, const ast_node *b)
{
    a = sema_strip(a);
    b = sema_strip(b);
    if (a->kind == AST_IDENT && b->kind == AST_IDENT && (a->ref != NULL || b->ref != NULL))
        return a->ref == b->ref;
    return a->kind == b->kind && sv_equal(ast_node_text(fn, a), ast_node_text(fn, b));
}

struct mention {
    const ast_function *fn;
    const ast_node *what;
    bool found;
};

static bool visit_mention(void *context, const ast_node *n)
{
    struct mention *m = context;
    m->found = m->found || tree_same(m->fn, n, m->what);
    return !m->found;
}

bool tree_mentions(const ast_function *fn, const ast_node *n, const ast_node *what)
{
    struct mention m = {.fn = fn, .what = what};
    tree_visit(n, visit_mention, &m);
    return m.found;
}

bool tree_is_comparison(const ast_node *n)
{
    return n->kind == AST_BINARY && n->op >= OP_LT && n->op <= OP_NE;
}

const ast_node *tree_root(const ast_node *n)
{
    for (;;) {
        n = sema_strip(n);
        bool has_base = n->kind == AST_MEMBER || n->kind == AST_INDEX ||
                        (n->kind == AST_UNARY && (n->op == OP_DEREF || n->op == OP_ADDR));
        if (!has_base)
            break;
        n = n->kid[0];
    }
    return n->kind == AST_IDENT ? n : NULL;
}

/* The condition inside __builtin_expect(condition, ...); NULL: it is no such call. */
static const ast_node *expected(const ast_function *fn, const ast_node *n)
{
    bool is_expect = n->kind == AST_CALL && sema_arg_count(n) == 2 &&
                     sv_is(ast_node_text(fn, n->kid[0]), "__builtin_expect");
    return is_expect ? sema_arg(n, 0) : NULL;
}

void tree_add_terms(arena *mem, const ast_function *fn, struct tree_terms *terms, const ast_node *n)
{
    if (n == NULL)
        return;
    n = sema_strip(n);
    if (n->kind == AST_AND_AND || n->kind == AST_OR_OR) {
        tree_add_terms(mem, fn, terms, n->kid[0]);
        tree_add_terms(mem, fn, terms, n->kid[1]);
    } else if (n->kind == AST_UNARY && n->op == OP_NOT) {
        tree_add_terms(mem, fn, terms, n->kid[0]);
    } else if (expected(fn, n) != NULL) {
        tree_add_terms(mem, fn, terms, expected(fn, n));
    } else {
        VEC_PUSH(mem, &terms->all, n);
    }
}

/* ---- edits ----------------------------------------------------------------------------------- */

const char *source_indent(const rule_cx *cx, uint32_t offset)
{
    strview text = sema_unit_source(cx->sema);
    size_t begin = offset < text.len ? offset : text.len, end;
    while (begin > 0 && text.at[begin - 1] != '\n')
        begin--;
    for (end = begin; end < text.len && (text.at[end] == ' ' || text.at[end] == '\t');)
        end++;
    return arena_strndup(cx->mem, text.at + begin, end - begin);
}

bool tree_needs_parens(const ast_node *n)
{
    const ast_node *up = n->parent;
    bool is_whole = up->kind == AST_EXPR_STMT || up->kind == AST_DECLARATOR ||
                    up->kind == AST_RETURN || up->kind == AST_PAREN || up->kind == AST_CALL ||
                    (up->kind == AST_ASSIGN && up->kid[1] == n);
    return !is_whole;
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_alnum(char c)
{
    return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9');
}

static bool word_starts_at(strview name, size_t i)
{
    return i == 0 || (i == 1 && name.at[0] == 'n') || !is_alnum(name.at[i - 1]) ||
           (is_upper(name.at[i]) && is_lower(name.at[i - 1]));
}

static bool matches_at(strview name, size_t i, const char *word, size_t len)
{
    if (name.len - i < len)
        return false;
    for (size_t k = 0; k < len; k++) {
        char c = name.at[i + k];
        if ((is_upper(c) ? c | 0x20 : c) != word[k])
            return false;
    }
    return true;
}

/* Does the word that holds byte i - 1 end here, but for an ending? */
static bool word_ends(strview name, size_t i)
{
    static const char *const endings[] = {"", "s", "es", "d", "ed", "r", "er", "ing", "all"};
    size_t end = i;
    while (end < name.len && is_lower(name.at[end]))
        end++;
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        if (sv_is((strview){name.at + i, end - i}, endings[k]))
            return true;
    }
    return false;
}

/* A bit for each letter, in either case, with which a word of the name starts. */
static uint32_t first_letters(strview name)
{
    uint32_t letters = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (word_starts_at(name, i))
            letters |= (uint32_t)1 << (name.at[i] & 31);
    }
    return letters;
}

static bool has_word(strview name, const char *words, bool is_whole)
{
    uint32_t letters = first_letters(name);
    for (const char *w = words; *w != '\0';) {
        size_t len = 0;
        while (w[len] != '\0' && w[len] != ' ')
            len++;
        bool may_match = (letters >> (*w & 31) & 1) != 0;
        for (size_t i = 0; may_match && i < name.len; i++) {
            if (word_starts_at(name, i) && matches_at(name, i, w, len) &&
                (!is_whole || word_ends(name, i + len)))
                return true;
        }
        w += len;
        while (*w == ' ')
            w++;
    }
    return false;
}

bool name_has_word(strview name, const char *words)
{
    return has_word(name, words, false);
}

bool name_has_whole_word(strview name, const char *words)
{
    return has_word(name, words, true);
}
