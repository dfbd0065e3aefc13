/* SPDX-License-Identifier: MIT */
/*
 * The pages are those of rules/docs and docs/errors, which the build turns into .def files: lines
 * of text, each page opened by its name.
 *
 *     PAGE missing-await | line | line | ... | PAGE defer | line | ...
 *
 * An id that is both an error and a check has two pages.
 */
#include "analyzer/tool/explain_pages.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"

/* A line that opens a page has a name; its text is NULL. */
struct page_line {
    const char *name;
    const char *text;
};

#define PAGE(name) {name, NULL},
#define LINE(text) {NULL, text},
static const struct page_line error_pages[] = {
#include "analyzer/tool/error_pages.def"
};
static const struct page_line rule_pages[] = {
#include "analyzer/tool/rule_pages.def"
};
#undef PAGE
#undef LINE

const char *rule_short_name(const char *id)
{
    static const char prefix[] = "awaitc-";
    size_t len = sizeof prefix - 1;
    return strncmp(id, prefix, len) == 0 ? id + len : id;
}

/* The first line of the page of this name (without prefix); NULL: there is none. */
static const struct page_line *find_page(const struct page_line *lines, size_t count,
                                         const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (lines[i].name != NULL && strcmp(lines[i].name, name) == 0)
            return &lines[i + 1];
    }
    return NULL;
}

/* behind: a page was printed already; a heading stands instead of the page's first line. */
static bool print_page(const struct page_line *lines, size_t count, const char *name, bool behind)
{
    const struct page_line *line = find_page(lines, count, name);
    if (line == NULL)
        return false;
    if (behind) {
        puts("\n## As a check of the linter");
        line++;
    }
    for (; line < lines + count && line->name == NULL; line++)
        puts(line->text);
    return true;
}

bool explain_print(const char *id)
{
    const char *name = rule_short_name(id);
    bool printed = print_page(error_pages, COUNTOF(error_pages), name, false);
    printed |= print_page(rule_pages, COUNTOF(rule_pages), name, printed);
    return printed;
}

const char *explain_rule_page(arena *mem, const char *id)
{
    const struct page_line *line = find_page(rule_pages, COUNTOF(rule_pages), rule_short_name(id));
    strbuf out = strbuf_in(mem);
    if (line == NULL)
        return NULL;
    for (; line < rule_pages + COUNTOF(rule_pages) && line->name == NULL; line++)
        strbuf_fmt(&out, "%s\n", line->text);
    return strbuf_text(&out);
}
