#include <awaitc.h>

struct db;
async long db_count(struct db *db, const char *sql);
async int db_exec(struct db *db, const char *sql);

/* What comes back is not what was awaited. */
async int db_run(struct db *db, const char *sql)
{
    int rc = await db_exec(db, sql);
    return rc > 0 ? 0 : rc;
}

async long db_narrow(struct db *db, const char *sql)
{
    short n = (short)await db_count(db, sql);
    return n;
}

async int db_last(struct db *db, const char *sql)
{
    static int last;
    last = await db_exec(db, sql);
    return last;
}
