# SPDX-License-Identifier: MIT
"""Can runs.py fail? A program with loops, switches, clean-ups and cancels is recorded; its graph and its trace
are then falsified, one edge, node or line at a time, and each time lib_trace.py must notice."""
import copy
import json
import tempfile

from lib_graph import finish, graph_json, problem
from lib_recorded import record
from lib_trace import Checker

def must_notice(what, graph, lines):
    if not Checker([graph]).check(lines):
        problem(f"not noticed: {what}")
    return 1


def falsify_graph(graph, lines, taken):
    """Each edge that was taken, taken away; turned round; made one of the other kind."""
    count = 0
    for f, function in enumerate(graph["functions"]):
        for e, edge in enumerate(function["edges"]):
            name = f"{function['name']}: {edge['from']} -> {edge['to']}"
            key = (f"{function['name']} (steps.c:{function['line']})", edge["from"], edge["to"], edge["cancel"])
            if key not in taken:
                continue
            false = copy.deepcopy(graph)
            del false["functions"][f]["edges"][e]
            count += must_notice("without " + name, false, lines)
            false = copy.deepcopy(graph)
            false["functions"][f]["edges"][e]["cancel"] ^= True
            count += must_notice("other kind of " + name, false, lines)
        for n, node in enumerate(function["nodes"]):
            if node["kind"] not in ("state", "loop", "switch") or not any(node["id"] in key for key in taken):
                continue
            false = copy.deepcopy(graph)
            false["functions"][f]["nodes"][n]["kind"] = "state" if node["kind"] != "state" else "loop"
            count += must_notice(f"{function['name']}: other kind of {node['id']}", false, lines)
    false = copy.deepcopy(graph)
    for function in false["functions"]:
        for edge in function["edges"]:
            edge["cleanups"] = ["x"] if edge["cancel"] else []
    return count + must_notice("clean-ups where there are none", false, lines)


def falsify_trace(graph, lines):
    """Each line left out, doubled, and with another state."""
    count = 0
    for i, line in enumerate(lines):
        count += must_notice("without line " + line, graph, lines[:i] + lines[i + 1:])
        count += must_notice("twice line " + line, graph, lines[:i + 1] + lines[i:])
        step = json.loads(line)
        for key in ("from", "to", "frame", "function", "event"):
            if key in step:
                other = dict(step, **{key: "s99"})
                count += must_notice(f"other {key} in {line}", graph, [*lines[:i], json.dumps(other), *lines[i + 1:]])
    return count


def main():
    with tempfile.TemporaryDirectory() as folder:
        lines = record(folder)
        graph = graph_json("steps.c", cwd=folder)
    checker = Checker([graph])
    for text in checker.check(lines):
        problem("before anything is falsified: " + text)
    for event in ("started", "ready", "pending", "resumed", "unwinding", "cancelled", "returned"):
        if checker.counts[event] == 0:
            problem(f"the program has no step '{event}'")
    count = falsify_graph(graph, lines, checker.taken) + falsify_trace(graph, lines)
    finish(f"{len(lines)} lines, {len(checker.taken)} edges taken, {count} falsifications")


if __name__ == "__main__":
    main()
