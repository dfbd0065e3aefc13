/* SPDX-License-Identifier: MIT */
/* A library's loop that is turned by hand, once a round, and the program's own part beside it. */
#include "../loops.h"

#include <unistd.h>

static int stop;

static int commands_run(void)
{
    sleep(1); // EXPECT: awaitc-blocking-call
    return stop;
}

static void server_loop(struct event_base *b, int (*each)(void))
{
    do {
        event_base_loop(b, EVLOOP_ONCE);
        if (each != NULL && each())
            return;
    } while (!stop);
}

int main(void)
{
    server_loop(event_base_new(), commands_run);
    return 0;
}
