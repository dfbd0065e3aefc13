/* SPDX-License-Identifier: MIT */
/*
 * How is a compiler known without asking it? By the name of the file behind the links: `cc` leads
 * to gcc or clang. The answer is verified later, for free: the preprocessor run has -v, and what it
 * prints on standard error holds the version line, the target, and the search lists:
 *
 *     #include <...> search starts here:
 *      /usr/lib/gcc/x86_64-linux-gnu/12/include      the compiler's own: private
 *      /usr/include
 *     End of search list.
 */
#include "analyzer/tool/toolchain.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "analyzer/base/check.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The file that a command name runs, links followed; NULL if there is none. */
static const char *resolve_command(arena *mem, const char *command)
{
    char real[PATH_MAX];
    if (strchr(command, '/') != NULL)
        return realpath(command, real) != NULL ? arena_printf(mem, "%s", real) : NULL;
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t len = strcspn(path, ":");
        const char *file = arena_printf(mem, "%.*s/%s", (int)len, path, command);
        if (len > 0 && access(file, X_OK) == 0 && realpath(file, real) != NULL)
            return arena_printf(mem, "%s", real);
        path += len + (path[len] == ':');
    }
    return NULL;
}

toolchain toolchain_guess(arena *mem, const compile_command *cmd)
{
    toolchain tc = {0};
    const char *name = compile_command_compiler(cmd);
    const char *real = resolve_command(mem, name);
    tc.is_clang = strstr(base_name(name), "clang") != NULL ||
                  (real != NULL && strstr(base_name(real), "clang") != NULL);
    const char *base = base_name(name);
    const char *gcc = strstr(base, "-gcc");
    if (gcc != NULL && gcc != base && strstr(base, "-gcc") == strrchr(base, '-'))
        tc.triple = arena_strndup(mem, base, (size_t)(gcc - base));
    for (size_t i = 0; i < cmd->args.count; i++) {
        if (cmd->args.at[i].id == FLAG_TARGET)
            tc.triple = cmd->args.at[i].value;
    }
    return tc;
}

static void add_env_dirs(include_search *search, const char *variable)
{
    const char *list = getenv(variable);
    while (list != NULL && *list != '\0') {
        size_t len = strcspn(list, ":");
        VEC_PUSH(search->mem, &search->bracket,
                 len > 0 ? arena_strndup(search->mem, list, len) : ".");
        list += len + (list[len] == ':');
    }
}

void toolchain_guess_dirs(const toolchain *tc, const compile_command *cmd, include_search *search)
{
    const char *root = "";
    arena *mem = search->mem;
    add_env_dirs(search, "CPATH");
    add_env_dirs(search, "C_INCLUDE_PATH");
    for (size_t i = 0; i < cmd->args.count; i++) {
        if (cmd->args.at[i].id == FLAG_SYSROOT && cmd->args.at[i].value != NULL)
            root = cmd->args.at[i].value;
        if (cmd->args.at[i].id == FLAG_NO_STANDARD_DIRS)
            return;
    }
    struct utsname machine;
    VEC_PUSH(mem, &search->bracket, arena_printf(mem, "%s/usr/local/include", root));
    if (tc->triple != NULL) {
        VEC_PUSH(mem, &search->bracket, arena_printf(mem, "%s/usr/%s/include", root, tc->triple));
        VEC_PUSH(mem, &search->bracket, arena_printf(mem, "%s/usr/include/%s", root, tc->triple));
    } else if (uname(&machine) == 0) {
        VEC_PUSH(mem, &search->bracket,
                 arena_printf(mem, "%s/usr/include/%s-linux-gnu", root, machine.machine));
    }
    VEC_PUSH(mem, &search->bracket, arena_printf(mem, "%s/usr/include", root));
    const char *real = resolve_command(mem, compile_command_compiler(cmd));
    if (real != NULL && strncmp(real, "/usr/bin/", 9) != 0)
        VEC_PUSH(mem, &search->bracket,
                 arena_printf(mem, "%.*s/../include", (int)(base_name(real) - real - 1), real));
}

/* ---- what -v says ------------------------------------------------------------------------- */

/* Takes the last component off a path. */
static strview take_last(strview *path)
{
    size_t begin = path->len;
    while (begin > 0 && path->at[begin - 1] != '/')
        begin--;
    strview last = {path->at + begin, path->len - begin};
    path->len = begin > 0 ? begin - 1 : 0;
    return last;
}

/* gcc's: .../lib/gcc/TRIPLE/VERSION/include, also below lib64 and as gcc-cross. A C library's
 * headers may stand below a folder named after gcc, too. */
static bool is_private_dir(const char *dir)
{
    strview d = sv_from(dir), last = take_last(&d);
    if (sv_is(last, "include") && strstr(dir, "/clang/") != NULL)
        return true;
    if (!sv_is(last, "include") && !sv_is(last, "include-fixed"))
        return false;
    take_last(&d);
    take_last(&d);
    return sv_starts(take_last(&d), "gcc") && sv_starts(take_last(&d), "lib");
}

static strview take_line(strview *text)
{
    const char *end = memchr(text->at, '\n', text->len);
    size_t len = end != NULL ? (size_t)(end - text->at) : text->len;
    strview line = {text->at, len};
    size_t used = len + (end != NULL ? 1 : 0);
    *text = (strview){text->at + used, text->len - used};
    return line;
}

static void add_dir(arena *mem, toolchain *tc, strview line)
{
    while (line.len > 0 && line.at[0] == ' ')
        line = (strview){line.at + 1, line.len - 1};
    char real[PATH_MAX];
    const char *dir = arena_strndup(mem, line.at, line.len);
    if (is_private_dir(realpath(dir, real) != NULL ? real : dir))
        VEC_PUSH(mem, &tc->private_dirs, dir);
    else
        VEC_PUSH(mem, &tc->system_dirs, dir);
}

/* How many directories of the list the command line gave itself: those come first. */
static bool is_given_dir(const compile_command *cmd, strview line)
{
    while (line.len > 0 && line.at[0] == ' ')
        line = (strview){line.at + 1, line.len - 1};
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        bool dir = arg->id == FLAG_INCLUDE_DIR || arg->id == FLAG_SYSTEM_DIR ||
                   arg->id == FLAG_AFTER_DIR || arg->id == FLAG_QUOTE_DIR;
        if (dir && arg->value != NULL && sv_is(line, arg->value))
            return true;
    }
    return false;
}

toolchain toolchain_read(arena *mem, const compile_command *cmd, strview verbose, strview *messages)
{
    toolchain tc = {0};
    strview rest = verbose;
    bool in_list = false, done = false;
    while (rest.len > 0 && !done) {
        strview line = take_line(&rest);
        if (sv_starts(line, "Target: ") && tc.triple == NULL)
            tc.triple = arena_strndup(mem, line.at + 8, line.len - 8);
        else if (!in_list && memmem(line.at, line.len, "clang version", 13) != NULL)
            tc.is_clang = true;
        else if (sv_starts(line, "#include <...> search starts here:"))
            in_list = true;
        else if (sv_starts(line, "End of search list."))
            done = true;
        else if (in_list && line.len > 0 && line.at[0] == ' ' && !is_given_dir(cmd, line))
            add_dir(mem, &tc, line);
    }
    tc.known = done;
    *messages = done ? rest : verbose;
    const char *end = memmem(messages->at, messages->len, "COMPILER_PATH=", 14);
    if (done && end != NULL && (end == messages->at || end[-1] == '\n'))
        messages->len = (size_t)(end - messages->at);
    return tc;
}

enum header_owner toolchain_owner(const toolchain *tc, const char *awaitc_dir, const char *path)
{
    size_t len = awaitc_dir != NULL ? strlen(awaitc_dir) : 0;
    if (len > 0 && strncmp(path, awaitc_dir, len) == 0 && path[len] == '/' &&
        (strncmp(path + len, "/awaitc/", 8) == 0 || strcmp(path + len, "/awaitc.h") == 0))
        return HEADER_OF_AWAITC;
    const char *base = base_name(path);
    if (strcmp(base, "awaitc.h") == 0)
        return HEADER_OF_AWAITC;
    if (base - path >= 8 && strncmp(base - 8, "/awaitc/", 8) == 0)
        return HEADER_OF_AWAITC;
    for (size_t i = 0; i < tc->private_dirs.count; i++) {
        size_t n = strlen(tc->private_dirs.at[i]);
        if (strncmp(path, tc->private_dirs.at[i], n) == 0 && path[n] == '/')
            return HEADER_OF_COMPILER;
    }
    return HEADER_PLAIN;
}

/* ---- where awaitc itself is ---------------------------------------------------------------- */

const char *toolchain_awaitc_dir(arena *mem)
{
    static const char *const places[] = {"include", "runtime/include"};
    char exe[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (len <= 0)
        return NULL;
    exe[len] = '\0';
    char *slash = strrchr(exe, '/');
    for (int up = 0; slash != NULL && slash != exe && up < 5; up++) {
        *slash = '\0';
        slash = strrchr(exe, '/');
        if (up == 0)
            continue;
        for (size_t i = 0; i < COUNTOF(places); i++) {
            const char *dir = arena_printf(mem, "%s/%s", exe, places[i]);
            const char *file = arena_printf(mem, "%s/awaitc.h", dir);
            if (access(file, R_OK) == 0)
                return dir;
        }
    }
    return NULL;
}

/* ---- for libclang ------------------------------------------------------------------------- */

static void add_arg(arena *mem, argument_list *out, const char *text)
{
    VEC_PUSH(mem, out, text);
}

static bool clang_takes(const struct compile_arg *arg)
{
    if (arg->use != USE_BOTH)
        return false;
    if (arg->id == FLAG_TO_PREPROCESSOR)
        return strncmp(arg->value, "-D", 2) == 0 || strncmp(arg->value, "-U", 2) == 0 ||
               strncmp(arg->value, "-I", 2) == 0;
    return true;
}

void toolchain_clang_args(arena *mem, const toolchain *tc, const compile_command *cmd,
                          const char *awaitc_dir, const char *dir_of_input, argument_list *out)
{
    bool has_target = false, no_standard = false;
    add_arg(mem, out, "-xc");
    for (size_t i = 0; i < cmd->args.count; i++) {
        const struct compile_arg *arg = &cmd->args.at[i];
        has_target |= arg->id == FLAG_TARGET;
        no_standard |= arg->id == FLAG_NO_STANDARD_DIRS;
        if (arg->id == FLAG_PLAN9)
            add_arg(mem, out, "-fms-extensions");
        if (arg->id == FLAG_OPENMP && (arg->text[8] == '\0' || arg->text[8] == '='))
            add_arg(mem, out, "-D_OPENMP=201511");
        if (!clang_takes(arg))
            continue;
        add_arg(mem, out, arg->text);
        if (arg->separate != NULL)
            add_arg(mem, out, arg->separate);
    }
    if (!has_target && tc->triple != NULL)
        add_arg(mem, out, arena_printf(mem, "--target=%s", tc->triple));
    if (dir_of_input != NULL) {
        add_arg(mem, out, "-iquote");
        add_arg(mem, out, dir_of_input);
    }
    add_arg(mem, out, "-D__AWAITC__");
    add_arg(mem, out, "-D__AWAITC_PARSE__");
    if (awaitc_dir != NULL) {
        add_arg(mem, out, "-isystem");
        add_arg(mem, out, awaitc_dir);
    }
    if (tc->known && tc->system_dirs.count > 0 && !no_standard) {
        add_arg(mem, out, "-nostdlibinc");
        for (size_t i = 0; i < tc->system_dirs.count; i++) {
            add_arg(mem, out, "-idirafter");
            add_arg(mem, out, tc->system_dirs.at[i]);
        }
    }
    add_arg(mem, out, "-fno-spell-checking");
    add_arg(mem, out, "-ferror-limit=0");
    add_arg(mem, out, "-w");
}
