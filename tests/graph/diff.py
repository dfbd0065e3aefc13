# SPDX-License-Identifier: MIT
"""Does --diff see what changed, and nothing else? Does --fail-on-growth fail when it must?"""
import json
import os
import tempfile

from lib_graph import finish, flags, problem, run

OLD = """#include <awaitc.h>
static async int leaf(int fd) { char c[8]; return (int)await aw_read(fd, c, sizeof c); }
async int gone(void) { await aw_yield(); return 0; }
async int top(int fd)
{
    int a = await leaf(fd);
    await aw_yield();
    int b = await leaf(fd + 1);
    return a + b;
}
"""
NEW = """#include <awaitc.h>
/* moved down */
static async int leaf(int fd) { char c[4000]; return (int)await aw_read(fd, c, sizeof c); }
async int fresh(void) { await aw_yield(); return 0; }
async int top(int fd)
{
    await aw_sleep_ms(1);
    int a = await leaf(fd);
    int b = await leaf(fd + 1);
    return a + b;
}
"""
folder = tempfile.TemporaryDirectory().name
os.makedirs(folder)


def write(text):
    with open(os.path.join(folder, "x.c"), "w", encoding="utf-8") as f:
        f.write(text)


write(OLD)
run("x.c", "--format=json", "-o", "old.json", *flags(), cwd=folder)
same = json.loads(run("x.c", "--format=json", "--diff=old.json", "--fail-on-growth=0%", *flags(), cwd=folder).stdout)
changes = [f["name"] for f in same["functions"] if "change" in f]
changes += [n["title"] for f in same["functions"] for n in f["nodes"] if "change" in n]
if changes or same["removed"]:
    problem(f"no change was made, but: {changes} {same['removed']}")

write(NEW)
done = run("x.c", "--format=json", "--diff=old.json", "--fail-on-growth=10%", *flags(), cwd=folder, check=False)
if done.returncode != 1 or b"x.c:3: error: the frame of 'leaf' grew from 24 to 4016 bytes" not in done.stderr:
    problem(f"growth: status {done.returncode}: {done.stderr.decode()}")
now = json.loads(done.stdout)
functions = {f["name"]: f for f in now["functions"]}
if functions["leaf"].get("change") != "grown" or functions["leaf"]["frame"].get("old_bytes") != 24:
    problem(f"leaf: {functions['leaf'].get('change')}")
if functions["fresh"].get("change") != "added" or now["removed"] != ["gone"]:
    problem(f"functions: {functions['fresh'].get('change')}, {now['removed']}")
marks = sorted((n["title"], n["change"]) for n in functions["top"]["nodes"] if "change" in n)
if marks != [("SLEEP_MS", "added"), ("YIELD", "removed")]:
    problem(f"states of top: {marks}")
for kind in ("svg", "html", "mermaid", "text", "dot"):
    text = run("x.c", f"--format={kind}", "--diff=old.json", *flags(), cwd=folder).stdout.decode()
    if kind != "text" and ("added" not in text or "removed" not in text):
        problem(f"{kind} does not mark changes")
if run("x.c", "--diff=old.json", "--fail-on-growth=100000%", *flags(), cwd=folder, check=False).returncode != 0:
    problem("growth below the limit fails")
finish("diff")
