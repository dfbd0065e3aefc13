/* SPDX-License-Identifier: MIT */
/* The shown part of a line is a window of bytes that begins and ends between characters. */
#include "analyzer/diag/snippet.h"

#include "analyzer/base/utf8.h"

enum { LONGEST_LINE_BYTES = 400, BEFORE_CARET_BYTES = 60 };

static bool is_inside_character(strview line, size_t at)
{
    return at < line.len && ((unsigned char)line.at[at] & 0xc0) == 0x80;
}

struct snippet_window snippet_window_of(const struct snippet *s)
{
    if (s->line.len <= LONGEST_LINE_BYTES)
        return (struct snippet_window){0, s->line.len};
    struct snippet_window w = {0, 0};
    if (s->column > BEFORE_CARET_BYTES && s->column <= s->line.len + 1)
        w.begin = s->column - BEFORE_CARET_BYTES;
    w.end = w.begin + LONGEST_LINE_BYTES < s->line.len ? w.begin + LONGEST_LINE_BYTES : s->line.len;
    for (int i = 0; i < 3 && is_inside_character(s->line, w.begin); i++)
        w.begin++;
    for (int i = 0; i < 3 && is_inside_character(s->line, w.end); i++)
        w.end--;
    return w;
}

/* C0, DEL and C1: what a terminal would obey rather than show. */
static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

static void print_line(FILE *to, const struct snippet *s, struct snippet_window w)
{
    fputs(w.begin > 0 ? "..." : "", to);
    for (size_t i = w.begin; i < w.end;) {
        uint32_t code;
        size_t n = utf8_next((strview){s->line.at + i, w.end - i}, &code);
        if (code == '\t')
            fputc('\t', to);
        else if (is_control(code))
            fputc(' ', to);
        else if (code == 0xfffd)
            fputs("\xef\xbf\xbd", to);
        else
            fwrite(s->line.at + i, 1, n, to);
        i += n;
    }
    fputs(w.end < s->line.len ? "...\n" : "\n", to);
}

/* Writes `mark` as often as the character is wide; tabs stay tabs in blanks. */
static void print_mark(FILE *to, uint32_t code, char mark)
{
    unsigned cols = code == '\t' || is_control(code) ? 1 : utf8_width_cols(code);
    if (code == '\t' && mark == ' ')
        mark = '\t';
    for (unsigned k = 0; k < cols; k++)
        fputc(mark, to);
}

static void print_underline(FILE *to, const struct snippet *s, size_t from, size_t end)
{
    bool first = true; /* the caret stands for the first column */
    fputc('^', to);
    for (size_t i = from; i < end;) {
        uint32_t code;
        size_t n = utf8_next((strview){s->line.at + i, s->line.len - i}, &code);
        unsigned cols = code == '\t' || is_control(code) ? 1 : utf8_width_cols(code);
        for (unsigned k = first && cols > 0 ? 1 : 0; k < cols; k++)
            fputc('~', to);
        first = false;
        i += n;
    }
}

static void print_caret(FILE *to, const struct snippet *s, struct snippet_window w, bool colour)
{
    size_t caret = s->column - 1;
    size_t end = s->end_column > s->column ? s->end_column - 1 : caret;
    end = end < w.end ? end : w.end;
    fputs(w.begin > 0 ? "   " : "", to);
    for (size_t i = w.begin; i < caret;) {
        uint32_t code;
        i += utf8_next((strview){s->line.at + i, s->line.len - i}, &code);
        print_mark(to, code, ' ');
    }
    fputs(colour ? "\033[1;32m" : "", to);
    print_underline(to, s, caret, end);
    fputs(colour ? "\033[0m\n" : "\n", to);
}

void snippet_print(FILE *to, const struct snippet *s, bool colour)
{
    struct snippet_window w = snippet_window_of(s);
    int margin_cols = fprintf(to, "%5u", s->number);
    fputs(" | ", to);
    print_line(to, s, w);
    if (s->column == 0 || s->column > s->line.len + 1)
        return;
    fprintf(to, "%*s | ", margin_cols, "");
    print_caret(to, s, w, colour);
}
