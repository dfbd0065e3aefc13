/* SPDX-License-Identifier: MIT */
/* A web hook called with the easy interface from an async handle's callback. */
#include "../loops.h"
typedef void CURL;
CURL *curl_easy_init(void);
int curl_easy_setopt(CURL *c, int opt, ...);
int curl_easy_perform(CURL *c);
void curl_easy_cleanup(CURL *c);
#define CURLOPT_URL 10002
#define CURLOPT_TIMEOUT_MS 155

static void hook_fire(const char *url)
{
    CURL *c = curl_easy_init();
    curl_easy_setopt(c, CURLOPT_URL, url);
    curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, 2000L);
    curl_easy_perform(c); /* LEAF */
    curl_easy_cleanup(c);
}

static void on_wakeup(uv_async_t *a)
{
    hook_fire(a->data); // EXPECT: awaitc-blocking-call
}

void hook_start(uv_loop_t *l, uv_async_t *a, char *url)
{
    a->data = url;
    uv_async_init(l, a, on_wakeup);
}
