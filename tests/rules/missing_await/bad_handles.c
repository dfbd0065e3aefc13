#include <awaitc.h>
#include <stddef.h>

async int fetch(int id);
async void work(int id);
async int finish(void);

async int never_joined(int id)
{
    aw_task *t = spawn(fetch(id)); // EXPECT: awaitc-missing-await

    return await finish();
}

async int assigned(int id)
{
    aw_task *t;

    t = spawn(fetch(id)); // EXPECT: awaitc-missing-await
    if (t == NULL)
        return -1;
    return await finish();
}

async int only_cancelled(int id)
{
    aw_task *t = spawn(work(id)); // EXPECT: awaitc-missing-await
    int rc = await finish();

    aw_cancel(t);
    return rc;
}

async int cast_away(int id)
{
    aw_task *t = spawn(work(id)); // EXPECT: awaitc-missing-await

    (void)t;
    return await finish();
}

async int only_the_last(int n)
{
    aw_task *t = NULL;

    for (int i = 0; i < n; i++)
        t = spawn(fetch(i)); // EXPECT: awaitc-missing-await
    return await aw_join(t, NULL);
}

async int overwritten(int id)
{
    aw_task *t;
    int x = 0;

    t = spawn(fetch(id)); // EXPECT: awaitc-missing-await
    t = spawn(fetch(id + 1));
    return await aw_join(t, &x);
}

async int array_forgotten(void)
{
    aw_task *tasks[4];

    for (int i = 0; i < 4; i++)
        tasks[i] = spawn(fetch(i)); // EXPECT: awaitc-missing-await
    return await finish();
}
