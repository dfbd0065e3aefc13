/* SPDX-License-Identifier: MIT */
/*
 * What does a directive do? A skipped group costs one step, since each #if knows where its group
 * goes on; and a group that was read ends where the next #elif or #else of it is met, so no stack
 * of open groups is needed.
 */
#include "analyzer/preprocess/pp_private.h"

struct operands {
    const struct pp_token *at, *end;
    uint32_t line, last_line; /* of the directive */
};

/* ---- groups ---------------------------------------------------------------------------------- */

static void go_behind(struct pp_run *r, uint32_t index)
{
    r->source->at = r->source->file->directives.at[index].end;
}

static bool is_defined_here(struct pp_run *r, const struct operands *o)
{
    if (o->at >= o->end || o->at->kind != PP_NAME) {
        pp_give_up(r, "#ifdef without a name");
        return false;
    }
    pp_note_lookup(r, o->at->name);
    return o->at->name->macro != NULL;
}

static struct operands operands_of(const struct pp_file *f, const struct pp_directive *d)
{
    const struct pp_token *tokens = f->tokens;
    return (struct operands){tokens + d->operand, tokens + d->end, tokens[d->hash].line,
                             tokens[d->end - 1].line};
}

/* Does the group that this directive opens count? */
static bool is_group_read(struct pp_run *r, const struct pp_directive *d)
{
    struct operands o = operands_of(r->source->file, d);
    switch (d->kind) {
    case PP_DIRECTIVE_if:
    case PP_DIRECTIVE_elif:
        return pp_condition(r, o.at, o.end);
    case PP_DIRECTIVE_ifdef:
    case PP_DIRECTIVE_elifdef:
        return is_defined_here(r, &o);
    case PP_DIRECTIVE_ifndef:
    case PP_DIRECTIVE_elifndef:
        return !is_defined_here(r, &o);
    default: /* #else, and #endif behind which all is read */
        return true;
    }
}

static void do_if(struct pp_run *r, uint32_t index)
{
    const struct pp_directive *all = r->source->file->directives.at;
    while (r->why == NULL && !is_group_read(r, &all[index]))
        index = all[index].next;
    go_behind(r, index);
}

/* A group that was read ends at the #elif or #else `index`. */
static void skip_to_endif(struct pp_run *r, uint32_t index)
{
    const struct pp_directive *all = r->source->file->directives.at;
    while (all[index].kind != PP_DIRECTIVE_endif)
        index = all[index].next;
    go_behind(r, index);
}

/* ---- macros ---------------------------------------------------------------------------------- */

static void do_define(struct pp_run *r, uint32_t index, const struct operands *o)
{
    struct pp_directive *d = &r->source->file->directives.at[index];
    struct pp_macro *m = d->macro;
    if (m == NULL) {
        m = pp_macro_read(r, o->at, o->end);
        if (m == NULL)
            return;
        if (r->source->file->is_kept)
            d->macro = m;
    }
    pp_macro_set(r, m->name, m);
    pp_print_directive(r, o->line, "#define ", m->text);
}

static void do_undef(struct pp_run *r, const struct operands *o)
{
    if (o->at >= o->end || o->at->kind != PP_NAME ||
        (o->at->name->macro != NULL && o->at->name->macro->builtin != PP_NOT_BUILTIN)) {
        pp_give_up(r, "an odd #undef");
        return;
    }
    pp_macro_set(r, o->at->name, NULL);
    pp_print_directive(r, o->line, "#undef ", o->at->name->text);
}

/* ---- #include -------------------------------------------------------------------------------- */

/* `<` and the tokens up to `>` as one name. */
static bool bracket_name(const struct pp_token *at, const struct pp_token *end, arena *mem,
                         strview *name)
{
    const struct pp_token *close = at + 1;
    while (close < end && close->code != '>')
        close++;
    if (close >= end)
        return false;
    strbuf text = strbuf_in(mem);
    pp_spell(&text, at + 1, close);
    *name = strbuf_view(&text);
    return true;
}

/* The operand as it is written between `<` and `>`, where `//` is no comment. */
static bool written_bracket_name(const struct pp_token *at, strview *name)
{
    size_t len = strcspn(at->text + 1, ">\n");
    *name = (strview){at->text + 1, len};
    return at->text[1 + len] == '>';
}

bool pp_include_operand(struct pp_run *r, const struct pp_token *at, const struct pp_token *end,
                        strview *name, bool *is_quoted)
{
    if (at >= end)
        return false;
    *is_quoted = at->kind == PP_STRING && at->text[0] == '"';
    if (*is_quoted) {
        *name = (strview){at->text + 1, at->len - 2};
        return true;
    }
    if (at->code == '<')
        return written_bracket_name(at, name);
    if (at->kind != PP_NAME)
        return false;
    struct pp_argument line = {.raw = at, .raw_count = (uint32_t)(end - at)};
    pp_expand_argument(r, &line);
    const struct pp_token *full = line.full;
    if (r->why != NULL || line.full_count == 0 || (full->kind == PP_NAME && full->name == at->name))
        return false;
    *is_quoted = full->kind == PP_STRING && full->text[0] == '"';
    if (*is_quoted) {
        *name = (strview){full->text + 1, full->len - 2};
        return true;
    }
    return full->code == '<' && bracket_name(full, full + line.full_count, r->mem, name);
}

static void do_include(struct pp_run *r, const struct operands *o, bool is_next)
{
    strview name;
    bool is_quoted;
    if (r->is_collecting || !pp_include_operand(r, o->at, o->end, &name, &is_quoted)) {
        pp_give_up(r, "an odd #include");
        return;
    }
    struct pp_header *h = pp_search(r, name, is_quoted, is_next);
    if (h == NULL) {
        pp_give_up(r, "a header that is not found");
        return;
    }
    if (h->file->once != NULL) {
        pp_note_lookup(r, h->file->once);
        if (h->file->once->macro != NULL)
            return;
    }
    if (pp_memo_replay(r, h))
        pp_print_marker(r, o->last_line + 1, '2');
    else
        pp_enter_file(r, h, h->file, pp_recording_begin(r, h));
}

/* ---- the rest -------------------------------------------------------------------------------- */

static bool is_word(const struct operands *o, uint32_t i, const char *word)
{
    return o->at + i < o->end && o->at[i].kind == PP_NAME && sv_is(o->at[i].name->text, word);
}

static void do_pragma(struct pp_run *r, const struct operands *o)
{
    if (r->is_collecting || is_word(o, 0, "push_macro") || is_word(o, 0, "pop_macro") ||
        (is_word(o, 0, "GCC") && is_word(o, 1, "dependency"))) {
        pp_give_up(r, "an odd #pragma");
    } else if (is_word(o, 0, "once")) {
        if (r->source->includer != NULL)
            pp_macro_set(r, r->source->file->once, &r->pp->once);
    } else if (is_word(o, 0, "GCC") && is_word(o, 1, "system_header")) {
        r->source->is_system = true;
    } else {
        strbuf text = strbuf_in(r->mem);
        pp_spell(&text, o->at, o->end);
        pp_print_directive(r, o->line, "#pragma ", strbuf_view(&text));
    }
}

static void do_line(struct pp_run *r, const struct operands *o)
{
    struct pp_argument line = {.raw = o->at, .raw_count = (uint32_t)(o->end - o->at)};
    pp_expand_argument(r, &line);
    const struct pp_token *t = line.full;
    bool has_name = line.full_count == 2 && t[1].kind == PP_STRING && t[1].text[0] == '"' &&
                    memchr(t[1].text, '\\', t[1].len) == NULL;
    if (line.full_count == 0 || t->kind != PP_NUMBER || t->len > 9 ||
        strspn(t->text, "0123456789") < t->len || !(line.full_count == 1 || has_name)) {
        pp_give_up(r, "an odd #line");
        return;
    }
    uint32_t number = 0;
    for (uint32_t i = 0; i < t->len; i++)
        number = number * 10 + (uint32_t)(t->text[i] - '0');
    if (has_name)
        r->source->name = arena_strndup(r->mem, t[1].text + 1, t[1].len - 2);
    r->source->line_shift = number - (o->last_line + 1);
    pp_print_marker(r, o->last_line + 1, ' ');
}

static void do_kind(struct pp_run *r, uint32_t index, const struct operands *o)
{
    switch ((enum pp_directive_kind)r->source->file->directives.at[index].kind) {
    case PP_DIRECTIVE_if:
    case PP_DIRECTIVE_ifdef:
    case PP_DIRECTIVE_ifndef:
        do_if(r, index);
        break;
    case PP_DIRECTIVE_elif:
    case PP_DIRECTIVE_elifdef:
    case PP_DIRECTIVE_elifndef:
    case PP_DIRECTIVE_else:
        skip_to_endif(r, index);
        break;
    case PP_DIRECTIVE_define:
        do_define(r, index, o);
        break;
    case PP_DIRECTIVE_undef:
        do_undef(r, o);
        break;
    case PP_DIRECTIVE_include:
        do_include(r, o, false);
        break;
    case PP_DIRECTIVE_include_next:
        do_include(r, o, true);
        break;
    case PP_DIRECTIVE_line:
        do_line(r, o);
        break;
    case PP_DIRECTIVE_pragma:
        do_pragma(r, o);
        break;
    case PP_DIRECTIVE_error:
        pp_give_up(r, "#error");
        break;
    case PP_DIRECTIVE_unknown:
        pp_give_up(r, "an unknown directive");
        break;
    case PP_DIRECTIVE_endif:
    case PP_DIRECTIVE_ident:
    case PP_DIRECTIVE_sccs:
    case PP_DIRECTIVE_warning:
    case PP_DIRECTIVE_empty:
    case PP_NO_DIRECTIVE:
        break;
    }
}

void pp_do_directive(struct pp_run *r)
{
    struct pp_source *s = r->source;
    uint32_t index = s->file->tokens[s->at].directive;
    struct operands o = operands_of(s->file, &s->file->directives.at[index]);
    s->at = s->file->directives.at[index].end;
    r->file_line = o.line;
    do_kind(r, index, &o);
}
