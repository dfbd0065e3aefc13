/* SPDX-License-Identifier: MIT */
/* E49: await and forms outside functions, from macros, too. */
#include "leaf.h"

#define AWAITED await t_int(3)
#define GLOBAL(name) int name = await t_int(1)

GLOBAL(from_macro); // expect-error: awaitc-async-from-sync
int size = sizeof(await t_int(3)); // expect-error: awaitc-async-from-sync
int list[] = {1, AWAITED}; // expect-error: awaitc-async-from-sync
async int prototype(int n, int v[await t_int(2)]); // expect-error: awaitc-async-from-sync
int plain_prototype(int v[AWAITED]); // expect-error: awaitc-async-from-sync
enum { VALUE = await t_int(1) }; // expect-error: awaitc-async-from-sync
_Static_assert(await t_int(1), ""); // expect-error: awaitc-async-from-sync
aw_task *task = spawn(t_int(1)); // expect-error: awaitc-async-from-sync
struct names {
    int await, spawn, defer; /* names of the user's own: fine where nothing is lowered */
    int (*async_one)(int);
};

async int test_main(void)
{
    return 0;
}
