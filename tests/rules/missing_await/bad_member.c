#include <awaitc.h>
struct crawler { aw_task *task; };
async int crawl(int id);
async int run(int n)
{
    struct crawler c = { NULL };
    c.task = spawn(crawl(n)); // EXPECT: awaitc-missing-await
    await aw_sleep_ms(100);
    return n;
}
