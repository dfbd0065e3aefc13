/* SPDX-License-Identifier: MIT */
/*
 * What does it bring to wait for several things at once? Three answers that take 200 ms each: asked
 * for one after the other they take 600 ms, asked for together 200 ms.
 */
#include <stdio.h>

#include <awaitc.h>

enum { STEP_MS = 200 };

/* Stands for a request to some other machine. */
static async int ask(int question)
{
    await aw_sleep_ms(STEP_MS);
    return question * question;
}

/* Milliseconds since `start_ns`, rounded to whole steps: small delays of the machine vanish. */
static unsigned rounded_ms(uint64_t start_ns)
{
    uint64_t step_ns = STEP_MS * UINT64_C(1000000);
    uint64_t steps = (aw_now() - start_ns + step_ns / 2) / step_ns;
    return (unsigned)steps * STEP_MS;
}

async int main(void)
{
    int a, b, c;

    uint64_t start = aw_now();
    a = await ask(1);
    b = await ask(2); // NOLINT(awaitc-sequential-await): this is what the second way is compared to
    c = await ask(3);
    printf("one after the other: %d %d %d in %u ms\n", a, b, c, rounded_ms(start));

    start = aw_now();
    await aw_all(a = ask(4), b = ask(5), c = ask(6));
    printf("all at once: %d %d %d in %u ms\n", a, b, c, rounded_ms(start));
    return 0;
}
