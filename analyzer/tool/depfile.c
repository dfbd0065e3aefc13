/* SPDX-License-Identifier: MIT */
/*
 * A rule is a list of words: targets, a colon, prerequisites. Words end at blanks that no backslash
 * protects; a backslash before a line end only breaks the line. gcc breaks lines so that they have
 * at most 72 columns (libcpp/mkdeps.c), clang 75 (DependencyFile.cpp).
 */
#include "analyzer/tool/depfile.h"

#include "analyzer/base/strbuf.h"
#include "analyzer/base/vec.h"

typedef VEC(strview) word_list;

/* Reads one rule at *at, which moves behind its line end. */
static word_list read_rule(arena *mem, strview text, size_t *at)
{
    word_list words = {0};
    size_t begin = *at, p = *at;
    bool in_word = false;
    for (;; p++) {
        char c = p < text.len ? text.at[p] : '\n';
        bool broken = c == '\\' && p + 1 < text.len && text.at[p + 1] == '\n';
        bool ends = broken || c == ' ' || c == '\n';
        if (ends && in_word)
            VEC_PUSH(mem, &words, (strview){text.at + begin, p - begin});
        if (!ends && !in_word)
            begin = p;
        in_word = !ends;
        if (c == '\n')
            break;
        if (broken || (c == '\\' && p + 1 < text.len))
            p++; /* the line end, or the protected character */
    }
    *at = p < text.len ? p + 1 : text.len;
    return words;
}

/* The name as make reads it. */
static strview make_name(arena *mem, const char *name)
{
    strbuf out = strbuf_in(mem);
    while (name[0] == '.' && name[1] == '/') {
        name += 2;
        while (*name == '/')
            name++;
    }
    for (const char *p = name; *p != '\0'; p++) {
        if (*p == ' ' || *p == '\t') {
            for (const char *q = p; q > name && q[-1] == '\\'; q--)
                strbuf_char(&out, '\\');
            strbuf_char(&out, '\\');
        } else if (*p == '#') {
            strbuf_char(&out, '\\');
        } else if (*p == '$') {
            strbuf_char(&out, '$');
        }
        strbuf_char(&out, *p);
    }
    return strbuf_view(&out);
}

static bool ends_targets(strview word)
{
    return word.len > 0 && word.at[word.len - 1] == ':' &&
           (word.len < 2 || word.at[word.len - 2] != '\\');
}

static void write_gcc(strbuf *out, const word_list *words)
{
    size_t column = 0;
    for (size_t i = 0; i < words->count; i++) {
        strview word = words->at[i];
        size_t size = word.len - (ends_targets(word) ? 1 : 0);
        if (column > 0) {
            if (column + size > 72) {
                strbuf_str(out, " \\\n");
                column = 0;
            }
            strbuf_char(out, ' ');
            column++;
        }
        strbuf_sv(out, word);
        column += word.len;
    }
    strbuf_char(out, '\n');
}

static void write_clang(strbuf *out, const word_list *words)
{
    size_t column = 0;
    bool targets = true;
    for (size_t i = 0; i < words->count; i++) {
        strview word = words->at[i];
        size_t size = word.len - (targets && ends_targets(word) ? 1 : 0);
        bool breaks = targets ? column > 0 && column + size + 2 > 75 : column + size + 3 > 75;
        if (column == 0) {
            column = size;
        } else if (breaks) {
            strbuf_str(out, targets ? " \\\n  " : " \\\n ");
            column = targets ? size + 2 : 2;
        } else {
            column += targets ? size + 1 : 0;
            if (targets)
                strbuf_char(out, ' ');
        }
        if (!targets) {
            strbuf_char(out, ' ');
            column += size + 1;
        }
        strbuf_sv(out, word);
        if (targets && ends_targets(word)) {
            targets = false;
            column++;
        }
    }
    strbuf_char(out, '\n');
}

strview depfile_rename(arena *mem, strview text, const struct depfile_change *change)
{
    size_t at = 0;
    word_list words = read_rule(mem, text, &at), changed = {0};
    strview name = make_name(mem, change->to);
    strview from = change->from != NULL ? make_name(mem, change->from) : (strview){NULL, 0};
    strview first = {NULL, 0};
    bool targets = true;
    for (size_t i = 0; i < words.count; i++) {
        bool is_source = !targets && from.at != NULL && sv_equal(words.at[i], from);
        if (!targets && first.at == NULL && !is_source)
            first = words.at[i];
        VEC_PUSH(mem, &changed, is_source ? name : words.at[i]);
        if (targets && ends_targets(words.at[i])) {
            targets = false;
            if (from.at == NULL)
                VEC_PUSH(mem, &changed, name);
        }
    }
    strbuf out = strbuf_in(mem);
    if (change->clang_layout)
        write_clang(&out, &changed);
    else
        write_gcc(&out, &changed);
    if (change->phony && from.at == NULL && first.at != NULL)
        strbuf_fmt(&out, "%.*s:\n", SV_ARG(first));
    strbuf_add(&out, text.at + at, text.len - at);
    return strbuf_view(&out);
}
