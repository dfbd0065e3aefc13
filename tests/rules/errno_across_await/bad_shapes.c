#include <awaitc.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

async void report(const char *what);
async int wait_writable(int fd);
int change_path(const char *path);
ssize_t slow_read(int fd, void *to, size_t size);

async int before_report(int fd, const struct sockaddr *to, socklen_t size)
{
    if (connect(fd, to, size) == 0) // ALLOW: awaitc-blocking-call
        return 0;
    await report("connect");
    return -errno; // EXPECT: awaitc-errno-across-await
}

async int of_a_leaf(int fd, char *to, size_t size)
{
    ssize_t n = await aw_read(fd, to, size);
    if (n < 0)
        fprintf(stderr, "read: %s\n", strerror(errno)); // EXPECT: awaitc-errno-across-await
    return (int)n;
}

async int by_perror(int fd, char *to, size_t size)
{
    ssize_t n = await aw_read(fd, to, size);
    if (n < 0)
        perror("read"); // EXPECT: awaitc-errno-across-await
    return (int)n;
}

async int after_sleep(int fd, char *to)
{
    ssize_t n = recv(fd, to, 1, MSG_DONTWAIT);
    if (n < 0) {
        await aw_sleep_ms(10);
        if (errno == EAGAIN) // EXPECT: awaitc-errno-across-await
            return 0;
    }
    return (int)n;
}

async int on_the_pool(int fd, char *to)
{
    ssize_t n = await aw_blocking(slow_read(fd, to, 1));
    return n < 0 ? -errno : (int)n; // EXPECT: awaitc-errno-across-await
}

async int one_way(int fd, const struct sockaddr *to, socklen_t size)
{
    int rc = connect(fd, to, size); // ALLOW: awaitc-blocking-call
    if (rc < 0 && errno == EINPROGRESS)
        rc = await wait_writable(fd);
    if (rc < 0)
        return -errno; // EXPECT: awaitc-errno-across-await
    return 0;
}

async int with_cleanup(int fd)
{
    int rc = change_path("lock");
    if (rc < 0) {
        await report("unlink");
        rc = errno; // EXPECT: awaitc-errno-across-await
    }
    return rc;
}
