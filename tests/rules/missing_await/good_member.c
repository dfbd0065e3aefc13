#include <awaitc.h>
struct crawler { aw_task *task; };
async int crawl(int id);
async int run(int n)
{
    struct crawler c = { NULL };
    c.task = spawn(crawl(n));
    await aw_sleep_ms(100);
    aw_detach(c.task);
    return n;
}
