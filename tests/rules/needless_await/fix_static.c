/* SPDX-License-Identifier: MIT */
/* A static wrapper goes; its callers, in every kind of place, call what it called. */
#include <awaitc.h>

struct db;
async int db_exec(struct db *db, const char *sql);
async int db_step(struct db *db);

/*
 * Runs a statement.
 */
static async int run_sql(struct db *db, const char *sql)
{
    return await db_exec(db, sql); // EXPECT: awaitc-needless-await
}

/* Its name is written in this comment, too: named_twice. */
static async int named_twice(struct db *db)
{
    return await db_step(db); // EXPECT: awaitc-needless-await
}

static async int hidden(struct db *db)
{
    return await db_step(db); // EXPECT: awaitc-needless-await
}

async int setup(struct db *db, int fast)
{
    int rc = await run_sql(db, "create table t(a)");
    if (fast)
        return rc;
    while (rc == 0 && await named_twice(db) > 0)
        rc = (await run_sql(db, "insert"));
    return rc < 0 ? rc : await run_sql(db, "create index i on t(a)");
}

async int shadows(struct db *db, int db_step)
{
    return db_step < 0 ? db_step : await hidden(db);
}

static int steps; /* of all statements */
static async int step(struct db *db)
{
    return await db_step(db); // EXPECT: awaitc-needless-await
}

async int twice(struct db *db)
{
    steps += 2;
    return await step(db) < 0 ? -steps : await step(db);
}
