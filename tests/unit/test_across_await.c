/* SPDX-License-Identifier: MIT */
/*
 * Is what survives an await what must? Three kinds of evidence: the reviewed cases of
 * tests/passes/air (NAME.air and all that is found out about it in NAME.expect, rewritten with
 * UPDATE_EXPECT=1); a second implementation straight from the definitions, one op at a time and
 * without bit tricks, on random functions; and a large function against the clock.
 */
#include "air_fixture.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/flow/across_await.h"
#include "transforms/frame_layout.h"

enum { HEADER_BYTES = 16 };

/* ---- reviewed cases ------------------------------------------------------------------------- */

static const char *name_of(arena *mem, const air_func *fn, uint32_t local)
{
    return arena_printf(mem, "%.*s", SV_ARG(fn->locals.at[local].name));
}

static void describe_await(arena *mem, strbuf *out, const air_func *fn,
                           const struct across_await *across, uint32_t k)
{
    strbuf_fmt(out, "await %" PRIu32 "\n", k + 1);
    BITSET_FOR_EACH (i, &across->across[k]) {
        uint8_t why = across->why[k][i];
        strbuf_fmt(out, "  %s:%s%s%s\n", name_of(mem, fn, i), why & ACROSS_LIVE ? " live" : "",
                   why & ACROSS_ESCAPED ? " escaped" : "", why & ACROSS_HELD ? " held" : "");
    }
    strbuf_fmt(out, "  reload: %s\n", names_of(mem, fn, &across->reload[k]));
    strbuf_fmt(out, "  reload on cancel: %s\n", names_of(mem, fn, &across->reload_cancel[k]));
}

static void describe_layout(arena *mem, strbuf *out, const air_func *fn,
                            const struct across_await *across)
{
    const struct frame_layout *layout = frame_layout_compute(mem, fn, across, HEADER_BYTES, true);
    strbuf_fmt(out, "frame of %" PRIu64 " bytes\n", layout->size_bytes);
    for (uint32_t s = 0; s < layout->slot_count; s++) {
        const struct frame_slot *slot = &layout->slots[s];
        strbuf_fmt(out, "  at %" PRIu64 ", %" PRIu64 " bytes:", slot->offset_bytes,
                   slot->size_bytes);
        for (uint32_t i = 0; i < slot->local_count; i++)
            strbuf_fmt(out, " %s", name_of(mem, fn, slot->locals[i]));
        strbuf_char(out, '\n');
    }
}

static const char *describe(arena *mem, const air_func *fn)
{
    static const char *const places[] = {
        [PLACE_PLAIN] = "plain", [PLACE_SPILLED] = "spilled", [PLACE_RESIDENT] = "resident"};
    const struct across_await *across = across_await_compute(mem, fn);
    strbuf out = strbuf_in(mem);
    for (uint32_t k = 0; k < across->await_count; k++)
        describe_await(mem, &out, fn, across, k);
    strbuf_str(&out, "locals\n");
    for (uint32_t i = 0; i < fn->locals.count; i++)
        strbuf_fmt(&out, "  %s: %s, conflicts with %s\n", name_of(mem, fn, i),
                   places[across->place[i]], names_of(mem, fn, &across->conflict[i]));
    describe_layout(mem, &out, fn, across);
    return strbuf_text(&out);
}

static const char *case_path(arena *mem, const char *name)
{
    const char *root = getenv("AWAITC_SOURCE");
    return arena_printf(mem, "%s/tests/passes/air/%s", root == NULL ? "." : root, name);
}

/* The text of a file, "" if there is none. */
static const char *file_text(arena *mem, const char *path)
{
    strbuf out = strbuf_in(mem);
    FILE *file = fopen(path, "rb");
    char part[4096];
    size_t len = 0;
    while (file != NULL && (len = fread(part, 1, sizeof part, file)) > 0)
        strbuf_add(&out, part, len);
    if (file != NULL)
        fclose(file);
    return strbuf_text(&out);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void run_case(arena *mem, const char *name)
{
    const air_func *fn = air_of(mem, file_text(mem, case_path(mem, name)));
    int stem = (int)(strlen(name) - strlen(".air"));
    assert_true(sv_equal(fn->name, (strview){name, (size_t)stem}));
    const char *expect = case_path(mem, arena_printf(mem, "%.*s.expect", stem, name));
    const char *found = describe(mem, fn);
    if (getenv("UPDATE_EXPECT") != NULL)
        write_text(expect, found);
    const char *expected = file_text(mem, expect);
    if (strcmp(found, expected) != 0)
        fail_msg("%s\n---- expected ----\n%s---- found ----\n%s", name, expected, found);
}

static void cases_are_as_reviewed(void **state)
{
    DIR *folder = opendir(case_path(*state, ""));
    if (folder == NULL)
        skip();
    uint32_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!sv_ends(sv_from(entry->d_name), ".air"))
            continue;
        run_case(*state, entry->d_name);
        count++;
    }
    closedir(folder);
    assert_true(count >= 20);
}

/* ---- from the definitions ------------------------------------------------------------------- */

enum { MAX_LOCALS = 8, MAX_NODES = 128 };

/* One op with the sets (bit i: local i) in front of it; `after` of the live set is its normal way.
 */
struct node {
    const struct air_op *op;
    uint32_t next[4], next_count; /* nodes on the normal way */
    uint32_t cancel;              /* node or AIR_NONE */
    bool reached;
    uint32_t live, live_after;
    uint32_t written, escaped, busy;
};

struct oracle {
    const air_func *fn;
    struct node nodes[MAX_NODES];
    uint32_t node_count;
    uint32_t first[16]; /* [block] */
    uint32_t across[MAX_NODES], reload[MAX_NODES], reload_cancel[MAX_NODES], held[MAX_NODES],
        escaped[MAX_NODES];
    uint32_t ever_escaped, stored, resident;
    uint32_t conflict[MAX_LOCALS];
};

static uint32_t holds_of(const struct air_op *op)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < op->hold_count; i++)
        set |= 1u << op->holds[i];
    return set;
}

static uint32_t local_of(const struct air_op *op)
{
    return op->kind < AIR_AWAIT ? 1u << op->local : 0;
}

static bool is_any(const struct air_op *op, const enum air_op_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (op->kind == kinds[i])
            return true;
    }
    return false;
}

#define IS_ANY(op, ...)                                                                            \
    is_any((op), (const enum air_op_kind[]){__VA_ARGS__},                                          \
           COUNTOF(((const enum air_op_kind[]){__VA_ARGS__})))

static void make_nodes(struct oracle *o)
{
    for (uint32_t b = 0; b < o->fn->blocks.count; b++) {
        o->first[b] = o->node_count;
        o->node_count += (uint32_t)o->fn->blocks.at[b].ops.count;
    }
    assert_true(o->node_count <= MAX_NODES);
    for (uint32_t b = 0; b < o->fn->blocks.count; b++) {
        const struct air_block *block = &o->fn->blocks.at[b];
        for (uint32_t i = 0; i < block->ops.count; i++) {
            struct node *n = &o->nodes[o->first[b] + i];
            n->op = &block->ops.at[i];
            n->cancel = n->op->cancel == AIR_NONE ? AIR_NONE : o->first[n->op->cancel];
            if (i + 1 < block->ops.count)
                n->next[n->next_count++] = o->first[b] + i + 1;
            for (uint32_t t = 0; t < n->op->target_count; t++)
                n->next[n->next_count++] = o->first[n->op->targets[t]];
        }
    }
}

static uint32_t written_after(const struct node *n)
{
    if (IS_ANY(n->op, AIR_DEF, AIR_PART, AIR_LEND, AIR_ADDR))
        return n->written | local_of(n->op);
    if (IS_ANY(n->op, AIR_BEGIN, AIR_END))
        return n->written & ~local_of(n->op);
    return n->written | holds_of(n->op);
}

static uint32_t escaped_after(const struct node *n)
{
    if (n->op->kind == AIR_ADDR)
        return n->escaped | local_of(n->op);
    return n->op->kind == AIR_END ? n->escaped & ~local_of(n->op) : n->escaped;
}

static uint32_t busy_after(const struct oracle *o, const struct node *n)
{
    if (IS_ANY(n->op, AIR_USE, AIR_LEND))
        return n->busy | local_of(n->op);
    bool declares = n->op->kind == AIR_BEGIN && (local_of(n->op) & o->stored) != 0 &&
                    o->fn->locals.at[n->op->local].kind == AIR_VAR;
    return declares || n->op->kind == AIR_AWAIT ? 0 : n->busy;
}

static bool flow_into(struct node *to, const struct node *from)
{
    struct node before = *to;
    to->reached = true;
    to->written |= written_after(from);
    to->escaped |= escaped_after(from);
    return !before.reached || before.written != to->written || before.escaped != to->escaped;
}

static bool flow_back(struct oracle *o, struct node *n)
{
    uint32_t live = 0;
    for (uint32_t i = 0; i < n->next_count; i++)
        live |= o->nodes[n->next[i]].live;
    n->live_after = live;
    if (n->cancel != AIR_NONE)
        live |= o->nodes[n->cancel].live;
    if (IS_ANY(n->op, AIR_DEF, AIR_BEGIN, AIR_END))
        live &= ~local_of(n->op);
    if (IS_ANY(n->op, AIR_USE, AIR_LEND, AIR_ADDR))
        live |= local_of(n->op);
    live |= holds_of(n->op);
    bool grew = live != n->live;
    n->live = live;
    return grew;
}

static void run_to_the_fixed_point(struct oracle *o)
{
    bool changed = true;
    o->nodes[0].reached = true;
    for (uint32_t i = 0; i < o->fn->locals.count; i++) {
        if (o->fn->locals.at[i].kind == AIR_PARAM)
            o->nodes[0].written |= 1u << i;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < o->node_count; i++) {
            struct node *n = &o->nodes[i];
            changed |= flow_back(o, n);
            for (uint32_t k = 0; n->reached && k < n->next_count; k++)
                changed |= flow_into(&o->nodes[n->next[k]], n);
            if (n->reached && n->cancel != AIR_NONE)
                changed |= flow_into(&o->nodes[n->cancel], n);
        }
    }
}

/* Asks what survives, so it comes after that. */
static void run_busy_to_the_fixed_point(struct oracle *o)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < o->node_count; i++) {
            const struct node *n = &o->nodes[i];
            for (uint32_t k = 0; n->reached && k <= n->next_count; k++) {
                uint32_t next = k < n->next_count ? n->next[k] : n->cancel;
                if (next == AIR_NONE)
                    continue;
                struct node *to = &o->nodes[next];
                changed |= (busy_after(o, n) & ~to->busy) != 0;
                to->busy |= busy_after(o, n);
            }
        }
    }
}

static void survive(struct oracle *o)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < o->node_count; i++) {
        const struct node *n = &o->nodes[i];
        if (!n->reached)
            continue;
        if (n->op->kind == AIR_ADDR)
            o->ever_escaped |= local_of(n->op);
        if (n->op->kind != AIR_AWAIT)
            continue;
        uint32_t k = n->op->await - 1, holds_value = written_after(n) | n->escaped;
        o->reload[k] = n->live_after & holds_value;
        if (n->cancel != AIR_NONE)
            o->reload_cancel[k] = o->nodes[n->cancel].live & holds_value;
        o->escaped[k] = n->escaped;
        o->held[k] = holds_of(n->op);
        o->across[k] = o->reload[k] | o->reload_cancel[k] | o->escaped[k] | o->held[k];
        o->stored |= o->across[k];
        held |= o->held[k];
    }
    for (uint32_t i = 0; i < o->fn->locals.count; i++) {
        if (!o->fn->locals.at[i].is_scalar || ((o->ever_escaped | held) >> i & 1) != 0)
            o->resident |= o->stored & 1u << i;
    }
}

static void all_pairs(struct oracle *o, uint32_t set)
{
    for (uint32_t i = 0; i < MAX_LOCALS; i++) {
        for (uint32_t j = 0; j < MAX_LOCALS; j++) {
            if (i != j && (set >> i & 1) != 0 && (set >> j & 1) != 0)
                o->conflict[i] |= 1u << j;
        }
    }
}

static void conflicts_of_write(struct oracle *o, uint32_t local, uint32_t others)
{
    for (uint32_t j = 0; j < MAX_LOCALS; j++) {
        if (j != local && (others >> j & 1) != 0)
            all_pairs(o, 1u << local | 1u << j);
    }
}

static void conflict(struct oracle *o)
{
    uint32_t params = 0;
    for (uint32_t i = 0; i < o->fn->locals.count; i++)
        params |= o->fn->locals.at[i].kind == AIR_PARAM ? 1u << i : 0;
    all_pairs(o, params & o->resident);
    for (uint32_t i = 0; i < o->node_count; i++) {
        const struct node *n = &o->nodes[i];
        if (!n->reached)
            continue;
        uint32_t after = ((n->live_after & written_after(n)) | escaped_after(n)) & o->resident;
        all_pairs(o, ((n->live & n->written) | n->escaped) & o->resident);
        all_pairs(o, after);
        if (n->op->kind == AIR_AWAIT)
            all_pairs(o, o->across[n->op->await - 1]);
        bool writes = IS_ANY(n->op, AIR_DEF, AIR_PART, AIR_LEND, AIR_ADDR);
        if (writes && (local_of(n->op) & o->resident) != 0)
            conflicts_of_write(o, n->op->local, after | (n->busy & o->resident));
    }
}

static void assert_set(const bitset *found, uint32_t expected, const char *what, uint64_t seed)
{
    uint32_t set = 0;
    BITSET_FOR_EACH (i, found)
        set |= 1u << i;
    if (set != expected)
        fail_msg("seed %" PRIu64 ", %s: found %x, expected %x", seed, what, set, expected);
}

static void compare(const struct oracle *o, const struct across_await *found, uint64_t seed)
{
    for (uint32_t k = 0; k < o->fn->await_count; k++) {
        assert_set(&found->across[k], o->across[k], "across", seed);
        assert_set(&found->reload[k], o->reload[k], "reload", seed);
        assert_set(&found->reload_cancel[k], o->reload_cancel[k], "reload on cancel", seed);
        for (uint32_t i = 0; i < o->fn->locals.count; i++) {
            uint32_t live = (o->reload[k] | o->reload_cancel[k]) >> i & 1;
            uint32_t why = live * ACROSS_LIVE + (o->escaped[k] >> i & 1) * ACROSS_ESCAPED +
                           (o->held[k] >> i & 1) * ACROSS_HELD;
            assert_int_equal(found->why[k][i], why);
        }
    }
    for (uint32_t i = 0; i < o->fn->locals.count; i++) {
        bool stored = (o->stored >> i & 1) != 0, resident = (o->resident >> i & 1) != 0;
        assert_int_equal(found->escapes[i], o->ever_escaped >> i & 1);
        assert_int_equal(found->place[i], resident ? PLACE_RESIDENT
                                          : stored ? PLACE_SPILLED
                                                   : PLACE_PLAIN);
        assert_set(&found->conflict[i], o->conflict[i], "conflict", seed);
    }
}

static void random_functions_agree_with_the_definitions(void **state)
{
    static const struct random_shape shapes[] = {
        {8, 8, 8, 20, 0}, {5, 12, 4, 40, 0}, {8, 1, 60, 25, 2}, {3, 3, 6, 30, 0}, {8, 8, 8, 30, 2}};
    uint32_t shared = 0, conflicting = 0;
    for (uint64_t seed = 1; seed <= 20000; seed++) {
        arena *mem = arena_create();
        uint64_t run = random_start(seed);
        struct oracle o = {.fn = random_func(mem, &shapes[seed % COUNTOF(shapes)], &run)};
        make_nodes(&o);
        run_to_the_fixed_point(&o);
        survive(&o);
        run_busy_to_the_fixed_point(&o);
        conflict(&o);
        compare(&o, across_await_compute(mem, o.fn), seed);
        for (uint32_t i = 0; i < o.fn->locals.count; i++) {
            for (uint32_t j = 0; j < i; j++) {
                bool both = (o.stored >> i & o.stored >> j & 1) != 0;
                conflicting += both && (o.conflict[i] >> j & 1) != 0;
                shared += both && (o.conflict[i] >> j & 1) == 0;
            }
        }
        arena_destroy(&mem);
    }
    (void)state;
    assert_true(shared > 1000 && conflicting > 1000); /* both kinds were met */
}

/* ---- size ----------------------------------------------------------------------------------- */

enum { BIG_AWAITS = 1000, BIG_LOCALS = 5000, BIG_OPS = 20000 };

/* A chain of loops, each with one await; ops on locals near by, or on any. */
static air_func *big_func(arena *mem, bool all_alive)
{
    uint64_t seed = 7;
    air_func *fn = ARENA_NEW(mem, air_func);
    fn->mem = mem;
    VEC_PUSH(mem, &fn->scopes, (struct air_scope){AIR_NONE});
    for (uint32_t i = 0; i < BIG_LOCALS; i++) {
        struct air_local local = {.kind = AIR_VAR, .size_bytes = 8 * (1 + i % 5), .align_bytes = 8};
        local.is_scalar = i % 2 != 0;
        VEC_PUSH(mem, &fn->locals, local);
    }
    for (uint32_t b = 0; b <= BIG_AWAITS; b++) {
        struct air_block block = {0};
        struct air_op op = {.kind = AIR_AWAIT, .local = AIR_NONE, .cancel = BIG_AWAITS + 1};
        op.await = ++fn->await_count;
        if (b != 0)
            VEC_PUSH(mem, &block.ops, op);
        else
            fn->await_count = 0;
        for (uint32_t i = 0; i < BIG_OPS / BIG_AWAITS; i++) {
            uint32_t local = all_alive ? random_below(&seed, BIG_LOCALS)
                                       : b * 4 + random_below(&seed, BIG_LOCALS / BIG_AWAITS * 8);
            op = (struct air_op){.kind = i % 3 != 0 ? AIR_DEF : AIR_USE, .cancel = AIR_NONE};
            op.local = local % BIG_LOCALS;
            if (random_below(&seed, 10) == 0)
                op.kind = all_alive ? AIR_ADDR : AIR_LEND;
            VEC_PUSH(mem, &block.ops, op);
        }
        op = (struct air_op){.kind = AIR_BRANCH, .local = AIR_NONE, .cancel = AIR_NONE};
        op.target_count = b == 0 ? 1 : 2;
        op.targets = ARENA_ARRAY(mem, uint32_t, 2);
        op.targets[0] = b + 1;
        op.targets[1] = b - b % 50 == 0 ? 1 : b - b % 50;
        VEC_PUSH(mem, &block.ops, op);
        VEC_PUSH(mem, &fn->blocks, block);
    }
    struct air_block last = {0};
    VEC_PUSH(mem, &last.ops, (struct air_op){.kind = AIR_RETURN, .cancel = AIR_NONE});
    VEC_PUSH(mem, &fn->blocks, last);
    assert_null(air_verify(fn, mem));
    return fn;
}

static void a_thousand_awaits_take_no_second(void **state)
{
    for (int all_alive = 0; all_alive < 2; all_alive++) {
        const air_func *fn = big_func(*state, all_alive != 0);
        clock_t start = clock();
        const struct across_await *across = across_await_compute(*state, fn);
        const struct frame_layout *layout =
            frame_layout_compute(*state, fn, across, HEADER_BYTES, true);
        double seconds = (double)(clock() - start) / (double)CLOCKS_PER_SEC;
        print_message("%s: %.3f s, %u slots\n", all_alive ? "all alive" : "local", seconds,
                      layout->slot_count);
        assert_true(layout->slot_count > 10);
        assert_true(seconds < 5); /* 0.1 to 0.2 s; room for sanitizers and slow machines */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AIR_TEST(cases_are_as_reviewed),
        AIR_TEST(random_functions_agree_with_the_definitions),
        AIR_TEST(a_thousand_awaits_take_no_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
