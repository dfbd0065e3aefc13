/* SPDX-License-Identifier: MIT */
/* Removing a transfer joins its resolver thread. */
#include "../loops.h"
typedef void CURLM;
typedef void CURL;
int curl_multi_remove_handle(CURLM *m, CURL *e);
struct dl {
    CURLM *m;
    CURL *e;
};

static gboolean cancel_dl(gpointer p)
{
    struct dl *d = p;

    curl_multi_remove_handle(d->m, d->e); // EXPECT: awaitc-blocking-call
    return FALSE;
}

void dl_limit(struct dl *d)
{
    g_timeout_add(30000, cancel_dl, d);
}
