#define AWAITC_NO_KEYWORDS
#include <awaitc.h>
aw_async int fetch(int id);
aw_async int other(int id);
aw_async int ok(int id)
{
    int a = aw_await fetch(id);
    if (a < 0)
        return a;
    return aw_await other(a);
}
