#include <awaitc.h>

struct db;
async int db_exec(struct db *db, const char *sql);

static async int db_run(struct db *db, const char *sql)
{
    int rc = await db_exec(db, sql); // EXPECT: awaitc-needless-await
    return rc;
}

async int db_do(struct db *db, const char *sql)
{
    int rc;
    rc = await db_exec(db, sql); // EXPECT: awaitc-needless-await
    return rc;
}

async int db_setup(struct db *db)
{
    int rc = await db_run(db, "create table t(a)");
    return rc < 0 ? rc : await db_do(db, "create index i on t(a)");
}
