#include <assert.h>
#include <awaitc.h>
#include <stdio.h>

async int check_name(const char *name);
async int reserve(const char *name);
async int fetch(int id);
async int deliver(int id);

/* An error check between. */
async int checked(const char *name)
{
    int rc = await check_name(name);

    if (rc < 0)
        return rc;
    return await reserve(name);
}

async int checked_in_place(const char *a, const char *b)
{
    if (await check_name(a) < 0)
        return -1;
    if (await check_name(b) < 0)
        return -1;
    return 0;
}

async int checked_by_or(const char *a, const char *b)
{
    if (await check_name(a) < 0 || await check_name(b) < 0)
        return -1;
    return 0;
}

async int checked_by_and(const char *a, const char *b)
{
    return await check_name(a) >= 0 && await reserve(b) >= 0;
}

async int conditional(const char *a, const char *b)
{
    int rc = await check_name(a);

    return rc < 0 ? rc : await reserve(b);
}

async int with_goto(const char *a, const char *b)
{
    int rc = await check_name(a);

    if (rc != 0)
        goto out;
    rc = await reserve(b);
out:
    return rc;
}

async int asserted(int a, int b)
{
    int x = await fetch(a);

    assert(x > 0);
    int y = await fetch(b);
    return x + y;
}

/* One of two. */
async int either(int id, int fast)
{
    if (fast)
        return await fetch(id);
    return await deliver(id);
}

async int by_kind(int id, int kind)
{
    int rc = 0;

    switch (kind) {
    case 0:
        rc = await fetch(id);
        break;
    case 1:
        rc = await deliver(id);
        break;
    }
    return rc;
}

/* Maybe, and then for sure. */
async int maybe(int id, int other, int refresh)
{
    int old = 0;

    if (refresh)
        old = await fetch(id);
    return old + await deliver(other);
}

/* The answer is reported before the next question is asked. */
async int reported(int a, int b)
{
    int x = await fetch(a);

    if (x < 0)
        fprintf(stderr, "no %d\n", a);
    int y = await fetch(b);
    return x + y;
}

/* A loop is left by what came. */
async int until_found(int from)
{
    for (;;) {
        int x = await fetch(from++);

        if (x > 0)
            break;
    }
    return await deliver(from);
}
