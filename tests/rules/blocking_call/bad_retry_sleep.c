/* SPDX-License-Identifier: MIT */
/* A retry loop with a pause, three calls down. */
#include "../loops.h"
#include <time.h>
#include <unistd.h>
struct led {
    int fd;
    char state;
};

static void pause_ms(int ms)
{
    struct timespec ts = {ms / 1000, (ms % 1000) * 1000000L};
    nanosleep(&ts, NULL); /* LEAF */
}

static int led_write(struct led *l)
{
    for (int i = 0; i < 3; i++) {
        if (pwrite(l->fd, &l->state, 1, 0) == 1)
            return 0;
        pause_ms(20 << i);
    }
    return -1;
}

static gboolean blink(gpointer data)
{
    struct led *l = data;

    l->state ^= 1;
    return led_write(l) == 0; // EXPECT: awaitc-blocking-call
}

void led_start(struct led *l)
{
    g_timeout_add(500, blink, l);
}
