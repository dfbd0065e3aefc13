/* SPDX-License-Identifier: MIT */
/* Nothing async here: passes through. */

int plain_sum(int a, int b);

int plain_sum(int a, int b)
{
    int async = a, await = b;
    return async + await;
}
