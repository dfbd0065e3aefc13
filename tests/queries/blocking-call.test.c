#include <awaitc.h>
#include <unistd.h>

async void f(struct item *p, const char *name)
{
    sleep(1); // EXPECT: awaitc-blocking-call
    if (usleep(20) < 0) // EXPECT: awaitc-blocking-call
        return;
    int rc = system("true"); // EXPECT: awaitc-blocking-call
    rc = await aw_blocking(system("true"));
    await aw_blocking(rc = (fsync(p->fd)));
    rc = await take(getaddrinfo(name, 0, 0, &p->all)); // EXPECT: awaitc-blocking-call
    p->ops->wait(p);
    p->sleep(p);
    /* sleep(1); */
    log("sleep(1)");
    await aw_sleep_ms(3);
}

aw_async static int g(void)
{
    return sleep(1); // EXPECT: awaitc-blocking-call
}

static int async h(void)
{
    pthread_join(t, 0); // EXPECT: awaitc-blocking-call
    return 0;
}

void takes(async int (*fn)(int))
{
    sleep(1);
}

static int plain(void)
{
    return system("true") + sleep(1);
}

#if HAVE_X
async void in_group(void)
{
#ifdef OTHER
    sleep(1); // EXPECT: awaitc-blocking-call
#endif
}
#endif
