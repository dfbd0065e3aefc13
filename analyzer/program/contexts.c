/* SPDX-License-Identifier: MIT */
/*
 * Who runs on a loop, on a pool, on a thread? Async functions and callbacks begin a context; what
 * they call on their own thread runs in it, too. A call that is handed to a pool begins that
 * context in its callee; a call of an async function begins nothing, as that function is its own
 * task's.
 */
#include "analyzer/program/program_private.h"

struct queue {
    VEC(program_function *) all;
    size_t next;
};

static void add_context(program *p, struct queue *q, program_function *f, unsigned contexts)
{
    if ((f->contexts & contexts) == contexts)
        return;
    f->contexts |= contexts;
    VEC_PUSH(p->mem, &q->all, f);
}

static unsigned context_of_callback(enum callback_kind kind)
{
    switch (kind) {
    case CALLBACK_LOOP:
        return CONTEXT_LOOP;
    case CALLBACK_WORK:
        return CONTEXT_POOL;
    case CALLBACK_THREAD:
        return CONTEXT_THREAD;
    case CALLBACK_SIGNAL:
        return CONTEXT_SIGNAL;
    case CALLBACK_ATEXIT:
    case CALLBACK_INLINE:
        break;
    }
    return 0;
}

static void start_contexts(program *p, struct queue *q)
{
    for (size_t i = 0; i < p->functions.count; i++) {
        program_function *f = p->functions.at[i];
        const struct function_extra *extra = program_extra(p, f);
        if (f->fact->is_async) {
            f->is_root = f->fact->is_defined;
            f->root_words = f->fact->is_async_keyword ? "async function" : "coroutine";
            add_context(p, q, f, CONTEXT_TASK);
        }
        if (extra->callback == NULL)
            continue;
        if (extra->is_loop_callback && !f->is_root) {
            f->is_root = f->fact->is_defined;
            f->root_library = extra->callback->library;
            f->root_words =
                arena_printf(p->mem, "callback of %.*s", SV_ARG(extra->callback->key.name));
        }
        unsigned contexts = context_of_callback(extra->callback->kind);
        if (extra->is_loop_callback)
            contexts |= CONTEXT_LOOP;
        if (contexts != 0)
            add_context(p, q, f, contexts);
    }
}

static void pass_on(program *p, struct queue *q, const struct program_call *call)
{
    unsigned contexts = call->caller->contexts;
    if (call->fact->run == RUN_POOL || call->fact->run == RUN_COMPUTE)
        contexts = CONTEXT_POOL;
    else if (call->fact->run != RUN_HERE)
        return;
    for (uint32_t i = 0; i < call->callee_count; i++) {
        if (!call->callees[i]->fact->is_async && contexts != 0)
            add_context(p, q, call->callees[i], contexts);
    }
}

static void drain_queue(program *p, struct queue *q)
{
    while (q->next < q->all.count) {
        program_function *f = q->all.at[q->next++];
        for (uint32_t k = 0; k < f->call_count; k++)
            pass_on(p, q, &f->calls[k]);
    }
}

/* A handler that the loop calls through a pointer, as each event says: a callback, though nobody
 * registered it. */
static void make_handler(program *p, program_function *f, const program_function *loop)
{
    if (f->is_root || !f->fact->is_defined)
        return;
    f->is_root = true;
    f->root_words = arena_printf(p->mem, "handler called by '%s',", loop->fact->name);
}

/* What a loop of the program's own calls runs on a loop; the function around the loop does not. */
static void start_main_loops(program *p, struct queue *q)
{
    for (size_t i = 0; i < p->functions.count; i++) {
        program_function *f = p->functions.at[i];
        for (uint32_t k = 0; k < f->call_count; k++) {
            const struct program_call *call = &f->calls[k];
            bool is_in = call->in_main_loop != MAIN_LOOP_NONE && call->fact->run == RUN_HERE;
            if (is_in && f->root_words == NULL)
                f->root_words = "the event loop of";
            for (uint32_t c = 0; is_in && c < call->callee_count; c++) {
                if (call->callees[c]->fact->is_async)
                    continue;
                add_context(p, q, call->callees[c], CONTEXT_LOOP);
                if (call->fact->callee_kind != CALLEE_NAME)
                    make_handler(p, call->callees[c], f);
            }
        }
    }
}

void program_find_contexts(program *p)
{
    struct queue q = {.next = 0};
    for (size_t i = 0; i < p->functions.count; i++) {
        program_function *f = p->functions.at[i];
        for (uint32_t k = 0; k < f->call_count; k++) {
            for (uint32_t c = 0; c < f->calls[k].callee_count; c++)
                VEC_PUSH(p->mem, &f->calls[k].callees[c]->callers, &f->calls[k]);
        }
    }
    start_contexts(p, &q);
    for (size_t i = 0; i < p->functions.count; i++) {
        program_function *f = p->functions.at[i];
        for (uint32_t k = 0; k < f->call_count; k++)
            pass_on(p, &q, &f->calls[k]);
    }
    drain_queue(p, &q);
    program_find_main_loops(p);
    start_main_loops(p, &q);
    drain_queue(p, &q);
}
