/* SPDX-License-Identifier: MIT */
/*
 * A translation, character by character, and the C library's matcher. What POSIX does not have
 * (look-around, named groups) is an error, never a silent other meaning.
 */
#include "analyzer/query/query_regex.h"

#include <limits.h>
#include <regex.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"

struct query_regex {
    regex_t compiled;
};

struct translation {
    strbuf out;
    strview in;
    size_t at;
    bool in_bracket;
    const char *why; /* not NULL: cannot be translated */
};

/* What a class escape means inside brackets; NULL: no such escape. */
static const char *class_of(char c)
{
    switch (c) {
    case 'd':
        return "0-9";
    case 'w':
        return "[:alnum:]_";
    case 's':
        return "[:space:]";
    default:
        return NULL;
    }
}

static void add_escape(struct translation *t)
{
    char c = t->at + 1 < t->in.len ? t->in.at[t->at + 1] : '\0';
    const char *class = class_of(c);
    t->at += 2;
    if (c == '\0')
        t->why = "it ends in a backslash";
    else if (class != NULL)
        strbuf_fmt(&t->out, t->in_bracket ? "%s" : "[%s]", class);
    else if (c == 'n' || c == 't')
        strbuf_char(&t->out, c == 'n' ? '\n' : '\t');
    else if (t->in_bracket && strchr("DWSbB", c) != NULL)
        t->why = "in brackets, only \\d, \\w and \\s stand for several characters";
    else if (c == 'D')
        strbuf_str(&t->out, "[^0-9]");
    else if (c >= '1' && c <= '9')
        t->why = "back references are not supported";
    else if (t->in_bracket || strchr("/-\"':;,=!@#%&~<> ", c) != NULL)
        strbuf_char(&t->out, c);
    else
        strbuf_fmt(&t->out, "\\%c", c);
}

/* The bracket, and what is no end of it though it looks so: [^]...], []...]. */
static void open_bracket(struct translation *t)
{
    t->in_bracket = true;
    strbuf_char(&t->out, t->in.at[t->at++]);
    if (t->at < t->in.len && t->in.at[t->at] == '^')
        strbuf_char(&t->out, t->in.at[t->at++]);
    if (t->at < t->in.len && t->in.at[t->at] == ']')
        strbuf_char(&t->out, t->in.at[t->at++]);
}

static void add_in_bracket(struct translation *t)
{
    strview rest = {t->in.at + t->at, t->in.len - t->at};
    const char *end = sv_starts(rest, "[:") ? memmem(rest.at, rest.len, ":]", 2) : NULL;
    size_t len = end == NULL ? 1 : (size_t)(end - rest.at) + 2;
    t->in_bracket = len > 1 || rest.at[0] != ']';
    strbuf_add(&t->out, rest.at, len);
    t->at += len;
}

static void add_character(struct translation *t)
{
    strview rest = {t->in.at + t->at, t->in.len - t->at};
    bool escaped_before = t->at > 1 && t->in.at[t->at - 2] == '\\';
    bool quantified = t->at > 0 && !escaped_before && strchr("*+?}", t->in.at[t->at - 1]) != NULL;
    if (rest.at[0] == '\\') {
        add_escape(t);
    } else if (t->in_bracket) {
        add_in_bracket(t);
    } else if (rest.at[0] == '[') {
        open_bracket(t);
    } else if (sv_starts(rest, "(?:")) {
        strbuf_char(&t->out, '(');
        t->at += 3;
    } else if (sv_starts(rest, "(?")) {
        t->why = "of the groups that start with (?, only (?:...) is supported";
    } else if (rest.at[0] == '?' && quantified) {
        t->at++; /* lazy: which match is found does not matter here */
    } else {
        strbuf_char(&t->out, rest.at[0]);
        t->at++;
    }
}

query_regex *query_regex_compile(arena *mem, strview pattern, const char **why)
{
    struct translation t = {.out = strbuf_in(mem), .in = pattern};
    int flags = REG_EXTENDED | REG_NOSUB;
    if (sv_starts(pattern, "(?i)")) {
        flags |= REG_ICASE;
        t.at = 4;
    }
    while (t.at < pattern.len && t.why == NULL)
        add_character(&t);
    if (t.why != NULL) {
        *why = t.why;
        return NULL;
    }
    query_regex *regex = malloc(sizeof *regex);
    AWC_ASSERT(regex != NULL);
    int status = regcomp(&regex->compiled, strbuf_text(&t.out), flags);
    if (status == 0)
        return regex;
    char text[200];
    regerror(status, &regex->compiled, text, sizeof text);
    *why = arena_strndup(mem, text, strlen(text));
    free(regex);
    return NULL;
}

/* By GNU's search, which takes a length: the text need not end in NUL, and may hold some. */
bool query_regex_matches(query_regex *regex, strview text)
{
    AWC_ASSERT(text.len <= INT_MAX);
    regoff_t len = (regoff_t)text.len;
    return re_search(&regex->compiled, text.len > 0 ? text.at : "", len, 0, len, NULL) >= 0;
}

void query_regex_free(query_regex *regex)
{
    if (regex != NULL)
        regfree(&regex->compiled);
    free(regex);
}
