# SPDX-License-Identifier: MIT
"""Does --run show what was recorded? The counts at nodes and edges must be those that lib_trace.py finds, each
format must show them, and a file that is no trace, or one of another program, is an error."""
import collections
import json
import os
import tempfile

from lib_graph import ROOT, finish, flags, problem, run
from lib_recorded import record
from lib_trace import Checker


def check_counts(graph, lines):
    checker = Checker([graph])
    for text in checker.check(lines):
        problem(text)
    waits = collections.Counter()
    for step in map(json.loads, lines):
        waits[step["function"], step.get("to")] += step["event"] == "pending"
    with open(os.path.join(ROOT, "docs", "graph.schema.json"), encoding="utf-8") as file:
        kinds = json.load(file)["definitions"]
    for function in graph["functions"]:
        name = f"{function['name']} (steps.c:{function['line']})"
        comes = collections.Counter()
        for edge in function["edges"]:
            want = checker.taken[name, edge["from"], edge["to"], edge["cancel"]]
            comes[edge["to"]] += want
            if edge.get("passes") != want or not edge.keys() <= kinds["edge"]["properties"].keys():
                problem(f"{name}: {edge['from']} -> {edge['to']} taken {want} times: {edge}")
        for node in function["nodes"]:
            if node["kind"] != "start" and node["passes"] != comes[node["id"]]:
                problem(f"{name}: {node['id']} reached {comes[node['id']]} times: {node['passes']}")
            if node["kind"] == "state" and node["suspensions"] != waits[function["name"], node["id"]]:
                problem(f"{name}: {node['id']} suspended {waits[function['name'], node['id']]} times: {node}")
            if not node.keys() <= kinds["node"]["properties"].keys():
                problem(f"{name}: the schema does not know {node.keys()}")
    return len(checker.taken)


def check_formats(folder):
    for kind in ("text", "dot", "mermaid", "svg", "html"):
        shown = run("steps.c", f"--format={kind}", "--run=steps.jsonl", *flags(), cwd=folder).stdout.decode()
        plain = run("steps.c", f"--format={kind}", *flags(), cwd=folder).stdout.decode()
        for word in ("4 times", "never suspended"):
            if word not in shown or word in plain:
                problem(f"{kind}: '{word}' is not where it should be")
    big = run("steps.c", "--format=dot", "--function=steps", "--states=1-2", "--run=steps.jsonl", *flags(), cwd=folder)
    if b"3 times" not in big.stdout:
        problem("a part of a function does not show its run")


def refused(folder, name, text, message):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
    done = run("steps.c", f"--run={name}", *flags(), cwd=folder, check=False)
    if done.returncode != 2 or message not in done.stderr.decode() or done.stdout:
        problem(f"{name}: status {done.returncode}: {done.stderr.decode()[:300]}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        lines = record(folder)
        graph = json.loads(run("steps.c", "--format=json", "--run=steps.jsonl", *flags(), cwd=folder).stdout)
        taken = check_counts(graph, lines)
        check_formats(folder)
        text = "".join(lines)
        last = json.loads(lines[-1])
        refused(folder, "other.jsonl", text.replace(f'"to":"{last["from"]}"', '"to":"s7"'), "has no way")
        refused(folder, "none.jsonl", text.replace("steps.c", "stops.c"), "it has no step of these functions")
        refused(folder, "empty.jsonl", "", "it has no step of these functions")
        refused(folder, "notes.jsonl", text + "hello\n", f"notes.jsonl:{len(lines) + 1}: error: this is no line")
        refused(folder, "list.jsonl", "[]\n{}\n", "list.jsonl:1: error: this is no line")
        with open(os.path.join(folder, "cut.jsonl"), "w", encoding="utf-8") as file:
            file.write(text[:len(text) * 2 // 3])  # a program that was killed
        run("steps.c", "--run=cut.jsonl", *flags(), cwd=folder)
    finish(f"{taken} edges taken")


if __name__ == "__main__":
    main()
