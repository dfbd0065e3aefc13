/* SPDX-License-Identifier: MIT */
/* A database in memory. */
#include "../loops.h"
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
int sqlite3_open(const char *name, sqlite3 **db);
int sqlite3_exec(sqlite3 *db, const char *sql, void *cb, void *arg, char **err);
int sqlite3_step(sqlite3_stmt *s);
struct c {
    sqlite3 *db;
    sqlite3_stmt *get;
};

static gboolean tick(gpointer data)
{
    struct c *c = data;
    sqlite3_exec(c->db, "delete from t where old", NULL, NULL, NULL);
    return sqlite3_step(c->get) == 100;
}

int start(struct c *c)
{
    if (sqlite3_open(":memory:", &c->db))
        return -1;
    g_timeout_add(5, tick, c);
    return 0;
}
