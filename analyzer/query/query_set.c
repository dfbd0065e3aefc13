/* SPDX-License-Identifier: MIT */
/*
 * Compilation, and its errors: tree-sitter says where and of which kind, this file says what is
 * wrong there and which name was probably meant.
 */
#include "analyzer/query/query_set.h"

#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/nearest_name.h"
#include "analyzer/base/strbuf.h"

struct compiler {
    arena *mem;
    diag_sink *sink;
    const query_file_list *files;
    offset_list starts; /* of each file's text in the joint one */
    strbuf text;
    struct query_set *set;
    bool failed;
};

static size_t file_index(const struct compiler *c, uint32_t offset)
{
    size_t i = c->files->count - 1;
    while (i > 0 && c->starts.at[i] > offset)
        i--;
    return i;
}

static void fail(struct compiler *c, uint32_t offset, const char *text)
{
    size_t i = file_index(c, offset);
    const struct query_file *f = c->files->at[i];
    size_t end = offset - c->starts.at[i];
    struct diag_place place = {f->rule.file, 1, 1};
    for (size_t k = 0; k < end && k < f->text.len; k++) {
        place.column++;
        if (f->text.at[k] == '\n') {
            place.line++;
            place.column = 1;
        }
    }
    diag_report(c->sink, DIAG_INPUT, place, "%s", text);
    c->failed = true;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

static strview name_at(const struct compiler *c, uint32_t offset)
{
    strview name = {c->text.at + offset, 0};
    while (offset + name.len < c->text.len && is_name_byte(name.at[name.len]))
        name.len++;
    return name;
}

static const char *hint(arena *mem, const struct nearest_name *near)
{
    return near->best == NULL ? "" : arena_printf(mem, "; did you mean '%s'?", near->best);
}

static const char *unknown_node(struct compiler *c, uint32_t offset)
{
    const TSLanguage *language = tree_sitter_c();
    strview name = name_at(c, offset);
    if (name.len == 0)
        return "C has no such token";
    struct nearest_name near = nearest_name_start(arena_strndup(c->mem, name.at, name.len));
    for (uint32_t i = 0; i < ts_language_symbol_count(language); i++) {
        if (ts_language_symbol_type(language, (TSSymbol)i) == TSSymbolTypeRegular) {
            const char *symbol = ts_language_symbol_name(language, (TSSymbol)i);
            nearest_name_offer(&near, symbol, symbol);
        }
    }
    return arena_printf(c->mem, "C has no node type '%.*s'%s", SV_ARG(name), hint(c->mem, &near));
}

static const char *unknown_field(struct compiler *c, uint32_t offset)
{
    const TSLanguage *language = tree_sitter_c();
    strview name = name_at(c, offset);
    struct nearest_name near = nearest_name_start(arena_strndup(c->mem, name.at, name.len));
    for (uint32_t i = 1; i <= ts_language_field_count(language); i++) {
        const char *field = ts_language_field_name_for_id(language, (TSFieldId)i);
        nearest_name_offer(&near, field, field);
    }
    return arena_printf(c->mem, "C has no field '%.*s'%s", SV_ARG(name), hint(c->mem, &near));
}

static const char *error_text(struct compiler *c, TSQueryError kind, uint32_t offset)
{
    switch (kind) {
    case TSQueryErrorNodeType:
        return unknown_node(c, offset);
    case TSQueryErrorField:
        return unknown_field(c, offset);
    case TSQueryErrorCapture: {
        strview name = name_at(c, offset);
        return arena_printf(c->mem, "no pattern captures '@%.*s'", SV_ARG(name));
    }
    case TSQueryErrorStructure:
        return "this can never match: such a node has no such child or field in C";
    case TSQueryErrorSyntax:
        return "the query cannot be read here: is a parenthesis, bracket or quote missing?";
    case TSQueryErrorNone:
    case TSQueryErrorLanguage:
        break;
    }
    return "tree-sitter does not take this query";
}

/* The offset of the n-th predicate of a pattern. */
static uint32_t predicate_offset(const struct compiler *c, uint32_t pattern, size_t n)
{
    uint32_t begin = ts_query_start_byte_for_pattern(c->set->query, pattern);
    uint32_t end = ts_query_end_byte_for_pattern(c->set->query, pattern);
    bool in_string = false, in_comment = false;
    for (uint32_t i = begin; i + 1 < end; i++) {
        char b = c->text.at[i];
        if (in_comment) {
            in_comment = b != '\n';
        } else if (in_string) {
            i += b == '\\';
            in_string = b != '"';
        } else if (b == '(' && c->text.at[i + 1] == '#') {
            if (n-- == 0)
                return i + 1;
        } else {
            in_string = b == '"';
            in_comment = b == ';';
        }
    }
    return begin;
}

uint32_t query_capture_find(const TSQuery *query, strview name)
{
    for (uint32_t i = 0; i < ts_query_capture_count(query); i++) {
        uint32_t len;
        const char *capture = ts_query_capture_name_for_id(query, i, &len);
        if (sv_equal(name, (strview){capture, len}))
            return i;
    }
    return NO_CAPTURE;
}

/* The name in braces at the start of the text; empty if there is none. */
static strview placeholder(strview text)
{
    size_t len = 1;
    while (len < text.len && is_name_byte(text.at[len]))
        len++;
    bool closed = len > 1 && len < text.len && text.at[0] == '{' && text.at[len] == '}';
    return (strview){text.at + 1, closed ? len - 1 : 0};
}

bool query_template_next(strview *rest, strview *literal, strview *capture)
{
    if (rest->len == 0)
        return false;
    *literal = (strview){rest->at, 0};
    *capture = (strview){rest->at, 0};
    size_t used;
    if (sv_starts(*rest, "{{")) {
        literal->len = 1;
        used = 2;
    } else if (placeholder(*rest).len > 0) {
        *capture = placeholder(*rest);
        used = capture->len + 2;
    } else {
        const char *brace = memchr(rest->at + 1, '{', rest->len - 1);
        used = literal->len = brace == NULL ? rest->len : (size_t)(brace - rest->at);
    }
    *rest = (strview){rest->at + used, rest->len - used};
    return true;
}

static void check_template(struct compiler *c, uint32_t offset, const char *what,
                           const char *template)
{
    if (template == NULL)
        return;
    strview rest = sv_from(template), literal, name;
    while (query_template_next(&rest, &literal, &name)) {
        if (name.len > 0 && query_capture_find(c->set->query, name) == NO_CAPTURE)
            fail(c, offset,
                 arena_printf(c->mem, "the %s names {%.*s}, which no pattern captures", what,
                              SV_ARG(name)));
    }
}

/* (#set! key "value") */
static void read_setting(struct compiler *c, struct query_pattern *p, uint32_t offset,
                         const TSQueryPredicateStep *steps, size_t count)
{
    const TSQuery *query = c->set->query;
    if (count != 3 || steps[1].type != TSQueryPredicateStepTypeString ||
        steps[2].type != TSQueryPredicateStepTypeString) {
        fail(c, offset, "#set! takes a property and its value, as in (#set! message \"...\")");
        return;
    }
    uint32_t len;
    const char *at = ts_query_string_value_for_id(query, steps[1].value_id, &len);
    strview name = {at, len};
    at = ts_query_string_value_for_id(query, steps[2].value_id, &len);
    const char *value = arena_strndup(c->mem, at, len);
    switch (head_key_find(name)) {
    case HEAD_MESSAGE:
        p->message = value;
        check_template(c, offset, "message", value);
        return;
    case HEAD_FIX:
        p->fix = value;
        check_template(c, offset, "fix", value);
        return;
    case HEAD_FIX_TITLE:
        p->fix_title = value;
        check_template(c, offset, "fix's title", value);
        return;
    case HEAD_SEVERITY:
        if (!head_severity_read(value, &p->severity))
            fail(c, offset, "a severity is 'note', 'warning' or 'error'");
        return;
    case HEAD_ID:
    case HEAD_WHEN:
        fail(c, offset, "the head of the file says this, for all of its patterns");
        return;
    case HEAD_KEY_COUNT:
        break;
    }
    fail(c, offset,
         arena_printf(c->mem, "a pattern has no property '%.*s'%s", SV_ARG(name),
                      head_key_hint(c->mem, name)));
}

static void read_predicate(struct compiler *c, struct query_pattern *p, uint32_t offset,
                           const TSQueryPredicateStep *steps, size_t count)
{
    uint32_t len;
    const char *name = ts_query_string_value_for_id(c->set->query, steps[0].value_id, &len);
    if (sv_is((strview){name, len}, "set!")) {
        read_setting(c, p, offset, steps, count);
        return;
    }
    struct predicate predicate;
    const char *why = predicate_read(c->mem, c->set->query, steps, count, &predicate);
    if (why != NULL) {
        fail(c, offset, why);
        return;
    }
    p->needs_async |= predicate_needs_async(&predicate);
    VEC_PUSH(c->mem, &p->predicates, predicate);
}

static void read_pattern(struct compiler *c, uint32_t index)
{
    uint32_t start = ts_query_start_byte_for_pattern(c->set->query, index);
    const struct query_file *f = c->files->at[file_index(c, start)];
    struct query_pattern p = {
        .file = f,
        .severity = f->head.severity,
        .message = f->head.values[HEAD_MESSAGE],
        .fix = f->head.values[HEAD_FIX],
        .fix_title = f->head.values[HEAD_FIX_TITLE],
    };
    uint32_t step_count;
    const TSQueryPredicateStep *steps =
        ts_query_predicates_for_pattern(c->set->query, index, &step_count);
    size_t nth = 0;
    for (uint32_t begin = 0, i = 0; i < step_count; i++) {
        if (steps[i].type != TSQueryPredicateStepTypeDone)
            continue;
        if (i > begin)
            read_predicate(c, &p, predicate_offset(c, index, nth), steps + begin, i - begin);
        nth++;
        begin = i + 1;
    }
    VEC_PUSH(c->mem, &c->set->patterns, p);
}

static void read_patterns(struct compiler *c)
{
    struct query_set *set = c->set;
    uint32_t count = ts_query_pattern_count(set->query);
    if (count == 0)
        fail(c, 0, "the file has no pattern");
    if (ts_query_capture_count(set->query) == 0 && count > 0)
        fail(c, ts_query_start_byte_for_pattern(set->query, 0),
             "nothing is captured, so that a finding would have no place: add @report");
    set->needs_async = true;
    for (uint32_t i = 0; i < count; i++) {
        read_pattern(c, i);
        set->needs_async &= set->patterns.at[i].needs_async;
    }
    for (size_t i = 0; i < c->files->count; i++) {
        const struct query_head *head = &c->files->at[i]->head;
        check_template(c, c->starts.at[i], "message", head->values[HEAD_MESSAGE]);
        check_template(c, c->starts.at[i], "fix", head->values[HEAD_FIX]);
        check_template(c, c->starts.at[i], "fix's title", head->values[HEAD_FIX_TITLE]);
    }
    set->report_capture = query_capture_find(set->query, SV("report"));
    set->fix_capture = query_capture_find(set->query, SV("fix"));
}

enum { GROUPS_DEEPEST = 200 };

/* tree-sitter reads groups by recursion: where does one nest too deeply? The text's length:
 * nowhere. */
static size_t too_deep_at(strview text)
{
    int depth = 0;
    bool in_string = false, in_comment = false;
    for (size_t i = 0; i < text.len; i++) {
        char b = text.at[i];
        if (in_comment) {
            in_comment = b != '\n';
        } else if (in_string) {
            i += b == '\\';
            in_string = b != '"';
        } else {
            in_string = b == '"';
            in_comment = b == ';';
            depth += b == '(' || b == '[';
            depth -= b == ')' || b == ']';
            if (depth > GROUPS_DEEPEST)
                return i;
        }
    }
    return text.len;
}

bool query_set_compile(arena *mem, const query_file_list *files, diag_sink *sink,
                       struct query_set *out)
{
    *out = (struct query_set){.report_capture = NO_CAPTURE, .fix_capture = NO_CAPTURE};
    struct compiler c = {
        .mem = mem, .sink = sink, .files = files, .text = strbuf_in(mem), .set = out};
    AWC_ASSERT(files->count > 0);
    for (size_t i = 0; i < files->count; i++) {
        VEC_PUSH(mem, &c.starts, (uint32_t)c.text.len);
        strbuf_sv(&c.text, files->at[i]->text);
        strbuf_char(&c.text, '\n');
        size_t deep = too_deep_at(files->at[i]->text);
        if (deep < files->at[i]->text.len)
            fail(&c, c.starts.at[i] + (uint32_t)deep, "the query nests more than 200 deep");
    }
    if (c.failed)
        return false;
    uint32_t offset = 0;
    TSQueryError kind = TSQueryErrorNone;
    out->query =
        ts_query_new(tree_sitter_c(), strbuf_text(&c.text), (uint32_t)c.text.len, &offset, &kind);
    if (out->query == NULL)
        fail(&c, offset, error_text(&c, kind, offset));
    else
        read_patterns(&c);
    return !c.failed;
}

void query_set_close(struct query_set *set)
{
    for (size_t i = 0; i < set->patterns.count; i++) {
        predicate_list *list = &set->patterns.at[i].predicates;
        for (size_t k = 0; k < list->count; k++)
            query_regex_free(list->at[k].regex);
    }
    if (set->query != NULL)
        ts_query_delete(set->query);
    *set = (struct query_set){0};
}
