/* SPDX-License-Identifier: MIT */
/* Does the IR read back as it was printed, and is each broken invariant found and named? */
#include "air_fixture.h"

#include <string.h>

#define HEAD "func f { scope 0 local 0 var a \"int\" size 4 align 4 scalar scope 0 "

static const char copy_text[] = "func copy {\n"
                                "  scope 0\n"
                                "  scope 1 in 0\n"
                                "  local 0 param from \"int\" size 4 align 4 scalar scope 0\n"
                                "  local 1 var buf \"char[4096]\" size 4096 align 1 scope 1 @3:10\n"
                                "  local 2 temp t1 \"long\" size 8 align 8 scalar scope 1\n"
                                "  block 0:\n"
                                "    begin 1\n"
                                "    lend 1 @3:9\n"
                                "    goto 1\n"
                                "  block 1:\n"
                                "    use 0\n"
                                "    await 1 \"aw_read\" hold 1 2 cancel 4 @5:17\n"
                                "    def 2\n"
                                "    branch 2 3 @6:9\n"
                                "  block 2:\n"
                                "    part 1\n"
                                "    addr 1\n"
                                "    await 2\n"
                                "    goto 1\n"
                                "  block 3:\n"
                                "    end 1\n"
                                "    return\n"
                                "  block 4:\n"
                                "    await 3 \"aw_close\"\n"
                                "    cancelled\n"
                                "  block 5:\n"
                                "    stop\n"
                                "}\n";

static const char *printed(arena *mem, const air_func *fn)
{
    strbuf out = strbuf_in(mem);
    air_print(fn, &out);
    return strbuf_text(&out);
}

static void text_reads_and_prints_the_same(void **state)
{
    assert_string_equal(printed(*state, air_of(*state, copy_text)), copy_text);
}

static void every_field_is_read(void **state)
{
    const air_func *fn = air_of(*state, copy_text);
    assert_true(sv_is(fn->name, "copy"));
    assert_int_equal(fn->scopes.at[0].parent, AIR_NONE);
    assert_int_equal(fn->scopes.at[1].parent, 0);
    const struct air_local *buf = &fn->locals.at[1];
    assert_int_equal(buf->kind, AIR_VAR);
    assert_true(sv_is(buf->name, "buf"));
    assert_true(sv_is(buf->type, "char[4096]"));
    assert_int_equal(buf->size_bytes, 4096);
    assert_int_equal(buf->align_bytes, 1);
    assert_false(buf->is_scalar);
    assert_int_equal(buf->scope, 1);
    assert_int_equal(buf->line * 100 + buf->column, 310);
    assert_true(fn->locals.at[2].is_scalar);
    assert_int_equal(fn->await_count, 3);
    const struct air_op *await = &fn->blocks.at[1].ops.at[1];
    assert_int_equal(await->kind, AIR_AWAIT);
    assert_int_equal(await->await, 1);
    assert_true(sv_is(await->callee, "aw_read"));
    assert_int_equal(await->hold_count, 2);
    assert_int_equal(await->holds[1], 2);
    assert_int_equal(await->cancel, 4);
    assert_int_equal(await->line * 100 + await->column, 517);
    assert_int_equal(fn->blocks.at[2].ops.at[2].cancel, AIR_NONE);
    const struct air_op *branch = &fn->blocks.at[1].ops.at[3];
    assert_int_equal(branch->target_count, 2);
    assert_int_equal(branch->targets[1], 3);
    assert_int_equal(branch->local, AIR_NONE);
}

static void white_space_and_comments_mean_nothing(void **state)
{
    const air_func *fn =
        air_of(*state, "# a comment\nfunc  f\n{ scope 0 local 0 var a \"#\" size 4 "
                       "align 4 # another }\nblock 0: def 0 use 0 return }\r\n\t#");
    assert_string_equal(printed(*state, fn), "func f {\n"
                                             "  scope 0\n"
                                             "  local 0 var a \"#\" size 4 align 4 scope 0\n"
                                             "  block 0:\n"
                                             "    def 0\n"
                                             "    use 0\n"
                                             "    return\n"
                                             "}\n");
}

static void any_bytes_survive_in_names(void **state)
{
    char bytes[255];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i + 1);
    air_func *fn = air_of(*state, HEAD "block 0: return }");
    fn->name = (strview){bytes, sizeof bytes};
    fn->locals.at[0].name = SV("");
    fn->locals.at[0].type = SV("\"\\\n");
    const char *text = printed(*state, fn);
    const air_func *again = air_of(*state, text);
    assert_true(sv_equal(again->name, fn->name));
    assert_int_equal(again->locals.at[0].name.len, 0);
    assert_true(sv_is(again->locals.at[0].type, "\"\\\n"));
    assert_string_equal(printed(*state, again), text);
}

static void random_functions_read_and_print_the_same(void **state)
{
    const struct random_shape shape = {8, 8, 8, 20, 0};
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t run = random_start(seed);
        const char *text = printed(*state, random_func(*state, &shape, &run));
        assert_string_equal(printed(*state, air_of(*state, text)), text);
    }
}

/* ---- texts that are not AIR ----------------------------------------------------------------- */

struct broken {
    const char *text, *error;
};

static void a_broken_text_is_refused_with_its_line(void **state)
{
    static const struct broken cases[] = {
        {"", "line 1: expected 'func' at the end of the text"},
        {"\n\nfunk f {}", "line 3: expected 'func', found 'funk'"},
        {"func {", "line 1: expected a name, found '{'"},
        {"func f", "line 1: expected '{' at the end of the text"},
        {"func f {\n", "line 2: expected an op, 'scope', 'local', 'block' or '}' at the end of the "
                       "text"},
        {"func f {}\n}", "line 2: expected nothing behind the function, found '}'"},
        {"func f { scope 1 }", "line 1: expected 0, the next number, found '1'"},
        {"func f { scope x }", "line 1: expected 0, the next number, found 'x'"},
        {"func f { scope 0 in }", "line 1: expected a number, found '}'"},
        {"func f { scope 0 in 4294967295 }",
         "line 1: expected a number up to 4294967294, found '4294967295'"},
        {"func f { local 0 static", "line 1: expected 'temp', found 'static'"},
        {"func f { local 0 var a int", "line 1: expected a text in quotes, found 'int'"},
        {"func f { local 0 var a \"int", "line 1: expected a text in quotes that ends on its line, "
                                         "found 'int'"},
        {"func f { local 0 var a \"\\n\"",
         "line 1: expected a text in quotes that ends on its line, found ''"},
        {"func f { local 0 var a \"\" align", "line 1: expected 'size', found 'align'"},
        {"func f { local 0 var a \"\" size 18446744073709551616",
         "line 1: expected a number up to 18446744073709551615, found '18446744073709551616'"},
        {"func f { local 0 var a \"\" size 1x",
         "line 1: expected a number up to 18446744073709551615, found '1x'"},
        {"func f { block 0\nuse 0", "line 2: expected ':', found 'use'"},
        {"func f { block 0: use", "line 1: expected a number at the end of the text"},
        {"func f { block 0: jump 1",
         "line 1: expected an op, 'scope', 'local', 'block' or '}', found 'jump'"},
        {"func f { block 0: return @3", "line 1: expected ':' at the end of the text"},
        {"func f { block 0: await x", "line 1: expected a number, found 'x'"},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        const char *error = NULL;
        strview text = sv_from(cases[i].text);
        assert_null(air_read(*state, text, &error));
        assert_string_equal(error, cases[i].error);
    }
}

static void every_prefix_of_a_text_is_refused(void **state)
{
    for (size_t len = 0; len < strlen(copy_text) - 2; len++) {
        const char *error = NULL;
        char *part = arena_strndup(*state, copy_text, len);
        assert_null(air_read(*state, (strview){part, len}, &error));
        assert_non_null(error);
    }
}

/* ---- functions that are not sound ----------------------------------------------------------- */

static void each_broken_invariant_is_named(void **state)
{
    static const struct broken cases[] = {
        {"func f { scope 0 }", "there is no block"},
        {"func f { scope 0 in 3 block 0: return }", "scope 0: its parent 3 does not exist"},
        {"func f { scope 0 scope 1 in 1 block 0: return }", "scope 1: lies in itself"},
        {"func f { scope 0 in 2 scope 1 in 0 scope 2 in 1 block 0: return }",
         "scope 0: lies in itself"},
        {"func f { scope 0 local 0 var a \"\" size 4 align 4 scope 1 block 0: return }",
         "local 0: its scope 1 does not exist"},
        {"func f { scope 0 local 0 var a \"\" size 4 align 0 block 0: return }",
         "local 0: its alignment 0 is no power of two"},
        {"func f { scope 0 local 0 var a \"\" size 4 align 12 block 0: return }",
         "local 0: its alignment 12 is no power of two"},
        {"func f { scope 0 local 0 var a \"\" size 0 align 1 scalar block 0: return }",
         "local 0: a scalar without size"},
        {HEAD "block 0: }", "block 0: has no ops"},
        {HEAD "block 0: use 0 }", "block 0, op 0: the last op must be a terminator"},
        {HEAD "block 0: return return }", "block 0, op 0: a terminator before the last op"},
        {HEAD "block 0: use 1 return }", "block 0, op 0: local 1 does not exist"},
        {HEAD "block 0: goto }", "block 0, op 0: a goto has one target"},
        {HEAD "block 0: goto 1 1 block 1: return }", "block 0, op 0: a goto has one target"},
        {HEAD "block 0: branch }", "block 0, op 0: a branch has a target"},
        {HEAD "block 0: stop 0 }", "block 0, op 0: has a target but goes nowhere"},
        {HEAD "block 0: goto 1 }", "block 0, op 0: goes to block 1, which does not exist"},
        {HEAD "block 0: goto 1 block 1: use 0 branch 1 0 }",
         "block 1, op 1: goes to block 0, the entry, which may have no predecessor"},
        {HEAD "block 0: await 2 return }", "block 0, op 0: await 2 of 1"},
        {HEAD "block 0: await 1 await 1 return }", "block 0, op 1: there is another await 1"},
        {HEAD "block 0: await 0 return }", "block 0, op 0: await 0 of 1"},
        {HEAD "block 0: await 1 hold 0 7 return }",
         "block 0, op 0: holds local 7, which does not exist"},
        {HEAD "block 0: await 1 cancel 9 return }",
         "block 0, op 0: cancel goes to block 9, which does not exist"},
        {HEAD "block 0: await 1 cancel 0 return }",
         "block 0, op 0: cancel goes to block 0, the entry, which may have no predecessor"},
    };
    for (size_t i = 0; i < COUNTOF(cases); i++) {
        const char *error = NULL;
        const air_func *fn = air_read(*state, sv_from(cases[i].text), &error);
        assert_non_null(fn);
        error = air_verify(fn, *state);
        assert_non_null(error);
        assert_string_equal(error, cases[i].error);
    }
}

static void faults_that_text_cannot_have_are_named_too(void **state)
{
    air_func *fn = air_of(*state, HEAD "block 0: use 0 await 1 return }");
    fn->await_count = 2;
    assert_string_equal(air_verify(fn, *state), "1 awaits, but await_count is 2");
    fn->await_count = 1;
    fn->blocks.at[0].ops.at[0].local = AIR_NONE;
    assert_string_equal(air_verify(fn, *state), "block 0, op 0: local 4294967295 does not exist");
    fn->blocks.at[0].ops.at[0].kind = (enum air_op_kind)AIR_OP_COUNT;
    assert_string_equal(air_verify(fn, *state), "block 0, op 0: is no op");
}

static void awaits_may_stand_in_any_order(void **state)
{
    air_of(*state, HEAD "block 0: await 3 goto 1 block 1: await 1 await 2 return }");
}

static void a_block_that_nothing_reaches_is_sound(void **state)
{
    air_of(*state, HEAD "block 0: return block 1: use 0 goto 1 }");
}

static void terminators_are_the_last_ops(void **state)
{
    (void)state;
    assert_false(air_op_is_terminator(AIR_USE));
    assert_false(air_op_is_terminator(AIR_AWAIT));
    assert_true(air_op_is_terminator(AIR_GOTO));
    assert_true(air_op_is_terminator(AIR_STOP));
    assert_false(air_op_is_terminator(AIR_OP_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        AIR_TEST(text_reads_and_prints_the_same),
        AIR_TEST(every_field_is_read),
        AIR_TEST(white_space_and_comments_mean_nothing),
        AIR_TEST(any_bytes_survive_in_names),
        AIR_TEST(random_functions_read_and_print_the_same),
        AIR_TEST(a_broken_text_is_refused_with_its_line),
        AIR_TEST(every_prefix_of_a_text_is_refused),
        AIR_TEST(each_broken_invariant_is_named),
        AIR_TEST(faults_that_text_cannot_have_are_named_too),
        AIR_TEST(awaits_may_stand_in_any_order),
        AIR_TEST(a_block_that_nothing_reaches_is_sound),
        AIR_TEST(terminators_are_the_last_ops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
