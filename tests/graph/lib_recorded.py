# SPDX-License-Identifier: MIT
"""A program with loops, switches, clean-ups, scopes and cancels, and what it records."""
import os
import subprocess

from lib_graph import AWAITC, INCLUDE, STAGE, finish, problem

SOURCE = r"""
#include <awaitc.h>

static async int pause_for(int rounds)
{
    for (int i = 0; i < rounds; i++)
        await aw_yield();
    return rounds;
}

static async int steps(int op)
{
    int held = 1, sum = 0;
    defer { held--; }
    for (int i = 0; i < 6; i++) {
        switch (op + i) {
        case 0:
            sum += await pause_for(0);
            break;
        case 1:
            sum += await pause_for(2);
            continue;
        case 2:
            await aw_yield();
            break;
        default:
            if (i > 3)
                return sum;
            await aw_yield();
        }
        sum += await pause_for(i);
    }
    return sum;
}

static async int children(void)
{
    aw_scope scope;
    aw_scope_init(&scope, 0);
    (void)await aw_scope_spawn(&scope, steps(0));
    await aw_yield();
    return await pause_for(3);
}

async int main(void)
{
    int a = await steps(0);
    aw_task *late = spawn(steps(1));
    await aw_yield();
    aw_cancel(late);
    (void)await aw_join(late, 0);
    aw_task *two = spawn(children());
    await aw_yield();
    aw_cancel(two);
    (void)await aw_join(two, 0);
    a += await children();
    return a < 0;
}
"""


def record(folder):
    """Writes steps.c and steps.jsonl there; the lines of the run."""
    with open(os.path.join(folder, "steps.c"), "w", encoding="utf-8") as file:
        file.write(SOURCE)
    built = subprocess.run([AWAITC, "cc", "gcc", "-DAW_TRACE", "-D_GNU_SOURCE", "-I" + INCLUDE, "steps.c", "-o", "steps",
                            "-L" + os.path.join(STAGE, "lib"), "-lawaitc", "-lpthread"], cwd=folder, capture_output=True)
    if built.returncode != 0:
        problem("does not build: " + built.stderr.decode()[:600])
        finish("nothing recorded")
    trace = os.path.join(folder, "steps.jsonl")
    ran = subprocess.run([os.path.join(folder, "steps")], env=dict(os.environ, AWAITC_TRACE=trace))
    if ran.returncode != 0:
        problem(f"status {ran.returncode}")
    with open(trace, encoding="utf-8") as file:
        return file.readlines()
