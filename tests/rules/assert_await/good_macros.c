#include <assert.h>
#include <awaitc.h>

async int fetch(int id);
async int save(int id);

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define TRY(x)                                                                                     \
    do {                                                                                           \
        int rc_ = (x);                                                                             \
        if (rc_ < 0)                                                                               \
            return rc_;                                                                            \
    } while (0)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ID(x) x
#define CAST(type, x) ((type)(x))
#define PASS(x) ID(x)

async int asserted(int id)
{
    int rc = await save(id);

    assert(rc == 0);
    return rc;
}
async int tried(int id)
{
    TRY(await save(id));
    return 0;
}
async int once(int id)
{
    if (UNLIKELY(await save(id) < 0))
        return -1;
    return ID(await fetch(id)) + 1;
}
async long cast(int id)
{
    return CAST(long, await fetch(id));
}
async int passed_on(int id)
{
    return 1 + PASS(await fetch(id));
}
async int largest(int id)
{
    int x = await fetch(id);

    return MAX(x, 3);
}
async int forms(int id)
{
    int a, b;

    await aw_all(a = fetch(id), b = fetch(id + 1));
    return a + b;
}
async int not_a_macro(int id)
{
    assert(id > 0);
    return await fetch(id) + 1;
}
