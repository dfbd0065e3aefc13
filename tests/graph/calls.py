# SPDX-License-Identifier: MIT
"""The await graph: are awaits one by one and those of a group told apart, and is the deep size what the
lowering sets aside, where all callees are known?"""
import json
import tempfile

from lib_graph import finish, flags, problem, run

SOURCE = """#include <awaitc.h>
static async int ask(int question)
{
    await aw_sleep_ms(5);
    return question * 2;
}
async int twice_and_both(void)
{
    int a = await ask(1);
    a += await ask(2);
    int b = 0, c = 0;
    await aw_all(b = ask(a), c = ask(4));
    return a + b + c;
}
"""

with tempfile.TemporaryDirectory() as folder:
    with open(folder + "/calls.c", "w", encoding="utf-8") as f:
        f.write(SOURCE)
    graph = json.loads(run("calls.c", "--format=json", *flags(), cwd=folder).stdout)
    nodes = {n["id"]: n for n in graph["calls"]["nodes"]}
    edges = sorted((e["form"], e["count"]) for e in graph["calls"]["edges"]
                   if nodes[e["to"]]["name"] == "ask")
    if edges != [("", 2), ("aw_all", 2)]:
        problem(f"awaits of ask: {edges}")
    for function in graph["functions"]:
        node = next(n for n in nodes.values() if n["name"] == function["name"])
        frame = function["frame"]
        expected = max(frame["need_bytes"], frame["bytes"])
        if node["deep_bytes"] != expected:
            problem(f"{function['name']}: deep {node['deep_bytes']}, set aside {expected}")
finish(f"{len(nodes)} nodes")
