#include <awaitc.h>
#include <unistd.h>

async int fetch(int id);

/* They should await: that is the finding. */
async int reads(int fd, char *buf)
{
    return (int)read(fd, buf, 16); // EXPECT: awaitc-blocking-call
}

async int forgets(int id)
{
    fetch(id); // EXPECT: awaitc-missing-await
    return 0;
}

static void helper(void)
{
    sleep(1);
}
async int sleeps(void)
{
    helper(); // EXPECT: awaitc-blocking-call
    return 0;
}

async int three(int fd, char *buf)
{
    int n = await reads(fd, buf);

    return n + await forgets(n) + await sleeps();
}
