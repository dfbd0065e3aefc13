/* SPDX-License-Identifier: MIT */
/*
 * One function writes each kind of line, one reads it, in the same order of fields. Every field is
 * checked when it is read: a facts file may be cut short, of another version, or anything at all.
 */
#include "analyzer/program/facts_io.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/check.h"

enum { FACTS_VERSION = 7, MAX_FIELDS = 20 };

/* ---- writing --------------------------------------------------------------------------------- */

static void put_text(strbuf *out, const char *text)
{
    strbuf_char(out, '\t');
    if (text == NULL) {
        strbuf_str(out, "\\0");
        return;
    }
    for (;;) {
        size_t plain = strcspn(text, "\t\n\\");
        strbuf_add(out, text, plain);
        text += plain;
        if (*text == '\0')
            return;
        strbuf_char(out, '\\');
        strbuf_char(out, *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\');
        text++;
    }
}

static void put_number(strbuf *out, int64_t n)
{
    strbuf_char(out, '\t');
    strbuf_number(out, n);
}

static void put_place(strbuf *out, const struct diag_place *place)
{
    put_text(out, place->file);
    put_number(out, place->line);
    put_number(out, place->column);
}

static void put_value(strbuf *out, const struct value *v)
{
    put_number(out, v->kind);
    put_number(out, v->number);
    put_number(out, v->with);
    put_number(out, v->otherwise);
    put_text(out, v->text);
    put_text(out, v->key);
    put_text(out, v->record);
}

static void end_line(strbuf *out)
{
    strbuf_char(out, '\n');
}

static unsigned call_flags(const struct fact_call *c)
{
    return (unsigned)c->is_async | (unsigned)c->result_unused << 1 |
           (unsigned)c->needs_parens << 2 | (unsigned)c->is_last << 3 | (unsigned)c->wants_all << 4;
}

static void write_call(const struct fact_call *c, strbuf *out)
{
    strbuf_str(out, "call");
    put_number(out, c->callee_kind);
    put_number(out, c->callee_param);
    put_text(out, c->callee);
    put_number(out, c->run);
    put_number(out, call_flags(c));
    put_number(out, c->open_loop);
    put_place(out, &c->place);
    put_number(out, c->end_column);
    put_number(out, c->begin);
    put_number(out, c->end);
    put_text(out, c->source_text);
    end_line(out);
    for (size_t i = 0; i < c->args.count; i++) {
        strbuf_str(out, "arg");
        put_value(out, &c->args.at[i]);
        end_line(out);
    }
    for (size_t i = 0; i < c->when.count; i++) {
        strbuf_str(out, "when");
        put_number(out, c->when.at[i].param);
        put_number(out, c->when.at[i].equal);
        put_number(out, c->when.at[i].number);
        put_text(out, c->when.at[i].record);
        end_line(out);
    }
    for (size_t i = 0; i < c->held.count; i++) {
        strbuf_str(out, "held");
        put_text(out, c->held.at[i]);
        end_line(out);
    }
    for (size_t i = 0; i < c->released.count; i++) {
        strbuf_str(out, "released");
        put_text(out, c->released.at[i]);
        end_line(out);
    }
}

static unsigned function_flags(const struct fact_function *f)
{
    return (unsigned)f->is_static | (unsigned)f->is_async << 1 |
           (unsigned)f->is_async_keyword << 2 | (unsigned)f->is_defined << 3 |
           (unsigned)f->in_header << 4;
}

static void write_function(const struct fact_function *f, strbuf *out)
{
    strbuf_str(out, "function");
    put_text(out, f->name);
    put_text(out, f->file);
    put_place(out, &f->place);
    put_number(out, function_flags(f));
    put_number(out, f->stated);
    put_number(out, f->param_count);
    end_line(out);
    for (size_t i = 0; i < f->calls.count; i++)
        write_call(&f->calls.at[i], out);
    for (size_t i = 0; i < f->returns.count; i++) {
        strbuf_str(out, "result");
        put_value(out, &f->returns.at[i]);
        end_line(out);
    }
}

static void write_fix(const struct finding_fix *fix, strbuf *out)
{
    strbuf_str(out, "fix");
    put_text(out, fix->title);
    end_line(out);
    for (size_t i = 0; i < fix->edits.count; i++) {
        const struct finding_edit *e = &fix->edits.at[i];
        strbuf_str(out, "edit");
        put_text(out, e->file);
        put_number(out, e->begin);
        put_number(out, e->end);
        put_text(out, e->text);
        end_line(out);
    }
}

static void write_candidate(const struct candidate *c, strbuf *out)
{
    const struct finding *f = &c->finding;
    strbuf_str(out, "finding");
    put_text(out, f->rule);
    put_number(out, f->severity);
    put_place(out, &f->place);
    put_number(out, f->end_column);
    put_text(out, f->message);
    put_text(out, f->function);
    put_text(out, f->leaf);
    put_number(out, c->needs);
    put_text(out, c->needs_of);
    put_text(out, c->needs_mark);
    put_text(out, c->unless_mark);
    end_line(out);
    for (size_t i = 0; i < f->steps.count; i++) {
        strbuf_str(out, "step");
        put_place(out, &f->steps.at[i].place);
        put_text(out, f->steps.at[i].function);
        put_text(out, f->steps.at[i].text);
        end_line(out);
    }
    for (size_t i = 0; i < f->fixes.count; i++)
        write_fix(&f->fixes.at[i], out);
}

void facts_write(const struct unit_facts *facts, strbuf *out)
{
    strbuf_str(out, "awaitc-facts");
    put_number(out, FACTS_VERSION);
    put_text(out, facts->path);
    end_line(out);
    for (size_t i = 0; i < facts->dependencies.count; i++) {
        strbuf_str(out, "depends");
        put_text(out, facts->dependencies.at[i]);
        end_line(out);
    }
    for (size_t i = 0; i < facts->functions.count; i++)
        write_function(&facts->functions.at[i], out);
    for (size_t i = 0; i < facts->stores.count; i++) {
        const struct fact_store *s = &facts->stores.at[i];
        strbuf_str(out, "store");
        put_text(out, s->key);
        put_number(out, s->function);
        put_place(out, &s->place);
        put_value(out, &s->value);
        end_line(out);
    }
    for (size_t i = 0; i < facts->addresses.count; i++) {
        strbuf_str(out, "address");
        put_text(out, facts->addresses.at[i]);
        end_line(out);
    }
    for (size_t i = 0; i < facts->marks.count; i++) {
        strbuf_str(out, "mark");
        put_text(out, facts->marks.at[i]);
        end_line(out);
    }
    for (size_t i = 0; i < facts->candidates.count; i++)
        write_candidate(facts->candidates.at[i], out);
    for (size_t i = 0; i < facts->suppressions.count; i++) {
        strbuf_str(out, facts->suppressions.at[i]);
        end_line(out);
    }
    strbuf_str(out, "end\n");
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reader {
    arena *mem;
    strview field[MAX_FIELDS];
    uint32_t count, next;
    bool failed;
    const char *last_file; /* equal names are mostly next to each other */
    struct unit_facts *facts;
    struct fact_function *function;
    struct fact_call *call;
    struct candidate *candidate;
};

static const char *take_text(struct reader *r)
{
    if (r->next >= r->count) {
        r->failed = true;
        return "";
    }
    strview raw = r->field[r->next++];
    if (sv_is(raw, "\\0"))
        return NULL;
    if (memchr(raw.at, '\\', raw.len) == NULL) {
        if (r->last_file != NULL && sv_is(raw, r->last_file))
            return r->last_file;
        return arena_strndup(r->mem, raw.at, raw.len);
    }
    char *text = arena_strndup(r->mem, raw.at, raw.len), *out = text;
    for (size_t i = 0; i < raw.len; i++) {
        char c = raw.at[i];
        if (c == '\\' && i + 1 < raw.len) {
            c = raw.at[++i];
            c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
        }
        *out++ = c;
    }
    *out = '\0';
    return text;
}

static const char *take_word(struct reader *r)
{
    const char *text = take_text(r);
    if (text == NULL)
        r->failed = true;
    return text == NULL ? "" : text;
}

static int64_t take_number(struct reader *r, int64_t low, int64_t high)
{
    if (r->next >= r->count) {
        r->failed = true;
        return low;
    }
    strview raw = r->field[r->next++];
    char digits[24], *end;
    if (raw.len == 0 || raw.len >= sizeof digits) {
        r->failed = true;
        return low;
    }
    memcpy(digits, raw.at, raw.len);
    digits[raw.len] = '\0';
    errno = 0;
    long long n = strtoll(digits, &end, 10);
    if (errno != 0 || *end != '\0' || n < low || n > high) {
        r->failed = true;
        return low;
    }
    return n;
}

static uint32_t take_u32(struct reader *r)
{
    return (uint32_t)take_number(r, 0, UINT32_MAX);
}

static struct diag_place take_place(struct reader *r)
{
    struct diag_place place;
    place.file = take_text(r);
    r->last_file = place.file;
    place.line = take_u32(r);
    place.column = take_u32(r);
    return place;
}

static struct value take_value(struct reader *r)
{
    struct value v;
    v.kind = (enum value_kind)take_number(r, VALUE_UNKNOWN, VALUE_CHOICE);
    v.number = take_number(r, INT64_MIN, INT64_MAX);
    v.with = take_number(r, INT64_MIN, INT64_MAX);
    v.otherwise = take_number(r, INT64_MIN, INT64_MAX);
    v.text = take_text(r);
    v.key = take_text(r);
    v.record = take_text(r);
    bool needs_text = v.kind == VALUE_KEY || v.kind == VALUE_STRING || v.kind == VALUE_FUNCTION ||
                      v.kind == VALUE_ADDRESS;
    bool is_index = v.kind == VALUE_PARAM || v.kind == VALUE_RESULT || v.kind == VALUE_CHOICE;
    if ((needs_text && v.text == NULL) || (is_index && v.number < 0))
        r->failed = true;
    return v;
}

static void read_call(struct reader *r)
{
    struct fact_call c = {0};
    c.callee_kind = (enum callee_kind)take_number(r, CALLEE_NAME, CALLEE_UNKNOWN);
    c.callee_param = take_number(r, 0, UINT32_MAX);
    c.callee = take_text(r);
    c.run = (enum call_run)take_number(r, RUN_HERE, RUN_DRIVEN);
    uint32_t flags = take_u32(r);
    c.is_async = flags & 1;
    c.result_unused = flags >> 1 & 1;
    c.needs_parens = flags >> 2 & 1;
    c.is_last = flags >> 3 & 1;
    c.wants_all = flags >> 4 & 1;
    c.open_loop = (uint32_t)take_number(r, 0, 65535);
    c.place = take_place(r);
    c.end_column = take_u32(r);
    c.begin = take_u32(r);
    c.end = take_u32(r);
    c.source_text = take_text(r);
    bool needs_callee = c.callee_kind == CALLEE_NAME || c.callee_kind == CALLEE_KEY;
    if ((needs_callee && c.callee == NULL) || r->function == NULL) {
        r->failed = true;
        return;
    }
    VEC_PUSH(r->mem, &r->function->calls, c);
    r->call = &VEC_LAST(&r->function->calls);
}

static void read_function(struct reader *r)
{
    struct fact_function f = {0};
    f.name = take_word(r);
    f.file = take_text(r);
    f.place = take_place(r);
    uint32_t flags = take_u32(r);
    f.is_static = flags & 1;
    f.is_async = flags >> 1 & 1;
    f.is_async_keyword = flags >> 2 & 1;
    f.is_defined = flags >> 3 & 1;
    f.in_header = flags >> 4 & 1;
    f.stated = take_u32(r);
    f.param_count = (uint32_t)take_number(r, 0, 65535);
    f.file = f.file == NULL ? "" : f.file;
    VEC_PUSH(r->mem, &r->facts->functions, f);
    r->function = &VEC_LAST(&r->facts->functions);
    r->call = NULL;
}

static void read_of_call(struct reader *r, strview kind)
{
    if (r->call == NULL) {
        r->failed = true;
    } else if (sv_is(kind, "arg")) {
        struct value v = take_value(r);
        VEC_PUSH(r->mem, &r->call->args, v);
    } else if (sv_is(kind, "when")) {
        struct fact_condition when;
        when.param = (uint32_t)take_number(r, 0, 65535);
        when.equal = take_number(r, 0, 1) != 0;
        when.number = take_number(r, INT64_MIN, INT64_MAX);
        when.record = take_text(r);
        VEC_PUSH(r->mem, &r->call->when, when);
    } else if (sv_is(kind, "held")) {
        const char *text = take_word(r);
        VEC_PUSH(r->mem, &r->call->held, text);
    } else {
        const char *text = take_word(r);
        VEC_PUSH(r->mem, &r->call->released, text);
    }
}

static void read_store(struct reader *r)
{
    struct fact_store s;
    s.key = take_word(r);
    s.function = take_u32(r);
    s.place = take_place(r);
    s.value = take_value(r);
    if (s.function != UINT32_MAX && s.function >= r->facts->functions.count)
        r->failed = true;
    VEC_PUSH(r->mem, &r->facts->stores, s);
}

static void read_candidate(struct reader *r)
{
    struct candidate *c = ARENA_NEW(r->mem, struct candidate);
    struct finding *f = &c->finding;
    f->rule = take_word(r);
    f->severity = (enum diag_severity)take_number(r, DIAG_NOTE, DIAG_ERROR);
    f->place = take_place(r);
    f->end_column = take_u32(r);
    f->message = take_word(r);
    f->function = take_text(r);
    f->leaf = take_text(r);
    c->needs = take_u32(r);
    c->needs_of = take_text(r);
    c->needs_mark = take_text(r);
    c->unless_mark = take_text(r);
    VEC_PUSH(r->mem, &r->facts->candidates, c);
    r->candidate = c;
}

static void read_of_candidate(struct reader *r, strview kind)
{
    if (r->candidate == NULL) {
        r->failed = true;
        return;
    }
    struct finding *f = &r->candidate->finding;
    if (sv_is(kind, "step")) {
        struct finding_step step;
        step.place = take_place(r);
        step.function = take_text(r);
        step.text = take_word(r);
        VEC_PUSH(r->mem, &f->steps, step);
    } else if (sv_is(kind, "fix")) {
        struct finding_fix fix = {.title = take_word(r)};
        VEC_PUSH(r->mem, &f->fixes, fix);
    } else if (f->fixes.count == 0) {
        r->failed = true;
    } else {
        struct finding_edit e;
        e.file = take_word(r);
        e.begin = take_u32(r);
        e.end = take_u32(r);
        e.text = take_word(r);
        VEC_PUSH(r->mem, &VEC_LAST(&f->fixes).edits, e);
    }
}

/* Reads one line into the facts; false if its kind is not known. */
static bool read_line(struct reader *r, strview line, strview kind)
{
    if (sv_is(kind, "call")) {
        read_call(r);
    } else if (sv_is(kind, "arg") || sv_is(kind, "when") || sv_is(kind, "held") ||
               sv_is(kind, "released")) {
        read_of_call(r, kind);
    } else if (sv_is(kind, "function")) {
        read_function(r);
    } else if (sv_is(kind, "result")) {
        struct value v = take_value(r);
        if (r->function == NULL)
            r->failed = true;
        else
            VEC_PUSH(r->mem, &r->function->returns, v);
    } else if (sv_is(kind, "store")) {
        read_store(r);
    } else if (sv_is(kind, "address")) {
        const char *name = take_word(r);
        VEC_PUSH(r->mem, &r->facts->addresses, name);
    } else if (sv_is(kind, "mark")) {
        const char *mark = take_word(r);
        VEC_PUSH(r->mem, &r->facts->marks, mark);
    } else if (sv_is(kind, "depends")) {
        const char *file = take_word(r);
        VEC_PUSH(r->mem, &r->facts->dependencies, file);
    } else if (sv_is(kind, "finding")) {
        read_candidate(r);
    } else if (sv_is(kind, "step") || sv_is(kind, "fix") || sv_is(kind, "edit")) {
        read_of_candidate(r, kind);
    } else if (sv_is(kind, "nolint")) {
        const char *copy = arena_strndup(r->mem, line.at, line.len);
        VEC_PUSH(r->mem, &r->facts->suppressions, copy);
    } else {
        return false;
    }
    return true;
}

static strview split_line(struct reader *r, strview line)
{
    r->count = r->next = 0;
    r->failed = false;
    strview kind = {line.at, 0};
    const char *at = line.at, *end = line.at + line.len;
    for (bool is_first = true; at <= end; is_first = false) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const char *stop = tab == NULL ? end : tab;
        if (is_first)
            kind.len = (size_t)(stop - at);
        else if (r->count < MAX_FIELDS)
            r->field[r->count++] = (strview){at, (size_t)(stop - at)};
        if (tab == NULL)
            break;
        at = tab + 1;
    }
    return kind;
}

static bool next_line(strview text, size_t *at, strview *line)
{
    if (*at >= text.len)
        return false;
    const char *begin = text.at + *at;
    const char *end = memchr(begin, '\n', text.len - *at);
    line->at = begin;
    line->len = end == NULL ? text.len - *at : (size_t)(end - begin);
    *at += line->len + 1;
    return true;
}

static struct unit_facts *read_header(struct reader *r, strview kind, const char **error)
{
    if (!sv_is(kind, "awaitc-facts")) {
        *error = "this is no facts file of awaitc lint";
        return NULL;
    }
    int64_t version = take_number(r, 0, INT32_MAX);
    const char *path = take_word(r);
    if (r->failed || version != FACTS_VERSION) {
        *error = "these facts are of another version of awaitc; make them again";
        return NULL;
    }
    struct unit_facts *facts = ARENA_NEW(r->mem, struct unit_facts);
    facts->mem = r->mem;
    facts->path = path;
    return facts;
}

struct unit_facts *facts_read(arena *mem, strview text, size_t *at, uint32_t *line_number,
                              const char **error)
{
    struct reader r = {.mem = mem};
    strview line;
    *error = NULL;
    if (!next_line(text, at, &line))
        return NULL;
    ++*line_number;
    r.facts = read_header(&r, split_line(&r, line), error);
    if (r.facts == NULL)
        return NULL;
    while (next_line(text, at, &line)) {
        ++*line_number;
        strview kind = split_line(&r, line);
        if (sv_is(kind, "end"))
            return r.facts;
        if (!read_line(&r, line, kind) || r.failed) {
            *error = "a line that no facts file holds";
            return NULL;
        }
    }
    *error = "the file ends in the middle of a source's facts";
    return NULL;
}
