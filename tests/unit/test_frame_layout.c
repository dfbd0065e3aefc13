/* SPDX-License-Identifier: MIT */
/*
 * Is every local where nobody else's bytes are while it matters? Small layouts by hand; laws that
 * any layout keeps; and the proof that sharing is right: random functions run on a model of the
 * machine, with a frame of real bytes, and every read must give what was written last.
 */
#include "air_fixture.h"

#include <inttypes.h>
#include <string.h>

#include "analyzer/flow/across_await.h"
#include "transforms/frame_layout.h"

enum { HEADER_BYTES = 16 };

/* ---- by hand -------------------------------------------------------------------------------- */

/* One local of a layout test: all survive one await, so that nothing is shared. */
struct wanted {
    uint64_t size_bytes, align_bytes, offset_bytes;
};

static const struct frame_layout *layout_of_all(arena *mem, const struct wanted *locals,
                                                size_t count)
{
    air_func *fn = ARENA_NEW(mem, air_func);
    struct air_block block = {0};
    fn->mem = mem;
    fn->await_count = 1;
    VEC_PUSH(mem, &fn->scopes, (struct air_scope){AIR_NONE});
    for (uint32_t i = 0; i < count; i++) {
        struct air_local local = {.kind = AIR_VAR};
        local.size_bytes = locals[i].size_bytes;
        local.align_bytes = locals[i].align_bytes;
        VEC_PUSH(mem, &fn->locals, local);
        VEC_PUSH(mem, &block.ops, (struct air_op){.kind = AIR_ADDR, .local = i});
    }
    VEC_PUSH(mem, &block.ops, (struct air_op){.kind = AIR_AWAIT, .await = 1, .cancel = AIR_NONE});
    VEC_PUSH(mem, &block.ops, (struct air_op){.kind = AIR_RETURN, .cancel = AIR_NONE});
    VEC_PUSH(mem, &fn->blocks, block);
    assert_null(air_verify(fn, mem));
    return frame_layout_compute(mem, fn, across_await_compute(mem, fn), HEADER_BYTES, true);
}

static void expect_offsets(arena *mem, const struct wanted *locals, size_t count,
                           uint64_t size_bytes, uint64_t align_bytes)
{
    const struct frame_layout *layout = layout_of_all(mem, locals, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(layout->slots[layout->slot_of[i]].offset_bytes, locals[i].offset_bytes);
    assert_int_equal(layout->size_bytes, size_bytes);
    assert_int_equal(layout->align_bytes, align_bytes);
}

static void an_empty_frame_is_its_header(void **state)
{
    expect_offsets(*state, NULL, 0, 16, 8);
}

static void strict_alignments_come_first(void **state)
{
    static const struct wanted locals[] = {
        {1, 1, 46}, {8, 8, 32}, {2, 2, 44}, {4, 4, 40}, {16, 16, 16}};
    expect_offsets(*state, locals, COUNTOF(locals), 48, 16);
}

static void the_gap_behind_the_header_is_filled(void **state)
{
    static const struct wanted locals[] = {
        {4, 4, 24}, {32, 32, 32}, {8, 8, 16}, {100, 1, 64}, {2, 2, 28}};
    expect_offsets(*state, locals, COUNTOF(locals), 192, 32);
}

static void a_gap_too_small_for_anything_stays(void **state)
{
    static const struct wanted locals[] = {{64, 64, 64}, {56, 8, 128}};
    expect_offsets(*state, locals, COUNTOF(locals), 192, 64);
}

static void an_object_may_be_aligned_more_than_its_size(void **state)
{
    static const struct wanted locals[] = {{4, 64, 64}, {4, 64, 128}, {60, 4, 68}, {48, 4, 16}};
    expect_offsets(*state, locals, COUNTOF(locals), 192, 64);
}

static void objects_without_size_take_no_room(void **state)
{
    static const struct wanted locals[] = {{0, 1, 24}, {8, 8, 16}, {0, 1, 24}};
    expect_offsets(*state, locals, COUNTOF(locals), 24, 8);
}

static void a_frame_of_bytes_is_aligned_for_its_header(void **state)
{
    static const struct wanted locals[] = {{3, 1, 16}};
    expect_offsets(*state, locals, COUNTOF(locals), 24, 8);
}

static const char siblings[] = "func f { scope 0 "
                               "local 0 var a \"char[100]\" size 100 align 1 scope 0 "
                               "local 1 var b \"long\" size 8 align 8 scalar scope 0 "
                               "local 2 var c \"int\" size 4 align 4 scalar scope 0 "
                               "local 3 var d \"char[40]\" size 40 align 1 scope 0 "
                               "block 0: "
                               "begin 0 addr 0 await 1 end 0 "
                               "begin 1 addr 1 begin 2 def 2 await 2 use 2 end 1 "
                               "begin 3 addr 3 await 3 end 3 return }";

static void locals_that_never_meet_share_the_largest_slot(void **state)
{
    const air_func *fn = air_of(*state, siblings);
    const struct across_await *across = across_await_compute(*state, fn);
    const struct frame_layout *layout =
        frame_layout_compute(*state, fn, across, HEADER_BYTES, true);
    assert_int_equal(layout->slot_count, 2);
    const struct frame_slot *large = &layout->slots[0];
    assert_int_equal(large->offset_bytes, 16);
    assert_int_equal(large->size_bytes, 100);
    assert_int_equal(large->align_bytes, 8); /* b's */
    assert_int_equal(large->local_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(large->locals[i], i == 2 ? 3 : i); /* by declaration */
    assert_int_equal(layout->slots[1].offset_bytes, 116);
    assert_int_equal(layout->size_bytes, 120);
}

static void a_debug_frame_has_a_slot_for_each(void **state)
{
    const air_func *fn = air_of(*state, siblings);
    const struct across_await *across = across_await_compute(*state, fn);
    const struct frame_layout *layout =
        frame_layout_compute(*state, fn, across, HEADER_BYTES, false);
    assert_int_equal(layout->slot_count, 4);
    for (uint32_t s = 0; s < layout->slot_count; s++) {
        assert_int_equal(layout->slots[s].local_count, 1);
        assert_int_equal(layout->slot_of[layout->slots[s].locals[0]], s);
    }
    assert_int_equal(layout->size_bytes, 16 + 8 + 4 + 100 + 40);
}

/* ---- laws ----------------------------------------------------------------------------------- */

static void check_members(const air_func *fn, const struct across_await *across,
                          const struct frame_layout *layout, uint32_t s)
{
    const struct frame_slot *slot = &layout->slots[s];
    uint64_t largest = 0;
    for (uint32_t i = 0; i < slot->local_count; i++) {
        uint32_t local = slot->locals[i];
        assert_int_equal(layout->slot_of[local], s);
        assert_int_equal(slot->offset_bytes % fn->locals.at[local].align_bytes, 0);
        if (fn->locals.at[local].size_bytes > largest)
            largest = fn->locals.at[local].size_bytes;
        for (uint32_t k = 0; k < i; k++) {
            assert_true(slot->locals[k] < local);
            assert_false(bitset_has(&across->conflict[local], slot->locals[k]));
        }
    }
    assert_int_equal(slot->size_bytes, largest);
}

static void check_laws(const air_func *fn, const struct across_await *across,
                       const struct frame_layout *layout)
{
    uint64_t end = HEADER_BYTES;
    uint32_t members = 0, stored = 0;
    for (uint32_t s = 0; s < layout->slot_count; s++) {
        const struct frame_slot *slot = &layout->slots[s];
        assert_true(slot->offset_bytes >= end);
        end = slot->offset_bytes + slot->size_bytes;
        members += slot->local_count;
        check_members(fn, across, layout, s);
        assert_true(layout->align_bytes >= slot->align_bytes);
    }
    for (uint32_t i = 0; i < fn->locals.count; i++) {
        stored += across->place[i] != PLACE_PLAIN;
        assert_int_equal(across->place[i] == PLACE_PLAIN, layout->slot_of[i] == AIR_NONE);
    }
    assert_int_equal(members, stored);
    assert_int_equal(layout->size_bytes % layout->align_bytes, 0);
    assert_true(layout->size_bytes >= end && layout->size_bytes - end < layout->align_bytes);
}

static void every_layout_keeps_the_laws(void **state)
{
    const struct random_shape shape = {30, 10, 12, 20, 4};
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        arena *mem = arena_create();
        uint64_t run = random_start(seed);
        const air_func *fn = random_func(mem, &shape, &run);
        const struct across_await *across = across_await_compute(mem, fn);
        const struct frame_layout *shared =
            frame_layout_compute(mem, fn, across, HEADER_BYTES, true);
        const struct frame_layout *apart =
            frame_layout_compute(mem, fn, across, HEADER_BYTES, false);
        check_laws(fn, across, shared);
        check_laws(fn, across, apart);
        assert_true(shared->slot_count <= apart->slot_count);
        arena_destroy(&mem);
    }
}

/* ---- the machine ---------------------------------------------------------------------------- */

/*
 * A run of a lowered function. Residents live in `frame`, others in `plain`, which a suspension
 * overwrites with noise. `value` is what each local must hold, byte for byte, where `known` says
 * that the byte was written since the declaration. Somebody who knows an address may use it at any
 * moment. A statement may load what it names, and make the calls it lends to, as late as its end.
 */
enum { MAX_LOCALS = 8, MAX_BYTES = 96, MAX_PENDING = 16, RUN_OPS = 80 };

struct pending_read {
    uint32_t local;
    uint8_t value[MAX_BYTES];
    bool known[MAX_BYTES];
};

struct machine {
    const air_func *fn;
    const struct across_await *across;
    const struct frame_layout *layout;
    uint64_t seed;
    uint8_t *frame;
    uint8_t plain[MAX_LOCALS][MAX_BYTES];
    uint8_t value[MAX_LOCALS][MAX_BYTES];
    bool known[MAX_LOCALS][MAX_BYTES];
    bool escaped[MAX_LOCALS];
    bool lent[MAX_LOCALS]; /* to the call under way */
    struct pending_read reads[MAX_PENDING];
    uint32_t read_count;
    uint32_t block, op;
    uint64_t checked_bytes, suspensions;
};

static uint32_t roll(struct machine *m, uint32_t bound)
{
    return random_below(&m->seed, bound);
}

static uint64_t size_of(const struct machine *m, uint32_t local)
{
    return m->fn->locals.at[local].size_bytes;
}

static uint8_t *in_frame(struct machine *m, uint32_t local)
{
    return m->frame + m->layout->slots[m->layout->slot_of[local]].offset_bytes;
}

static uint8_t *place_of(struct machine *m, uint32_t local)
{
    return m->across->place[local] == PLACE_RESIDENT ? in_frame(m, local) : m->plain[local];
}

static void check(struct machine *m, uint32_t local, const uint8_t *value, const bool *known)
{
    const uint8_t *found = place_of(m, local);
    for (uint64_t i = 0; i < size_of(m, local); i++) {
        m->checked_bytes += known[i];
        if (known[i] && found[i] != value[i])
            fail_msg("block %" PRIu32 ", op %" PRIu32 ": local %" PRIu32 " lost byte %" PRIu64,
                     m->block, m->op, local, i);
    }
}

static void read_local(struct machine *m, uint32_t local)
{
    check(m, local, m->value[local], m->known[local]);
}

/* Writes bytes from..to; what was read before and not yet loaded is no longer asked for. */
static void write_bytes(struct machine *m, uint32_t local, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++) {
        uint8_t byte = (uint8_t)roll(m, 256);
        place_of(m, local)[i] = byte;
        m->value[local][i] = byte;
        m->known[local][i] = true;
    }
    for (uint32_t r = 0; r < m->read_count; r++) {
        if (m->reads[r].local == local)
            m->reads[r--] = m->reads[--m->read_count];
    }
}

static void write_part(struct machine *m, uint32_t local)
{
    uint64_t from = roll(m, (uint32_t)size_of(m, local) + 1);
    write_bytes(m, local, from, from + roll(m, (uint32_t)(size_of(m, local) - from) + 1));
}

static void touch(struct machine *m, uint32_t local)
{
    read_local(m, local);
    if (roll(m, 2) == 0)
        write_part(m, local);
}

/* Whoever knows an address uses it. */
static void strangers_touch(struct machine *m)
{
    for (uint32_t i = 0; i < m->fn->locals.count; i++) {
        if (m->escaped[i] && roll(m, 2) == 0)
            touch(m, i);
    }
}

/* The call under way has all that it was lent, and returns. */
static void make_call(struct machine *m)
{
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < m->fn->locals.count; i++) {
            if (m->lent[i])
                touch(m, i);
        }
    }
    memset(m->lent, 0, sizeof m->lent);
}

static void end_statement(struct machine *m)
{
    make_call(m);
    for (uint32_t r = 0; r < m->read_count; r++)
        check(m, m->reads[r].local, m->reads[r].value, m->reads[r].known);
    m->read_count = 0;
}

static void forget(struct machine *m, uint32_t local)
{
    if (m->lent[local])
        make_call(m);
    memset(m->known[local], 0, sizeof m->known[local]);
}

static void use(struct machine *m, uint32_t local)
{
    read_local(m, local);
    if (m->read_count == MAX_PENDING)
        end_statement(m);
    struct pending_read *r = &m->reads[m->read_count++];
    r->local = local;
    memcpy(r->value, m->value[local], sizeof r->value);
    memcpy(r->known, m->known[local], sizeof r->known);
}

static void begin(struct machine *m, uint32_t local)
{
    if (m->fn->locals.at[local].kind == AIR_VAR && m->across->place[local] != PLACE_PLAIN)
        end_statement(m); /* others may be declared inside an expression */
    forget(m, local);
}

static void noise(struct machine *m, uint8_t *at, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        at[i] = (uint8_t)roll(m, 256);
}

static void spill_or_reload(struct machine *m, const bitset *set, bool reload)
{
    BITSET_FOR_EACH (i, set) {
        if (m->across->place[i] != PLACE_SPILLED)
            continue;
        if (reload)
            memcpy(m->plain[i], in_frame(m, i), size_of(m, i));
        else
            memcpy(in_frame(m, i), m->plain[i], size_of(m, i));
    }
}

/* Goes on behind the op, or in the block of its clean-ups. */
static void await(struct machine *m, const struct air_op *op)
{
    uint32_t k = op->await - 1;
    bool cancelled = op->cancel != AIR_NONE && roll(m, 3) == 0;
    end_statement(m);
    for (uint32_t i = 0; i < op->hold_count; i++)
        touch(m, op->holds[i]);
    strangers_touch(m);
    if (roll(m, 3) != 0) {
        m->suspensions++;
        spill_or_reload(m, &m->across->across[k], false);
        noise(m, &m->plain[0][0], sizeof m->plain);
        for (uint32_t i = 0; i < op->hold_count; i++) {
            assert_int_equal(m->across->place[op->holds[i]], PLACE_RESIDENT);
            touch(m, op->holds[i]);
        }
        for (uint32_t i = 0; i < m->fn->locals.count; i++)
            assert_true(!m->escaped[i] || m->across->place[i] == PLACE_RESIDENT);
        strangers_touch(m);
        spill_or_reload(m, cancelled ? &m->across->reload_cancel[k] : &m->across->reload[k], true);
    }
    m->op++;
    if (cancelled) {
        m->block = op->cancel;
        m->op = 0;
    }
}

/* False where the function is left. */
static bool step(struct machine *m)
{
    const struct air_op *op = &m->fn->blocks.at[m->block].ops.at[m->op];
    if (roll(m, 3) == 0)
        end_statement(m);
    strangers_touch(m);
    if (air_op_is_terminator(op->kind)) {
        if (op->target_count == 0) {
            end_statement(m);
            return false;
        }
        m->block = op->targets[roll(m, op->target_count)];
        m->op = 0;
        return true;
    }
    if (op->kind == AIR_AWAIT) {
        await(m, op);
        return true;
    }
    if (op->kind == AIR_USE)
        use(m, op->local);
    else if (op->kind == AIR_DEF)
        write_bytes(m, op->local, 0, size_of(m, op->local));
    else if (op->kind == AIR_PART)
        write_part(m, op->local);
    else if (op->kind == AIR_LEND)
        m->lent[op->local] = true;
    else if (op->kind == AIR_ADDR)
        m->escaped[op->local] = true;
    else if (op->kind == AIR_BEGIN)
        begin(m, op->local);
    else
        forget(m, op->local);
    if (op->kind == AIR_LEND || op->kind == AIR_ADDR)
        read_local(m, op->local);
    if (op->kind == AIR_END)
        m->escaped[op->local] = false;
    m->op++;
    return true;
}

static void run(struct machine *m)
{
    noise(m, m->frame, m->layout->size_bytes);
    for (uint32_t i = 0; i < m->fn->locals.count; i++) {
        if (m->fn->locals.at[i].kind == AIR_PARAM)
            write_bytes(m, i, 0, size_of(m, i));
    }
    for (uint32_t steps = 0; steps < RUN_OPS && step(m); steps++) {
    }
}

static void no_value_is_ever_clobbered(void **state)
{
    static const struct random_shape shapes[] = {{8, 6, 12, 20, 2}, {8, 1, 40, 25, 2},
                                                 {4, 10, 5, 30, 0}, {8, 8, 8, 30, 2},
                                                 {8, 8, 8, 10, 3},  {8, 2, 40, 30, 1}};
    uint64_t checked = 0, suspensions = 0, shared = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 6000; seed++) {
        arena *mem = arena_create();
        uint64_t shape_seed = random_start(seed);
        const air_func *fn = random_func(mem, &shapes[seed % COUNTOF(shapes)], &shape_seed);
        struct machine m = {.fn = fn, .across = across_await_compute(mem, fn)};
        m.layout = frame_layout_compute(mem, fn, m.across, HEADER_BYTES, true);
        shared += frame_layout_compute(mem, fn, m.across, HEADER_BYTES, false)->slot_count -
                  m.layout->slot_count;
        for (uint64_t walk = 1; walk <= 12; walk++) {
            struct machine fresh = m;
            fresh.seed = random_start(seed * 1000 + walk);
            fresh.frame = arena_alloc(mem, m.layout->size_bytes);
            run(&fresh);
            checked += fresh.checked_bytes;
            suspensions += fresh.suspensions;
        }
        arena_destroy(&mem);
    }
    print_message("%" PRIu64 " bytes checked, %" PRIu64 " suspensions, %" PRIu64
                  " locals share a slot\n",
                  checked, suspensions, shared);
    assert_true(checked > 1000000 && suspensions > 10000 && shared > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AIR_TEST(an_empty_frame_is_its_header),
        AIR_TEST(strict_alignments_come_first),
        AIR_TEST(the_gap_behind_the_header_is_filled),
        AIR_TEST(a_gap_too_small_for_anything_stays),
        AIR_TEST(an_object_may_be_aligned_more_than_its_size),
        AIR_TEST(objects_without_size_take_no_room),
        AIR_TEST(a_frame_of_bytes_is_aligned_for_its_header),
        AIR_TEST(locals_that_never_meet_share_the_largest_slot),
        AIR_TEST(a_debug_frame_has_a_slot_for_each),
        AIR_TEST(every_layout_keeps_the_laws),
        AIR_TEST(no_value_is_ever_clobbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
