/* SPDX-License-Identifier: MIT */
/*
 * A guard is a list of alternatives, each a list of terms: the best alternative decides, and in it
 * the worst term. Names of constants were turned into numbers where the facts were read.
 */
#include "analyzer/program/guards.h"

#include <ctype.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/program/fd_modes.h"
#include "analyzer/program/program_private.h"

struct guard_cx {
    program *p;
    const struct program_call *leaf;
    const struct bound_value *args;
    uint32_t arg_count;
    bool at_last;
};

/* ---- one value ------------------------------------------------------------------------------- */

static bool is_pointer(enum value_kind kind)
{
    return kind == VALUE_FUNCTION || kind == VALUE_ADDRESS || kind == VALUE_STRING ||
           kind == VALUE_ZEROS;
}

static bool equals(const struct value *v, const struct guard_value *g, bool *known)
{
    *known = true;
    if (g->kind == GUARD_VALUE_ZEROS)
        return v->kind == VALUE_ZEROS;
    if (g->kind == GUARD_VALUE_STRING) {
        *known = v->kind == VALUE_STRING || v->kind == VALUE_NUMBER;
        return v->kind == VALUE_STRING && sv_is(g->text, v->text);
    }
    if (g->kind == GUARD_VALUE_NUMBER && v->kind == VALUE_NUMBER)
        return v->number == g->number;
    if (g->kind == GUARD_VALUE_NAME && v->kind == VALUE_KEY && strncmp(v->text, "g:", 2) == 0)
        return sv_is(g->text, v->text + 2);
    if (is_pointer(v->kind) && g->kind == GUARD_VALUE_NUMBER)
        return false;
    *known = false;
    return false;
}

/* Will the caller say more? */
static bool is_open(const struct value *v)
{
    return v->kind == VALUE_PARAM || v->kind == VALUE_CHOICE;
}

static enum guard_answer compare(const struct value *v, const struct guard_term *t, bool wanted)
{
    bool all_known = true, known;
    if (is_open(v))
        return GUARD_DEPENDS;
    for (uint32_t i = 0; i < t->value_count; i++) {
        if (equals(v, &t->values[i], &known))
            return wanted ? GUARD_HOLDS : GUARD_FAILS;
        all_known = all_known && known;
    }
    if (all_known)
        return wanted ? GUARD_FAILS : GUARD_HOLDS;
    return wanted ? GUARD_UNKNOWN : GUARD_UNSURE;
}

/* Is the argument greater than the value? */
static enum guard_answer greater(const struct value *v, const struct guard_term *t)
{
    if (is_open(v))
        return GUARD_DEPENDS;
    if (v->kind != VALUE_NUMBER || t->value_count == 0 || t->values[0].kind != GUARD_VALUE_NUMBER)
        return GUARD_UNKNOWN;
    return v->number > t->values[0].number ? GUARD_HOLDS : GUARD_FAILS;
}

static enum guard_answer flags(const struct value *v, const struct guard_term *t, bool set)
{
    int64_t mask = 0;
    for (uint32_t i = 0; i < t->value_count; i++) {
        if (t->values[i].kind != GUARD_VALUE_NUMBER)
            return GUARD_UNSURE;
        mask |= t->values[i].number;
    }
    if (v->kind == VALUE_PARAM && set && (v->with & mask) == mask)
        return GUARD_HOLDS;
    if (v->kind == VALUE_PARAM && !set && (v->with & mask) != 0)
        return GUARD_FAILS;
    if (is_open(v))
        return GUARD_DEPENDS;
    bool has_all = (v->number & mask) == mask, has_any = (v->number & mask) != 0;
    if (v->kind == VALUE_NUMBER)
        return (set ? has_all : !has_any) ? GUARD_HOLDS : GUARD_FAILS;
    if (v->kind == VALUE_FLAGS && set && has_all)
        return GUARD_HOLDS;
    if (v->kind == VALUE_FLAGS && !set && has_any)
        return GUARD_FAILS;
    return GUARD_UNSURE;
}

static bool is_numeric_text(const char *text)
{
    bool has_digit = false;
    for (; *text != '\0'; text++) {
        has_digit |= isxdigit((unsigned char)*text) != 0;
        if (!isxdigit((unsigned char)*text) && *text != '.' && *text != ':')
            return false;
    }
    return has_digit;
}

/* The format of a call whose result is the text that it prints; NULL. */
static const char *printed_result(const struct fact_call *call)
{
    bool prints = call->callee_kind == CALLEE_NAME && call->args.count != 0 &&
                  (strcmp(call->callee, "g_strdup_printf") == 0 ||
                   strcmp(call->callee, "g_build_filename") == 0);
    return prints && call->args.at[0].kind == VALUE_STRING ? call->args.at[0].text : NULL;
}

/* The literal that a value is, or the format that the function prints into it; NULL. */
static const char *literal_of(const struct bound_value *v)
{
    static const char *const printers[] = {"snprintf", "sprintf", "asprintf", "g_snprintf"};
    if (v->value.kind == VALUE_STRING)
        return v->value.text;
    if (v->value.kind == VALUE_RESULT && v->function != NULL &&
        v->value.number < v->function->call_count)
        return printed_result(v->function->calls[v->value.number].fact);
    bool is_place = v->value.kind == VALUE_KEY || v->value.kind == VALUE_ADDRESS;
    for (uint32_t i = 0; is_place && v->function != NULL && i < v->function->call_count; i++) {
        const struct fact_call *call = v->function->calls[i].fact;
        bool prints = false;
        for (size_t k = 0; k < COUNTOF(printers) && call->callee_kind == CALLEE_NAME; k++)
            prints = prints || strcmp(call->callee, printers[k]) == 0;
        bool is_it = prints && call->args.count > 1 && call->args.at[0].text != NULL &&
                     strcmp(call->args.at[0].text, v->value.text) == 0;
        for (size_t k = 1; is_it && k < call->args.count && k <= 2; k++) {
            if (call->args.at[k].kind == VALUE_STRING)
                return call->args.at[k].text;
        }
    }
    return NULL;
}

static enum guard_answer contains(const struct bound_value *v, const struct guard_term *t)
{
    if (is_open(&v->value))
        return GUARD_DEPENDS;
    const char *text = literal_of(v);
    if (text == NULL)
        return GUARD_UNKNOWN;
    for (uint32_t i = 0; i < t->value_count; i++) {
        if (memmem(text, strlen(text), t->values[i].text.at, t->values[i].text.len) != NULL)
            return GUARD_HOLDS;
    }
    return GUARD_FAILS;
}

static enum guard_answer numeric(const struct value *v, bool not_name)
{
    if (is_open(v))
        return GUARD_DEPENDS;
    if (v->kind == VALUE_STRING)
        return is_numeric_text(v->text) ? GUARD_HOLDS : GUARD_FAILS;
    if (v->kind == VALUE_NUMBER)
        return GUARD_HOLDS; /* NULL: no name */
    return not_name ? GUARD_HOLDS : GUARD_UNKNOWN;
}

/* ---- what was stored before ------------------------------------------------------------------ */

/* The value that the leaf's function stores in a field of what the argument points to. */
static enum guard_answer stored_field(const struct guard_cx *cx, const struct guard_term *t)
{
    const struct unit_facts *unit = cx->leaf->caller->unit;
    enum guard_answer answer = GUARD_FAILS;
    for (size_t i = 0; i < unit->stores.count; i++) {
        const struct fact_store *s = &unit->stores.at[i];
        const char *dot = strrchr(s->key, '.');
        bool is_here = s->function != UINT32_MAX && strcmp(unit->functions.at[s->function].name,
                                                           cx->leaf->caller->fact->name) == 0;
        if (!is_here || dot == NULL || !sv_is(t->field, dot + 1))
            continue;
        enum guard_answer one = t->kind == GUARD_ARG_FLAG_SET || t->kind == GUARD_ARG_FLAG_CLEAR
                                    ? flags(&s->value, t, t->kind == GUARD_ARG_FLAG_SET)
                                    : compare(&s->value, t, t->kind == GUARD_ARG_EQ);
        if (one == GUARD_HOLDS)
            return GUARD_HOLDS;
        answer = one == GUARD_FAILS ? answer : GUARD_UNSURE;
    }
    return answer;
}

/* ---- calls made elsewhere -------------------------------------------------------------------- */

/* Does the value contain it, or what every caller passes for the parameter that it is? */
static bool surely_contains(const struct bound_value *v, const struct guard_term *t)
{
    if (v->value.kind != VALUE_PARAM || v->function == NULL || v->function->callers.count == 0)
        return contains(v, t) == GUARD_HOLDS;
    for (size_t i = 0; i < v->function->callers.count; i++) {
        const struct program_call *call = v->function->callers.at[i];
        if ((size_t)v->value.number >= call->fact->args.count)
            return false;
        struct bound_value passed = {call->caller, call->fact->args.at[v->value.number]};
        if (contains(&passed, t) != GUARD_HOLDS)
            return false;
    }
    return true;
}

static bool setup_matches(program *p, const struct program_call *at, const struct guard_term *t)
{
    const struct fact_call *call = at->fact;
    if (t->op == GUARD_OP_NONE)
        return true;
    for (size_t i = 0; i < call->args.count; i++) {
        if (t->function_arg != GUARD_ANY && (int)i != t->function_arg &&
            !(t->function_arg == GUARD_LAST && i + 1 == call->args.count))
            continue;
        const struct value *v = &call->args.at[i];
        if (t->op == GUARD_OP_CONTAINS || t->op == GUARD_OP_NUMERIC) {
            struct bound_value bound = {at->caller, *v};
            bool is = t->op == GUARD_OP_CONTAINS ? surely_contains(&bound, t)
                                                 : numeric(v, false) == GUARD_HOLDS;
            if (is)
                return true;
            continue;
        }
        if (t->op == GUARD_OP_NONBLOCK) {
            if (fd_mode_of(p, &(struct bound_value){at->caller, *v}) == FD_NONBLOCKING)
                return true;
            continue;
        }
        if (v->kind != VALUE_NUMBER && v->kind != VALUE_FLAGS)
            return true; /* decided at run time: somebody cares */
        for (uint32_t k = 0; k < t->value_count; k++) {
            int64_t n = t->values[k].number;
            bool is = (t->op == GUARD_OP_EQ && v->number == n) ||
                      (t->op == GUARD_OP_NE && v->number != n) ||
                      (t->op == GUARD_OP_GREATER && v->number > n) ||
                      (t->op == GUARD_OP_FLAG && (v->number & n) == n);
            if (is)
                return true;
        }
    }
    return false;
}

/* The row of a call that makes a stream or a thing of its kind; NULL. */
static const struct known_descriptor *maker_row(const struct program *p, strview name)
{
    size_t count;
    const struct known_descriptor *rows = known_descriptors_of(p->settings->known, name, &count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].role == DESCRIPTOR_MAKE && rows[i].where.kind == PLACE_RESULT)
            return &rows[i];
    }
    return NULL;
}

/* The term names what makes the object (`obj:0:fmemopen`): of an object whose maker is seen, that
 * call alone decides. False: it is not seen. */
static bool decided_by_maker(const struct guard_cx *cx, const struct guard_term *t,
                             enum guard_answer *answer)
{
    if (t->arg < 0 || (uint32_t)t->arg >= cx->arg_count || maker_row(cx->p, t->function) == NULL)
        return false;
    const struct program_call *made = fd_maker(cx->p, &cx->args[t->arg]);
    if (made == NULL || made->fact->callee_kind != CALLEE_NAME ||
        maker_row(cx->p, sv_from(made->fact->callee)) == NULL) {
        *answer = GUARD_FAILS;
        return t->op != GUARD_OP_NONE;
    }
    bool is_it = sv_is(t->function, made->fact->callee) && setup_matches(cx->p, made, t);
    *answer = is_it ? GUARD_HOLDS : GUARD_FAILS;
    return true;
}

/* Is there a matching call of the set-up function anywhere in the program? Which object it is made
 * on is not followed: a program that switches one object of a kind mostly switches all. */
static enum guard_answer set_up(const struct guard_cx *cx, const struct guard_term *t)
{
    const struct program *p = cx->p;
    enum guard_answer by_maker;
    if (word_set_find(&p->called, t->function) == NULL)
        return GUARD_FAILS;
    if (decided_by_maker(cx, t, &by_maker))
        return by_maker;
    for (size_t i = 0; i < p->functions.count; i++) {
        const program_function *f = p->functions.at[i];
        for (uint32_t k = 0; k < f->call_count; k++) {
            const struct fact_call *call = f->calls[k].fact;
            if (call->callee_kind == CALLEE_NAME && sv_is(t->function, call->callee) &&
                setup_matches(cx->p, &f->calls[k], t))
                return GUARD_HOLDS;
        }
    }
    return GUARD_FAILS;
}

/* Does the function ask? Who asks whether a call would wait goes by the answer. */
static enum guard_answer queried(const struct guard_cx *cx, const struct guard_term *t)
{
    const program_function *f = cx->leaf->caller;
    for (uint32_t i = 0; i < f->call_count; i++) {
        const struct fact_call *call = f->calls[i].fact;
        if (call->callee_kind == CALLEE_NAME && sv_is(t->function, call->callee))
            return GUARD_HOLDS;
    }
    return GUARD_FAILS;
}

/* A call that insists on its whole size waits for it, unless the mode is known to be another. */
static enum guard_answer descriptor_mode(const struct guard_cx *cx, const struct bound_value *v)
{
    bool wants_all = cx->leaf->fact->wants_all;
    switch (cx->at_last ? fd_mode_of(cx->p, v) : fd_mode_here(cx->p, v)) {
    case FD_NONBLOCKING:
        return GUARD_HOLDS;
    case FD_WATCHED:
        return wants_all ? GUARD_FAILS : GUARD_HOLDS;
    case FD_BLOCKING:
    case FD_FILE:
        return GUARD_FAILS;
    case FD_OF_CALLER:
        return GUARD_DEPENDS;
    case FD_UNKNOWN:
        break;
    }
    return wants_all ? GUARD_UNKNOWN : GUARD_UNSURE;
}

/* ---- terms ----------------------------------------------------------------------------------- */

static enum guard_answer term_holds(const struct guard_cx *cx, const struct guard_term *t)
{
    if (t->kind == GUARD_OBJECT_SETUP)
        return set_up(cx, t);
    if (t->kind == GUARD_QUERY)
        return queried(cx, t);
    size_t arg = t->arg == GUARD_LAST ? cx->arg_count - 1 : (size_t)t->arg;
    if (arg >= cx->arg_count)
        return t->kind == GUARD_ARG_NE ? GUARD_FAILS : GUARD_UNKNOWN;
    if (t->field.len != 0)
        return stored_field(cx, t);
    struct bound_value closed = cx->args[arg];
    const struct bound_value *v = &cx->args[arg];
    bool is_fd = t->kind == GUARD_FD_NONBLOCK || t->kind == GUARD_FD_DATAGRAM;
    if (cx->at_last && is_open(&closed.value) && !is_fd) {
        bool has_flags = closed.value.kind == VALUE_PARAM && closed.value.with != 0;
        closed.value.kind = has_flags ? VALUE_FLAGS : VALUE_UNKNOWN;
        closed.value.number = closed.value.with;
        v = &closed;
    }
    if (t->pointee)
        return v->value.kind == VALUE_ZEROS ? GUARD_HOLDS : GUARD_UNKNOWN;
    switch (t->kind) {
    case GUARD_ARG_EQ:
    case GUARD_ARG_NE:
        return compare(&v->value, t, t->kind == GUARD_ARG_EQ);
    case GUARD_ARG_GREATER:
        return greater(&v->value, t);
    case GUARD_ARG_FLAG_SET:
    case GUARD_ARG_FLAG_CLEAR:
        return flags(&v->value, t, t->kind == GUARD_ARG_FLAG_SET);
    case GUARD_ARG_CONTAINS:
        return contains(v, t);
    case GUARD_ARG_NUMERIC:
    case GUARD_ARG_NOT_NAME:
        return numeric(&v->value, t->kind == GUARD_ARG_NOT_NAME);
    case GUARD_FD_NONBLOCK:
        return descriptor_mode(cx, v);
    case GUARD_FD_DATAGRAM:
        return fd_is_datagram(cx->p, v) ? GUARD_HOLDS : GUARD_FAILS;
    case GUARD_OBJECT_SETUP:
    case GUARD_QUERY:
        break;
    }
    return GUARD_UNKNOWN;
}

/* From "for sure not" to "for sure". */
static int rank(enum guard_answer a)
{
    static const int ranks[] = {[GUARD_FAILS] = 0,
                                [GUARD_UNKNOWN] = 1,
                                [GUARD_UNSURE] = 2,
                                [GUARD_DEPENDS] = 3,
                                [GUARD_HOLDS] = 4};
    return ranks[a];
}

static enum guard_answer best_answer(const struct guard_cx *cx, const struct guard *guard)
{
    enum guard_answer best = GUARD_FAILS;
    for (uint32_t i = 0; i < guard->count && best != GUARD_HOLDS; i++) {
        enum guard_answer worst = GUARD_HOLDS;
        for (uint32_t k = 0; k < guard->alternatives[i].count; k++) {
            enum guard_answer one = term_holds(cx, &guard->alternatives[i].terms[k]);
            worst = rank(one) < rank(worst) ? one : worst;
        }
        best = rank(worst) > rank(best) ? worst : best;
    }
    return best;
}

enum guard_answer guard_holds_with(program *p, const struct program_call *leaf,
                                   const struct guard *guard, const struct bound_value *args,
                                   uint32_t arg_count)
{
    return best_answer(&(struct guard_cx){p, leaf, args, arg_count, false}, guard);
}

enum guard_answer guard_holds_at_last(program *p, const struct program_call *leaf,
                                      const struct guard *guard, const struct bound_value *args,
                                      uint32_t arg_count)
{
    return best_answer(&(struct guard_cx){p, leaf, args, arg_count, true}, guard);
}

enum guard_answer guard_holds(program *p, const struct program_call *call,
                              const struct guard *guard)
{
    uint32_t count = (uint32_t)call->fact->args.count;
    struct bound_value *args = ARENA_ARRAY(p->mem, struct bound_value, count + 1);
    for (uint32_t i = 0; i < count; i++)
        args[i] = (struct bound_value){call->caller, call->fact->args.at[i]};
    return guard_holds_with(p, call, guard, args, count);
}
