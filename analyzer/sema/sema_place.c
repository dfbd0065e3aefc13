/* SPDX-License-Identifier: MIT */
/*
 * Where does a preprocessed token stand in the text as it was written? Line markers give file and
 * line. Columns are gone, so they are found again: the n-th `read` among the tokens of a line is
 * the n-th `read` among the line's written tokens. What is not written there came from a macro,
 * and stands where the line first names a macro; arguments of a macro call that spans lines are
 * looked for up to the end of that call.
 */
#include "analyzer/sema/sema_private.h"

#include <stddef.h>

#include "analyzer/base/strbuf.h"

enum { LONG_LINE_TOKENS = 48 };

/* ---- lines of the preprocessed text ---------------------------------------------------------- */

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

/* Where a walk over the tokens is in the text. */
struct line_walk {
    const struct cpp_output *cpp;
    word_set seen;
    size_t mark;
    uint32_t number;   /* of the line of the last token */
    uint32_t line_end; /* offset of that line's end */
    struct unit_file file;
};

static uint32_t end_of_line(strview text, uint32_t at)
{
    const char *end = memchr(text.at + at, '\n', text.len - at);
    return end == NULL ? (uint32_t)text.len : (uint32_t)(end - text.at);
}

static void enter_mark(const sema_unit *u, struct line_walk *w)
{
    const struct cpp_mark *mark = &w->cpp->marks.at[w->mark];
    if (mark->file != w->file.name) {
        w->file.name = mark->file;
        w->file.is_own = strcmp(mark->file, u->request.path) == 0;
        w->file.is_system = file_is_system(&w->seen, w->cpp, w->mark);
    }
    w->number = mark->line;
    w->line_end = end_of_line(w->cpp->text, mark->offset);
}

/* A line that has tokens, from token t on. */
static void begin_unit_line(sema_unit *u, const struct line_walk *w, uint32_t t)
{
    size_t count = u->files.count;
    if (count == 0 || u->files.at[count - 1].name != w->file.name)
        VEC_PUSH(u->mem, &u->files, w->file);
    VEC_PUSH(
        u->mem, &u->lines,
        (struct unit_line){.number = w->number, .first = t, .file = (uint32_t)u->files.count - 1});
}

static void note_token_lines(sema_unit *u)
{
    const struct cpp_output *cpp = u->request.cpp;
    struct line_walk w = {.cpp = cpp, .seen = word_set_in(u->mem), .number = 1};
    w.file = (struct unit_file){.name = cpp->marks.at[0].file};
    w.file.is_own = strcmp(w.file.name, u->request.path) == 0;
    w.line_end = end_of_line(cpp->text, 0);
    u->token_line = ARENA_ARRAY(u->mem, uint32_t, u->token_count + 1);
    for (uint32_t t = 0; t < u->token_count; t++) {
        uint32_t begin = u->tokens[t].begin;
        for (; w.mark + 1 < cpp->marks.count && cpp->marks.at[w.mark + 1].offset <= begin;) {
            w.mark++;
            enter_mark(u, &w);
        }
        for (; w.line_end < begin; w.number++)
            w.line_end = end_of_line(cpp->text, w.line_end + 1);
        const struct unit_line *last = t == 0 ? NULL : &VEC_LAST(&u->lines);
        if (last == NULL || last->number != w.number || u->files.at[last->file].name != w.file.name)
            begin_unit_line(u, &w, t);
        u->token_line[t] = (uint32_t)u->lines.count - 1;
    }
    u->token_line[u->token_count] = u->lines.count == 0 ? 0 : (uint32_t)u->lines.count - 1;
}

static const struct unit_line *line_of(const sema_unit *u, uint32_t t)
{
    return &u->lines.at[u->token_line[t]];
}

const struct unit_file *sema_unit_file(const sema_unit *u, uint32_t t)
{
    return &u->files.at[line_of(u, t)->file];
}

/* ---- tokens as they were written ------------------------------------------------------------- */

static void note_written(sema_unit *u)
{
    strview source = u->request.source;
    struct raw_lexer x = raw_lexer_on(source, false);
    uint32_t line = 1, line_end = end_of_line(source, 0);
    VEC_PUSH(u->mem, &u->written_lines, (struct written_line){0, 0});
    VEC_PUSH(u->mem, &u->written_lines, (struct written_line){0, 0});
    for (;;) {
        struct raw_token t = raw_next(&x);
        for (; line_end < t.begin; line++) {
            VEC_PUSH(u->mem, &u->written_lines,
                     (struct written_line){(uint32_t)u->written.count, line_end + 1});
            line_end = end_of_line(source, line_end + 1);
        }
        if (t.kind == RAW_END)
            break;
        if (t.kind == RAW_DIRECTIVE)
            continue;
        VEC_PUSH(u->mem, &u->written, (struct written){t.begin, t.end, line, t.kind == RAW_WORD});
    }
}

void sema_place_init(sema_unit *u)
{
    note_token_lines(u);
    note_written(u);
}

uint32_t sema_unit_token(const sema_unit *u, uint32_t offset)
{
    return (uint32_t)vec_find_last(u->tokens, sizeof *u->tokens, offsetof(struct token, begin), 0,
                                   u->token_count, offset);
}

static const char mark_prefix[] = "__awaitc_";

/* As it is written: markers of the lowering are `await`, `async`, `aw_all` in the source. */
static bool is_written_as(strview token, strview written)
{
    if (sv_equal(token, written))
        return true;
    size_t len = sizeof mark_prefix - 1;
    if (!sv_starts(token, mark_prefix) || !sv_ends(token, "__"))
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

/* ---- lines of very many tokens --------------------------------------------------------------- */

/* The written tokens of one text, in order. */
struct same_words {
    VEC(uint32_t) at;
};

/*
 * Generated sources have lines of tens of thousands of tokens. What a search along the line would
 * find again for each token is kept: how many equal tokens stand before it, where the words of one
 * text are written, and the macro that the line names first.
 */
struct long_line {
    uint32_t first;   /* unit token */
    uint32_t *before; /* [token - first] */
    word_set index;   /* of written texts, and of markers; value: 1 + index in words */
    VEC(struct same_words *) words;
    uint32_t macro, macro_end;
    word_set in_call; /* texts on later lines of that macro's call; value: 1 + written token */
    bool has_macro, has_call;
};

static struct same_words *words_of(sema_unit *u, struct long_line *line, strview text)
{
    struct word_entry *e = word_set_add(&line->index, text);
    if (e->value == 0) {
        struct same_words *new_words = ARENA_NEW(u->mem, struct same_words);
        VEC_PUSH(u->mem, &line->words, new_words);
        e->value = (uint32_t)line->words.count;
    }
    return line->words.at[e->value - 1];
}

static bool is_on_line(const sema_unit *u, uint32_t written, uint32_t number)
{
    return written < u->written.count && u->written.at[written].line == number;
}

/* Marks are `await`, `aw_all` in the source: they are looked for once a kind. */
static void add_marks(sema_unit *u, struct long_line *line, strview mark, uint32_t first,
                      uint32_t number)
{
    struct same_words *words = words_of(u, line, mark);
    words->at.count = 0;
    for (uint32_t k = first; is_on_line(u, k, number); k++) {
        if (is_written_as(mark, written_text(u, k)))
            VEC_PUSH(u->mem, &words->at, k);
    }
}

static struct long_line *make_long_line(sema_unit *u, const struct unit_line *at, uint32_t end)
{
    struct long_line *line = ARENA_NEW(u->mem, struct long_line);
    line->first = at->first;
    line->before = ARENA_ARRAY(u->mem, uint32_t, end - at->first);
    line->index = line->in_call = word_set_in(u->mem);
    uint32_t written = at->number < u->written_lines.count ? u->written_lines.at[at->number].first
                                                           : (uint32_t)u->written.count;
    for (uint32_t k = written; is_on_line(u, k, at->number); k++) {
        struct same_words *words = words_of(u, line, written_text(u, k));
        VEC_PUSH(u->mem, &words->at, k);
    }
    word_set counts = word_set_in(u->mem);
    for (uint32_t t = at->first; t < end; t++) {
        strview text = sema_unit_text(u, t);
        struct word_entry *e = word_set_add(&counts, text);
        if (e->value == 0 && sv_starts(text, mark_prefix))
            add_marks(u, line, text, written, at->number);
        line->before[t - at->first] = e->value++;
    }
    return line;
}

/* The line's tables if the token stands on a long line, or NULL. */
static struct long_line *long_line_of(sema_unit *u, uint32_t t)
{
    uint32_t index = u->token_line[t];
    struct unit_line *line = &u->lines.at[index];
    uint32_t end = index + 1 < u->lines.count ? u->lines.at[index + 1].first : u->token_count;
    if (end - line->first < LONG_LINE_TOKENS)
        return NULL;
    if (line->long_1 == 0) {
        struct long_line *made = make_long_line(u, line, end);
        VEC_PUSH(u->mem, &u->long_lines, made);
        line->long_1 = (uint32_t)u->long_lines.count;
    }
    return u->long_lines.at[line->long_1 - 1];
}

/* ---- from token to written token ------------------------------------------------------------- */

/* How many equal tokens stand before this one on its line? */
static uint32_t occurrence(const sema_unit *u, uint32_t t)
{
    uint32_t before = 0;
    strview text = sema_unit_text(u, t);
    for (uint32_t k = line_of(u, t)->first; k < t; k++)
        before += sv_equal(sema_unit_text(u, k), text);
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

/* The written token that is this one itself; the number of written tokens: none on its line. */
static uint32_t own_written_token(sema_unit *u, uint32_t t, struct long_line *line, uint32_t first)
{
    const uint32_t none = (uint32_t)u->written.count;
    strview text = sema_unit_text(u, t);
    if (line != NULL) {
        const struct word_entry *e = word_set_find(&line->index, text);
        uint32_t before = line->before[t - line->first];
        bool is_found = e != NULL && before < line->words.at[e->value - 1]->at.count;
        return is_found ? line->words.at[e->value - 1]->at.at[before] : none;
    }
    uint32_t left = occurrence(u, t);
    for (uint32_t k = first; is_on_line(u, k, line_of(u, t)->number); k++) {
        if (is_written_as(text, written_text(u, k)) && left-- == 0)
            return k;
    }
    return none;
}

/* The macro to which the line's tokens go back that are not written there, and the end of its call.
 */
static uint32_t made_by(sema_unit *u, struct long_line *line, uint32_t first, uint32_t number,
                        uint32_t *end)
{
    if (line != NULL && line->has_macro) {
        *end = line->macro_end;
        return line->macro;
    }
    uint32_t macro = macro_on_line(u, first, number);
    *end = macro < u->written.count ? behind_macro_call(u, macro) : macro;
    if (line != NULL) {
        line->has_macro = true;
        line->macro = macro;
        line->macro_end = *end;
    }
    return macro;
}

/* The first word of this text on a later line of the macro call [macro, end); `end`: none. */
static uint32_t in_macro_call(sema_unit *u, struct long_line *line, strview text, uint32_t macro,
                              uint32_t end)
{
    uint32_t number = u->written.at[macro].line, k = macro;
    bool is_mark = sv_starts(text, mark_prefix);
    if (line == NULL || is_mark) {
        while (k < end &&
               !(u->written.at[k].line > number && is_written_as(text, written_text(u, k))))
            k++;
        return k;
    }
    for (; k < end && !line->has_call; k++) {
        struct word_entry *e = word_set_add(&line->in_call, written_text(u, k));
        if (e->value == 0 && u->written.at[k].line > number)
            e->value = k + 1;
    }
    line->has_call = true;
    const struct word_entry *e = word_set_find(&line->in_call, text);
    return e != NULL && e->value != 0 ? e->value - 1 : end;
}

/* The written token of a preprocessed one; *exact: itself, not the macro that made it. The number
 * of written tokens: none, or not in the source. */
static uint32_t written_token(sema_unit *u, uint32_t t, bool *exact)
{
    const uint32_t none = (uint32_t)u->written.count;
    uint32_t number = line_of(u, t)->number;
    *exact = false;
    if (!sema_unit_file(u, t)->is_own || number >= u->written_lines.count)
        return none;
    struct long_line *line = long_line_of(u, t);
    uint32_t first = u->written_lines.at[number].first;
    uint32_t k = own_written_token(u, t, line, first), end;
    *exact = k != none;
    if (k != none)
        return k;
    uint32_t macro = made_by(u, line, first, number, &end);
    if (macro == none)
        return is_on_line(u, first, number) ? first : none;
    k = in_macro_call(u, line, sema_unit_text(u, t), macro, end);
    *exact = k != end;
    return *exact ? k : macro;
}

/* ---- places ---------------------------------------------------------------------------------- */

static uint32_t column_of(const sema_unit *u, const struct written *w)
{
    return w->begin - u->written_lines.at[w->line].begin + 1;
}

struct diag_place sema_unit_place(sema_unit *u, uint32_t t)
{
    struct diag_place place = {.file = sema_unit_file(u, t)->name, .line = line_of(u, t)->number};
    bool exact;
    uint32_t k = written_token(u, t, &exact);
    if (k < u->written.count) {
        place.line = u->written.at[k].line;
        place.column = column_of(u, &u->written.at[k]);
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

bool sema_source_token(sema_unit *u, const struct sema_function *fn, uint32_t token,
                       uint32_t *begin, uint32_t *end)
{
    bool exact;
    uint32_t t = unit_token_of(fn, token), k = written_token(u, t, &exact);
    if (!exact || !is_written_as(sema_unit_text(u, t), written_text(u, k)))
        return false;
    *begin = u->written.at[k].begin;
    *end = u->written.at[k].end;
    return true;
}

uint32_t sema_end_column(sema_unit *u, const struct sema_function *fn, const ast_node *n)
{
    uint32_t begin, end;
    if (!sema_source_range(u, fn, n, &begin, &end) ||
        memchr(u->request.source.at + begin, '\n', end - begin) != NULL)
        return 0;
    size_t low =
        vec_find_last(u->written_lines.at, sizeof *u->written_lines.at,
                      offsetof(struct written_line, begin), 1, u->written_lines.count, begin);
    return end - u->written_lines.at[low].begin + 1;
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
