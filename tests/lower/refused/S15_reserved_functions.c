/* SPDX-License-Identifier: MIT */
/* S15: functions with the names that a function's lowered text needs. */
#include "leaf.h"

int serve__poll(int v); // expect-error: awaitc-reserved-name
static int serve__frame(int v) // expect-error: awaitc-reserved-name
{
    return v;
}
int t_int__call(int v); // expect-error: awaitc-reserved-name
int serve__other(int v); /* nobody needs that one */

async int serve(int v)
{
    return serve__poll(await t_int(v)) + serve__frame(v) + serve__other(v) + t_int__call(v);
}

async int test_main(void)
{
    return await serve(1);
}
