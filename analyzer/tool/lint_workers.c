/* SPDX-License-Identifier: MIT */
/*
 * Workers are children of this process that take one file after the other from a list and write
 * facts and messages into a memory file of their own; a board in shared memory says of each file
 * where. What a worker learns of headers it keeps for its next files.
 *
 * A worker that ends at a file (its reader failed, or took too long) is replaced by another one
 * that goes on behind that file, which is named. Workers end with their parent.
 */
#include "analyzer/tool/lint_workers.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/parse/include_search.h"
#include "analyzer/program/facts_io.h"
#include "analyzer/tool/lint_expand.h"
#include "analyzer/tool/process.h"

enum {
    MOST_CPU_SECONDS = 300, /* for one file, which takes less than one */
    STACK_BYTES = 1 << 30,
    KEPT_BYTES = 32 * 1024 * 1024 /* the most that glibc takes */
};

enum file_state { FILE_WAITS, FILE_IS_READ, FILE_DONE };

/* What a worker says of a file; the texts are in its memory file. */
struct report {
    enum file_state state;
    enum lint_status status;
    unsigned worker;
    bool has_facts, has_message;
    size_t facts_at, facts_len, message_at, message_len;
};

/* In memory that all workers share. */
struct board {
    atomic_size_t next; /* index into `wanted` */
    struct report reports[];
};

struct worker {
    pid_t pid; /* 0: has ended */
    int fd;
};

struct team {
    arena *mem;
    const lint_files *files;
    const struct lint_work **work; /* of each file */
    VEC(size_t) wanted;
    struct board *board; /* reports in the order of `wanted` */
    VEC(struct worker) workers;
};

/* ---- one file -------------------------------------------------------------------------------- */

static void fail(arena *mem, struct lint_outcome *out, const char *what, const char *path)
{
    out->status = LINT_BROKEN;
    out->message = arena_printf(mem, "awaitc: error: cannot %s '%s': %s [awaitc-input]\n", what,
                                path, strerror(errno));
}

static void read_file(arena *mem, const struct lint_file *file, const struct lint_work *work,
                      lint_expand *expand, const char *from, struct lint_outcome *out)
{
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
                                 .enabled = work->enabled,
                                 .expand = expand};
    struct unit_facts *facts = NULL;
    out->status = lint_source_read(mem, &source, &facts, &out->message);
    if (facts == NULL)
        return;
    strbuf written = strbuf_in(mem);
    facts_write(facts, &written);
    out->facts = strbuf_view(&written);
}

/* ---- in a worker ----------------------------------------------------------------------------- */

/* Appends to the memory file; false: it is full. */
static bool put_text(int fd, strview text, size_t *at, size_t *len)
{
    off_t end = lseek(fd, 0, SEEK_END);
    *at = end < 0 ? 0 : (size_t)end;
    *len = text.len;
    while (end >= 0 && text.len > 0) {
        ssize_t n = write(fd, text.at, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text.at += n;
        text.len -= (size_t)n;
    }
    return end >= 0;
}

/* For the next file. `own` is the user's limit, which stays if it is tighter. */
static void limit_cpu(rlim_t own)
{
    struct rlimit limit;
    struct timespec used = {0, 0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    rlim_t most = (rlim_t)used.tv_sec + MOST_CPU_SECONDS;
    if (own <= most || getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    limit.rlim_cur = most;
    setrlimit(RLIMIT_CPU, &limit);
}

/* Reads one of the wanted files and reports it. */
static void do_file(const struct team *team, size_t index, unsigned self, lint_expand *expand,
                    const char *from)
{
    struct report *report = &team->board->reports[index];
    const struct lint_file *file = &team->files->at[team->wanted.at[index]];
    int fd = team->workers.at[self].fd;
    report->worker = self;
    report->state = FILE_IS_READ;
    arena *mem = arena_create();
    struct lint_outcome out = {.status = LINT_BROKEN};
    bool is_back = from[0] == '\0' || chdir(from) == 0;
    if (is_back)
        read_file(mem, file, team->work[team->wanted.at[index]], expand, from, &out);
    else
        fail(mem, &out, "enter", from);
    report->status = out.status;
    report->has_facts = out.facts.at != NULL;
    report->has_message = out.message != NULL;
    strview message = out.message != NULL ? sv_from(out.message) : SV("");
    if (!put_text(fd, out.facts, &report->facts_at, &report->facts_len) ||
        !put_text(fd, message, &report->message_at, &report->message_len))
        _exit(100);
    report->state = FILE_DONE;
    process_clean_up();
    arena_destroy(&mem);
}

struct worker_start {
    const struct team *team;
    unsigned self;
};

/* Reads files until none is left. */
static void *read_files(void *start)
{
    const struct team *team = ((struct worker_start *)start)->team;
    unsigned self = ((struct worker_start *)start)->self;
    char cwd[PATH_MAX];
    struct rlimit own = {RLIM_INFINITY, RLIM_INFINITY};
    const char *from = getcwd(cwd, sizeof cwd) != NULL ? cwd : "";
    getrlimit(RLIMIT_CPU, &own);
    lint_expand *expand = lint_expand_create();
    for (;;) {
        size_t index = atomic_fetch_add(&team->board->next, 1);
        if (index >= team->wanted.count)
            _exit(0);
        limit_cpu(own.rlim_cur);
        do_file(team, index, self, expand, from);
    }
}

/* Memory of one file is kept for the next one: asking the kernel for it again is a third of the
 * work.
 */
static void keep_freed_memory(void)
{
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    mallopt(M_TRIM_THRESHOLD, 8 * KEPT_BYTES);
}

/* Works on a thread with a large stack, most of which is never touched. */
static _Noreturn void worker_main(const struct team *team, unsigned self, pid_t parent)
{
    struct worker_start start = {team, self};
    pthread_attr_t attributes;
    pthread_t thread;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(100);
    keep_freed_memory();
    bool has_thread = pthread_attr_init(&attributes) == 0 &&
                      pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                      pthread_create(&thread, &attributes, read_files, &start) == 0;
    if (has_thread)
        pthread_join(thread, NULL);
    else
        read_files(&start);
    _exit(0);
}

/* ---- the parent ------------------------------------------------------------------------------ */

static bool start_worker(struct team *team)
{
    struct worker w = {.fd = memfd_create("awaitc-facts", MFD_CLOEXEC)};
    if (w.fd < 0)
        return false;
    VEC_PUSH(team->mem, &team->workers, w);
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        worker_main(team, (unsigned)team->workers.count - 1, parent);
    VEC_LAST(&team->workers).pid = pid > 0 ? pid : 0;
    return pid > 0;
}

/* Why a worker ended that was not done. */
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

/* Names the file at which a worker ended. */
static void note_end(struct team *team, unsigned self, int status, struct lint_outcome *outcome)
{
    for (size_t i = 0; i < team->wanted.count; i++) {
        struct report *report = &team->board->reports[i];
        if (report->state != FILE_IS_READ || report->worker != self)
            continue;
        size_t file = team->wanted.at[i];
        outcome[file].status = LINT_BROKEN;
        outcome[file].message = end_text(team->mem, team->files->at[file].shown, status);
    }
}

/* Waits until all workers have ended, and starts others for those that failed. */
static void wait_for_workers(struct team *team, unsigned running, struct lint_outcome *outcome)
{
    while (running != 0) {
        int status = 0;
        pid_t pid = wait(&status);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            return;
        for (unsigned i = 0; i < team->workers.count; i++) {
            if (team->workers.at[i].pid != pid)
                continue;
            team->workers.at[i].pid = 0;
            running--;
            bool is_left = atomic_load(&team->board->next) < team->wanted.count;
            if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
                continue;
            note_end(team, i, status, outcome);
            running += is_left && start_worker(team);
        }
    }
}

/* A text of a memory file, copied: of thousands of files the kernel does not keep as many maps. */
static strview text_of(arena *mem, int fd, size_t at, size_t len)
{
    char *text = arena_alloc(mem, len + 1);
    for (size_t have = 0; have < len;) {
        ssize_t n = pread(fd, text + have, len - have, (off_t)(at + have));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return (strview){NULL, 0};
        have += (size_t)n;
    }
    return (strview){text, len};
}

static void take_reports(struct team *team, struct lint_outcome *outcome)
{
    for (size_t i = 0; i < team->wanted.count; i++) {
        const struct report *r = &team->board->reports[i];
        struct lint_outcome *out = &outcome[team->wanted.at[i]];
        if (r->state == FILE_DONE) {
            int fd = team->workers.at[r->worker].fd;
            out->status = r->status;
            if (r->has_facts)
                out->facts = text_of(team->mem, fd, r->facts_at, r->facts_len);
            if (r->has_message)
                out->message = text_of(team->mem, fd, r->message_at, r->message_len).at;
        } else if (r->state == FILE_WAITS) {
            errno = EAGAIN;
            fail(team->mem, out, "start a reader for", team->files->at[team->wanted.at[i]].shown);
        }
    }
    for (size_t i = 0; i < team->workers.count; i++)
        close(team->workers.at[i].fd);
}

/* Makes here what every worker would make again. */
static void prepare(arena *mem, const struct lint_work *work)
{
    finding_list none = {.mem = mem};
    if (work->queries != NULL)
        query_rules_run(work->queries, QUERY_ALWAYS, "", SV(""), &none);
}

static void choose_files(struct team *team,
                         const struct lint_work *(*work_of)(void *context, size_t file),
                         void *context, const struct lint_outcome *outcome)
{
    const struct lint_work *prepared = NULL;
    team->work = ARENA_ARRAY(team->mem, const struct lint_work *, team->files->count + 1);
    for (size_t i = 0; i < team->files->count; i++) {
        const struct lint_work *work = team->work[i] = work_of(context, i);
        if (outcome[i].facts.at != NULL || outcome[i].message != NULL || work == NULL)
            continue;
        if (work != prepared)
            prepare(team->mem, work);
        prepared = work;
        VEC_PUSH(team->mem, &team->wanted, i);
    }
}

void lint_workers_run(arena *mem, const lint_files *files, unsigned jobs,
                      const struct lint_work *(*work_of)(void *context, size_t file), void *context,
                      struct lint_outcome *outcome)
{
    struct team team = {.mem = mem, .files = files};
    choose_files(&team, work_of, context, outcome);
    if (team.wanted.count == 0)
        return;
    size_t size = sizeof *team.board + team.wanted.count * sizeof team.board->reports[0];
    void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned running = 0;
    if (shared == MAP_FAILED) {
        for (size_t i = 0; i < team.wanted.count; i++)
            fail(mem, &outcome[team.wanted.at[i]], "share memory for",
                 files->at[team.wanted.at[i]].shown);
        return;
    }
    team.board = shared;
    while (running < jobs && running < team.wanted.count && start_worker(&team))
        running++;
    wait_for_workers(&team, running, outcome);
    take_reports(&team, outcome);
    munmap(shared, size);
}
