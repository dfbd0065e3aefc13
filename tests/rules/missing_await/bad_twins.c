#define AWAITC_NO_KEYWORDS
#include <awaitc.h>
aw_async int fetch(int id);
aw_async int other(int id);
aw_async int two(int id)
{
    int a = aw_await fetch(id);
    int b = aw_await other(id); // EXPECT: awaitc-sequential-await
    other(1); // EXPECT: awaitc-missing-await
    aw_await fetch(a + b); // EXPECT: awaitc-unchecked-result
    return a + b;
}
aw_async int none(int id) // EXPECT: awaitc-needless-async
{
    return id;
}
