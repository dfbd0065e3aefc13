/* SPDX-License-Identifier: MIT */
/*
 * A line is <div> with its number and <code>; the stylesheet does the rest. The diff of a fix is
 * the fixer's own, made for this one finding.
 */
#include "analyzer/report/html_code.h"

#include <stdlib.h>

#include "analyzer/base/utf8.h"
#include "analyzer/diag/snippet.h"
#include "analyzer/report/fixer.h"

static void put_character(FILE *to, uint32_t code, strview bytes)
{
    if (code == '&')
        fputs("&amp;", to);
    else if (code == '<')
        fputs("&lt;", to);
    else if (code == '>')
        fputs("&gt;", to);
    else if (code == '"')
        fputs("&quot;", to);
    else if (code == 0xfffd || (code < 0x20 && code != '\t' && code != '\n') || code == 0x7f)
        fputs("\xef\xbf\xbd", to);
    else
        fwrite(bytes.at, 1, bytes.len, to);
}

void html_text(FILE *to, strview text)
{
    while (text.len > 0) {
        uint32_t code;
        size_t n = utf8_next(text, &code);
        if (code != '\r')
            put_character(to, code, (strview){text.at, n});
        text = (strview){text.at + n, text.len - n};
    }
}

/* Where the mark ends: behind what is meant, or behind the word at the column. */
static size_t mark_end(strview line, size_t begin, uint32_t end_column)
{
    size_t end = begin;
    if (end_column > begin + 1)
        return end_column - 1 < line.len ? end_column - 1 : line.len;
    while (end < line.len && (line.at[end] == '_' || (line.at[end] & 0x80) != 0 ||
                              (line.at[end] >= '0' && line.at[end] <= '9') ||
                              ((line.at[end] | 0x20) >= 'a' && (line.at[end] | 0x20) <= 'z')))
        end++;
    return end > begin || end == line.len ? end : end + 1;
}

static void put_code(FILE *to, const struct snippet *s)
{
    struct snippet_window w = snippet_window_of(s);
    size_t begin = w.end, end = w.end;
    if (s->column != 0 && s->column <= s->line.len) {
        begin = s->column - 1;
        end = mark_end(s->line, begin, s->end_column);
        end = end < w.end ? end : w.end;
    }
    fputs(w.begin > 0 ? "<i>...</i>" : "", to);
    html_text(to, (strview){s->line.at + w.begin, begin - w.begin});
    if (begin < end) {
        fputs("<mark>", to);
        html_text(to, (strview){s->line.at + begin, end - begin});
        fputs("</mark>", to);
    }
    html_text(to, (strview){s->line.at + end, w.end - end});
    fputs(w.end < s->line.len ? "<i>...</i>" : "", to);
}

void html_source(FILE *to, const struct render_context *cx, const struct diag_place *place,
                 uint32_t end_column, uint32_t around)
{
    strview line;
    if (place->file == NULL || !source_cache_line(cx->sources, place->file, place->line, &line))
        return;
    uint32_t first = place->line > around ? place->line - around : 1;
    fputs("<pre class=\"src\">", to);
    for (uint32_t i = first; i <= place->line + around; i++) {
        struct snippet s = {.number = i};
        if (!source_cache_line(cx->sources, place->file, i, &s.line))
            break;
        bool is_it = i == place->line;
        s.column = is_it ? place->column : 0;
        s.end_column = is_it ? end_column : 0;
        fprintf(to, "<div%s><b>%u</b><code>", is_it ? " class=\"it\"" : "", i);
        put_code(to, &s);
        fputs("</code></div>", to);
    }
    fputs("</pre>\n", to);
}

static const char *class_of(strview line)
{
    if (sv_starts(line, "+++") || sv_starts(line, "---") || sv_starts(line, "@@"))
        return "hunk";
    if (sv_starts(line, "+"))
        return "add";
    return sv_starts(line, "-") ? "del" : "same";
}

static void put_diff(FILE *to, const char *diff, size_t len)
{
    fputs("<pre class=\"diff\">", to);
    for (size_t at = 0; at < len;) {
        const char *newline = memchr(diff + at, '\n', len - at);
        size_t end = newline == NULL ? len : (size_t)(newline - diff);
        strview line = {diff + at, end - at};
        fprintf(to, "<div class=\"%s\">", class_of(line));
        html_text(to, line);
        fputs("</div>", to);
        at = end + 1;
    }
    fputs("</pre>\n", to);
}

void html_fix(FILE *to, const struct render_context *cx, struct finding *f)
{
    char *diff = NULL;
    size_t len = 0;
    FILE *memory = open_memstream(&diff, &len);
    if (memory == NULL)
        return;
    finding_list alone = {.mem = arena_create()}; /* the texts of the file go at once */
    struct render_context inner = *cx;
    inner.mem = alone.mem;
    VEC_PUSH(alone.mem, &alone.all, f);
    fix_plan_print_diff(fix_plan_new(alone.mem, &alone, cx->sources), &inner, memory);
    fclose(memory);
    arena_destroy(&alone.mem);
    if (len > 0)
        put_diff(to, diff, len);
    free(diff);
}
