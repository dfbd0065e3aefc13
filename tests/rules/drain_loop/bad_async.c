#include <awaitc.h>
#include <sys/socket.h>

struct msg { char text[64]; };
typedef struct aw_chan aw_chan;
int aw_chan_try_recv(aw_chan *ch, void *item);
async int aw_readable(int fd);
void handle(const struct msg *m);

async int receiver(int fd)
{
    struct msg m;
    for (;;) {
        int rc = await aw_readable(fd);
        if (rc < 0)
            return rc;
        while (recv(fd, &m, sizeof m, MSG_DONTWAIT) > 0) // EXPECT: awaitc-drain-loop
            handle(&m);
    }
}

async int consumer(aw_chan *ch, int fd)
{
    struct msg m;
    while (aw_chan_try_recv(ch, &m) == 0) // EXPECT: awaitc-drain-loop
        handle(&m);
    return (int)await aw_write(fd, "k", 1);
}
