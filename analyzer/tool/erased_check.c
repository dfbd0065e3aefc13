/* SPDX-License-Identifier: MIT */
/*
 * The command is the user's own, on the user's own file, so columns, quoted lines, colours, pragmas
 * and formats are right by themselves; only what writes files or repeats messages is left out, and
 * <awaitc.h> is read erased:
 *
 *     CC FLAGS -D__AWAITC__ -D__AWAITC_ERASED__ -isystem AWAITC -S -o /dev/null FILE
 *
 * clang gives its warnings in the front end, code generation included, but for the sizes of frames:
 * its optimiser stays off. gcc gives many of them in its optimiser, and which depends on the level
 * and on what is inlined into what: only a compile with the same flags says the same. By -dx it
 * ends where machine code begins, half-way; the little that gcc says later (sizes of stack frames,
 * variables that longjmp may clobber) costs the rest when it is asked for.
 *
 * The compile of the lowered text is silent then. For gcc -w also silences the assembler, which has
 * not spoken yet.
 */
#include "analyzer/tool/erased_check.h"

#include <errno.h>
#include <stdio.h>

#include "analyzer/base/check.h"

bool erased_check_wanted(const compile_command *cmd)
{
    for (size_t i = 0; i < cmd->args.count; i++) {
        if (strcmp(cmd->args.at[i].text, "-w") == 0)
            return false;
    }
    return true;
}

static bool is_one_of(const char *text, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0)
            return true;
    }
    return false;
}

/* Does the argument make outputs, or print what the later compile prints again? */
static bool is_for_later(arena *mem, const struct compile_arg *arg)
{
    static const char *const printing[] = {"-aux-info",     "-v",           "-H",
                                           "-ftime-report", "-fmem-report", "-Q"};
    static const enum flag_id ids[] = {
        FLAG_OUTPUT,      FLAG_COMPILE,       FLAG_ASSEMBLY,     FLAG_SYNTAX,    FLAG_DEPEND,
        FLAG_DEPEND_FILE, FLAG_DEPEND_TARGET, FLAG_DEPEND_PHONY, FLAG_DUMP_NAME, FLAG_DEPEND_OTHER,
        FLAG_SIDE_FILES,  FLAG_LINKER,        FLAG_DASHES};
    for (size_t i = 0; i < COUNTOF(ids); i++) {
        if (arg->id == ids[i])
            return true;
    }
    const char *file;
    if (arg->id == FLAG_TO_PREPROCESSOR)
        return compile_wp_depends(mem, arg->value, &file);
    return is_one_of(arg->text, printing, COUNTOF(printing));
}

/* Do warnings depend on the compiler's work on machine code? */
static bool warns_late(const struct erased_check *c)
{
    static const char *const always[] = {"-Wframe-larger-than", "-Wstack-usage",
                                         "-Wdisabled-optimization"};
    static const char *const of_setjmp[] = {"-W", "-Wextra", "-Wclobbered", "-Werror=clobbered"};
    for (size_t i = 0; i < c->cmd->args.count; i++) {
        const char *text = c->cmd->args.at[i].text;
        for (size_t k = 0; k < COUNTOF(always); k++) {
            if (strncmp(text, always[k], strlen(always[k])) == 0)
                return true;
        }
        if (c->names_setjmp && !c->tc->is_clang && is_one_of(text, of_setjmp, COUNTOF(of_setjmp)))
            return true;
    }
    return false;
}

static void push_depth(const struct erased_check *c, argument_list *argv)
{
    bool late = warns_late(c);
    if (c->tc->is_clang)
        VEC_PUSH(c->mem, argv, "-Qunused-arguments");
    if (c->cmd->mode == MODE_SYNTAX) {
        VEC_PUSH(c->mem, argv, "-fsyntax-only");
        return;
    }
    VEC_PUSH(c->mem, argv, "-S");
    VEC_PUSH(c->mem, argv, "-o");
    VEC_PUSH(c->mem, argv, "/dev/null");
    if (c->tc->is_clang && !late) {
        VEC_PUSH(c->mem, argv, "-emit-llvm");
        VEC_PUSH(c->mem, argv, "-Xclang");
        VEC_PUSH(c->mem, argv, "-disable-llvm-passes");
    }
    if (!c->tc->is_clang && !late) {
        VEC_PUSH(c->mem, argv, "-g0");
        VEC_PUSH(c->mem, argv, "-dx");
    }
}

void erased_check_start(struct erased_check *c)
{
    const compile_command *cmd = c->cmd;
    const char *path = cmd->inputs.at[c->input].path;
    argument_list argv = {0};
    for (uint32_t i = cmd->wrapper_count; i < cmd->compiler_count; i++)
        VEC_PUSH(c->mem, &argv, cmd->compiler[i]);
    for (uint32_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        if (arg->id == FLAG_INPUT || is_for_later(c->mem, arg))
            continue;
        if (arg->id == FLAG_LANGUAGE && i > cmd->inputs.at[c->input].arg)
            continue;
        VEC_PUSH(c->mem, &argv, arg->text);
        if (arg->separate != NULL)
            VEC_PUSH(c->mem, &argv, arg->separate);
    }
    VEC_PUSH(c->mem, &argv, "-D__AWAITC__");
    if (!c->plain)
        VEC_PUSH(c->mem, &argv, "-D__AWAITC_ERASED__");
    preprocess_add_awaitc_dir(c->mem, c->awaitc_dir, &argv);
    push_depth(c, &argv);
    bool is_flag_like = path[0] == '-' && path[1] != '\0';
    VEC_PUSH(c->mem, &argv, is_flag_like ? arena_printf(c->mem, "./%s", path) : path);
    VEC_PUSH(c->mem, &argv, NULL);
    struct process_io io = {.stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};
    if (strcmp(path, "-") == 0)
        io.stdin_fd = process_text_fd(c->source);
    c->is_running = process_begin(&argv, io);
    if (!c->is_running)
        fprintf(stderr, "awaitc: error: cannot run '%s': %s\n", argv.at[0], strerror(errno));
}

int erased_check_finish(struct erased_check *c)
{
    return c->is_running ? process_end() : 2;
}

/* ---- the compile after it ----------------------------------------------------------------- */

bool erased_check_owns(const struct compile_arg *arg)
{
    static const char *const names[] = {"-pedantic-errors", "-fanalyzer", "-serialize-diagnostics",
                                        "--serialize-diagnostics"};
    return is_one_of(arg->text, names, COUNTOF(names)) ||
           strncmp(arg->text, "-fdiagnostics-format=", 21) == 0;
}

void erased_check_silence(const compile_command *cmd, const toolchain *tc, arena *mem,
                          argument_list *argv)
{
    if (tc->is_clang) { /* the driver's own warnings stay */
        VEC_PUSH(mem, argv, "-Xclang");
        VEC_PUSH(mem, argv, "-w");
        return;
    }
    VEC_PUSH(mem, argv, "-w");
    if (cmd->mode == MODE_COMPILE || cmd->mode == MODE_LINK)
        VEC_PUSH(mem, argv, "-Wa,--warn");
}
