/* SPDX-License-Identifier: MIT */
/* mosquitto_connect_async looks the name up before it returns. */
#include "../loops.h"
struct mosquitto;
int mosquitto_connect_async(struct mosquitto *m, const char *host, int port, int keep);

struct bridge {
    struct mosquitto *m;
    char host[256];
    int port;
};

static int bridge_connect(struct bridge *b)
{
    if (!b->host[0])
        return -1;
    return mosquitto_connect_async(b->m, b->host, b->port, 60); /* LEAF */
}

static gboolean bridge_tick(gpointer data)
{
    struct bridge *b = data;

    bridge_connect(b); // EXPECT: awaitc-blocking-call
    return TRUE;
}

void bridge_start(struct bridge *b)
{
    g_timeout_add_seconds(5, bridge_tick, b);
}
