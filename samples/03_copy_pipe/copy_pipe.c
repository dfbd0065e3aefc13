/* SPDX-License-Identifier: MIT */
/*
 * How do two tasks work hand in hand? One reads a file and feeds a pipe, the other empties the pipe
 * into another file. The pipe holds little, so each waits for the other again and again.
 *
 *     copy_pipe FROM TO
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <awaitc.h>

/*
 * Copies until `from` ends, then closes both. The count of bytes, or a negated errno.
 *
 * Closing matters to the other task: the end of the pipe tells it that no more will come, or that
 * nobody is interested any more.
 */
static async int64_t copy(int from, int to)
{
    char buffer[16 * 1024];
    int64_t total = 0;

    defer {
        aw_close(from);
        aw_close(to);
    }
    for (;;) {
        ssize_t n = await aw_read(from, buffer, sizeof buffer);
        if (n <= 0)
            return n < 0 ? n : total;
        ssize_t rc = await aw_write_all(to, buffer, (size_t)n);
        if (rc < 0)
            return rc;
        total += n;
    }
}

static async int64_t copy_through_pipe(int from, int to)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
        int error = errno;
        aw_close(from);
        aw_close(to);
        return -error;
    }
    aw_task *feeder = spawn(copy(from, ends[1]));
    if (feeder == NULL) {
        int error = errno;
        aw_close(from);
        aw_close(ends[1]);
        aw_close(ends[0]);
        aw_close(to);
        return -error;
    }
    int64_t arrived = await copy(ends[0], to);
    int64_t sent = 0;
    int rc = await aw_join(feeder, &sent);
    if (arrived < 0)
        return arrived;
    return rc < 0 ? rc : sent;
}

/* Runs on a thread of the pool, whose errno is not ours: the result says what went wrong. */
static int open_file(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0666);
    return fd >= 0 ? fd : -errno;
}

async int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: copy_pipe FROM TO\n");
        return 2;
    }
    int from = await aw_blocking(open_file(argv[1], O_RDONLY));
    if (from < 0) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(-from));
        return 1;
    }
    int to = await aw_blocking(open_file(argv[2], O_WRONLY | O_CREAT | O_TRUNC));
    if (to < 0) {
        fprintf(stderr, "%s: %s\n", argv[2], strerror(-to));
        aw_close(from);
        return 1;
    }
    signal(SIGPIPE, SIG_IGN); /* a pipe that nobody reads is a negative result, not a signal */
    int64_t total = await copy_through_pipe(from, to);
    if (total < 0) {
        fprintf(stderr, "cannot copy: %s\n", strerror((int)-total));
        return 1;
    }
    printf("copied %" PRId64 " bytes\n", total);
    return 0;
}
