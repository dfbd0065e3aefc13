#include <awaitc.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

async void report(const char *what);
async int wait_writable(int fd);
int change_path(const char *path);
async int wait_readable(int fd);
async int own_convention(int fd);

async int saved(const char *path)
{
    if (change_path(path) == 0)
        return 0;
    int error = errno;
    await report("unlink");
    return -error;
}

async int result(int fd, char *to, size_t size)
{
    ssize_t n = await aw_read(fd, to, size);
    if (n < 0)
        fprintf(stderr, "read: %s\n", strerror((int)-n));
    return (int)n;
}

async int set_behind(int fd, char *to)
{
    await aw_sleep_ms(5);
    ssize_t n = recv(fd, to, 1, MSG_DONTWAIT);
    if (n < 0)
        return -errno;
    return (int)n;
}

async int retry(int fd, char *to)
{
    for (;;) {
        ssize_t n = recv(fd, to, 1, MSG_DONTWAIT);
        if (n >= 0)
            return (int)n;
        if (errno != EAGAIN)
            return -errno;
        int rc = await wait_readable(fd);
        if (rc < 0)
            return rc;
    }
}

async int interrupted(int fd, char *to)
{
    ssize_t n;
    do {
        n = recv(fd, to, 1, MSG_DONTWAIT);
    } while (n < 0 && errno == EINTR);
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return await wait_readable(fd);
    return n < 0 ? -errno : (int)n;
}

async int number(int fd, const char *text)
{
    await aw_yield();
    errno = 0;
    long n = strtol(text, NULL, 10);
    if (errno == ERANGE)
        return -errno;
    return (int)n;
}

async int put_back(const char *path)
{
    int rc = change_path(path);
    int error = errno;
    await report("unlink");
    errno = error;
    return rc < 0 ? -errno : 0;
}

async int socket_error(int fd)
{
    int error = 0;
    socklen_t size = sizeof error;
    int rc = await wait_writable(fd);
    if (rc < 0)
        return rc;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
        return -errno;
    return -error;
}

async int other_branch(const char *path, int verbose)
{
    if (change_path(path) < 0)
        return -errno;
    if (verbose)
        await report("gone");
    return 0;
}

async int unknown_convention(int fd)
{
    int rc = await own_convention(fd);
    return rc < 0 ? -errno : rc;
}

static async int fails(int fd)
{
    int rc = await wait_readable(fd);
    if (rc < 0) {
        errno = EIO;
        return -1;
    }
    return rc;
}

async int known_convention(int fd)
{
    int rc = await fails(fd);
    return rc < 0 ? -errno : rc;
}

async int memory(int fd, size_t size)
{
    int rc = await wait_readable(fd);
    if (rc < 0)
        return rc;
    char *p = malloc(size);
    if (p == NULL)
        return -errno;
    free(p);
    return 0;
}
