/* SPDX-License-Identifier: MIT */
/*
 * What must hold at every moment: whatever is on disk and not wanted is on the list, and the
 * handler can remove it. The list is a fixed array written before its count, with signals blocked
 * while a child is started, so the handler never sees half an entry.
 *
 * A signal while a child runs is passed on, and the tool ends by the same signal once the child
 * has ended: then nobody writes into what is being removed.
 */
#include "analyzer/tool/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/base/check.h"

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGXCPU};

static char removable[64][4096];
static volatile sig_atomic_t removable_count;
static volatile sig_atomic_t child_pid;      /* that the tool waits for */
static volatile sig_atomic_t background_pid; /* beside which it works; writes nothing of ours */
static volatile sig_atomic_t pending_signal;

void process_clean_up(void)
{
    while (removable_count > 0) {
        const char *path = removable[removable_count - 1];
        if (unlink(path) != 0 && (errno == EISDIR || errno == EPERM))
            rmdir(path);
        removable_count--;
    }
}

static void end_by(int signal_number)
{
    process_clean_up();
    signal(signal_number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    raise(signal_number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    _exit(128 + signal_number);
}

static void on_signal(int signal_number)
{
    int saved = errno;
    if (child_pid > 0) {
        pending_signal = signal_number;
        kill((pid_t)child_pid, signal_number);
    } else {
        if (background_pid > 0)
            kill((pid_t)background_pid, signal_number);
        end_by(signal_number);
    }
    errno = saved;
}

void process_start(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < COUNTOF(ending_signals); i++) {
        struct sigaction old;
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
    }
}

void process_will_remove(const char *path)
{
    size_t len = strlen(path);
    AWC_ASSERT(removable_count < (int)COUNTOF(removable) && len < sizeof removable[0]);
    memcpy(removable[removable_count], path, len + 1);
    removable_count++;
}

void process_will_keep_last(void)
{
    if (removable_count > 0)
        removable_count--;
}

/* ---- children ----------------------------------------------------------------------------- */

static void replace_fd(int from, int to)
{
    if (from >= 0 && from != to)
        dup2(from, to);
}

static char *const *vector_of(const argument_list *argv)
{
    return (char *const *)(uintptr_t)argv->at;
}

static _Noreturn void run_child(const argument_list *argv, struct process_io io, pid_t parent,
                                const sigset_t *mask, int failure_fd)
{
    for (size_t i = 0; i < COUNTOF(ending_signals); i++) {
        struct sigaction old;
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == on_signal)
            signal(ending_signals[i], SIG_DFL);
    }
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    replace_fd(io.stdin_fd, 0);
    replace_fd(io.stdout_fd, 1);
    replace_fd(io.stderr_fd, 2);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(argv->at[0], vector_of(argv));
    int failure = errno;
    ssize_t unused = write(failure_fd, &failure, sizeof failure);
    (void)unused;
    _exit(127);
}

/* Waits for the child; ends the tool if it was told to end meanwhile. */
static int wait_child(pid_t pid)
{
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    child_pid = 0;
    if (pending_signal != 0)
        end_by(pending_signal);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Starts a child whose number is in *slot before a signal can come; false with errno. */
static bool start_child(const argument_list *argv, struct process_io io,
                        volatile sig_atomic_t *slot)
{
    int failure_pipe[2];
    if (pipe2(failure_pipe, O_CLOEXEC) != 0)
        return false;
    sigset_t all, mask;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0)
        run_child(argv, io, parent, &mask, failure_pipe[1]);
    *slot = pid > 0 ? pid : 0;
    int saved = errno;
    close(failure_pipe[1]);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    int failure = pid < 0 ? saved : 0;
    if (pid > 0) {
        ssize_t got = read(failure_pipe[0], &failure, sizeof failure);
        failure = got == (ssize_t)sizeof failure ? failure : 0;
    }
    close(failure_pipe[0]);
    if (failure != 0 && pid > 0) {
        *slot = 0;
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    errno = failure;
    return failure == 0;
}

int process_run(const argument_list *argv, struct process_io io)
{
    return start_child(argv, io, &child_pid) ? wait_child((pid_t)child_pid) : -1;
}

bool process_begin(const argument_list *argv, struct process_io io)
{
    AWC_ASSERT(background_pid == 0);
    return start_child(argv, io, &background_pid);
}

int process_end(void)
{
    sigset_t all, mask;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    child_pid = background_pid;
    background_pid = 0;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return wait_child((pid_t)child_pid);
}

void process_become(const argument_list *argv, int stdin_fd)
{
    replace_fd(stdin_fd, 0);
    execvp(argv->at[0], vector_of(argv));
}

/* ---- texts -------------------------------------------------------------------------------- */

static bool write_all(int fd, strview text)
{
    while (text.len > 0) {
        ssize_t n = write(fd, text.at, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text = (strview){text.at + n, text.len - (size_t)n};
    }
    return true;
}

int process_text_fd(strview text)
{
    int low = memfd_create("awaitc", MFD_CLOEXEC);
    if (low < 0)
        return -1;
    /* A number that does not depend on what the caller has open, so that it is the same every
     * time; compilers show it nowhere, but caches see the command line. */
    int fd = fcntl(low, F_DUPFD, 100);
    int saved = errno;
    close(low);
    if (fd < 0) {
        errno = saved;
        return -1;
    }
    if (!write_all(fd, text) || lseek(fd, 0, SEEK_SET) != 0) {
        saved = errno;
        close(fd);
        errno = saved;
        return -1;
    }
    return fd;
}

const char *process_fd_path(arena *mem, int fd)
{
    return arena_printf(mem, "/proc/self/fd/%d", fd);
}

strview process_fd_text(int fd)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || st.st_size == 0 || ftruncate(fd, st.st_size + 1) != 0)
        return (strview){"", 0};
    void *at = mmap(NULL, (size_t)st.st_size + 1, PROT_READ, MAP_PRIVATE, fd, 0);
    if (at == MAP_FAILED)
        return (strview){"", 0};
    return (strview){at, (size_t)st.st_size};
}

void process_fd_text_release(strview text)
{
    if (text.len != 0)
        munmap((void *)(uintptr_t)text.at, text.len + 1);
}

strview process_read_all(arena *mem, int fd)
{
    size_t capacity = 1 << 16, len = 0;
    char *text = malloc(capacity);
    for (;;) {
        AWC_ASSERT(text != NULL);
        ssize_t n = read(fd, text + len, capacity - len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            free(text);
            return (strview){NULL, 0};
        }
        if (n == 0)
            break;
        len += (size_t)n;
        if (len == capacity)
            text = realloc(text, capacity *= 2);
    }
    strview all = {arena_strndup(mem, text, len), len};
    free(text);
    return all;
}

/* Opens a new file beside `path`; it is on the list before it exists. */
static int open_beside(arena *mem, const char *path, mode_t mode, const char **temporary)
{
    *temporary = arena_printf(mem, "%s.awaitc-%ld", path, (long)getpid());
    if (strlen(*temporary) >= sizeof removable[0]) {
        errno = ENAMETOOLONG;
        return -1;
    }
    process_will_remove(*temporary);
    unlink(*temporary); /* of a killed process with our number */
    int fd = open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0)
        process_will_keep_last();
    return fd;
}

static bool close_written(int fd, bool written)
{
    int saved = errno;
    if (close(fd) != 0 && written)
        return false;
    errno = saved;
    return written;
}

static bool replace_file(arena *mem, const char *path, mode_t mode, strview text)
{
    const char *temporary;
    int fd = open_beside(mem, path, mode, &temporary);
    if (fd < 0)
        return false;
    bool done = close_written(fd, write_all(fd, text)) && rename(temporary, path) == 0;
    int saved = errno;
    if (!done)
        unlink(temporary);
    process_will_keep_last();
    errno = saved;
    return done;
}

bool process_write_file(arena *mem, const char *path, strview text)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return replace_file(mem, path, 0666, text);
    if (!S_ISREG(st.st_mode)) {
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        return fd >= 0 && close_written(fd, write_all(fd, text));
    }
    char *real = realpath(path, NULL); /* a link stays one */
    if (real == NULL || access(path, W_OK) != 0) {
        free(real);
        return false;
    }
    const char *target = arena_strndup(mem, real, strlen(real));
    free(real);
    return replace_file(mem, target, st.st_mode & 0777, text);
}
