/* SPDX-License-Identifier: MIT */
/* A synchronous call from a signal handler of the bus: its reply waits behind this very handler. */
#include "../loops.h"
struct unit {
    sd_bus *bus;
    sd_bus_message *query;
};

static int refresh(struct unit *u)
{
    sd_bus_error e = {0};
    return sd_bus_call(u->bus, u->query, 0, &e, NULL); /* LEAF */
}

static int on_changed(sd_bus_message *m, void *arg, sd_bus_error *e)
{
    (void)m;
    (void)e;
    return refresh(arg); // EXPECT: awaitc-blocking-call
}

int unit_watch(struct unit *u)
{
    return sd_bus_match_signal(u->bus, NULL, NULL, "/org/x", "org.x", "Changed", on_changed, u);
}
