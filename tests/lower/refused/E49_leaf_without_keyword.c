/* SPDX-License-Identifier: MIT */
/* E49: a file without any keyword that calls a leaf of the runtime as if it were plain. */
#include <awaitc.h>

void nap(void)
{
    aw_sleep_ms(5); // expect-error: awaitc-async-from-sync
}

int wait_for(aw_task *t)
{
    return aw_join(t, 0); // expect-error: awaitc-async-from-sync
}
