#include <awaitc.h>
#include <stddef.h>

struct server {
    aw_task *acceptor;
    aw_task *workers[4];
};
async int fetch(int id);
async void work(int id);
void keep(aw_task *t);
static aw_task *background;

async int joined(int id)
{
    int x = 0;
    aw_task *t = spawn(fetch(id));
    int rc = await aw_join(t, &x);

    return rc == 0 ? x : rc;
}
async int detached(int id)
{
    aw_task *t = spawn(work(id));

    aw_detach(t);
    return await fetch(id);
}
async int not_kept(int id)
{
    spawn(work(id));
    (void)spawn(work(id));
    return await fetch(id);
}
async int in_object(struct server *s, int id)
{
    s->acceptor = spawn(work(id));
    return await fetch(id);
}
async int handed_on(int id)
{
    aw_task *t = spawn(work(id));

    keep(t);
    return await fetch(id);
}
async int stored(struct server *s, int id)
{
    aw_task *t = spawn(work(id));

    if (t == NULL)
        return -1;
    s->acceptor = t;
    return await fetch(id);
}
aw_task *given_back(int id)
{
    aw_task *t = spawn(work(id));

    return t;
}
async int in_global(int id)
{
    background = spawn(work(id));
    return await fetch(id);
}
async int array_joined(void)
{
    aw_task *tasks[4];
    int failed = 0;

    for (int i = 0; i < 4; i++)
        tasks[i] = spawn(fetch(i));
    for (int i = 0; i < 4; i++)
        failed += await aw_join(tasks[i], NULL) != 0;
    return failed;
}
async int one_after_the_other(int n)
{
    int failed = 0;

    for (int i = 0; i < n; i++) {
        aw_task *t = spawn(fetch(i));

        failed += await aw_join(t, NULL) != 0;
    }
    return failed;
}
async int again(int id)
{
    int x = 0, y = 0;
    aw_task *t = spawn(fetch(id));
    int a = await aw_join(t, &x);

    t = spawn(fetch(id + 1));
    int b = await aw_join(t, &y);
    return a + b + x + y;
}
async int cancelled_and_joined(int id)
{
    aw_task *t = spawn(work(id));
    int rc = await fetch(id);

    aw_cancel(t);
    (void)await aw_join(t, NULL);
    return rc;
}
static void aw_task_drop(aw_task **t)
{
    aw_cancel(*t);
    aw_detach(*t);
}
async int cleaned(int id)
{
    __attribute__((cleanup(aw_task_drop))) aw_task *t = spawn(work(id));

    return await fetch(id);
}
