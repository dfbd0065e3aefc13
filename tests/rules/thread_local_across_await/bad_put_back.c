/* A value that is saved in front of an await, and put back behind it. */
#include <awaitc.h>

static __thread int level;

async void log_put(int level_of, const char *text);

async void enter(const char *what)
{
    int saved = level;

    level = saved + 1;
    await log_put(level, what);
    level = saved; // EXPECT: awaitc-thread-local-across-await
}
