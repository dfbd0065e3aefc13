/* SPDX-License-Identifier: MIT */
/*
 * Two ways to put a text in a file's place:
 *
 * clang   -ivfsoverlay: the text appears under the file's own name. Nothing else changes.
 * gcc     reads a memory file. What it would have taken from the file's name is said by flags:
 *         -iquote (where "x.h" is looked for), -o and -dumpbase (names of outputs), prefix maps
 *         (the name in debug information and __BASE_FILE__); and the dependency file, which has no
 *         such flag, goes to a memory file first and is rewritten. A source in the working
 *         directory is read from standard input: then names are looked for exactly as for a file.
 *
 * Behind a caching or distributing wrapper, and where a link step names side files after its
 * sources, the text is a file in a private directory, whose name depends on the text alone (so that
 * caches hit); its base name is the source's.
 *
 * Where -iquote would show headers of the source's directory to other headers, which a compile of
 * the file itself does not (the pre-scan knows), gcc reads a hidden file beside the source.
 *
 * gcc compiles one source a command; several of them with -c are several commands here, too, as
 * each needs its own -iquote.
 */
#include "analyzer/tool/final_compile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/tool/depfile.h"
#include "analyzer/tool/erased_check.h"

/* A text in its place. */
struct placed {
    const struct lowered_input *lowered;
    const char *path; /* the user's */
    enum place_kind kind;
    const char *spelling; /* the argument for it */
    const char *known_as; /* what the compiler calls it in its outputs */
    int fd;               /* -1 for PLACE_FILE */
};

struct step {
    const struct final_job *job;
    arena *mem;
    struct placed *placed;
    uint32_t placed_count;
    uint32_t only_input; /* UINT32_MAX: all inputs of the command */
    int deps_fd;         /* where dependencies go; -1 */
    argument_list argv;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static strview stem_of(const char *path)
{
    const char *base = base_name(path), *dot = strrchr(base, '.');
    return (strview){base, dot != NULL ? (size_t)(dot - base) : strlen(base)};
}

static void push(struct step *s, const char *text)
{
    VEC_PUSH(s->mem, &s->argv, text);
}

static int cannot_run(const char *program)
{
    fprintf(stderr, "awaitc: error: cannot run '%s': %s\n", program, strerror(errno));
    return 2;
}

/* ---- passing on --------------------------------------------------------------------------- */

int final_pass_on(const struct final_job *job, char *const *argv, int argc, enum pass_kind kind)
{
    struct step s = {.job = job, .mem = job->mem};
    int end = argc;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0 && end == argc)
            end = i;
    }
    for (int i = 0; i < end; i++)
        push(&s, argv[i]);
    if (kind == PASS_LOWERED)
        push(&s, "-D__AWAITC__");
    if (kind != PASS_UNTOUCHED)
        preprocess_add_awaitc_dir(job->mem, job->awaitc_dir, &s.argv);
    for (int i = end; i < argc; i++)
        push(&s, argv[i]);
    push(&s, NULL);
    process_become(&s.argv, job->stdin_fd);
    return cannot_run(argv[0]);
}

/* ---- placing ------------------------------------------------------------------------------ */

static uint64_t hash_more(uint64_t h, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)bytes[i]) * 1099511628211u;
    return h;
}

/* A private directory; the same one for the same text and flags, unless it is in use. */
static const char *private_dir(const struct step *s, const struct lowered_input *in)
{
    const char *root = getenv("TMPDIR");
    root = root != NULL && root[0] == '/' ? root : "/tmp";
    uint64_t h = hash_more(14695981039346656037u, in->text.at, in->text.len);
    for (size_t i = 0; i < s->job->cmd->args.count; i++) {
        const char *text = s->job->cmd->args.at[i].text;
        h = hash_more(h, text, strlen(text) + 1);
    }
    for (int attempt = 0; attempt < 100; attempt++) {
        const char *dir =
            attempt == 0 ? arena_printf(s->mem, "%s/awaitc-%016llx", root, (unsigned long long)h)
                         : arena_printf(s->mem, "%s/awaitc-%ld-%d", root, (long)getpid(), attempt);
        if (mkdir(dir, 0700) == 0) {
            process_will_remove(dir);
            return dir;
        }
        if (errno != EEXIST)
            return NULL;
    }
    return NULL;
}

static bool place_in_file(struct step *s, struct placed *p)
{
    const char *dir = private_dir(s, p->lowered);
    if (dir == NULL)
        return false;
    const char *base = strcmp(p->path, "-") == 0 ? "stdin.c" : base_name(p->path);
    p->spelling = p->known_as = arena_printf(s->mem, "%s/%s", dir, base);
    p->fd = -1;
    int fd = open(p->spelling, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    process_will_remove(p->spelling);
    strview rest = p->lowered->text;
    while (rest.len > 0) {
        ssize_t n = write(fd, rest.at, rest.len);
        if (n <= 0 && errno != EINTR)
            break;
        if (n > 0)
            rest = (strview){rest.at + n, rest.len - (size_t)n};
    }
    return close(fd) == 0 && rest.len == 0;
}

static enum place_kind choose_place(const struct step *s, const struct lowered_input *in)
{
    const compile_command *cmd = s->job->cmd;
    const char *path = cmd->inputs.at[in->input].path;
    bool links = cmd->mode == MODE_LINK;
    if (strcmp(path, "-") == 0)
        return PLACE_STDIN;
    if (cmd->wrapper_count > 0 || !s->job->tc->known ||
        (links && (cmd->side_files || cmd->depends)))
        return PLACE_FILE;
    if (strchr(path, '/') == NULL && s->placed_count == 1 && !in->needs.names_base_file)
        return PLACE_STDIN;
    return in->needs.quotes_clash ? PLACE_BESIDE : PLACE_FD;
}

static bool place(struct step *s, struct placed *p)
{
    p->path = s->job->cmd->inputs.at[p->lowered->input].path;
    p->kind = choose_place(s, p->lowered);
    if (p->kind == PLACE_FILE)
        return place_in_file(s, p);
    if (p->kind == PLACE_BESIDE) {
        p->spelling = p->known_as = preprocess_write_beside(s->mem, p->path, p->lowered->text);
        p->fd = -1;
        return p->spelling != NULL;
    }
    p->fd = process_text_fd(p->lowered->text);
    if (p->fd < 0)
        return false;
    p->spelling = p->kind == PLACE_STDIN ? "-" : process_fd_path(s->mem, p->fd);
    p->known_as = p->kind == PLACE_STDIN ? "<stdin>" : p->spelling;
    return true;
}

/* ---- the command -------------------------------------------------------------------------- */

/* What the user's own maps of these kinds make of a path. */
static const char *mapped(const struct step *s, const char *path, enum flag_id kind)
{
    const compile_command *cmd = s->job->cmd;
    for (size_t i = cmd->args.count; i-- > 0;) {
        const struct compile_arg *arg = &cmd->args.at[i];
        const char *equal;
        if ((arg->id != kind && arg->id != FLAG_FILE_MAP) || arg->value == NULL ||
            (equal = strrchr(arg->value, '=')) == NULL)
            continue;
        size_t len = (size_t)(equal - arg->value);
        if (strncmp(path, arg->value, len) == 0)
            return arena_printf(s->mem, "%s%s", equal + 1, path + len);
    }
    return path;
}

static void push_maps(struct step *s, const struct placed *p)
{
    if (p->kind == PLACE_STDIN && strcmp(p->path, "-") == 0)
        return;
    push(s, arena_printf(s->mem, "-fdebug-prefix-map=%s=%s", p->known_as,
                         mapped(s, p->path, FLAG_DEBUG_MAP)));
    push(s, arena_printf(s->mem, "-fmacro-prefix-map=%s=%s", p->known_as,
                         mapped(s, p->path, FLAG_MACRO_MAP)));
}

static struct placed *placed_at(const struct step *s, uint32_t arg)
{
    for (uint32_t i = 0; i < s->placed_count; i++) {
        if (s->job->cmd->inputs.at[s->placed[i].lowered->input].arg == arg)
            return &s->placed[i];
    }
    return NULL;
}

static bool is_other_input(const struct step *s, uint32_t arg)
{
    return s->only_input != UINT32_MAX && s->job->cmd->inputs.at[s->only_input].arg != arg;
}

static void push_arg(struct step *s, uint32_t i, const char **language)
{
    const struct compile_arg *arg = &s->job->cmd->args.at[i];
    const char *file;
    if (arg->id == FLAG_LANGUAGE)
        *language = arg->value;
    if (s->job->checked && erased_check_owns(arg))
        return;
    if (arg->id == FLAG_DASHES || (arg->id == FLAG_DEPEND_FILE && s->deps_fd >= 0))
        return;
    if (arg->id == FLAG_TO_PREPROCESSOR && s->deps_fd >= 0 &&
        compile_wp_depends(s->mem, arg->value, &file)) {
        push(s, arena_printf(s->mem, "-Wp,-M%s,%s", arg->value[2] == 'M' ? "MD" : "D",
                             process_fd_path(s->mem, s->deps_fd)));
        return;
    }
    if (arg->id != FLAG_INPUT) {
        push(s, arg->text);
        if (arg->separate != NULL)
            push(s, arg->separate);
        return;
    }
    const struct placed *p = placed_at(s, i);
    if (is_other_input(s, i))
        return;
    if (p == NULL) {
        push(s, arg->text);
        return;
    }
    push(s, "-x");
    push(s, "c");
    push(s, p->spelling);
    if (s->only_input != UINT32_MAX || i == VEC_LAST(&s->job->cmd->inputs).arg)
        return;
    push(s, "-x");
    push(s, *language != NULL ? *language : "none");
}

/* Names that the compiler would have taken from the source's name. */
static void push_names(struct step *s)
{
    const compile_command *cmd = s->job->cmd;
    const struct placed *p = s->placed_count == 1 ? &s->placed[0] : NULL;
    if (p == NULL || p->kind == PLACE_FILE || cmd->mode == MODE_LINK || strcmp(p->path, "-") == 0)
        return;
    const char *out = cmd->output;
    bool special = out == NULL || strcmp(out, "-") == 0 || strncmp(out, "/dev/", 5) == 0;
    strview stem = stem_of(p->path);
    const char *dot = strrchr(base_name(p->path), '.');
    if (out == NULL && cmd->mode != MODE_SYNTAX) {
        push(s, "-o");
        push(s,
             arena_printf(s->mem, "%.*s.%s", SV_ARG(stem), cmd->mode == MODE_ASSEMBLY ? "s" : "o"));
    }
    if (cmd->side_files) {
        strview name = special ? stem : stem_of(out);
        push(s, "-dumpbase");
        push(s, arena_printf(s->mem, "%.*s%s", SV_ARG(name), dot != NULL ? dot : ""));
        push(s, "-dumpbase-ext");
        push(s, dot != NULL ? dot : "");
    }
    if (s->deps_fd < 0)
        return;
    if (!cmd->depends_by_wp) {
        push(s, "-MF");
        push(s, process_fd_path(s->mem, s->deps_fd));
    }
    if (!cmd->has_depend_target && (cmd->depends_by_wp || cmd->output == NULL)) {
        push(s, "-MQ");
        push(s, arena_printf(s->mem, "%.*s.o", SV_ARG(stem)));
    }
}

static void build_command(struct step *s)
{
    const struct final_job *job = s->job;
    const char *language = NULL;
    for (uint32_t i = 0; i < job->cmd->compiler_count; i++)
        push(s, job->cmd->compiler[i]);
    for (uint32_t i = 0; i < s->placed_count; i++) {
        if (s->placed[i].kind == PLACE_STDIN || s->placed[i].kind == PLACE_BESIDE)
            continue;
        push(s, "-iquote");
        push(s, preprocess_dir_of(s->mem, s->placed[i].path));
    }
    if (job->checked)
        erased_check_silence(job->cmd, job->tc, s->mem, &s->argv);
    for (uint32_t i = 0; i < job->cmd->args.count; i++)
        push_arg(s, i, &language);
    push(s, "-D__AWAITC__");
    preprocess_add_awaitc_dir(s->mem, job->awaitc_dir, &s->argv);
    for (uint32_t i = 0; i < s->placed_count; i++)
        push_maps(s, &s->placed[i]);
    push_names(s);
    push(s, NULL);
}

/* ---- dependencies ------------------------------------------------------------------------- */

/* Where the dependencies of one source would have gone. */
static const char *deps_path(const struct step *s, const struct placed *p)
{
    const compile_command *cmd = s->job->cmd;
    if (cmd->depend_file != NULL)
        return cmd->depend_file;
    strview stem = stem_of(p->path);
    if (cmd->output == NULL)
        return arena_printf(s->mem, "%s%.*s.d",
                            cmd->mode == MODE_LINK && cmd->inputs.count > 1 ? "a-" : "",
                            SV_ARG(stem));
    strview dir = include_dir_of(cmd->output), out = stem_of(cmd->output);
    return arena_printf(s->mem, "%.*s%.*s.d", SV_ARG(dir), SV_ARG(out));
}

static bool write_deps(struct step *s, const struct placed *p)
{
    const char *path = deps_path(s, p);
    include_search files = include_search_in(s->mem);
    strview text = p->kind == PLACE_FILE ? include_text(&files, path) : process_fd_text(s->deps_fd);
    if (text.at == NULL || text.len == 0)
        return true; /* the compiler wrote none */
    struct depfile_change change = {.from = p->kind == PLACE_STDIN ? NULL : p->known_as,
                                    .to = p->path,
                                    .phony = s->job->cmd->depend_phony,
                                    .clang_layout = s->job->tc->is_clang};
    strview renamed = depfile_rename(s->mem, text, &change);
    if (strcmp(path, "-") == 0)
        return fwrite(renamed.at, 1, renamed.len, stdout) == renamed.len && fflush(stdout) == 0;
    if (process_write_file(s->mem, path, renamed))
        return true;
    fprintf(stderr, "awaitc: error: cannot write '%s': %s [awaitc-input]\n", path, strerror(errno));
    return false;
}

/* ---- running ------------------------------------------------------------------------------ */

static int run_step(struct step *s, bool last)
{
    int stdin_fd = s->job->stdin_fd;
    for (uint32_t i = 0; i < s->placed_count; i++) {
        if (!place(s, &s->placed[i])) {
            fprintf(stderr, "awaitc: error: cannot place the lowered text of '%s': %s\n",
                    s->placed[i].path, strerror(errno));
            return 2;
        }
        if (s->placed[i].kind == PLACE_STDIN)
            stdin_fd = s->placed[i].fd;
    }
    bool files = false, depends = s->job->cmd->depends && s->placed_count > 0;
    bool own_file = false;
    for (uint32_t i = 0; i < s->placed_count; i++) {
        files |= s->placed[i].kind == PLACE_FILE || s->placed[i].kind == PLACE_BESIDE;
        own_file |= s->placed[i].kind == PLACE_FILE;
    }
    if (depends && strcmp(s->placed[0].path, "-") == 0)
        depends = false;
    if (depends && !own_file)
        s->deps_fd = process_text_fd((strview){"", 0});
    build_command(s);
    if (last && !files && !depends) {
        process_become(&s->argv, stdin_fd);
        return cannot_run(s->argv.at[0]);
    }
    struct process_io io = {.stdin_fd = stdin_fd, .stdout_fd = -1, .stderr_fd = -1};
    int status = process_run(&s->argv, io);
    if (status < 0)
        return cannot_run(s->argv.at[0]);
    for (uint32_t i = 0; status == 0 && depends && i < s->placed_count; i++)
        status = write_deps(s, &s->placed[i]) ? 0 : 2;
    process_clean_up();
    return status;
}

static int compile_all_at_once(const struct final_job *job)
{
    struct step s = {.job = job, .mem = job->mem, .only_input = UINT32_MAX, .deps_fd = -1};
    s.placed = ARENA_ARRAY(job->mem, struct placed, job->lowered_count + 1);
    s.placed_count = job->lowered_count;
    for (uint32_t i = 0; i < job->lowered_count; i++)
        s.placed[i].lowered = &job->lowered[i];
    return run_step(&s, true);
}

static int compile_one_by_one(const struct final_job *job)
{
    int worst = 0;
    uint32_t count = (uint32_t)job->cmd->inputs.count;
    for (uint32_t i = 0; i < count; i++) {
        struct placed one = {0};
        struct step s = {.job = job, .mem = job->mem, .only_input = i, .deps_fd = -1};
        s.placed = &one;
        for (uint32_t k = 0; k < job->lowered_count; k++) {
            if (job->lowered[k].input == i) {
                one.lowered = &job->lowered[k];
                s.placed_count = 1;
            }
        }
        int status = run_step(&s, i + 1 == count && worst == 0);
        worst = status != 0 ? status : worst;
    }
    return worst;
}

static int compile_with_overlay(const struct final_job *job)
{
    const char **paths = ARENA_ARRAY(job->mem, const char *, job->lowered_count + 1);
    int *fds = ARENA_ARRAY(job->mem, int, job->lowered_count + 1);
    int stdin_fd = job->stdin_fd;
    uint32_t count = 0;
    struct step s = {.job = job, .mem = job->mem};
    for (uint32_t i = 0; i < job->lowered_count; i++) {
        const char *path = job->cmd->inputs.at[job->lowered[i].input].path;
        int fd = process_text_fd(job->lowered[i].text);
        if (fd < 0)
            return cannot_run("the compiler");
        if (strcmp(path, "-") == 0) {
            stdin_fd = fd;
            continue;
        }
        paths[count] = path;
        fds[count++] = fd;
    }
    int overlay = preprocess_overlay(job->mem, paths, fds, count);
    if (overlay < 0)
        return cannot_run("the compiler");
    for (uint32_t i = 0; i < job->cmd->compiler_count; i++)
        push(&s, job->cmd->compiler[i]);
    if (job->checked)
        erased_check_silence(job->cmd, job->tc, s.mem, &s.argv);
    uint32_t dashes = UINT32_MAX;
    for (uint32_t i = 0; i < job->cmd->args.count && dashes == UINT32_MAX; i++) {
        const struct compile_arg *arg = &job->cmd->args.at[i];
        if (arg->id == FLAG_DASHES) {
            dashes = i;
            continue;
        }
        if (job->checked && erased_check_owns(arg))
            continue;
        push(&s, arg->text);
        if (arg->separate != NULL)
            push(&s, arg->separate);
    }
    push(&s, "-D__AWAITC__");
    preprocess_add_awaitc_dir(job->mem, job->awaitc_dir, &s.argv);
    push(&s, "-ivfsoverlay");
    push(&s, process_fd_path(job->mem, overlay));
    for (uint32_t i = dashes; i < job->cmd->args.count; i++)
        push(&s, job->cmd->args.at[i].text);
    push(&s, NULL);
    process_become(&s.argv, stdin_fd);
    return cannot_run(s.argv.at[0]);
}

int final_compile(const struct final_job *job)
{
    const compile_command *cmd = job->cmd;
    if (job->tc->is_clang && cmd->wrapper_count == 0)
        return compile_with_overlay(job);
    if (cmd->mode == MODE_LINK || cmd->inputs.count == 1 || cmd->output != NULL)
        return compile_all_at_once(job);
    return compile_one_by_one(job);
}
