#include <awaitc.h>
#include <stdbool.h>
#include <stddef.h>

struct pg; struct row { int id; char name[32]; struct row *next; };
struct cursor { long offset; bool done; };
async int pg_query(struct pg *db, const char *sql);
async int pg_exec(struct pg *db, const char *sql, int arg);
async struct row *pg_fetch(struct pg *db);
async int pg_fetch_batch(struct pg *db, struct cursor *c, struct row *out, int max);
async int pg_connect(const char *uri, struct pg **out);
async int move_money(struct pg *db, int from, int to, int cents);
int emit(const struct row *r);

async int transfer(struct pg *db, int a, int b)
{
    int rc = await pg_query(db, "begin");
    if (rc == 0)
        rc = await pg_exec(db, "update acc set x = x - 1 where id = $1", a);
    if (rc == 0)
        rc = await pg_exec(db, "update acc set x = x + 1 where id = $1", b);
    if (rc == 0)
        rc = await pg_query(db, "commit");
    else
        (void)await pg_query(db, "rollback");
    return rc;
}
async int dump(struct pg *db)
{
    struct row *r;
    int n = 0;
    while ((r = await pg_fetch(db)) != NULL) {
        emit(r);
        n++;
    }
    return n;
}
async long dump_batches(struct pg *db)
{
    struct row rows[64];
    struct cursor c = {0, false};
    long total = 0;
    while (!c.done) {
        int n = await pg_fetch_batch(db, &c, rows, 64);
        if (n < 0)
            return n;
        for (int i = 0; i < n; i++)
            emit(&rows[i]);
        total += n;
    }
    return total;
}
async int delete_all(struct pg *db, const int *ids, int n)
{
    for (int i = 0; i < n; i++) {
        int rc = await pg_exec(db, "delete from t where id = $1", ids[i]);
        if (rc < 0)
            return rc;
    }
    return 0;
}
async int connect_retry(const char *uri, struct pg **out)
{
    unsigned delay = 10;
    int rc;
    while ((rc = await pg_connect(uri, out)) != 0 && delay < 5000) {
        await aw_sleep_ms(delay);
        delay *= 2;
    }
    return rc;
}
/* saga: undo what was done */
async int reserve(int item);
async int unreserve(int item);
async int reserve_all(const int *items, int n)
{
    int done = 0, rc = 0;
    for (; done < n; done++) {
        rc = await reserve(items[done]);
        if (rc < 0)
            break;
    }
    if (rc < 0) {
        while (done-- > 0) {
            (void)await unreserve(items[done]);
            await aw_yield();
        }
    }
    return rc;
}
