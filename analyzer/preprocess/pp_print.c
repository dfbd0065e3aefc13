/* SPDX-License-Identifier: MIT */
/*
 * How do tokens become lines? Each on the line on which it stands in its file, or on which the
 * macro call stands that made it; small steps are empty lines, large ones and steps back are
 * markers. Two tokens that would read as one get a blank between them.
 */
#include "analyzer/preprocess/pp_private.h"

enum { MOST_EMPTY_LINES = 8, MOST_BYTES = 256 * 1024 * 1024 };

void pp_print_end_line(struct pp_run *r)
{
    if (r->print.is_at_start)
        return;
    strbuf_char(&r->pp->out, '\n');
    r->print.line++;
    r->print.is_at_start = true;
}

void pp_quote(strbuf *out, const char *name)
{
    strbuf_char(out, '"');
    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            strbuf_char(out, '\\');
        strbuf_char(out, *c);
    }
    strbuf_char(out, '"');
}

/* `# line "file" reason`, the line as the file counts it. */
static void marker(struct pp_run *r, uint32_t line, char reason)
{
    strbuf *out = &r->pp->out;
    pp_print_end_line(r);
    strbuf_fmt(out, "# %u ", line);
    pp_quote(out, r->source->name);
    if (reason != ' ') {
        strbuf_char(out, ' ');
        strbuf_char(out, reason);
    }
    strbuf_str(out, r->source->is_system ? " 3\n" : "\n");
    r->print.line = line;
}

void pp_print_marker(struct pp_run *r, uint32_t line, char reason)
{
    marker(r, line + r->source->line_shift, reason);
}

static void go_to_line(struct pp_run *r, uint32_t line)
{
    struct pp_line_state *print = &r->print;
    line += r->source->line_shift;
    if (line == print->line)
        return;
    if (line < print->line || line - print->line > MOST_EMPTY_LINES) {
        marker(r, line, ' ');
        return;
    }
    for (; print->line < line; print->line++)
        strbuf_char(&r->pp->out, '\n');
    print->is_at_start = true;
}

void pp_print_directive(struct pp_run *r, uint32_t line, const char *word, strview text)
{
    pp_print_end_line(r);
    go_to_line(r, line);
    strbuf_str(&r->pp->out, word);
    strbuf_sv(&r->pp->out, text);
    r->print.is_at_start = false;
    pp_print_end_line(r);
}

static bool is_operator_part(char c)
{
    return c != '\0' && strchr("+-*/%&|^<>=!#:.", c) != NULL;
}

/* Would the token read as one with what stands before it? */
static bool would_join(const struct pp_line_state *print, const struct pp_token *t)
{
    bool is_word = print->last_kind == PP_NAME || print->last_kind == PP_NUMBER;
    switch ((enum pp_kind)t->kind) {
    case PP_NAME:
        return is_word;
    case PP_NUMBER:
        return is_word || print->last == '.';
    case PP_STRING:
    case PP_CHAR:
        return is_word;
    case PP_PUNCT:
        if (print->last_kind == PP_NUMBER)
            return t->text[0] == '.' || t->text[0] == '+' || t->text[0] == '-';
        return print->last_kind == PP_PUNCT && is_operator_part(print->last) &&
               is_operator_part(t->text[0]);
    case PP_OTHER:
    case PP_BAD:
    case PP_END:
        return false;
    }
    return false;
}

/* `_Pragma ( "text" )` becomes a line of its own. */
static void print_pragma(struct pp_run *r)
{
    uint32_t line = r->token_line;
    struct pp_token open = pp_next(r), text = pp_next(r), close = pp_next(r);
    if (open.code != '(' || text.kind != PP_STRING || close.code != ')') {
        pp_give_up(r, "an odd _Pragma");
        return;
    }
    strbuf plain = strbuf_in(r->mem);
    const char *begin = memchr(text.text, '"', text.len), *end = text.text + text.len - 1;
    for (const char *c = begin + 1; c < end; c++) {
        if (*c == '\\' && (c[1] == '"' || c[1] == '\\'))
            c++;
        strbuf_char(&plain, *c);
    }
    pp_print_directive(r, line, "#pragma ", strbuf_view(&plain));
}

void pp_print_token(struct pp_run *r, const struct pp_token *t)
{
    struct pp_line_state *print = &r->print;
    if (t->kind == PP_NAME && sv_is(t->name->text, "_Pragma")) {
        print_pragma(r);
        return;
    }
    go_to_line(r, r->token_line);
    bool has_space = (t->flags & (PP_SPACE | PP_FIRST)) != 0;
    if (!print->is_at_start && (has_space || would_join(print, t)))
        strbuf_char(&r->pp->out, ' ');
    strbuf_add(&r->pp->out, t->text, t->len);
    if (r->pp->out.len > MOST_BYTES)
        pp_give_up(r, "a very long text");
    print->is_at_start = false;
    print->last = t->len != 0 ? t->text[t->len - 1] : ' ';
    print->last_kind = t->kind;
}
