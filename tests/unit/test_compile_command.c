/* SPDX-License-Identifier: MIT */
/* Is a compiler's command line understood: inputs, mode, values of flags, wrappers? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "analyzer/tool/compile_command.h"
#include "analyzer/tool/toolchain.h"

static int set_up(void **state)
{
    *state = arena_create();
    return 0;
}

static int tear_down(void **state)
{
    arena *mem = *state;
    arena_destroy(&mem);
    return 0;
}

/* The command of a line whose words are separated by single blanks. */
static compile_command *command(arena *mem, const char *line)
{
    VEC(char *) words = {0};
    char *copy = arena_strndup(mem, line, strlen(line));
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
        VEC_PUSH(mem, &words, word);
    const char *failure = NULL;
    return compile_command_read(mem, (int)words.count, words.at, &failure);
}

static void modes(void **state)
{
    assert_int_equal(command(*state, "gcc a.c")->mode, MODE_LINK);
    assert_int_equal(command(*state, "gcc -c a.c")->mode, MODE_COMPILE);
    assert_int_equal(command(*state, "gcc -c -S a.c")->mode, MODE_ASSEMBLY);
    assert_int_equal(command(*state, "gcc -E -c a.c")->mode, MODE_PREPROCESS);
    assert_int_equal(command(*state, "gcc -MM a.c")->mode, MODE_PREPROCESS);
    assert_int_equal(command(*state, "gcc -MMD -c a.c")->mode, MODE_COMPILE);
    assert_int_equal(command(*state, "gcc -fsyntax-only a.c")->mode, MODE_SYNTAX);
    assert_int_equal(command(*state, "gcc -### -c a.c")->mode, MODE_QUERY);
    assert_int_equal(command(*state, "gcc --version")->mode, MODE_QUERY);
    assert_int_equal(command(*state, "gcc -print-file-name=libc.a")->mode, MODE_QUERY);
}

static void inputs_and_languages(void **state)
{
    compile_command *c = command(*state, "gcc a.c b.i c.s -x c d - -x none e.o f.cc -lm");
    static const struct {
        const char *path;
        enum input_language language;
    } wanted[] = {
        {"a.c", INPUT_C}, {"b.i", INPUT_PREPROCESSED_C}, {"c.s", INPUT_OTHER}, {"d", INPUT_C},
        {"-", INPUT_C},   {"e.o", INPUT_OTHER},          {"f.cc", INPUT_OTHER}};
    assert_int_equal(c->inputs.count, 7);
    for (size_t i = 0; i < 7; i++) {
        assert_string_equal(c->inputs.at[i].path, wanted[i].path);
        assert_int_equal(c->inputs.at[i].language, wanted[i].language);
    }
    c = command(*state, "gcc -xcpp-output a.c");
    assert_int_equal(c->inputs.at[0].language, INPUT_PREPROCESSED_C);
    c = command(*state, "gcc -fpreprocessed -c a.c");
    assert_int_equal(c->inputs.at[0].language, INPUT_PREPROCESSED_C);
    c = command(*state, "clang -c -- -odd.c");
    assert_string_equal(c->inputs.at[0].path, "-odd.c");
}

/* Flags whose value is the next word do not make it an input. */
static void values_are_no_inputs(void **state)
{
    compile_command *c = command(
        *state,
        "gcc -o a.c -include b.c -I c.c -D d.c -MF e.c -MT f.c -isystem g.c -Xlinker h.c "
        "--param i.c -iquote j.c -T k.c -L l.c -u m.c -x c -target n.c --sysroot o.c real.c");
    assert_int_equal(c->inputs.count, 1);
    assert_string_equal(c->inputs.at[0].path, "real.c");
    assert_string_equal(c->output, "a.c");
    assert_string_equal(c->depend_file, "e.c");
    assert_true(c->has_depend_target);
}

static void joined_values(void **state)
{
    compile_command *c = command(*state, "gcc -oout -MFdeps -MD -Idir -DX=1 -std=c11 a.c");
    assert_string_equal(c->output, "out");
    assert_string_equal(c->depend_file, "deps");
    assert_true(c->depends);
    assert_true(c->trigraphs);
    assert_false(command(*state, "gcc -std=gnu11 a.c")->trigraphs);
    include_search search = include_search_in(*state);
    compile_command_search(c, &search);
    assert_string_equal(search.bracket.at[0], "dir");
    assert_string_equal(search.defines.at[0], "X=1");
}

static void dependencies_by_wp(void **state)
{
    compile_command *c = command(*state, "gcc -Wp,-MMD,x/.a.o.d -c a.c");
    assert_true(c->depends && c->depends_by_wp);
    assert_string_equal(c->depend_file, "x/.a.o.d");
    assert_false(command(*state, "gcc -Wp,-DX -c a.c")->depends);
}

static void wrappers(void **state)
{
    compile_command *c = command(*state, "ccache gcc -c a.c");
    assert_int_equal(c->wrapper_count, 1);
    assert_string_equal(compile_command_compiler(c), "gcc");
    c = command(*state, "ccache distcc arm-gcc -c a.c");
    assert_int_equal(c->wrapper_count, 2);
    assert_string_equal(compile_command_compiler(c), "arm-gcc");
    c = command(*state, "env A=b gcc a.c");
    assert_string_equal(compile_command_compiler(c), "gcc");
    assert_string_equal(c->inputs.at[0].path, "a.c");
    c = command(*state, "gcc a.c b.c");
    assert_int_equal(c->wrapper_count, 0);
    assert_int_equal(c->inputs.count, 2);
}

static void response_files(void **state)
{
    char name[] = "/tmp/test_compile_command_XXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    const char text[] = "-c 'a b.c'\n\"-DQ=\\\"x\\\"\" -o\\ x";
    assert_int_equal(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
    compile_command *c = command(*state, arena_printf(*state, "gcc @%s @nosuchfile", name));
    unlink(name);
    assert_int_equal(c->mode, MODE_COMPILE);
    assert_string_equal(c->inputs.at[0].path, "a b.c");
    assert_string_equal(c->inputs.at[1].path, "@nosuchfile");
    assert_string_equal(c->args.at[2].value, "Q=\"x\"");
    assert_string_equal(c->output, " x");
}

static const char *joined(arena *mem, const argument_list *list)
{
    const char *text = "";
    for (size_t i = 0; i < list->count; i++)
        text = arena_printf(mem, "%s %s", text, list->at[i]);
    return text;
}

static void libclang_gets_what_it_knows(void **state)
{
    arena *mem = *state;
    compile_command *c = command(mem, "gcc -O2 -fno-ipa-sra -flto -I inc -DX -save-temps -MD -m32 "
                                      "-fplan9-extensions -std=c99 -c a.c -o a.o");
    toolchain tc = {0};
    argument_list args = {0};
    toolchain_clang_args(mem, &tc, c, "/aw", NULL, &args);
    assert_string_equal(joined(mem, &args),
                        " -xc -O2 -I inc -DX -m32 -fms-extensions -std=c99 -D__AWAITC__ "
                        "-D__AWAITC_PARSE__ -isystem /aw -fno-spell-checking -ferror-limit=0 -w");
}

static void what_v_says(void **state)
{
    arena *mem = *state;
    const char *said =
        "Target: armv7-x\ngcc version 12\nignoring nonexistent directory \"/q\"\n"
        "#include \"...\" search starts here:\n#include <...> search starts here:\n"
        " inc\n /usr/lib/gcc/armv7-x/12/include\n /usr/include\nEnd of search list.\n"
        "a.c:1: warning: w\nCOMPILER_PATH=/x\n";
    strview messages;
    compile_command *c = command(mem, "gcc -Iinc a.c");
    toolchain tc = toolchain_read(mem, c, sv_from(said), &messages);
    assert_true(tc.known);
    assert_false(tc.is_clang);
    assert_string_equal(tc.triple, "armv7-x");
    assert_int_equal(tc.system_dirs.count, 1);
    assert_string_equal(tc.system_dirs.at[0], "/usr/include");
    assert_true(sv_is(messages, "a.c:1: warning: w\n"));
    assert_int_equal(toolchain_owner(&tc, "/aw", "/usr/lib/gcc/armv7-x/12/include/stdatomic.h"),
                     HEADER_OF_COMPILER);
    assert_int_equal(toolchain_owner(&tc, "/aw", "/usr/include/stdio.h"), HEADER_PLAIN);
    assert_int_equal(toolchain_owner(&tc, "/aw", "/aw/awaitc.h"), HEADER_OF_AWAITC);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(modes),          TEST(inputs_and_languages),        TEST(values_are_no_inputs),
        TEST(joined_values),  TEST(dependencies_by_wp),          TEST(wrappers),
        TEST(response_files), TEST(libclang_gets_what_it_knows), TEST(what_v_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
