#include <awaitc.h>
#include <stdbool.h>
#include <stddef.h>

struct server {
    char host[64];
    uint16_t port;
};
struct db;
async int try_connect(const char *host, uint16_t port);
async bool has_key(int shard, const char *key);
async const char *lookup(int table, const char *key);
async int attempt(int job);

/* The first that answers. */
async int first_server(const struct server *s, int n)
{
    for (int i = 0; i < n; i++) {
        int fd = await aw_tcp_connect(s[i].host, s[i].port);

        if (fd >= 0)
            return fd;
    }
    return -1;
}

async int first_that_works(const struct server *s, int n)
{
    int rc = -1;

    for (int i = 0; i < n; i++) {
        rc = await try_connect(s[i].host, s[i].port);
        if (rc == 0)
            break;
    }
    return rc;
}

async int until_success(const struct server *s, int n)
{
    int rc = -1;

    for (int i = 0; i < n && rc != 0; i++)
        rc = await try_connect(s[i].host, s[i].port);
    return rc;
}

/* A search. */
async int find_shard(const char *key, int n)
{
    for (int i = 0; i < n; i++) {
        if (await has_key(i, key))
            return i;
    }
    return -1;
}

async const char *find_value(const char *key, int n)
{
    for (int i = 0; i < n; i++) {
        const char *v = await lookup(i, key);

        if (v != NULL)
            return v;
    }
    return NULL;
}

async bool anywhere(const char *key, int n)
{
    bool found = false;

    for (int i = 0; !found && i < n; i++)
        found = await has_key(i, key);
    return found;
}

async int found_in(const char *key, int n)
{
    int where = -1;

    for (int i = 0; i < n; i++) {
        if (await has_key(i, key)) {
            where = i;
            break;
        }
    }
    return where;
}

async int goto_found(const char *key, int n)
{
    int i;

    for (i = 0; i < n; i++) {
        if (await has_key(i, key))
            goto found;
    }
    return -1;
found:
    return i;
}

/* Retries: nothing of the round's own. */
async int retry(const struct server *s)
{
    int rc = -1;

    for (int tries = 0; tries < 5; tries++) {
        rc = await try_connect(s->host, s->port);
        if (rc == 0)
            return 0;
    }
    return rc;
}

async int insist(int job, int tries)
{
    while (tries-- > 0) {
        if (await attempt(job) == 0)
            return 0;
    }
    return -1;
}

async int backoff(const struct server *s)
{
    for (unsigned i = 0; i < 6; i++) {
        int rc = await try_connect(s->host, s->port);

        if (rc == 0)
            return 0;
        await aw_sleep_ms(100u << i);
    }
    return -1;
}

/* Somebody else may stop it. */
struct worker {
    int stop, done;
};
async int run_jobs(struct worker *w, const int *jobs, int n)
{
    int failed = 0;

    for (int i = 0; i < n && !w->stop; i++)
        failed += await attempt(jobs[i]) != 0;
    return failed;
}

async int run_until_told(const struct worker *w, const int *jobs, int n)
{
    int failed = 0;

    for (int i = 0; i < n; i++) {
        if (w->stop)
            break;
        failed += await attempt(jobs[i]) != 0;
    }
    return failed;
}
