#include <awaitc.h>
#include <sys/socket.h>

struct msg { char text[64]; };
typedef struct aw_chan aw_chan;
int aw_chan_try_recv(aw_chan *ch, void *item);
async int aw_chan_recv(aw_chan *ch, void *item);
async int aw_readable(int fd);
async int store(const struct msg *m);
void handle(const struct msg *m);

/* Each round waits for the data, or for what is done with it. */
async int stream(int fd)
{
    struct msg m;
    while (await aw_read(fd, &m, sizeof m) > 0)
        handle(&m);
    return 0;
}

async int receiver(int fd)
{
    struct msg m;
    int rc;
    while ((rc = await aw_readable(fd)) >= 0) {
        ssize_t n = recv(fd, &m, sizeof m, MSG_DONTWAIT);
        if (n <= 0)
            break;
        handle(&m);
    }
    return rc;
}

async int storing(aw_chan *ch)
{
    struct msg m;
    while (aw_chan_try_recv(ch, &m) == 0) {
        int rc = await store(&m);
        if (rc < 0)
            return rc;
    }
    return 0;
}

async int batches(aw_chan *ch)
{
    struct msg m;
    while (await aw_chan_recv(ch, &m) == 0) {
        int n = 0;
        do
            handle(&m);
        while (n++ < 31 && aw_chan_try_recv(ch, &m) == 0);
    }
    return 0;
}

async int polite(int fd)
{
    struct msg m;
    unsigned n = 0;
    while (recv(fd, &m, sizeof m, MSG_DONTWAIT) > 0) {
        handle(&m);
        if (++n % 32 == 0)
            await aw_yield();
    }
    return 0;
}
