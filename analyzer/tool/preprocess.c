/* SPDX-License-Identifier: MIT */
/*
 * The command of a run: the compiler without caching or distributing wrappers, the flags that
 * matter for preprocessing, and then
 *
 *     -E -dD -v -D__AWAITC__ -D__AWAITC_EXPAND__ -isystem AWAITC -x c INPUT
 *
 * -v makes the run tell the compiler's kind, target and directories, which costs nothing. Output
 * and messages go to memory files. Errors are shown if the run failed and nothing else will say
 * them; warnings come from erased_check, or, for `lower`, those of directives in regions
 * (messages.c).
 */
#include "analyzer/tool/preprocess.h"
#include "analyzer/base/check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analyzer/base/strbuf.h"

const char *preprocess_dir_of(arena *mem, const char *path)
{
    strview dir = include_dir_of(path);
    if (dir.len == 0)
        return ".";
    return dir.len == 1 ? "/" : arena_strndup(mem, dir.at, dir.len - 1);
}

void preprocess_add_awaitc_dir(arena *mem, const char *awaitc_dir, argument_list *out)
{
    if (awaitc_dir == NULL || strcmp(awaitc_dir, "/usr/include") == 0 ||
        strcmp(awaitc_dir, "/usr/local/include") == 0)
        return; /* searched anyway; naming it would change its place in the order */
    VEC_PUSH(mem, out, "-isystem");
    VEC_PUSH(mem, out, awaitc_dir);
}

/* ---- the overlay -------------------------------------------------------------------------- */

static void json_text(strbuf *out, const char *text)
{
    strbuf_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            strbuf_char(out, '\\');
        if ((unsigned char)*text < 0x20)
            strbuf_fmt(out, "\\x%02x", (unsigned)(unsigned char)*text);
        else
            strbuf_char(out, *text);
    }
    strbuf_char(out, '"');
}

static void overlay_file(strbuf *out, const char *name, const char *contents)
{
    strbuf_str(out, "{\"type\":\"file\",\"name\":");
    json_text(out, name);
    strbuf_str(out, ",\"external-contents\":");
    json_text(out, contents);
    strbuf_str(out, "},\n");
}

int preprocess_overlay(arena *mem, const char *const *paths, const int *fds, uint32_t count)
{
    char cwd[4096];
    strbuf out = strbuf_in(mem);
    const char *pwd = getenv("PWD");
    bool has_cwd = getcwd(cwd, sizeof cwd) != NULL;
    strbuf_str(&out, "{\"version\":0,\"case-sensitive\":\"true\",\"use-external-names\":\"false\","
                     "\"roots\":[\n");
    for (uint32_t i = 0; i < count; i++) {
        const char *contents = process_fd_path(mem, fds[i]);
        if (paths[i][0] == '/') {
            overlay_file(&out, paths[i], contents);
            continue;
        }
        if (has_cwd)
            overlay_file(&out, arena_printf(mem, "%s/%s", cwd, paths[i]), contents);
        if (pwd != NULL && pwd[0] == '/' && !(has_cwd && strcmp(pwd, cwd) == 0))
            overlay_file(&out, arena_printf(mem, "%s/%s", pwd, paths[i]), contents);
    }
    out.len -= out.len > 2 && out.at[out.len - 2] == ',' ? 2 : 0;
    strbuf_str(&out, "\n]}\n");
    return process_text_fd(strbuf_view(&out));
}

/* ---- one run ------------------------------------------------------------------------------ */

preprocess preprocess_for(arena *mem, const compile_command *cmd, const char *path,
                          struct place_needs needs, const char *awaitc_dir, const toolchain *guess)
{
    preprocess p = {.mem = mem, .cmd = cmd, .path = path, .awaitc_dir = awaitc_dir, .tc = *guess};
    if (strcmp(path, "-") == 0)
        p.place = PLACE_STDIN;
    else if (guess->is_clang)
        p.place = PLACE_OVERLAY;
    else
        p.place = strchr(path, '/') == NULL && !needs.names_base_file ? PLACE_STDIN : PLACE_FD;
    if (p.place == PLACE_FD && needs.quotes_clash)
        p.place = PLACE_BESIDE;
    return p;
}

const char *preprocess_write_beside(arena *mem, const char *path, strview text)
{
    strview dir = include_dir_of(path);
    const char *name = arena_printf(mem, "%.*s.awaitc-%ld.c", SV_ARG(dir), (long)getpid());
    process_will_remove(name);
    if (process_write_file(mem, name, text))
        return name;
    fprintf(
        stderr,
        "awaitc: error: cannot write '%s': %s; this compiler has to read '%s' from its own "
        "directory, as a header asks for \"...\" names that would be found there [awaitc-input]\n",
        name, strerror(errno), path);
    return NULL;
}

static void add_flags(const preprocess *p, argument_list *argv)
{
    for (size_t i = 0; i < p->cmd->args.count; i++) {
        const struct compile_arg *arg = &p->cmd->args.at[i];
        const char *file;
        bool wp_depends =
            arg->id == FLAG_TO_PREPROCESSOR && compile_wp_depends(p->mem, arg->value, &file);
        if (arg->use == USE_NEITHER || arg->id == FLAG_INPUT || arg->id == FLAG_DASHES ||
            wp_depends)
            continue;
        VEC_PUSH(p->mem, argv, arg->text);
        if (arg->separate != NULL)
            VEC_PUSH(p->mem, argv, arg->separate);
    }
}

/* Appends the input; the descriptor that holds the text is `fd`. false: no overlay. */
static bool add_input(const preprocess *p, int fd, strview text, argument_list *argv)
{
    arena *mem = p->mem;
    const char *beside = NULL;
    if (p->place == PLACE_BESIDE) {
        beside = preprocess_write_beside(mem, p->path, text);
        if (beside == NULL)
            return false;
        VEC_PUSH(mem, argv, arena_printf(mem, "-fmacro-prefix-map=%s=%s", beside, p->path));
    } else if (p->place == PLACE_FD) {
        VEC_PUSH(mem, argv, "-iquote");
        VEC_PUSH(mem, argv, preprocess_dir_of(mem, p->path));
        VEC_PUSH(mem, argv,
                 arena_printf(mem, "-fmacro-prefix-map=%s=%s", process_fd_path(mem, fd), p->path));
    } else if (p->place == PLACE_OVERLAY) {
        int overlay = preprocess_overlay(mem, &p->path, &fd, 1);
        if (overlay < 0)
            return false;
        VEC_PUSH(mem, argv, "-ivfsoverlay");
        VEC_PUSH(mem, argv, process_fd_path(mem, overlay));
    }
    VEC_PUSH(mem, argv, "-x");
    VEC_PUSH(mem, argv, "c");
    switch (p->place) {
    case PLACE_STDIN:
        VEC_PUSH(mem, argv, "-");
        break;
    case PLACE_FD:
        VEC_PUSH(mem, argv, process_fd_path(mem, fd));
        break;
    case PLACE_BESIDE:
        VEC_PUSH(mem, argv, beside);
        break;
    case PLACE_OVERLAY:
    case PLACE_FILE:
        VEC_PUSH(mem, argv, p->path);
        break;
    }
    return true;
}

static void use_c_locale(void)
{
    setenv("LC_ALL", "C", 1);
    unsetenv("LANGUAGE");
}

static void restore_variable(const char *name, const char *value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

/* -v's headings are translated; messages of a failed run lose their translation thereby. */
static int run_in_c_locale(const preprocess *p, const argument_list *argv, struct process_io io)
{
    const char *all = getenv("LC_ALL"), *language = getenv("LANGUAGE");
    all = all != NULL ? arena_printf(p->mem, "%s", all) : NULL;
    language = language != NULL ? arena_printf(p->mem, "%s", language) : NULL;
    use_c_locale();
    int status = process_run(argv, io);
    int saved = errno;
    restore_variable("LC_ALL", all);
    restore_variable("LANGUAGE", language);
    errno = saved;
    return status;
}

void preprocess_command(const preprocess *p, argument_list *argv)
{
    arena *mem = p->mem;
    for (uint32_t i = p->cmd->wrapper_count; i < p->cmd->compiler_count; i++)
        VEC_PUSH(mem, argv, p->cmd->compiler[i]);
    add_flags(p, argv);
    static const char *const own[] = {"-E", "-dD", "-v", "-D__AWAITC__", "-D__AWAITC_EXPAND__"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        VEC_PUSH(mem, argv, own[i]);
    preprocess_add_awaitc_dir(mem, p->awaitc_dir, argv);
}

/* The next position behind a string, a character or a directive (with -dD there are #define lines)
 * that starts at `at`; `at` if none does. */
static size_t skip_opaque(strview text, size_t at)
{
    char c = text.at[at];
    if (c == '#' && (at == 0 || text.at[at - 1] == '\n')) {
        const char *end = memchr(text.at + at, '\n', text.len - at);
        return end == NULL ? text.len : (size_t)(end - text.at);
    }
    if (c != '"' && c != '\'')
        return at;
    for (at++; at < text.len && text.at[at] != c && text.at[at] != '\n'; at++)
        at += text.at[at] == '\\';
    return at + 1 < text.len ? at + 1 : text.len;
}

/* Does the word stand anywhere but in directives and strings? In braces: where a function calls
 * what headers only declare. */
static bool holds_word(strview text, const char *word, bool in_braces)
{
    size_t len = strlen(word), depth = 0;
    const char *next = memmem(text.at, text.len, word, len);
    for (size_t at = 0; next != NULL && at < text.len; at++) {
        at = skip_opaque(text, at);
        if (at > (size_t)(next - text.at))
            next = memmem(text.at + at, text.len - at, word, len);
        if (at == text.len || next == NULL)
            break;
        if (text.at + at == next && (depth > 0 || !in_braces))
            return true;
        if (text.at + at == next)
            next = memmem(next + 1, text.len - at - 1, word, len);
        depth += text.at[at] == '{';
        depth -= text.at[at] == '}' && depth > 0;
    }
    return false;
}

/* Does a function call one that may return twice, or does the text say of one that it does? */
static bool names_setjmp(strview text)
{
    static const char *const words[] = {"setjmp", "vfork", "getcontext", "savectx"};
    for (size_t i = 0; i < COUNTOF(words); i++) {
        if (holds_word(text, words[i], true))
            return true;
    }
    return holds_word(text, "returns_twice", false);
}

bool preprocess_run(void *context, strview text, strview *output)
{
    preprocess *p = context;
    argument_list argv = {0};
    preprocess_command(p, &argv);
    int fd = process_text_fd(text);
    int out_fd = memfd_create("awaitc-output", MFD_CLOEXEC);
    int err_fd = memfd_create("awaitc-messages", MFD_CLOEXEC);
    if (fd < 0 || out_fd < 0 || err_fd < 0) {
        fprintf(stderr, "awaitc: error: no memory file: %s\n", strerror(errno));
        return false;
    }
    if (!add_input(p, fd, text, &argv))
        return false;
    VEC_PUSH(p->mem, &argv, NULL);
    int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct process_io io = {.stdin_fd = p->place == PLACE_STDIN ? fd : null_fd,
                            .stdout_fd = out_fd,
                            .stderr_fd = err_fd};
    int status = run_in_c_locale(p, &argv, io);
    close(fd);
    close(null_fd);
    process_clean_up();
    p->started = status >= 0;
    if (status < 0) {
        fprintf(stderr, "awaitc: error: cannot run '%s': %s\n", argv.at[0], strerror(errno));
        return false;
    }
    strview messages;
    p->verbose = process_fd_text(err_fd);
    close(err_fd);
    toolchain said = toolchain_read(p->mem, p->cmd, p->verbose, &messages);
    if (said.known)
        p->tc = said;
    if (status == 0)
        *output = process_fd_text(out_fd);
    close(out_fd);
    if (status != 0 && p->holds_errors) {
        p->errors = messages;
        return false;
    }
    if (status != 0) {
        fwrite(messages.at, 1, messages.len, stderr);
        return false;
    }
    p->messages = messages;
    p->names_setjmp = names_setjmp(*output);
    return true;
}

void preprocess_release(preprocess *p, strview output)
{
    process_fd_text_release(output);
    process_fd_text_release(p->verbose);
    p->verbose = p->messages = p->errors = (strview){"", 0};
}

enum header_owner preprocess_owner(void *context, const char *header_path)
{
    const preprocess *p = context;
    return toolchain_owner(&p->tc, p->awaitc_dir, header_path);
}
