/* SPDX-License-Identifier: MIT */
/* S12: label addresses in static and automatic tables, kept across awaits. */
#include "leaf.h"

static async int interpret(const char *code)
{
    static const void *const table[] = {&&op_add, &&op_double, &&op_emit, &&op_end};
    int acc = 0;
    const void *next = table[*code++ - '0'];
    goto *next;
op_add:
    acc += await t_ev(3);
    next = table[*code++ - '0'];
    await t_tick();
    goto *next;
op_double:
    acc *= await t_ev(2);
    goto *table[*code++ - '0'];
op_emit:
    say("emit %d", acc);
    goto *table[await t_int(*code++ - '0')];
op_end:
    return acc;
}

static async int local_table(int i)
{
    void *table[2] = {&&zero, &&one};
    void **p = &table[i];
    await t_tick();
    goto **p;
zero:
    return await t_ev(100);
one:
    table[1] = table[0];
    await t_tick();
    goto *table[1];
}

static async int differences(int i)
{
    static const int offset[] = {&&a - &&a, &&b - &&a};
    int r = 0;
    goto *(&&a + offset[i]);
a:
    r += await t_ev(1);
b:
    r += await t_ev(2);
    return r;
}

async int test_main(void)
{
    say("%d", await interpret("0120123"));
    say("%d %d", await local_table(0), await local_table(1));
    say("%d %d", await differences(0), await differences(1));
    return 0;
}
