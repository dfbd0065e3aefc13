/* SPDX-License-Identifier: MIT */
/* The head of a rule file, line by line. All of its errors are reported in one run. */
#include "analyzer/query/query_head.h"

#include "analyzer/base/check.h"
#include "analyzer/base/nearest_name.h"

static const char *const key_names[HEAD_KEY_COUNT] = {
    [HEAD_ID] = "id",   [HEAD_SEVERITY] = "severity",   [HEAD_MESSAGE] = "message",
    [HEAD_FIX] = "fix", [HEAD_FIX_TITLE] = "fix-title", [HEAD_WHEN] = "when",
};

struct head_reader {
    arena *mem;
    const char *file;
    diag_sink *sink;
    struct query_head head;
    enum head_key current; /* what a further line goes on with */
    uint32_t line;
    bool failed;
};

enum head_key head_key_find(strview name)
{
    for (int i = 0; i < HEAD_KEY_COUNT; i++) {
        if (sv_is(name, key_names[i]))
            return (enum head_key)i;
    }
    return HEAD_KEY_COUNT;
}

const char *head_key_hint(arena *mem, strview name)
{
    struct nearest_name near = nearest_name_start(arena_strndup(mem, name.at, name.len));
    for (int i = 0; i < HEAD_KEY_COUNT; i++)
        nearest_name_offer(&near, key_names[i], key_names[i]);
    return near.best == NULL ? "" : arena_printf(mem, "; did you mean '%s'?", near.best);
}

bool head_severity_read(const char *text, enum diag_severity *out)
{
    static const char *const words[] = {
        [DIAG_NOTE] = "note", [DIAG_WARNING] = "warning", [DIAG_ERROR] = "error"};
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = (enum diag_severity)i;
            return true;
        }
    }
    return false;
}

static void fail(struct head_reader *r, uint32_t line, const char *text)
{
    diag_report(r->sink, DIAG_INPUT, (struct diag_place){r->file, line, 1}, "%s", text);
    r->failed = true;
}

static strview trimmed(strview s)
{
    while (s.len > 0 && (s.at[0] == ' ' || s.at[0] == '\t')) {
        s.at++;
        s.len--;
    }
    while (s.len > 0 && strchr(" \t\r", s.at[s.len - 1]) != NULL)
        s.len--;
    return s;
}

static void add_key(struct head_reader *r, strview name, strview value)
{
    enum head_key key = head_key_find(name);
    r->current = key;
    if (key == HEAD_KEY_COUNT) {
        fail(r, r->line,
             arena_printf(r->mem, "a rule has no property '%.*s'%s; comments start with ';;' here",
                          SV_ARG(name), head_key_hint(r->mem, name)));
    } else if (r->head.values[key] != NULL) {
        fail(r, r->line, arena_printf(r->mem, "'%s' is given twice", key_names[key]));
    } else {
        r->head.values[key] = arena_strndup(r->mem, value.at, value.len);
        r->head.lines[key] = r->line;
    }
}

/* A line of the head, what stands behind its ';'. */
static void read_line(struct head_reader *r, strview line)
{
    strview text = trimmed(line);
    const char *colon = memchr(text.at, ':', text.len);
    bool goes_on = line.len > 3 && sv_starts(line, "   ") && r->current != HEAD_KEY_COUNT;
    if (goes_on) {
        r->head.values[r->current] =
            arena_printf(r->mem, "%s %.*s", r->head.values[r->current], SV_ARG(text));
    } else if (colon != NULL) {
        size_t name_len = (size_t)(colon - text.at);
        add_key(r, (strview){text.at, name_len},
                trimmed((strview){colon + 1, text.len - name_len - 1}));
    } else {
        fail(r, r->line, "the head of a rule holds lines '; key: value'; comments start with ';;'");
    }
}

static void read_lines(struct head_reader *r, strview text)
{
    while (text.len > 0) {
        const char *end = memchr(text.at, '\n', text.len);
        strview line = {text.at, end == NULL ? text.len : (size_t)(end - text.at)};
        r->line++;
        if (!sv_starts(line, ";") && r->line > 1 && trimmed(line).len > 0)
            break;
        if (trimmed(line).len == 0 && (r->current != HEAD_KEY_COUNT || r->failed))
            break;
        if (sv_starts(line, ";") && !sv_starts(line, ";;"))
            read_line(r, (strview){line.at + 1, line.len - 1});
        size_t step = line.len + (end != NULL);
        text = (strview){text.at + step, text.len - step};
    }
}

static bool is_id(const char *id)
{
    return id[0] >= 'a' && id[0] <= 'z' &&
           id[strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

static void check_id(struct head_reader *r, bool built_in)
{
    const char *id = r->head.values[HEAD_ID];
    if (id == NULL)
        fail(r, 1, "the rule has no id: start the file with '; id: ourproject-name'");
    else if (!is_id(id))
        fail(r, r->head.lines[HEAD_ID], "an id consists of a-z, 0-9 and '-'");
    else if (!built_in && strncmp(id, "awaitc-", 7) == 0)
        fail(r, r->head.lines[HEAD_ID],
             "ids that start with 'awaitc-' are awaitc's own; choose a prefix of your project");
}

static void check_words(struct head_reader *r)
{
    const char *severity = r->head.values[HEAD_SEVERITY], *when = r->head.values[HEAD_WHEN];
    if (severity != NULL && !head_severity_read(severity, &r->head.severity))
        fail(r, r->head.lines[HEAD_SEVERITY], "a severity is 'note', 'warning' or 'error'");
    if (when != NULL && strcmp(when, "fallback") == 0)
        r->head.when = QUERY_FALLBACK;
    else if (when != NULL && strcmp(when, "always") != 0)
        fail(r, r->head.lines[HEAD_WHEN], "'when' is 'always' or 'fallback'");
    if (r->head.values[HEAD_MESSAGE] == NULL)
        fail(r, 1, "the rule has no message: add a line '; message: what is wrong, what to do'");
}

bool query_head_read(arena *mem, const char *file, strview text, bool built_in, diag_sink *sink,
                     struct query_head *out)
{
    struct head_reader r = {.mem = mem, .file = file, .sink = sink, .current = HEAD_KEY_COUNT};
    r.head.severity = DIAG_WARNING;
    r.head.when = QUERY_ALWAYS;
    read_lines(&r, text);
    check_id(&r, built_in);
    check_words(&r);
    *out = r.head;
    return !r.failed;
}
