/* SPDX-License-Identifier: MIT */
/* Which locals are live, and which hold a value, in front of each block and behind each op? */
#include "air_fixture.h"

#include "analyzer/flow/liveness.h"

#define LOCALS                                                                                     \
    "func f { scope 0 "                                                                            \
    "local 0 param p \"int\" size 4 align 4 scalar scope 0 "                                       \
    "local 1 var x \"int\" size 4 align 4 scalar scope 0 "                                         \
    "local 2 var buf \"char[64]\" size 64 align 1 scope 0 "                                        \
    "local 3 var s \"struct s\" size 16 align 8 scope 0 "

struct flows {
    arena *mem;
    const air_func *fn;
    const struct liveness *live;
};

static struct flows flows_of(arena *mem, const char *text)
{
    const air_func *fn = air_of(mem, text);
    return (struct flows){mem, fn, liveness_compute(mem, cfg_build(mem, fn))};
}

static void expect_live(const struct flows *f, uint32_t block, const char *names)
{
    assert_string_equal(names_of(f->mem, f->fn, &f->live->live[block]), names);
}

static void expect_written(const struct flows *f, uint32_t block, const char *names)
{
    assert_string_equal(names_of(f->mem, f->fn, &f->live->written[block]), names);
}

static void expect_live_after(const struct flows *f, uint32_t block, uint32_t op, const char *names)
{
    size_t count = f->fn->blocks.at[block].ops.count;
    bitset *after = ARENA_ARRAY(f->mem, bitset, count);
    for (size_t i = 0; i < count; i++)
        after[i] = bitset_new(f->mem, (uint32_t)f->fn->locals.count);
    liveness_after_ops(f->live, block, after);
    assert_string_equal(names_of(f->mem, f->fn, &after[op]), names);
}

static void a_read_makes_live_and_a_whole_write_ends_it(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: use 0 def 1 use 1 use 0 return }");
    expect_live(&f, 0, "p");
    expect_live_after(&f, 0, 0, "p");
    expect_live_after(&f, 0, 1, "p x");
    expect_live_after(&f, 0, 2, "p");
    expect_live_after(&f, 0, 3, "-");
}

static void a_partial_write_is_no_read_and_no_end(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: part 3 use 3 part 3 return }");
    expect_live(&f, 0, "s");
    expect_live_after(&f, 0, 0, "s");
    expect_live_after(&f, 0, 1, "-");
}

static void lending_and_taking_the_address_may_read(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: lend 2 addr 1 return }");
    expect_live(&f, 0, "x buf");
    expect_live_after(&f, 0, 0, "x");
    expect_live_after(&f, 0, 1, "-");
}

static void declaration_and_scope_end_kill(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: goto 1 "
                                             "block 1: begin 1 use 1 goto 2 "
                                             "block 2: end 2 use 2 return }");
    expect_live(&f, 0, "-");
    expect_live(&f, 2, "-");
}

static void live_around_a_loop(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: def 1 goto 1 "
                                             "block 1: branch 2 3 "
                                             "block 2: use 1 use 0 goto 1 "
                                             "block 3: return }");
    expect_live(&f, 0, "p");
    expect_live(&f, 1, "p x");
    expect_live(&f, 2, "p x");
    expect_live(&f, 3, "-");
}

static void the_cancel_way_counts_at_its_await_only(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: def 1 use 0 await 1 cancel 1 def 1 return "
                                             "block 1: use 1 cancelled }");
    expect_live(&f, 0, "p");
    expect_live_after(&f, 0, 0, "p x");
    expect_live_after(&f, 0, 1, "x");
    expect_live_after(&f, 0, 2, "-"); /* the normal way */
    expect_live(&f, 1, "x");
}

static void an_await_reads_and_writes_what_it_holds(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: goto 1 "
                                             "block 1: await 1 hold 2 cancel 2 goto 2 "
                                             "block 2: return }");
    expect_live(&f, 1, "buf");
    expect_written(&f, 1, "p");
    expect_written(&f, 2, "p buf");
    expect_live_after(&f, 1, 0, "-");
}

static void written_since_it_was_declared(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: def 1 part 3 lend 2 goto 1 "
                                             "block 1: begin 1 end 3 goto 2 "
                                             "block 2: addr 1 branch 3 1 "
                                             "block 3: return }");
    expect_written(&f, 0, "p");
    expect_written(&f, 1, "p x buf s");
    expect_written(&f, 2, "p buf");
    expect_written(&f, 3, "p x buf");
}

static void code_that_nothing_reaches_changes_nothing(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: goto 2 "
                                             "block 1: def 1 use 0 goto 2 "
                                             "block 2: use 2 return }");
    expect_live(&f, 0, "buf");
    expect_live(&f, 1, "-");
    expect_written(&f, 2, "p");
}

static void a_goto_forms_a_loop_without_a_head(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: def 1 branch 1 2 "
                                             "block 1: use 1 goto 2 "
                                             "block 2: branch 1 3 "
                                             "block 3: stop }");
    expect_live(&f, 1, "x");
    expect_live(&f, 2, "x");
    expect_live(&f, 3, "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AIR_TEST(a_read_makes_live_and_a_whole_write_ends_it),
        AIR_TEST(a_partial_write_is_no_read_and_no_end),
        AIR_TEST(lending_and_taking_the_address_may_read),
        AIR_TEST(declaration_and_scope_end_kill),
        AIR_TEST(live_around_a_loop),
        AIR_TEST(the_cancel_way_counts_at_its_await_only),
        AIR_TEST(an_await_reads_and_writes_what_it_holds),
        AIR_TEST(written_since_it_was_declared),
        AIR_TEST(code_that_nothing_reaches_changes_nothing),
        AIR_TEST(a_goto_forms_a_loop_without_a_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
