/* SPDX-License-Identifier: MIT */
/* From where to where may somebody else know the address of a local? */
#include "air_fixture.h"

#include "analyzer/flow/escape.h"

#define LOCALS                                                                                     \
    "func f { scope 0 "                                                                            \
    "local 0 param p \"int\" size 4 align 4 scalar scope 0 "                                       \
    "local 1 var x \"int\" size 4 align 4 scalar scope 0 "                                         \
    "local 2 var buf \"char[64]\" size 64 align 1 scope 0 "

struct flows {
    arena *mem;
    const air_func *fn;
    const struct escape *escape;
};

static struct flows flows_of(arena *mem, const char *text)
{
    const air_func *fn = air_of(mem, text);
    return (struct flows){mem, fn, escape_compute(mem, cfg_build(mem, fn))};
}

static void expect_escaped(const struct flows *f, uint32_t block, const char *names)
{
    assert_string_equal(names_of(f->mem, f->fn, &f->escape->escaped[block]), names);
}

static void expect_ever(const struct flows *f, const char *names)
{
    assert_string_equal(names_of(f->mem, f->fn, &f->escape->ever), names);
}

static void an_address_is_known_until_the_scope_is_left(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: addr 1 addr 2 goto 1 "
                                             "block 1: end 1 goto 2 "
                                             "block 2: return }");
    expect_escaped(&f, 0, "-");
    expect_escaped(&f, 1, "x buf");
    expect_escaped(&f, 2, "buf");
    expect_ever(&f, "x buf");
}

static void known_on_one_way_is_known_where_ways_meet(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: branch 1 2 "
                                             "block 1: addr 1 goto 3 "
                                             "block 2: def 1 goto 3 "
                                             "block 3: return }");
    expect_escaped(&f, 2, "-");
    expect_escaped(&f, 3, "x");
}

static void known_in_the_next_round_of_a_loop(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: goto 1 "
                                             "block 1: use 0 branch 2 3 "
                                             "block 2: addr 1 begin 2 addr 2 end 2 goto 1 "
                                             "block 3: return }");
    expect_escaped(&f, 1, "x");
    expect_escaped(&f, 3, "x");
    expect_ever(&f, "x buf");
}

static void reaching_the_declaration_again_is_the_same_object(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: goto 1 "
                                             "block 1: begin 1 addr 1 branch 1 2 "
                                             "block 2: return }");
    expect_escaped(&f, 1, "x");
}

static void neither_lending_nor_holding_is_an_escape(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: lend 2 await 1 hold 1 2 goto 1 "
                                             "block 1: return }");
    expect_escaped(&f, 1, "-");
    expect_ever(&f, "-");
}

static void a_cancel_leaves_with_what_escaped_up_to_there(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: addr 1 await 1 cancel 1 addr 2 goto 2 "
                                             "block 1: cancelled "
                                             "block 2: return }");
    expect_escaped(&f, 1, "x");
    expect_escaped(&f, 2, "x buf");
}

static void code_that_nothing_reaches_takes_no_address(void **state)
{
    struct flows f = flows_of(*state, LOCALS "block 0: goto 2 "
                                             "block 1: addr 1 goto 2 "
                                             "block 2: return }");
    expect_escaped(&f, 2, "-");
    expect_ever(&f, "-");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AIR_TEST(an_address_is_known_until_the_scope_is_left),
        AIR_TEST(known_on_one_way_is_known_where_ways_meet),
        AIR_TEST(known_in_the_next_round_of_a_loop),
        AIR_TEST(reaching_the_declaration_again_is_the_same_object),
        AIR_TEST(neither_lending_nor_holding_is_an_escape),
        AIR_TEST(a_cancel_leaves_with_what_escaped_up_to_there),
        AIR_TEST(code_that_nothing_reaches_takes_no_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
