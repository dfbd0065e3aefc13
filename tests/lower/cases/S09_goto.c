/* SPDX-License-Identifier: MIT */
/*
 * S9, S10, S14, S15: jumps forward, backward, out of scopes, into blocks and loop bodies; labels
 * before declarations and at a block's end.
 */
#include "leaf.h"

/* A continue leaves the scope that a goto, never taken, enters past the declaration. */
static async int into_scope_again(int turns)
{
    int d = 0;
    while (turns-- > 0) {
        if (await t_int(d) < 0)
            goto inside;
        for (int i = 0; i < 2; i++) {
            await t_ev(i);
            int h = turns - i;
            if (await t_ev(h) > 1)
            inside:
                if (h > 2)
                    continue;
            d += h;
        }
    }
    return d;
}

static async int jumps(int how)
{
    int n = 0, sum = 0;
    if (how == 1)
        goto in_block;
    if (how == 2)
        goto in_loop;
    if (how == 3)
        goto end;
again:
    n += await t_ev(1);
    if (n < 3)
        goto again;
    {
        int a = await t_ev(5);
        sum += a;
    in_block:
        a = await t_ev(6);
        sum += a;
        {
            HOLD(1);
            if (await t_ev(sum) > 10)
                goto out;
            sum++;
        }
    }
out:
    for (int i = 0; i < 3; i++) {
        sum += await t_ev(i);
    in_loop:
        if (how == 2) {
            i = 2;
            how = 0;
        }
        sum += await t_ev(20);
        for (;;) {
            HOLD(2);
            for (;;) {
                HOLD(3);
                if (await t_int(i) == 1)
                    goto next;
                if (i == 2)
                    goto end;
                break;
            }
            break;
        }
    next:;
    }
    {
        goto last;
        say("never");
    last:;
    }
end:
    return sum;
}

static async int machine(const char *input)
{
    int count = 0;
start:
    switch (*input++) {
    case 'a':
        goto a;
    case 0:
        goto end;
    default:
        goto start;
    }
a:
    count += await t_ev(1);
    if (*input == 'b') {
        input++;
        goto b;
    }
    goto start;
b:
    await t_tick();
    count *= 2;
    goto a_or_start;
a_or_start:
    if (await t_int(*input) == 'a') {
        input++;
        goto a;
    }
    goto start;
unused: __attribute__((unused));
    say("never");
end:
    return count;
}

async int test_main(void)
{
    for (int how = 0; how < 4; how++)
        say("= %d", await jumps(how));
    say("= %d", await machine("xabaabab"));
    say("= %d", await into_scope_again(4));
    return 0;
}
