/* SPDX-License-Identifier: MIT */
/*
 * Has the program an event loop of its own? One that goes on until somebody says stop, waits for
 * many descriptors in each round, and calls the program's functions: what it calls is event-loop
 * code, though nobody registered it.
 *
 *     while (!stop) { build_set(&s); poll(s.fds, s.count, s.timeout); serve_ready(&s); }
 *
 * The wait may stand in a helper. But for epoll_wait, which nothing else has a use for, it is
 * looked for only on the way down from main, outside threads, pools and callbacks: a helper that
 * polls for its own answer is no loop, nor is a thread's.
 */
#include "analyzer/program/program_private.h"

#include "analyzer/program/guards.h"
#include "analyzer/program/known_loops.h"

enum {
    MAX_WAIT_DEPTH = 4, /* helpers between the loop and its wait */
    MIN_SERVED = 2      /* functions of the program that a round calls, the wait's apart */
};

struct search {
    program *p;
    VEC(program_function *) order;
    bitset seen;  /* by function index: those in order */
    bitset below; /* ... those that a loop's function calls */
};

/* Is one turn of the loop made by the call: event_base_loop(b, EVLOOP_ONCE)? */
static bool turns_once(const struct known_loop *loop, const struct fact_call *call)
{
    if (loop->kind == LOOP_ONCE)
        return true;
    const struct value *last = call->args.count == 0 ? NULL : &VEC_LAST(&call->args);
    return loop->kind == LOOP_RUN && last != NULL && last->kind == VALUE_NUMBER && last->number > 0;
}

static bool waits_for_many(program *p, const struct program_call *call, unsigned depth)
{
    const struct fact_call *fact = call->fact;
    if (fact->run != RUN_HERE || fact->is_async || depth > MAX_WAIT_DEPTH)
        return false;
    if (fact->callee_kind == CALLEE_NAME && call->callee_count == 0) {
        const struct known_loop *wait = known_wait_find(p->settings->known, sv_from(fact->callee));
        const struct known_loop *loop = known_loop_find(p->settings->known, sv_from(fact->callee));
        if (wait != NULL)
            return wait->quick.count == 0 || guard_holds(p, call, &wait->quick) != GUARD_HOLDS;
        return loop != NULL && turns_once(loop, fact);
    }
    for (uint32_t i = 0; i < call->callee_count; i++) {
        const program_function *f = call->callees[i];
        for (uint32_t k = 0; k < f->call_count; k++) {
            if (f->calls[k].fact->open_loop == 0 && waits_for_many(p, &f->calls[k], depth + 1))
                return true;
        }
    }
    return false;
}

static void add_function(struct search *s, program_function *f)
{
    if (bitset_has(&s->seen, f->index))
        return;
    bitset_add(&s->seen, f->index);
    VEC_PUSH(s->p->mem, &s->order, f);
}

static void add_callees(struct search *s, const program_function *f)
{
    for (uint32_t i = 0; i < f->call_count; i++) {
        const struct program_call *call = &f->calls[i];
        for (uint32_t k = 0; call->fact->run == RUN_HERE && k < call->callee_count; k++)
            add_function(s, call->callees[k]);
    }
}

/* The functions on the way down from main, the near ones first. */
static void find_from_main(struct search *s)
{
    program *p = s->p;
    for (size_t i = 0; i < p->functions.count; i++) {
        program_function *f = p->functions.at[i];
        if (f->fact->is_defined && !f->fact->is_static && strcmp(f->fact->name, "main") == 0)
            add_function(s, f);
    }
    for (size_t i = 0; i < s->order.count; i++)
        add_callees(s, s->order.at[i]);
}

/* Is it a wait that only event loops make: epoll_wait? */
static bool is_loop_wait(const struct fact_call *call)
{
    return call->callee_kind == CALLEE_NAME &&
           (strncmp(call->callee, "epoll_wait", 10) == 0 ||
            strncmp(call->callee, "epoll_pwait", 11) == 0 || strcmp(call->callee, "kevent") == 0);
}

/* Functions that wait as only event loops do, without a way down from main: of libraries. */
static void find_waiting(struct search *s)
{
    for (size_t i = 0; i < s->p->functions.count; i++) {
        program_function *f = s->p->functions.at[i];
        for (uint32_t k = 0; k < f->call_count; k++) {
            if (f->calls[k].fact->open_loop != 0 && is_loop_wait(f->calls[k].fact))
                add_function(s, f);
        }
    }
}

/* What is called below a loop is no second one: it waits for its own answer. */
static void mark_below(struct search *s, program_function *f)
{
    struct search below = {.p = s->p, .seen = s->below};
    add_callees(&below, f);
    for (size_t i = 0; i < below.order.count; i++)
        add_callees(&below, below.order.at[i]);
}

/* A library's loop that is turned by hand: what stands beside it is the program's own part. */
static bool is_known_loop(const program *p, const struct fact_call *call)
{
    return call->callee_kind == CALLEE_NAME &&
           known_loop_find(p->settings->known, sv_from(call->callee)) != NULL;
}

/* Marks the calls of one loop, if it is an event loop. */
static bool check_loop(program *p, program_function *f, uint32_t loop)
{
    unsigned served = 0;
    bool waits = false, turns = false;
    bitset is_wait = bitset_new(p->mem, f->call_count);
    for (uint32_t i = 0; i < f->call_count; i++) {
        const struct program_call *call = &f->calls[i];
        if (call->fact->open_loop != loop)
            continue;
        if (waits_for_many(p, call, 0)) {
            waits = true;
            bitset_add(&is_wait, i);
            turns = turns || is_known_loop(p, call->fact) || is_loop_wait(call->fact);
        } else {
            served += call->callee_count != 0 && call->callees[0]->fact->is_defined;
        }
    }
    bool is_loop = waits && (served >= MIN_SERVED || (turns && served != 0));
    for (uint32_t i = 0; is_loop && i < f->call_count; i++) {
        if (f->calls[i].fact->open_loop == loop)
            f->calls[i].in_main_loop = bitset_has(&is_wait, i) ? MAIN_LOOP_WAITS : MAIN_LOOP_SERVES;
    }
    return is_loop;
}

static bool check_function(program *p, program_function *f)
{
    unsigned other = CONTEXT_TASK | CONTEXT_LOOP | CONTEXT_POOL | CONTEXT_THREAD | CONTEXT_SIGNAL;
    uint32_t loops = 0;
    bool has_loop = false;
    for (uint32_t k = 0; (f->contexts & other) == 0 && k < f->call_count; k++)
        loops = f->calls[k].fact->open_loop > loops ? f->calls[k].fact->open_loop : loops;
    for (uint32_t loop = 1; loop <= loops; loop++)
        has_loop = check_loop(p, f, loop) || has_loop;
    return has_loop;
}

void program_find_main_loops(program *p)
{
    uint32_t count = (uint32_t)p->functions.count;
    struct search s = {.p = p, .seen = bitset_new(p->mem, count)};
    s.below = bitset_new(p->mem, count);
    find_from_main(&s);
    find_waiting(&s);
    for (size_t i = 0; i < s.order.count; i++) {
        program_function *f = s.order.at[i];
        if (!bitset_has(&s.below, f->index) && check_function(p, f))
            mark_below(&s, f);
    }
}
