/* SPDX-License-Identifier: MIT */
/*
 * Where does a preprocessed token stand in the text as it was written? Line markers give file and
 * line. Columns are gone, so they are found again: the n-th `read` among the tokens of a line is
 * the n-th `read` among the line's written tokens. What is not written there came from a macro,
 * and stands where the line first names a macro; arguments of a macro call that spans lines are
 * looked for up to the end of that call.
 */
#include "analyzer/sema/sema_private.h"

#include "analyzer/base/strbuf.h"

/* ---- lines of the preprocessed text
 * ---------------------------------------------------------------- */

static bool marker_is_system(strview line)
{
    const char *quote = NULL;
    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] == '"')
            quote = line.at + i;
    }
    return quote != NULL && memchr(quote, '3', (size_t)(line.at + line.len - quote)) != NULL;
}

/* Is the file a system header? As its first marker says: later ones in it may speak of a macro of a
 * system header that the file uses. */
static bool file_is_system(word_set *seen, const struct cpp_output *cpp, size_t mark)
{
    uint32_t before = seen->count;
    struct word_entry *e = word_set_add(seen, sv_from(cpp->marks.at[mark].file));
    if (seen->count != before) {
        uint32_t end = cpp->marks.at[mark].offset, start = end > 0 ? end - 1 : 0;
        while (start > 0 && cpp->text.at[start - 1] != '\n')
            start--;
        e->value = marker_is_system((strview){cpp->text.at + start, end - start});
    }
    return e->value != 0;
}

static void note_token_lines(sema_unit *u)
{
    word_set seen = word_set_in(u->mem);
    const struct cpp_output *cpp = u->request.cpp;
    u->token_line = ARENA_ARRAY(u->mem, uint32_t, u->token_count + 1);
    u->token_file = ARENA_ARRAY(u->mem, const char *, u->token_count + 1);
    u->token_system = ARENA_ARRAY(u->mem, bool, u->token_count + 1);
    size_t mark = 0;
    uint32_t line = 1, at = 0;
    bool is_system = false;
    for (uint32_t t = 0; t < u->token_count; t++) {
        uint32_t begin = u->tokens[t].begin;
        while (mark + 1 < cpp->marks.count && cpp->marks.at[mark + 1].offset <= begin) {
            mark++;
            line = cpp->marks.at[mark].line;
            at = cpp->marks.at[mark].offset;
            is_system = file_is_system(&seen, cpp, mark);
        }
        for (; at < begin; at++)
            line += cpp->text.at[at] == '\n';
        u->token_line[t] = line;
        u->token_file[t] = cpp->marks.at[mark].file;
        u->token_system[t] = is_system;
    }
}

/* ---- tokens as they were written
 * ------------------------------------------------------------------- */

static void note_written(sema_unit *u)
{
    strview source = u->request.source;
    struct raw_lexer x = raw_lexer_on(source, false);
    uint32_t line = 1, at = 0;
    for (;;) {
        struct raw_token t = raw_next(&x);
        for (; at < t.begin && at < source.len; at++)
            line += source.at[at] == '\n';
        if (t.kind == RAW_END)
            break;
        if (t.kind == RAW_DIRECTIVE)
            continue;
        VEC_PUSH(u->mem, &u->written, (struct written){t.begin, t.end, line, t.kind == RAW_WORD});
    }
    u->written_line_count = line + 2;
    u->written_line = ARENA_ARRAY(u->mem, uint32_t, u->written_line_count + 1);
    uint32_t k = 0;
    for (uint32_t l = 0; l <= u->written_line_count; l++) {
        while (k < u->written.count && u->written.at[k].line < l)
            k++;
        u->written_line[l] = k;
    }
}

void sema_place_init(sema_unit *u)
{
    note_token_lines(u);
    note_written(u);
}

uint32_t sema_unit_token(const sema_unit *u, uint32_t offset)
{
    uint32_t low = 0, high = u->token_count;
    while (low + 1 < high) {
        uint32_t middle = (low + high) / 2;
        if (u->tokens[middle].begin <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* As it is written: markers of the lowering are `await`, `async`, `aw_all` in the source. */
static bool is_written_as(strview token, strview written)
{
    if (sv_equal(token, written))
        return true;
    const char prefix[] = "__awaitc_";
    size_t len = sizeof prefix - 1;
    if (!sv_starts(token, prefix) || !sv_ends(token, "__"))
        return false;
    strview name = {token.at + len, token.len - len - 2};
    if (sv_starts(written, "aw_"))
        written = (strview){written.at + 3, written.len - 3};
    return sv_equal(name, written);
}

static strview written_text(const sema_unit *u, uint32_t k)
{
    const struct written *w = &u->written.at[k];
    return (strview){u->request.source.at + w->begin, w->end - w->begin};
}

/* How many equal tokens stand before this one on its line? */
static uint32_t occurrence(const sema_unit *u, uint32_t t)
{
    uint32_t before = 0;
    strview text = sema_unit_text(u, t);
    for (uint32_t k = t; k > 0; k--) {
        if (u->token_line[k - 1] != u->token_line[t] || u->token_file[k - 1] != u->token_file[t])
            break;
        before += sv_equal(sema_unit_text(u, k - 1), text);
    }
    return before;
}

/* The written tokens that the macro call at k spans: up to its closing parenthesis. */
static uint32_t behind_macro_call(const sema_unit *u, uint32_t k)
{
    uint32_t depth = 0, t = k + 1;
    if (t >= u->written.count || !sv_is(written_text(u, t), "("))
        return t;
    for (; t < u->written.count; t++) {
        strview text = written_text(u, t);
        if (sv_is(text, "("))
            depth++;
        else if (sv_is(text, ")") && --depth == 0)
            return t + 1;
    }
    return t;
}

/* The first macro that the line names; the number of written tokens: none. */
static uint32_t macro_on_line(const sema_unit *u, uint32_t first, uint32_t line)
{
    for (uint32_t k = first; k < u->written.count && u->written.at[k].line == line; k++) {
        if (u->written.at[k].is_word &&
            word_set_find(&u->request.cpp->macro_index, written_text(u, k)) != NULL)
            return k;
    }
    return (uint32_t)u->written.count;
}

/* The written token of a preprocessed one; *exact: itself, not the macro that made it. The number
 * of written tokens: none, or not in the source. */
static uint32_t written_token(const sema_unit *u, uint32_t t, bool *exact)
{
    const uint32_t none = (uint32_t)u->written.count;
    uint32_t line = u->token_line[t];
    *exact = false;
    if (strcmp(u->token_file[t], u->request.path) != 0 || line >= u->written_line_count)
        return none;
    uint32_t first = u->written_line[line], left = occurrence(u, t), k = first;
    strview text = sema_unit_text(u, t);
    for (; k < none && u->written.at[k].line == line; k++) {
        if (is_written_as(text, written_text(u, k)) && left-- == 0) {
            *exact = true;
            return k;
        }
    }
    uint32_t macro = macro_on_line(u, first, line);
    if (macro == none)
        return first < none && u->written.at[first].line == line ? first : none;
    uint32_t end = behind_macro_call(u, macro);
    for (k = macro; k < end; k++) {
        if (u->written.at[k].line > line && is_written_as(text, written_text(u, k))) {
            *exact = true;
            return k;
        }
    }
    return macro;
}

/* ---- places
 * ------------------------------------------------------------------------------------------ */

static uint32_t column_of(const sema_unit *u, uint32_t offset)
{
    uint32_t column = 1;
    while (offset > 0 && u->request.source.at[offset - 1] != '\n') {
        offset--;
        column++;
    }
    return column;
}

struct diag_place sema_unit_place(sema_unit *u, uint32_t t)
{
    struct diag_place place = {.file = u->token_file[t], .line = u->token_line[t]};
    bool exact;
    uint32_t k = written_token(u, t, &exact);
    if (k < u->written.count) {
        place.line = u->written.at[k].line;
        place.column = column_of(u, u->written.at[k].begin);
    }
    return place;
}

static uint32_t unit_token_of(const struct sema_function *fn, uint32_t token)
{
    const struct function_lazy *lazy = fn->lazy;
    if (token >= fn->tree->token_count && token > 0)
        token = fn->tree->token_count - 1;
    return lazy->first_token + token;
}

struct diag_place sema_token_place(sema_unit *u, const struct sema_function *fn, uint32_t token)
{
    return sema_unit_place(u, unit_token_of(fn, token));
}

struct diag_place sema_place(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    return sema_token_place(u, fn, n->first);
}

bool sema_source_range(sema_unit *u, const struct sema_function *fn, const ast_node *n,
                       uint32_t *begin, uint32_t *end)
{
    bool exact;
    if (n->first >= n->last)
        return false;
    uint32_t first = unit_token_of(fn, n->first), last = unit_token_of(fn, n->last - 1);
    uint32_t k = written_token(u, first, &exact);
    if (!exact)
        return false;
    *begin = u->written.at[k].begin;
    for (uint32_t t = first; t <= last; t++) {
        if (u->tokens[t].kind == TOKEN_PRAGMA)
            return false;
        /* one preprocessed token may be several written ones: `->` is `-` and `>` */
        strview text = sema_unit_text(u, t);
        if (k >= u->written.count)
            return false;
        strview written = written_text(u, k);
        while (!is_written_as(text, written) && written.len < text.len &&
               k + 1 < u->written.count && u->tokens[t].kind == TOKEN_PUNCT) {
            k++;
            written.len = u->written.at[k].end - (size_t)(written.at - u->request.source.at);
        }
        if (!is_written_as(text, written))
            return false;
        *end = u->written.at[k].end;
        k++;
    }
    return true;
}

uint32_t sema_end_column(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    uint32_t begin, end;
    if (!sema_source_range(u, fn, n, &begin, &end) ||
        memchr(u->request.source.at + begin, '\n', end - begin) != NULL)
        return 0;
    return column_of(u, begin) + (end - begin);
}

const char *sema_text(sema_unit *u, const struct sema_function *fn, const ast_node *n, uint32_t max)
{
    uint32_t begin, end;
    strview text;
    if (sema_source_range(u, fn, n, &begin, &end))
        text = (strview){u->request.source.at + begin, end - begin};
    else
        text = ast_node_text(fn->tree, n);
    strbuf out = strbuf_in(u->mem);
    bool was_space = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        bool is_space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!(is_space && was_space))
            strbuf_char(&out, is_space ? ' ' : c);
        was_space = is_space;
    }
    if (out.len > max && max > 3)
        return arena_printf(u->mem, "%.*s...", (int)(max - 3), strbuf_text(&out));
    return strbuf_text(&out);
}
