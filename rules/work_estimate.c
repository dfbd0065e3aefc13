/* SPDX-License-Identifier: MIT */
/*
 * Adds up a tree: operations, calls, rounds.
 */
#include "rules/work_estimate.h"

#include "analyzer/base/check.h"
#include "analyzer/program/known_blocking.h"
#include "analyzer/program/lint_settings.h"
#include "rules/function_memo.h"
#include "rules/loop_shape.h"

enum { MAX_CALL_DEPTH = 4, FEW_BYTES = 512 }; /* the depth: below MEMO_DEPTHS */

struct cost_row {
    const char *name;
    enum work_class cls;
    uint32_t ns;
};

static const struct cost_row costs[] = {
#define WORK(name, cls, ns) {name, WORK_##cls, ns},
#include "rules/work_costs.def"
#undef WORK
};

static const struct cost_row *cost_of(strview name)
{
    size_t low = 0, high = COUNTOF(costs);
    if (sv_starts(name, "__builtin_"))
        name = (strview){name.at + strlen("__builtin_"), name.len - strlen("__builtin_")};
    while (low < high) {
        size_t mid = (low + high) / 2;
        size_t len = strlen(costs[mid].name), both = len < name.len ? len : name.len;
        int order = memcmp(costs[mid].name, name.at, both);
        if (order == 0)
            order = len < name.len ? -1 : len > name.len;
        if (order == 0)
            return &costs[mid];
        if (order < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

struct sema_function *unit_function(const rule_cx *cx, const sema_symbol *symbol)
{
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    if (symbol == NULL || symbol->function == NULL || symbol->function->index >= count)
        return NULL;
    return all[symbol->function->index];
}

/* ---- adding up --------------------------------------------------------------------------------
 */

struct adder {
    rule_cx *cx;
    struct work total;
    unsigned depth;
};

static void add(struct work *to, struct work part, uint64_t times)
{
    if (part.cls > to->cls)
        to->cls = part.cls;
    to->ns += part.ns * times;
    to->is_known = to->is_known && part.is_known;
}

static bool visit_work(void *context, const ast_node *n);

static struct work work_in(rule_cx *cx, const ast_node *n, unsigned depth)
{
    struct adder a = {.cx = cx, .total = {.is_known = true}, .depth = depth};
    tree_visit(n, visit_work, &a);
    return a.total;
}

static const char heavy_words[] =
    "hash digest checksum encrypt decrypt compress decompress inflate "
    "deflate sha1 sha256 sha512 md5";
static const char memory_words[] = "free destroy delete release dispose unref purge evict drop "
                                   "discard kill remove";

static struct work unknown_call(rule_cx *cx, strview name)
{
    struct work w = {.cls = WORK_CALLS, .ns = 2};
    const struct known_blocking *row = known_blocking_find(cx->settings->known, name);
    if (row != NULL && (row->reasons & REASON_CPU_HEAVY) != 0 && row->tier != TIER_SHORT)
        w.cls = WORK_HEAVY;
    else if (name_has_word(name, heavy_words))
        w.cls = WORK_HEAVY;
    else if (name_has_word(name, memory_words))
        w.cls = WORK_MEMORY;
    return w;
}

/* Memory is moved 16 bytes a nanosecond; stdio copies through its buffer. */
static struct work row_work(rule_cx *cx, const ast_node *call, const struct cost_row *row)
{
    struct work w = {.cls = row->cls, .ns = row->ns, .is_known = row->ns != 0};
    uint64_t bytes = 0;
    if (strncmp(row->name, "mem", 3) == 0 && sema_arg_count(call) >= 3)
        bytes = upper_bound(cx, sema_arg(call, 2));
    if ((strcmp(row->name, "fread") == 0 || strcmp(row->name, "fwrite") == 0) &&
        sema_arg_count(call) >= 3) {
        uint64_t size = upper_bound(cx, sema_arg(call, 1)), n = upper_bound(cx, sema_arg(call, 2));
        bytes = size < UINT32_MAX && n < UINT32_MAX ? size * n : UINT64_MAX;
        w.is_known = bytes <= FEW_BYTES;
    }
    if (bytes == UINT64_MAX)
        w.is_known = false;
    else
        w.ns += bytes / 16;
    return w;
}

static struct work body_work(rule_cx *cx, struct sema_function *body, unsigned depth)
{
    struct function_memo *memo = function_memo_of(cx, body);
    rule_cx inner = *cx;
    inner.fn = body;
    inner.from = NULL;
    if (!memo->has_work[depth]) {
        memo->work[depth] = work_in(&inner, body->tree->root, depth);
        memo->has_work[depth] = true;
    }
    return memo->work[depth];
}

/* Does the call say how much is to be done? */
static bool has_small_argument(rule_cx *cx, const ast_node *call)
{
    for (uint32_t i = 0; i < sema_arg_count(call); i++) {
        if (sema_type(cx->sema, cx->fn, sema_arg(call, i))->cls == CTYPE_INT &&
            upper_bound(cx, sema_arg(call, i)) <= LOOP_FEW_ROUNDS)
            return true;
    }
    return false;
}

/* The work of the body with this call's arguments. */
static struct work work_for_call(rule_cx *cx, struct sema_function *body, const ast_node *call)
{
    struct bound_call from = {.cx = cx, .call = call};
    rule_cx inner = *cx;
    inner.fn = body;
    inner.from = &from;
    return work_in(&inner, body->tree->root, 1);
}

static struct work call_work(rule_cx *cx, const ast_node *call, unsigned depth)
{
    const sema_symbol *callee = sema_callee(cx->sema, cx->fn, call);
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    struct sema_function *body = unit_function(cx, callee);
    const struct cost_row *row = cost_of(name);
    if (callee != NULL && (callee->stated & STATED_CPU_HEAVY) != 0)
        return (struct work){.cls = WORK_HEAVY};
    if (sema_call_is_async(cx->sema, cx->fn, call))
        return (struct work){.cls = WORK_CALLS};
    if (row != NULL && body == NULL)
        return row_work(cx, call, row);
    if (sv_starts(name, "__builtin_") || sv_starts(name, "__atomic_") ||
        sv_starts(name, "__sync_") || sv_starts(name, "atomic_"))
        return (struct work){.ns = 2, .is_known = true};
    if (body == NULL || depth >= MAX_CALL_DEPTH)
        return unknown_call(cx, name);
    struct work w = depth == 0 && has_small_argument(cx, call) ? work_for_call(cx, body, call)
                                                               : body_work(cx, body, depth + 1);
    struct work named = unknown_call(cx, name);
    if (w.cls == WORK_CALLS && named.cls > w.cls)
        w.cls = named.cls;
    w.ns += 2;
    return w;
}

static void add_loop(struct adder *a, const ast_node *loop)
{
    const struct loop_shape *s = loop_shape_of(a->cx, loop);
    struct work round = {.is_known = true};
    for (uint32_t i = 0; i < loop->kid_count; i++)
        add(&round, work_in(a->cx, loop->kid[i], a->depth), 1);
    uint64_t rounds = a->cx->from != NULL ? loop_rounds(a->cx, s) : s->rounds;
    bool is_fixed = rounds <= LOOP_FEW_ROUNDS;
    add(&a->total, round, is_fixed ? rounds : 1);
    a->total.is_known = a->total.is_known && is_fixed;
    if (!is_fixed && s->kind != LOOP_SCANS && a->total.cls < WORK_CALLS && a->depth != 0)
        a->total.cls = WORK_CALLS;
}

static bool visit_work(void *context, const ast_node *n)
{
    struct adder *a = context;
    if (tree_is_loop(n)) {
        add_loop(a, n);
        return false;
    }
    switch (n->kind) {
    case AST_CALL:
        add(&a->total, call_work(a->cx, n, a->depth), 1);
        break;
    case AST_AWAIT:
    case AST_FORM:
        add(&a->total, (struct work){.cls = WORK_CALLS}, 1);
        break;
    case AST_BINARY:
    case AST_ASSIGN:
    case AST_PREFIX:
    case AST_POSTFIX:
    case AST_INDEX:
    case AST_MEMBER:
    case AST_CONDITIONAL:
    case AST_IF:
    case AST_SWITCH:
    case AST_RETURN:
        a->total.ns++;
        break;
    case AST_GOTO:
    case AST_ASM:
        a->total.is_known = false;
        break;
    default:
        break;
    }
    return true;
}

/* ---- questions --------------------------------------------------------------------------------
 */

struct work work_of_call(rule_cx *cx, const ast_node *call)
{
    return call_work(cx, call, 0);
}

struct work work_of_function(rule_cx *cx, struct sema_function *fn)
{
    return body_work(cx, fn, 1);
}

const char *work_time_text(arena *mem, uint64_t ns)
{
    if (ns < 10)
        return "a few ns";
    if (ns < 1000)
        return arena_printf(mem, "about %llu ns", (unsigned long long)(ns / 10 * 10));
    return arena_printf(mem, "about %llu us", (unsigned long long)((ns + 500) / 1000));
}
