/* SPDX-License-Identifier: MIT */
/*
 * awaitc-pool-nesting: a job of a pool that waits for another job of its pool. As soon as every
 * thread holds such a job, nobody is left to run those they wait for. Found: a wait on a semaphore,
 * condition, barrier or queue that a job which was queued from this pool signals; async work driven
 * by aw_block_on that itself uses the pool.
 */
#include "analyzer/program/known_callbacks.h"
#include "analyzer/program/lint_settings.h"
#include "rules/rule.h"
#include "rules/tree_terms.h"

enum { MAX_DEPTH = 8 };

/* Waits, with what ends them: the object is the first argument of all of them. */
static const struct {
    const char *wait, *signals;
} pairs[] = {
    {"uv_sem_wait", "uv_sem_post"},
    {"sem_wait", "sem_post"},
    {"uv_cond_wait", "uv_cond_signal uv_cond_broadcast"},
    {"pthread_cond_wait", "pthread_cond_signal pthread_cond_broadcast"},
    {"cnd_wait", "cnd_signal cnd_broadcast"},
    {"g_cond_wait", "g_cond_signal g_cond_broadcast"},
    {"uv_barrier_wait", "uv_barrier_wait"},
    {"pthread_barrier_wait", "pthread_barrier_wait"},
    {"g_async_queue_pop", "g_async_queue_push"},
};

static const char *object_of(const struct program_call *call)
{
    const struct value *v = call->fact->args.count == 0 ? NULL : &call->fact->args.at[0];
    if (v == NULL)
        return NULL;
    return v->key != NULL                                     ? v->key
           : v->kind == VALUE_ADDRESS || v->kind == VALUE_KEY ? v->text
                                                              : NULL;
}

static bool is_word(const char *words, const char *name)
{
    size_t len = strlen(name);
    for (const char *w = words; w != NULL && *w != '\0';
         w += strcspn(w, " "), w += strspn(w, " ")) {
        if (strcspn(w, " ") == len && memcmp(w, name, len) == 0)
            return true;
    }
    return false;
}

static bool is_named(const struct program_call *call)
{
    return call->fact->callee_kind == CALLEE_NAME && call->fact->callee != NULL;
}

/* The functions whose call would end this one's wait; NULL: it is no such wait. */
static const char *ended_by(const struct program_call *call)
{
    for (size_t i = 0; is_named(call) && i < sizeof pairs / sizeof pairs[0]; i++) {
        if (strcmp(pairs[i].wait, call->fact->callee) == 0)
            return pairs[i].signals;
    }
    return NULL;
}

/* ---- what a job does
 * ----------------------------------------------------------------------------- */

struct signal_search {
    const char *signals, *object;
    bool *seen; /* [function] */
    const struct program_call *found;
};

/* May the signal be for the object? A local is known elsewhere by another name. */
static bool is_same_object(const char *waited, const char *signalled)
{
    if (waited == NULL || signalled == NULL)
        return false;
    return strcmp(waited, signalled) == 0 || strncmp(waited, "l:", 2) == 0;
}

static void find_signal(struct signal_search *search, const program_function *f, unsigned depth)
{
    if (search->seen[f->index] || depth > MAX_DEPTH)
        return;
    search->seen[f->index] = true;
    for (uint32_t i = 0; i < f->call_count && search->found == NULL; i++) {
        const struct program_call *call = &f->calls[i];
        if (is_named(call) && is_word(search->signals, call->fact->callee) &&
            is_same_object(search->object, object_of(call)))
            search->found = call;
        for (uint32_t k = 0; k < call->callee_count && search->found == NULL; k++)
            find_signal(search, call->callees[k], depth + 1);
    }
}

/* ---- where jobs are queued
 * ------------------------------------------------------------------------ */

/* The function that a call hands to its own pool as argument i; NULL. The callbacks of libuv's own
 * lookups run when a thread of the pool has done them. */
static program_function *queued_job(program *p, const struct program_call *call, uint32_t i)
{
    const struct value *v = &call->fact->args.at[i];
    size_t rows = 0;
    if (!is_named(call) || v->kind != VALUE_FUNCTION)
        return NULL;
    const struct known_callback *row =
        known_callbacks_of_function(program_settings(p)->known, sv_from(call->fact->callee), &rows);
    strview name = sv_from(call->fact->callee);
    bool is_job = sv_starts(name, "uv_fs_") || sv_starts(name, "uv_getaddrinfo") ||
                  sv_starts(name, "uv_getnameinfo") || sv_is(name, "uv_random");
    for (size_t r = 0; r < rows; r++)
        is_job = is_job || row[r].kind == CALLBACK_WORK;
    return is_job ? program_find(p, call->caller->unit, v->text) : NULL;
}

struct nesting {
    program *p;
    const struct rule *rule;
    uint32_t count; /* of functions */
    program_function **functions;
    bool *seen;
};

static void report_wait(const struct nesting *n, const struct program_call *wait,
                        const struct program_call *queued, const struct program_call *signal,
                        const char *job)
{
    arena *mem = program_arena(n->p);
    struct finding *f = program_report(
        n->p, n->rule->id, n->rule->severity, wait,
        "'%s' waits on a pool's thread for '%s', a job of the same pool: when every thread waits "
        "so, "
        "none is left to run what they wait for; queue it when this job is done, or call it here",
        wait->fact->callee, job);
    f->leaf = wait->fact->callee;
    VEC_PUSH(mem, &f->steps,
             (struct finding_step){.place = queued->fact->place,
                                   .function = queued->caller->fact->name,
                                   .text = arena_printf(mem, "'%s' is queued here", job)});
    VEC_PUSH(mem, &f->steps,
             (struct finding_step){.place = signal->fact->place,
                                   .function = signal->caller->fact->name,
                                   .text = "which ends the wait here"});
}

/* The function that a call of g_thread_pool_new gives the pool; NULL: it is none. */
static program_function *job_of_pool(const struct nesting *n, const struct program_call *made)
{
    bool is_new = is_named(made) && strcmp(made->fact->callee, "g_thread_pool_new") == 0 &&
                  made->fact->args.count > 0 && made->fact->args.at[0].kind == VALUE_FUNCTION;
    return is_new ? program_find(n->p, made->caller->unit, made->fact->args.at[0].text) : NULL;
}

/* Is the pool that this call makes kept under the key? Yes, too, if no store of that key is known.
 */
static bool is_pool_of(const program_function *f, const struct program_call *made, const char *key)
{
    bool is_stored = false;
    for (size_t i = 0; key != NULL && i < f->unit->stores.count; i++) {
        const struct fact_store *s = &f->unit->stores.at[i];
        if (strcmp(s->key, key) != 0)
            continue;
        is_stored = true;
        if (s->place.line == made->fact->place.line)
            return true;
    }
    return !is_stored;
}

/* g_thread_pool_push says what to work on; the function was given to g_thread_pool_new. */
static program_function *pushed_job(const struct nesting *n, const struct program_call *call,
                                    uint32_t function)
{
    const program_function *f = n->functions[function];
    if (!is_named(call) || strcmp(call->fact->callee, "g_thread_pool_push") != 0)
        return NULL;
    for (uint32_t k = 0; k < f->call_count; k++) {
        program_function *job = job_of_pool(n, &f->calls[k]);
        if (job != NULL && is_pool_of(f, &f->calls[k], object_of(call)))
            return job;
    }
    return NULL;
}

static bool reaches(const struct nesting *n, const program_function *f, const program_function *to,
                    unsigned depth)
{
    if (f == to)
        return true;
    if (f == NULL || n->seen[f->index] || depth > MAX_DEPTH)
        return false;
    n->seen[f->index] = true;
    for (uint32_t i = 0; i < f->call_count; i++) {
        for (uint32_t k = 0; f->calls[i].fact->run == RUN_HERE && k < f->calls[i].callee_count;
             k++) {
            if (reaches(n, f->calls[i].callees[k], to, depth + 1))
                return true;
        }
    }
    return false;
}

/* May the function run on the pool that this push is for? Not if it is known to run on others
 * only. */
static bool may_run_on(const struct nesting *n, const program_function *f,
                       const struct program_call *push)
{
    bool runs_elsewhere = false;
    for (uint32_t i = 0; i < n->count; i++) {
        const program_function *maker = n->functions[i];
        for (uint32_t k = 0; k < maker->call_count; k++) {
            const program_function *job = job_of_pool(n, &maker->calls[k]);
            memset(n->seen, 0, n->count * sizeof *n->seen);
            if (job == NULL || !reaches(n, job, f, 0))
                continue;
            if (is_pool_of(maker, &maker->calls[k], object_of(push)))
                return true;
            runs_elsewhere = true;
        }
    }
    return !runs_elsewhere;
}

/* A job that this call queues, or a task that it starts, ends the wait. */
static bool check_queued(const struct nesting *n, const struct program_call *wait,
                         const struct program_call *queued)
{
    struct signal_search search = {
        .signals = ended_by(wait), .object = object_of(wait), .seen = n->seen};
    memset(n->seen, 0, n->count * sizeof *n->seen);
    /* A task that is started here and hops onto the pool. */
    for (uint32_t i = 0; queued->fact->run == RUN_STARTED && i < queued->callee_count; i++) {
        find_signal(&search, queued->callees[i], 0);
        if (search.found == NULL || (search.found->caller->contexts & CONTEXT_POOL) == 0)
            continue;
        report_wait(n, wait, queued, search.found, queued->callees[i]->fact->name);
        return true;
    }
    for (uint32_t i = 0; i < n->count; i++) {
        program_function *job = pushed_job(n, queued, i);
        if (job != NULL && may_run_on(n, wait->caller, queued)) {
            memset(n->seen, 0, n->count * sizeof *n->seen);
            find_signal(&search, job, 0);
        }
        if (search.found != NULL) {
            report_wait(n, wait, queued, search.found, job->fact->name);
            return true;
        }
    }
    for (uint32_t i = 0; i < queued->fact->args.count; i++) {
        program_function *job = queued_job(n->p, queued, i);
        if (job == NULL)
            continue;
        find_signal(&search, job, 0);
        if (search.found != NULL) {
            report_wait(n, wait, queued, search.found, job->fact->name);
            return true;
        }
    }
    return false;
}

static void check_wait(const struct nesting *n, const struct program_call *wait)
{
    for (uint32_t i = 0; i < n->count; i++) {
        const program_function *f = n->functions[i];
        bool is_job = (f->contexts & CONTEXT_POOL) != 0;
        for (uint32_t k = 0; is_job && k < f->call_count; k++) {
            if (check_queued(n, wait, &f->calls[k]))
                return;
        }
    }
}

/* ---- async work driven from a job
 * ------------------------------------------------------------------ */

/* A call of a pool's form in what is run, awaited or started from here; NULL. */
static const struct program_call *find_hop(const struct nesting *n, const program_function *f,
                                           enum call_run pool, unsigned depth)
{
    if (n->seen[f->index] || depth > MAX_DEPTH)
        return NULL;
    n->seen[f->index] = true;
    for (uint32_t i = 0; i < f->call_count; i++) {
        const struct program_call *call = &f->calls[i];
        if (call->fact->run == pool)
            return call;
        if (call->fact->run == RUN_POOL || call->fact->run == RUN_COMPUTE)
            continue;
        for (uint32_t k = 0; k < call->callee_count; k++) {
            const struct program_call *hop = find_hop(n, call->callees[k], pool, depth + 1);
            if (hop != NULL)
                return hop;
        }
    }
    return NULL;
}

/* Marks what runs as a part of a job of this pool: the callees of its forms, and whom they call. */
static void mark_jobs(const program_function *f, bool *marks, unsigned depth)
{
    if (marks[f->index] || depth > MAX_DEPTH)
        return;
    marks[f->index] = true;
    for (uint32_t i = 0; i < f->call_count; i++) {
        for (uint32_t k = 0; f->calls[i].fact->run == RUN_HERE && k < f->calls[i].callee_count; k++)
            mark_jobs(f->calls[i].callees[k], marks, depth + 1);
    }
}

static bool *jobs_of_pool(const struct nesting *n, enum call_run pool)
{
    bool *marks = ARENA_ARRAY(program_arena(n->p), bool, n->count + 1);
    for (uint32_t i = 0; i < n->count; i++) {
        for (uint32_t k = 0; k < n->functions[i]->call_count; k++) {
            const struct program_call *call = &n->functions[i]->calls[k];
            for (uint32_t c = 0; call->fact->run == pool && c < call->callee_count; c++)
                mark_jobs(call->callees[c], marks, 0);
        }
    }
    return marks;
}

static void check_driven(const struct nesting *n, const struct program_call *call,
                         enum call_run pool)
{
    const struct program_call *hop = NULL;
    arena *mem = program_arena(n->p);
    memset(n->seen, 0, n->count * sizeof *n->seen);
    for (uint32_t i = 0; i < call->callee_count && hop == NULL; i++)
        hop = find_hop(n, call->callees[i], pool, 0);
    if (hop == NULL)
        return;
    const char *name = pool == RUN_POOL ? "blocking" : "compute";
    struct finding *f = program_report(
        n->p, n->rule->id, n->rule->severity, call,
        "this job of the %s pool waits for '%s', which needs a thread of the same pool: when every "
        "thread waits so, none is left to run what they wait for; await it in the async caller "
        "instead",
        name, call->fact->callee != NULL ? call->fact->callee : "async work");
    f->leaf = call->fact->callee;
    VEC_PUSH(mem, &f->steps,
             (struct finding_step){.place = hop->fact->place,
                                   .function = hop->caller->fact->name,
                                   .text = "it needs the pool here"});
}

/* ---- jobs of a library's pool, run and waited for in one call -------------------------------- */

static void check_run_sync(const struct nesting *n, const struct program_call *call)
{
    if (!is_named(call) || strcmp(call->fact->callee, "g_task_run_in_thread_sync") != 0)
        return;
    struct finding *f = program_report(
        n->p, n->rule->id, n->rule->severity, call,
        "this job of GTask's pool waits for another job of the same pool: when every thread waits "
        "so, none is left to run what they wait for; call the function here, or start it with "
        "g_task_run_in_thread and return");
    f->leaf = call->fact->callee;
}

/* ---- all
 * -------------------------------------------------------------------------------------------- */

static void on_program(program *p, const struct rule *rule)
{
    struct nesting n = {.p = p, .rule = rule};
    n.functions = program_functions(p, &n.count);
    n.seen = ARENA_ARRAY(program_arena(p), bool, n.count + 1);
    const bool *blocking = jobs_of_pool(&n, RUN_POOL), *compute = jobs_of_pool(&n, RUN_COMPUTE);
    for (uint32_t i = 0; i < n.count; i++) {
        const program_function *f = n.functions[i];
        for (uint32_t k = 0; (f->contexts & CONTEXT_POOL) != 0 && k < f->call_count; k++) {
            const struct program_call *call = &f->calls[k];
            if (ended_by(call) != NULL)
                check_wait(&n, call);
            check_run_sync(&n, call);
            if (call->fact->run == RUN_DRIVEN && blocking[i])
                check_driven(&n, call, RUN_POOL);
            else if (call->fact->run == RUN_DRIVEN && compute[i])
                check_driven(&n, call, RUN_COMPUTE);
        }
    }
}

const struct rule_calls rule_pool_nesting = {.on_program = on_program};
