#include <awaitc.h>

async int g(int x);
int plain(int x);

#ifdef DEBUG
#define CHECK(c) do { if (!(c)) fail(#c); } while (0)
#else
#define CHECK(c) ((void)0)
#endif
#define VERIFY(c) do { if (!(c)) fail(#c); } while (0)
#define SQUARE(x) ((x) * (x))
#define ONCE(x) ({ __typeof__(x) once_ = (x); once_ + sizeof(x); })
#define THROUGH(x) VERIFY(SQUARE(x) > 2)
#define KEPT(x) VERIFY((x) > 2)
#define TEXT(x) puts(#x)
#define LOG(format, ...) printf(format, __VA_ARGS__)
#define QUIET(...) ((void)0)
#define KIND(x) _Generic((x), int: plain, default: plain)(x)

async int f(int x)
{
    assert(await g(x) == 3); /* EXPECT: awaitc-assert-await */
    assert(x == 3);
    CHECK(await g(x)); /* EXPECT: awaitc-assert-await */
    VERIFY(await g(x));
    x = SQUARE(await g(x)); /* EXPECT: awaitc-assert-await */
    x = ONCE(await g(x));
    THROUGH(aw_await g(x)); /* EXPECT: awaitc-assert-await */
    KEPT(await g(x));
    TEXT(await g(x)); /* EXPECT: awaitc-assert-await */
    LOG("%d %d", x, await g(x));
    QUIET("%d", await g(x)); /* EXPECT: awaitc-assert-await */
    x = KIND(await g(x));
    x = MAX(await g(x), 1); /* EXPECT: awaitc-assert-await */
    x = plain(await g(x));
    int ok = await g(x) == 3;
    assert(ok);
    /* assert(await g(x)); */
    puts("assert(await g(x))");
    await aw_all(ok = g(1), x = g(2));
    assert(plain(await g(x))); /* EXPECT: awaitc-assert-await */
    return await g(assert_all(x));
}
