# SPDX-License-Identifier: MIT
"""What the tests of `awaitc graph` share: running it, the sources to run it on, reporting."""
import glob
import json
import os
import subprocess
import sys

AWAITC = os.environ["AWAITC"]
STAGE = os.environ["AWAITC_STAGE"]
ROOT = os.environ["AWAITC_SOURCE"]
INCLUDE = os.path.join(STAGE, "include")
problems = []


def problem(text):
    problems.append(text)
    print("FAIL " + text)


def finish(what):
    """Ends the test; `what` says how much was looked at."""
    print(f"{what}, {len(problems)} problem(s)")
    sys.exit(1 if problems else 0)


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def flags(*more):
    return ["--", "-I" + INCLUDE, "-D_GNU_SOURCE", *more]


def run(*args, cwd=None, env=None, check=True):
    """`awaitc graph ARGS`; the finished process with bytes."""
    environment = dict(os.environ, **(env or {}))
    done = subprocess.run([AWAITC, "graph", *args], cwd=cwd, env=environment, capture_output=True)
    if check and done.returncode != 0:
        problem(f"graph {' '.join(args)}: status {done.returncode}: {done.stderr.decode()[:400]}")
    return done


def graph_json(*files, cwd=None, more=()):
    done = run(*files, "--format=json", *flags(*more), cwd=cwd)
    return json.loads(done.stdout) if done.returncode == 0 else None


def samples():
    """(folder, [C files]) of each sample."""
    out = []
    for folder in sorted(glob.glob(os.path.join(ROOT, "samples", "*", ""))):
        files = sorted(os.path.basename(f) for f in glob.glob(folder + "*.c"))
        if files:
            out.append((folder.rstrip("/"), files))
    return out


def lower_cases():
    """The programs of tests/lower, without those for an older C."""
    found = sorted(glob.glob(os.path.join(ROOT, "tests", "lower", "cases", "*.c")))
    return [f for f in found if "P06_standards_c" not in f]


CASE_FLAGS = ("-I" + os.path.join(ROOT, "tests", "lower", "support"),)

# Names and texts that each format must quote in its own way.
HARD_NAMES = """
#include <awaitc.h>
#define WAITS_FOR(name, what) async int name##_waits(const char *text) { return (int)await aw_read(what, (void *)text, 1); }
WAITS_FOR(first, 3) WAITS_FOR(second, "<&>\\"'"[0] > 1 && 1)
static async int größe(int n) { if (n < 2 && n > -3 /* "<b>" & */) await aw_yield(); return n; }
async int quoted(int x)
{
    struct a { int b[3]; } *p = 0;
    for (int i = 0; i < 3 && p->b[i] >= '"'; i++) {
        if (await größe(x) != '>' || "a|b{c}[d];#e`f`*g*~"[x] == '\\\\')
            await first_waits("</script><b>&amp;\\n\\"");
    }
    return 0;
}
"""
