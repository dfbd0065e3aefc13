/* SPDX-License-Identifier: MIT */
/*
 * Each file is read by a child of its own, which writes its facts and messages into memory files
 * that this process made for it: so a file on which the reader or its compiler fails, or works for
 * ever, is named, and the others are read. Children end with their parent.
 */
#include "analyzer/tool/lint_workers.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/parse/include_search.h"
#include "analyzer/program/facts_io.h"
#include "analyzer/tool/process.h"

enum { MOST_CPU_SECONDS = 300 }; /* for one file, which takes less than one */

/* ---- one file -------------------------------------------------------------------------------- */

static void fail(arena *mem, struct lint_outcome *out, const char *what, const char *path)
{
    out->status = LINT_BROKEN;
    out->message = arena_printf(mem, "awaitc: error: cannot %s '%s': %s [awaitc-input]\n", what,
                                path, strerror(errno));
}

static void read_file(arena *mem, const struct lint_file *file, const struct lint_work *work,
                      struct lint_outcome *out)
{
    char cwd[PATH_MAX];
    const char *from = getcwd(cwd, sizeof cwd) != NULL ? cwd : "";
    include_search files = include_search_in(mem);
    bool is_stdin = strcmp(file->path, "-") == 0;
    if (file->directory != NULL && chdir(file->directory) != 0) {
        fail(mem, out, "enter", file->directory);
        return;
    }
    errno = 0;
    strview text =
        is_stdin ? process_read_all(mem, STDIN_FILENO) : include_text(&files, file->path);
    if (text.at == NULL) {
        fail(mem, out, "read", file->shown);
        return;
    }
    struct lint_source source = {.cmd = file->cmd,
                                 .path = file->path,
                                 .shown = file->shown,
                                 .from = from,
                                 .directory = file->directory,
                                 .text = text,
                                 .awaitc_dir = work->awaitc_dir,
                                 .settings = work->settings,
                                 .queries = work->queries,
                                 .enabled = work->enabled};
    struct unit_facts *facts = NULL;
    out->status = lint_source_read(mem, &source, &facts, &out->message);
    if (facts == NULL)
        return;
    strbuf written = strbuf_in(mem);
    facts_write(facts, &written);
    out->facts = strbuf_view(&written);
}

/* ---- children -------------------------------------------------------------------------------- */

struct child {
    pid_t pid;
    size_t file;
    int facts_fd, message_fd;
};

static bool write_all(int fd, strview text)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.at, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text.at += n;
        text.len -= (size_t)n;
    }
    return true;
}

/* A limit of the user's own that is tighter stays. */
static void limit_cpu(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur <= MOST_CPU_SECONDS)
        return;
    limit.rlim_cur = MOST_CPU_SECONDS;
    setrlimit(RLIMIT_CPU, &limit);
}

static _Noreturn void child_main(const struct lint_file *file, const struct lint_work *work,
                                 const struct child *c, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(100);
    limit_cpu();
    arena *mem = arena_create();
    struct lint_outcome out = {.status = LINT_BROKEN};
    read_file(mem, file, work, &out);
    bool written = (out.facts.at == NULL || write_all(c->facts_fd, out.facts)) &&
                   (out.message == NULL || write_all(c->message_fd, sv_from(out.message)));
    process_clean_up();
    _exit(written ? (int)out.status : 100);
}

static void close_files(const struct child *c)
{
    if (c->facts_fd >= 0)
        close(c->facts_fd);
    if (c->message_fd >= 0)
        close(c->message_fd);
}

static bool start_child(const struct lint_file *file, const struct lint_work *work, size_t index,
                        struct child *c)
{
    c->file = index;
    c->facts_fd = memfd_create("awaitc-facts", MFD_CLOEXEC);
    c->message_fd = memfd_create("awaitc-message", MFD_CLOEXEC);
    fflush(NULL);
    pid_t parent = getpid();
    c->pid = c->facts_fd < 0 || c->message_fd < 0 ? -1 : fork();
    if (c->pid == 0)
        child_main(file, work, c, parent);
    int saved = errno;
    if (c->pid < 0)
        close_files(c);
    errno = saved;
    return c->pid > 0;
}

/* The text of a memory file, copied: of thousands of files the kernel does not keep as many maps.
 */
static strview text_of(arena *mem, int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || st.st_size == 0)
        return (strview){NULL, 0};
    size_t len = (size_t)st.st_size, have = 0;
    char *text = arena_alloc(mem, len + 1);
    while (have < len) {
        ssize_t n = pread(fd, text + have, len - have, (off_t)have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return (strview){NULL, 0};
        have += (size_t)n;
    }
    text[len] = '\0';
    return (strview){text, len};
}

/* Why a child ended that was not done. */
static const char *end_text(arena *mem, const char *shown, int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return arena_printf(mem,
                            "%s: error: reading this file took too much processor time; it is "
                            "left out [awaitc-input]\n",
                            shown);
    return arena_printf(mem,
                        "%s: error: the reader of this file ended unexpectedly (%s %d); it is left "
                        "out; please report this [awaitc-internal]\n",
                        shown, WIFSIGNALED(status) ? "signal" : "status",
                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void end_child(arena *mem, const struct child *c, int status, const struct lint_file *file,
                      struct lint_outcome *out)
{
    strview facts = text_of(mem, c->facts_fd), message = text_of(mem, c->message_fd);
    close_files(c);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > LINT_BROKEN) {
        out->status = LINT_BROKEN;
        out->message = end_text(mem, file->shown, status);
        return;
    }
    out->status = (enum lint_status)WEXITSTATUS(status);
    out->facts = facts;
    out->message = message.at;
}

struct pool {
    struct child *running;
    unsigned count, jobs;
};

/* Waits for one of the children and takes in what it made. */
static void reap(arena *mem, struct pool *pool, const lint_files *files,
                 struct lint_outcome *outcome)
{
    int status;
    pid_t pid;
    do {
        pid = wait(&status);
    } while (pid < 0 && errno == EINTR);
    for (unsigned i = 0; i < pool->count; i++) {
        struct child c = pool->running[i];
        if (c.pid != pid && pid > 0)
            continue;
        end_child(mem, &c, pid > 0 ? status : 127 << 8, &files->at[c.file], &outcome[c.file]);
        pool->running[i] = pool->running[--pool->count];
        return;
    }
}

/* Makes here what every child would make again. */
static void prepare(arena *mem, const struct lint_work *work)
{
    finding_list none = {.mem = mem};
    if (work->queries != NULL)
        query_rules_run(work->queries, QUERY_ALWAYS, "", SV(""), &none);
}

void lint_workers_run(arena *mem, const lint_files *files, unsigned jobs,
                      const struct lint_work *(*work_of)(void *context, size_t file), void *context,
                      struct lint_outcome *outcome)
{
    struct pool pool = {ARENA_ARRAY(mem, struct child, jobs + 1), 0, jobs};
    const struct lint_work *prepared = NULL;
    for (size_t i = 0; i < files->count; i++) {
        const struct lint_work *work = work_of(context, i);
        if (outcome[i].facts.at != NULL || outcome[i].message != NULL || work == NULL)
            continue;
        if (work != prepared)
            prepare(mem, work);
        prepared = work;
        if (pool.count == pool.jobs)
            reap(mem, &pool, files, outcome);
        if (start_child(&files->at[i], work, i, &pool.running[pool.count]))
            pool.count++;
        else
            fail(mem, &outcome[i], "start a reader for", files->at[i].shown);
    }
    while (pool.count != 0)
        reap(mem, &pool, files, outcome);
}
