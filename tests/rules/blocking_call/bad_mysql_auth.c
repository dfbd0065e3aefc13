/* SPDX-License-Identifier: MIT */
/* An authenticator in a table of functions asks a database. */
#include "../loops.h"
#include <string.h>
typedef struct st_mysql MYSQL;
int mysql_query(MYSQL *m, const char *q);

struct auth_ops {
    const char *name;
    int (*check)(void *arg, const char *user);
};
struct session {
    const struct auth_ops *auth;
    void *arg;
    char user[32];
};

static int file_check(void *arg, const char *user)
{
    return strcmp(arg, user);
}

static int sql_check(void *arg, const char *user)
{
    (void)user;
    return mysql_query(arg, "select 1"); /* LEAF */
}

static const struct auth_ops backends[] = {
    {"file", file_check},
    {.name = "sql", .check = sql_check},
};

static void on_login(struct bufferevent *bev, void *arg)
{
    struct session *s = arg;

    (void)bev;
    s->auth->check(s->arg, s->user); // EXPECT: awaitc-blocking-call
}

void session_start(struct session *s, struct bufferevent *bev, int use_sql)
{
    s->auth = &backends[use_sql];
    bufferevent_setcb(bev, on_login, NULL, NULL, s);
}
