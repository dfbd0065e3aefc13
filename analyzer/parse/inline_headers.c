/* SPDX-License-Identifier: MIT */
/*
 * How is a header put in place? Directive by directive, with the lexer, so that comments are no
 * directives. What is inlined may include itself again: its guard, now in our text, ends that; a
 * nesting deeper than the compilers' own limit is left alone.
 */
#include "analyzer/parse/inline_headers.h"

#include <string.h>
#include <unistd.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/parse/raw_lex.h"

#define MAX_DEPTH 100

struct inliner {
    include_search *search;
    const word_set *headers;
    const char *source_path;
    strbuf out;
    bool changed;
};

static void line_directive(strbuf *out, uint32_t line, const char *path)
{
    strbuf_fmt(out, "#line %u \"", line);
    for (const char *p = path; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\')
            strbuf_char(out, '\\');
        strbuf_char(out, *p);
    }
    strbuf_str(out, "\"\n");
}

static uint32_t hash_text(const char *text)
{
    uint32_t h = 2166136261u;
    for (; *text != '\0'; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return h;
}

/* Writes the #include of `found` so that it finds the same file from the source itself. */
static void rebased_include(struct inliner *in, const struct include_line *line, const char *found)
{
    strview dir = include_dir_of(in->source_path);
    const char *quoted = include_find(in->search, line->operand, true, in->source_path, -1);
    const char *bracket = include_find(in->search, line->operand, false, in->source_path, -1);
    char cwd[4096];
    if (quoted != NULL && strcmp(quoted, found) == 0)
        strbuf_fmt(&in->out, "#include \"%.*s\"", SV_ARG(line->operand));
    else if (bracket != NULL && strcmp(bracket, found) == 0)
        strbuf_fmt(&in->out, "#include <%.*s>", SV_ARG(line->operand));
    else if (strncmp(found, dir.at, dir.len) == 0 && found[dir.len] != '/' && found[0] != '.')
        strbuf_fmt(&in->out, "#include \"%s\"", found + dir.len);
    else if (found[0] == '/' || getcwd(cwd, sizeof cwd) == NULL)
        strbuf_fmt(&in->out, "#include \"%s\"", found);
    else
        strbuf_fmt(&in->out, "#include \"%s/%s\"", cwd, found);
}

static void inline_text(struct inliner *in, const char *path, strview text, int depth);

static void inline_one(struct inliner *in, const char *path, int depth)
{
    line_directive(&in->out, 1, path);
    inline_text(in, path, include_text(in->search, path), depth + 1);
    if (in->out.len > 0 && in->out.at[in->out.len - 1] != '\n')
        strbuf_char(&in->out, '\n');
    in->changed = true;
}

/* Handles an #include at a directive; false if its text can stay as it is. */
static bool handle_include(struct inliner *in, const char *path, strview directive,
                           uint32_t line_no, int depth)
{
    struct include_line line;
    size_t at = 0;
    if (!include_next_line(directive, &at, &line) || line.computed || line.next)
        return false;
    const char *found = include_find(in->search, line.operand, line.quoted, path, -1);
    if (found == NULL)
        return false;
    const char *plain = include_plain_path(in->search->mem, found);
    if (word_set_find(in->headers, sv_from(plain)) != NULL && depth < MAX_DEPTH) {
        inline_one(in, found, depth);
        line_directive(&in->out, line_no, path);
        return true;
    }
    if (depth == 0 || !line.quoted)
        return false;
    rebased_include(in, &line, found);
    return true;
}

static bool is_pragma_once(const struct raw_lexer *x, const struct raw_token *t)
{
    struct raw_lexer line = raw_directive(x, t);
    struct raw_token a = raw_next(&line);
    struct raw_token b = raw_next(&line);
    return a.kind == RAW_WORD && b.kind == RAW_WORD && a.end - a.begin == 6 &&
           b.end - b.begin == 4 && memcmp(x->text + a.begin, "pragma", 6) == 0 &&
           memcmp(x->text + b.begin, "once", 4) == 0;
}

static void inline_text(struct inliner *in, const char *path, strview text, int depth)
{
    struct raw_lexer x = raw_lexer_on(text, false);
    uint32_t copied = 0, line_no = 1, counted = 0;
    bool once = false;
    for (struct raw_token t = raw_next(&x); t.kind != RAW_END; t = raw_next(&x)) {
        if (t.kind != RAW_DIRECTIVE)
            continue;
        for (; counted < t.begin; counted++)
            line_no += text.at[counted] == '\n';
        strbuf_add(&in->out, text.at + copied, t.begin - copied);
        copied = t.begin;
        strview directive = {text.at + t.begin, t.end - t.begin};
        if (depth > 0 && !once && is_pragma_once(&x, &t)) {
            strbuf_fmt(&in->out, "#ifndef AWAITC_ONCE_%08x\n#define AWAITC_ONCE_%08x\n",
                       hash_text(path), hash_text(path));
            line_directive(&in->out, line_no, path);
            once = true;
            copied = t.end;
        } else if (handle_include(in, path, directive, line_no, depth)) {
            copied = t.end;
        }
    }
    strbuf_add(&in->out, text.at + copied, text.len - copied);
    if (once)
        strbuf_str(&in->out, "\n#endif\n");
}

strview inline_headers(include_search *search, const char *path, strview source,
                       const word_set *headers)
{
    struct inliner in = {.search = search, .headers = headers, .source_path = path};
    in.out = strbuf_in(search->mem);
    inline_text(&in, path, source, 0);
    return in.changed ? strbuf_view(&in.out) : source;
}
