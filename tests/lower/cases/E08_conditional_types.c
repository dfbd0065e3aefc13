/* SPDX-License-Identifier: MIT */
/* E8, E39: await in any part of ?:; the result has C's composite type. */
#include "leaf.h"

static const char *kind_of(int is_char)
{
    return is_char ? "char" : "other";
}

static async void say_void(int v)
{
    await t_tick();
    say("void %d", v);
}

async int test_main(void)
{
    int c = 1;
    say("%d", await t_ev(c) ? 10 : 20);
    say("%d", c ? await t_ev(1) : await t_ev(2));
    say("%d", !c ? await t_ev(1) : p_ev(3));
    say("%d", await t_ev(0) ? await t_ev(1) : await t_ev(0) ? await t_ev(2) : await t_ev(3));
    /* usual arithmetic conversions */
    say("%d", (c ? await t_int(-1) : 0u) > 0);
    say("%zu %zu", sizeof(c ? await t_i8(1) : (short)1), sizeof(c ? await t_int(1) : 1ll));
    say("%d", (c ? (signed char)await t_int(-1) : (unsigned short)1) < 0);
    say("%.2f", c ? await t_int(3) : 0.5);
    say("%.2f", (c ? await t_int(7) : 0.5) / 2);
    say("%llu", (unsigned long long)(c ? await t_i32(-1) : 0ull));
    /* null pointer constants and void pointers */
    const char *text = "text";
    char *mutable_text = (char *)"mutable";
    const char *s = await t_ev(1) ? text : NULL;
    say("%s", s);
    say("%s", kind_of(sizeof *(await t_ev(0) ? mutable_text : (void *)0) == 1));
    say("%s", kind_of(_Generic((await t_ev(1) ? mutable_text : 0), char *: 1, default: 0)));
    say("%c", *(await t_int(0) ? NULL : text));
    say("%d", _Generic((await t_int(1) ? (void *)mutable_text : mutable_text), void *: 1, default: 0));
    say("%d", _Generic((await t_int(1) ? text : mutable_text), const char *: 1, default: 0));
    /* struct and void arms */
    t_pair p = await t_ev(1) ? await t_mkpair(1, 2) : (t_pair){3, 4};
    t_pair q = (await t_ev(0) ? p : await t_pass((t_pair){5, 6}));
    say("%d %d %d %d", p.a, p.b, q.a, q.b);
    await t_ev(1) ? await say_void(1) : await say_void(2);
    c ? (void)await t_ev(8) : (void)0;
    /* nested, as argument and operand */
    say("%d", (c ? await t_ev(2) : 0) + (c ? 0 : await t_ev(3)) * 2 + (await t_ev(c) ? c : -c));
    int (*array)[2] = &(int[2]){7, 8};
    say("%d", (c ? *array : (int *)await t_ptr(NULL))[1]);
    async int (*f)(int) = c ? t_ev : t_int;
    say("%d", await (await t_ev(0) ? t_int : f)(4));
    return 0;
}
