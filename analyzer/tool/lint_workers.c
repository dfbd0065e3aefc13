/* SPDX-License-Identifier: MIT */
/*
 * A single file whose command runs here is read in this very process; for more, children write
 * their facts and messages into memory files that this process made for them.
 */
#include "analyzer/tool/lint_workers.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/parse/include_search.h"
#include "analyzer/program/facts_io.h"
#include "analyzer/tool/process.h"

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

static _Noreturn void child_main(const struct lint_file *file, const struct lint_work *work,
                                 const struct child *c)
{
    arena *mem = arena_create();
    struct lint_outcome out = {.status = LINT_BROKEN};
    read_file(mem, file, work, &out);
    bool written = (out.facts.at == NULL || write_all(c->facts_fd, out.facts)) &&
                   (out.message == NULL || write_all(c->message_fd, sv_from(out.message)));
    process_clean_up();
    _exit(written ? (int)out.status : 100);
}

static bool start_child(const struct lint_file *file, const struct lint_work *work, size_t index,
                        struct child *c)
{
    c->file = index;
    c->facts_fd = memfd_create("awaitc-facts", MFD_CLOEXEC);
    c->message_fd = memfd_create("awaitc-message", MFD_CLOEXEC);
    fflush(NULL);
    c->pid = c->facts_fd < 0 || c->message_fd < 0 ? -1 : fork();
    if (c->pid == 0)
        child_main(file, work, c);
    return c->pid > 0;
}

static void end_child(arena *mem, const struct child *c, int status, const struct lint_file *file,
                      struct lint_outcome *out)
{
    strview facts = process_fd_text(c->facts_fd), message = process_fd_text(c->message_fd);
    close(c->facts_fd);
    close(c->message_fd);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > LINT_BROKEN) {
        out->status = LINT_BROKEN;
        out->message = arena_printf(
            mem,
            "%s: error: the reader of this file ended unexpectedly (%s %d); please report it "
            "[awaitc-internal]\n",
            file->shown, WIFSIGNALED(status) ? "signal" : "status",
            WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        return;
    }
    out->status = (enum lint_status)WEXITSTATUS(status);
    if (facts.len != 0)
        out->facts = facts;
    if (message.len != 0)
        out->message = arena_strndup(mem, message.at, message.len);
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

void lint_workers_run(arena *mem, const lint_files *files, unsigned jobs,
                      const struct lint_work *(*work_of)(void *context, size_t file), void *context,
                      struct lint_outcome *outcome)
{
    struct pool pool = {ARENA_ARRAY(mem, struct child, jobs + 1), 0, jobs};
    if (files->count == 1 && files->at[0].directory == NULL && outcome[0].facts.at == NULL) {
        read_file(mem, &files->at[0], work_of(context, 0), &outcome[0]);
        return;
    }
    for (size_t i = 0; i < files->count; i++) {
        const struct lint_work *work = work_of(context, i);
        if (outcome[i].facts.at != NULL || outcome[i].message != NULL || work == NULL)
            continue;
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
