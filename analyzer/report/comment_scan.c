/* SPDX-License-Identifier: MIT */
/* A literal ends at its line's end at the latest, so that a stray quote does not hide the file. */
#include "analyzer/report/comment_scan.h"

static char byte_at(strview text, size_t i)
{
    return i < text.len ? text.at[i] : '\0';
}

/* Is the line end at `i` behind a backslash? */
static bool is_continued(strview text, size_t i)
{
    if (i > 0 && text.at[i - 1] == '\r')
        i--;
    return i > 0 && text.at[i - 1] == '\\';
}

static size_t line_comment_end(strview text, size_t i)
{
    while (i < text.len && (text.at[i] != '\n' || is_continued(text, i)))
        i++;
    return i;
}

static size_t block_comment_end(strview text, size_t i)
{
    for (i += 2; i < text.len; i++) {
        if (text.at[i] == '*' && byte_at(text, i + 1) == '/')
            return i + 2;
    }
    return text.len;
}

static size_t literal_end(strview text, size_t i)
{
    char quote = text.at[i++];
    while (i < text.len && text.at[i] != quote) {
        if (text.at[i] == '\n' && !is_continued(text, i))
            return i;
        i += text.at[i] == '\\' && byte_at(text, i + 1) != '\r' ? 2 : 1;
    }
    return i < text.len ? i + 1 : text.len;
}

bool comment_scan_next(struct comment_scan *scan, strview *comment)
{
    strview text = scan->text;
    size_t i = scan->at;
    while (i < text.len) {
        char c = text.at[i], next = byte_at(text, i + 1);
        if (c == '/' && (next == '/' || next == '*')) {
            size_t end = next == '/' ? line_comment_end(text, i) : block_comment_end(text, i);
            *comment = (strview){text.at + i, end - i};
            scan->at = end;
            return true;
        }
        i = c == '"' || c == '\'' ? literal_end(text, i) : i + 1;
    }
    scan->at = text.len;
    return false;
}
