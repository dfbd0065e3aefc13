#include <assert.h>
#include <awaitc.h>

async int fetch(int id);
async int save(int id);

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SQUARE(x) ((x) * (x))
#define IGNORE(x) ((void)sizeof(x))

#ifdef NDEBUG
#define CHECK(x) ((void)0)
#else
#define CHECK(x)                                                                                   \
    do {                                                                                           \
        if (!(x))                                                                                  \
            __builtin_trap();                                                                      \
    } while (0)
#endif

async int asserted(int id)
{
    assert(await save(id) == 0); // EXPECT: awaitc-assert-await
    return 0;
}

async int by_own_macro(int id)
{
    CHECK(await save(id) == 0); // EXPECT: awaitc-assert-await
    return 0;
}

async int repeated(int id)
{
    int x = MAX(await fetch(id), 3); // EXPECT: awaitc-assert-await

    return x;
}

async int squared(int id)
{
    return SQUARE(await fetch(id)); // EXPECT: awaitc-assert-await
}

async int dropped(int id)
{
    IGNORE(await fetch(id)); // EXPECT: awaitc-assert-await
    return 0;
}

async int over_lines(int id)
{
    assert(id > 0 && // EXPECT: awaitc-assert-await
           await save(id) == 0);
    return 0;
}
