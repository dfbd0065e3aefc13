/* SPDX-License-Identifier: MIT */
/*
 * Running: mask, parse, one walk for all patterns, predicates, findings. A rule reports each place
 * once, whichever of its patterns match there; the first one counts. Files in which nothing is
 * async are not parsed if all patterns need that.
 */
#include "analyzer/query/query_rules.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/query/query_load.h"

enum {
    MATCHES_AT_ONCE = 2000, /* unfinished ones; patterns that branch without end lose some */
    SHORT_TEXT = 60         /* bytes of a capture in a message */
};

/* A match whose predicates hold. */
struct hit {
    const struct query_file *file;
    uint32_t begin, end; /* of what is reported */
    uint32_t order;      /* in which it was found */
    struct finding *finding;
};

struct run {
    arena *scratch;
    const struct query_set *set;
    struct query_source source;
    finding_list *out;
    VEC(struct hit) hits;
};

/* The first node of a capture in the match; false if there is none. */
static bool captured(const TSQueryMatch *match, uint32_t capture, TSNode *out)
{
    for (uint16_t i = 0; i < match->capture_count; i++) {
        if (match->captures[i].index == capture) {
            *out = match->captures[i].node;
            return true;
        }
    }
    return false;
}

/* Adds a text on one line, blanks drawn together, cut if it is long. */
static void add_short(strbuf *to, strview text)
{
    size_t room = SHORT_TEXT;
    bool blank = false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c <= ' ') {
            blank = true;
            continue;
        }
        if (room == 0 && (c & 0xC0) != 0x80) { /* never inside a UTF-8 sequence */
            strbuf_str(to, "...");
            return;
        }
        if (blank)
            strbuf_char(to, ' ');
        blank = false;
        strbuf_char(to, (char)c);
        room -= room > 0;
    }
}

/* A message (short) or fix with its captures put in; false if one is not in the match. */
static bool fill(struct run *r, const TSQueryMatch *match, const char *template, bool shortened,
                 const char **out)
{
    strbuf text = strbuf_in(r->out->mem);
    strview rest = sv_from(template), literal, name;
    bool complete = true;
    while (query_template_next(&rest, &literal, &name)) {
        TSNode node;
        if (name.len == 0)
            strbuf_sv(&text, literal);
        else if (!captured(match, query_capture_find(r->set->query, name), &node))
            complete = false;
        else if (shortened)
            add_short(&text, query_node_text(&r->source, node));
        else
            strbuf_sv(&text, query_node_text(&r->source, node));
    }
    *out = strbuf_text(&text);
    return complete;
}

/* Does an expression in this place need parentheses unless it is a primary one: (x)->y, (x)(y)? */
static bool is_before_postfix(struct run *r, TSNode node)
{
    node_list around = query_ancestors(r->scratch, &r->source, node);
    if (around.count == 0)
        return false;
    TSNode parent = VEC_LAST(&around);
    const char *type = ts_node_type(parent);
    return (strcmp(type, "field_expression") == 0 || strcmp(type, "call_expression") == 0 ||
            strcmp(type, "subscript_expression") == 0) &&
           ts_node_start_byte(parent) == ts_node_start_byte(node);
}

/* Is there an operator outside all brackets, so that `text->x` would mean something else? */
static bool is_compound(const char *text)
{
    int depth = 0;
    for (; *text != '\0'; text++) {
        depth += *text == '(' || *text == '[';
        depth -= *text == ')' || *text == ']';
        if (depth == 0 && strchr(" *&+-!~?=<>,|^/%", *text) != NULL)
            return true;
    }
    return false;
}

static void add_fix(struct run *r, const struct query_pattern *p, const TSQueryMatch *match,
                    TSNode node, struct finding *finding)
{
    const char *text;
    if (p->fix == NULL || !fill(r, match, p->fix, false, &text))
        return;
    captured(match, r->set->fix_capture, &node);
    if (is_compound(text) && is_before_postfix(r, node))
        text = arena_printf(r->out->mem, "(%s)", text);
    struct finding_fix fix = {.edits = {0}};
    if (p->fix_title == NULL || !fill(r, match, p->fix_title, true, &fix.title)) {
        strbuf title = strbuf_in(r->out->mem);
        strbuf_str(&title, "write '");
        add_short(&title, sv_from(text));
        strbuf_char(&title, '\'');
        fix.title = strbuf_text(&title);
    }
    struct finding_edit edit = {.file = r->source.file,
                                .begin = ts_node_start_byte(node),
                                .end = ts_node_end_byte(node),
                                .text = text};
    VEC_PUSH(r->out->mem, &fix.edits, edit);
    VEC_PUSH(r->out->mem, &finding->fixes, fix);
}

static struct finding *make_finding(struct run *r, const struct query_pattern *p,
                                    const TSQueryMatch *match, TSNode node)
{
    arena *mem = r->out->mem;
    struct finding *f = ARENA_NEW(mem, struct finding);
    TSPoint begin = ts_node_start_point(node), end = ts_node_end_point(node);
    const struct source_function *function = query_function_of(&r->source, node);
    const char *id = p->file->rule.id;
    f->rule = arena_strndup(mem, id, strlen(id)); /* findings may outlive the rules */
    f->severity = p->severity;
    f->place = (struct diag_place){r->source.file, begin.row + 1, begin.column + 1};
    f->end_column = end.row == begin.row ? end.column + 1 : 0;
    fill(r, match, p->message, true, &f->message);
    if (function != NULL && function->name.len > 0)
        f->function = arena_strndup(mem, function->name.at, function->name.len);
    strbuf leaf = strbuf_in(mem);
    add_short(&leaf, query_node_text(&r->source, node));
    f->leaf = strbuf_text(&leaf);
    add_fix(r, p, match, node, f);
    return f;
}

static void take_match(struct run *r, const TSQueryMatch *match)
{
    const struct query_pattern *p = &r->set->patterns.at[match->pattern_index];
    if (match->capture_count == 0 ||
        !predicates_hold(r->scratch, &p->predicates, &r->source, match))
        return;
    TSNode node = match->captures[0].node;
    captured(match, r->set->report_capture, &node);
    struct hit hit = {.file = p->file,
                      .begin = ts_node_start_byte(node),
                      .end = ts_node_end_byte(node),
                      .order = (uint32_t)r->hits.count,
                      .finding = make_finding(r, p, match, node)};
    VEC_PUSH(r->scratch, &r->hits, hit);
}

static int compare_hits(const void *a, const void *b)
{
    const struct hit *x = a, *y = b;
    int by_rule = strcmp(x->file->rule.id, y->file->rule.id);
    if (by_rule != 0)
        return by_rule;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static void hand_over(struct run *r)
{
    if (r->hits.count > 0)
        qsort(r->hits.at, r->hits.count, sizeof *r->hits.at, compare_hits);
    for (size_t i = 0; i < r->hits.count; i++) {
        const struct hit *hit = &r->hits.at[i];
        bool again = i > 0 && hit[-1].begin == hit->begin &&
                     strcmp(hit[-1].file->rule.id, hit->file->rule.id) == 0;
        if (!again)
            VEC_PUSH(r->out->mem, &r->out->all, hit->finding);
    }
}

static enum query_run_status run_query(struct run *r)
{
    TSQueryCursor *cursor = ts_query_cursor_new();
    ts_query_cursor_set_match_limit(cursor, MATCHES_AT_ONCE);
    ts_query_cursor_exec(cursor, r->set->query, ts_tree_root_node(r->source.tree));
    TSQueryMatch match;
    while (ts_query_cursor_next_match(cursor, &match))
        take_match(r, &match);
    bool lost = ts_query_cursor_did_exceed_match_limit(cursor);
    ts_query_cursor_delete(cursor);
    hand_over(r);
    return lost ? QUERY_RUN_TOO_MANY : QUERY_RUN_OK;
}

/* With scratch memory and a query. */
static enum query_run_status run_in(struct run *r, const query_rules *rules)
{
    struct query_source *s = &r->source;
    s->masked = query_mask(r->scratch, s->text, rules->annotations, rules->annotation_count);
    if (r->set->needs_async && s->masked.awaits.count == 0 && s->masked.asyncs.count == 0)
        return QUERY_RUN_OK;
    switch (query_source_parse(s)) {
    case QUERY_SOURCE_TOO_LARGE:
        return QUERY_RUN_TOO_LARGE;
    case QUERY_SOURCE_TOO_DEEP:
        return QUERY_RUN_TOO_DEEP;
    case QUERY_SOURCE_OK:
        break;
    }
    enum query_run_status status = run_query(r);
    query_source_close(s);
    return status;
}

/* Does the text hold a word at all that would make something async? */
static bool may_be_async(const query_rules *rules, strview source)
{
    bool may = memmem(source.at, source.len, "await", 5) != NULL ||
               memmem(source.at, source.len, "async", 5) != NULL;
    for (size_t i = 0; i < rules->annotation_count && !may; i++) {
        const char *word = rules->annotations[i];
        may = memmem(source.at, source.len, word, strlen(word)) != NULL;
    }
    return may;
}

enum query_run_status query_rules_run(query_rules *rules, enum query_when when, const char *file,
                                      strview source, finding_list *out)
{
    if (source.len > UINT32_MAX / 2)
        return QUERY_RUN_TOO_LARGE;
    if (query_rules_need_async(rules, when) && !may_be_async(rules, source))
        return QUERY_RUN_OK;
    struct run r = {.set = query_rules_set(rules, when), .out = out};
    if (r.set == NULL)
        return QUERY_RUN_OK;
    r.scratch = arena_create();
    r.source = (struct query_source){.mem = r.scratch, .file = file, .text = source};
    enum query_run_status status = run_in(&r, rules);
    arena_destroy(&r.scratch);
    return status;
}

const char *query_run_status_text(enum query_run_status status)
{
    switch (status) {
    case QUERY_RUN_OK:
        return "checked";
    case QUERY_RUN_TOO_LARGE:
        return "not checked by queries: the file is too large";
    case QUERY_RUN_TOO_DEEP:
        return "not checked by queries: its code is nested too deeply";
    case QUERY_RUN_TOO_MANY:
        return "queries may have missed something: a pattern has too many ways to match; "
               "replace '(_)*' by something narrower";
    }
    return "";
}
