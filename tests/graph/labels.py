# SPDX-License-Identifier: MIT
# ctest-timeout: 240
"""Is every label of every picture legible? Chromium draws each view of each sample, and the states of
cases of the lowering, which have more jumps than a sample. No text may lie over another one, over a
node, a line or a border, nor leave its box or the picture."""
import json
import os
import re
import tempfile

from lib_chromium import Browser
from lib_graph import CASE_FLAGS, HARD_NAMES, ROOT, finish, flags, lower_cases, problem, run, samples

VIEWS = ("--view=states", "--view=states --show=cancel", "--view=states --show=ready",
         "--view=states --show=cancel,ready,no-locals", "--view=frame", "--view=calls")
SMALLER = re.compile(r"\[(\d{4,})\]")  # a buffer's size: changed, frames are marked


RECURSION = """#include <awaitc.h>
static async int odd(int n);
static async int even(int n)
{
    if (n <= 0) { await aw_sleep_ms(2); return n; }
    int r = await odd(n - 1);
    return r + await odd(n - 2);
}
static async int odd(int n)
{
    int r = await even(n - 1), s = 0;
    await aw_race(r = even(n), s = odd(n));
    return r + s;
}
static async int walk(int n) { return n > 0 ? await walk(n - 1) + await walk(n - 2) : n; }
async int main(void) { int a, b; await aw_all(a = even(3), b = walk(2)); return a + b; }
"""


def measure(browser, svg, where):
    done = browser.run(f"measure({json.dumps(svg)})")
    for text in done["problems"]:
        problem(f"{where}: {text}")
    return done["texts"]


def pictures(folder, files, more=()):
    """(name, svg) of each view, alone and in the page."""
    for view in VIEWS:
        done = run(*files, *view.split(), *more, "--format=svg", *flags(), cwd=folder)
        yield view, done.stdout.decode()
    page = run(*files, *more, "--format=html", *flags(), cwd=folder).stdout.decode()
    style = page.split("<style>", 1)[1].split("</style>", 1)[0]
    style = "".join(line + "\n" for line in style.splitlines() if line.startswith(("svg", ":root")))
    for name, svg in re.findall(r"<template id=\"([^\"]*)\"[^>]*>(.*?)</template>", page, re.S):
        yield "page " + name, svg.replace("</svg>", f"<style>{style}</style></svg>")


def check(browser, folder, files, more=()):
    count = 0
    for name, svg in pictures(folder, files, more):
        where = f"{os.path.basename(folder)} {' '.join((*more, name))}"
        if measure(browser, svg, where) == 0:
            problem(f"{where}: no text")
        count += 1
    return count


def check_changes(browser, folder, files):
    """The sample as it is against itself with smaller buffers and without its first yield or sleep."""
    with tempfile.TemporaryDirectory() as other:
        for file in files:
            with open(os.path.join(folder, file), encoding="utf-8") as f:
                text = f.read()
            text = re.sub(r"await aw_(yield|sleep_ms)\([^;]*;", ";", text, count=1)
            with open(os.path.join(other, file), "w", encoding="utf-8") as f:
                f.write(SMALLER.sub("[128]", text))
        for header in (h for h in os.listdir(folder) if h.endswith(".h")):
            with open(os.path.join(folder, header), encoding="utf-8") as f, \
                    open(os.path.join(other, header), "w", encoding="utf-8") as g:
                g.write(f.read())
        old = os.path.join(other, "old.json")
        run(*files, "--format=json", "-o", old, *flags(), cwd=other)
        return check(browser, folder, files, (f"--diff={old}",))


count = 0
with Browser() as browser:
    browser.size(2000, 1500)
    with open(os.path.join(ROOT, "tests", "graph", "measure.js"), encoding="utf-8") as f:
        browser.run(f.read() + "; 0")
    for folder, files in samples():
        count += check(browser, folder, files)
        count += check_changes(browser, folder, files)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("recursion.c", RECURSION), ("hard.c", HARD_NAMES)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(text)
            count += check(browser, folder, [name])
    for case in lower_cases()[::8]:
        folder, file = os.path.split(case)
        done = run(file, "--show=cancel", "--format=svg", *flags(*CASE_FLAGS), cwd=folder, check=False)
        if done.returncode == 0 and done.stdout:
            measure(browser, done.stdout.decode(), file)
            count += 1
    for text in browser.trouble:
        problem(text)
finish(f"{count} pictures")
