# SPDX-License-Identifier: MIT
# ctest-timeout: 300
"""Are offsets, sizes, needs and state numbers those that a compiler sees in the emitted text?

The lowered text of each program gets assertions made from the graph's JSON, and is compiled."""
import json
import os
import re
import subprocess

from lib_graph import AWAITC, CASE_FLAGS, finish, flags, lower_cases, problem, run, samples


def assertions(graph, text):
    """One static assertion for each fact, and how many there are."""
    out = []
    for f in graph["functions"]:
        name, frame = f["name"], f["frame"]
        if f"struct {name}__frame {{" not in text:
            continue
        out.append(f"sizeof(struct {name}__frame) == {frame['bytes']}")
        if "#pragma pack" not in text and "_Pragma(\"pack" not in text:
            out.append(f"__alignof__(struct {name}__frame) == {frame['align']}")
        out.append(f"{name}__need == {frame['need_bytes']}")
        body = text.split(f"struct {name}__frame {{", 1)[1].split("\n};", 1)[0]
        names = [r["name"] for r in frame["rows"] if r["kind"] == "local"]
        for r in frame["rows"]:
            unique = r["kind"] == "local" and names.count(r["name"]) == 1
            if unique and re.search(rf"\b{re.escape(r['name'])}\b", body):
                field = f"struct {name}__frame, {r['name']}"
                out.append(f"__builtin_offsetof({field}) == {r['offset']}")
                out.append(f"sizeof(((struct {name}__frame *)0)->{r['name']}) == {r['size']}")
        states = [n for n in f["nodes"] if n["kind"] == "state"]
        for n in states:
            out.append(f"{name}__{n['title']} == {n['number']}")
        cases = set(re.findall(rf"case ({re.escape(name)}__[A-Z0-9_]+): goto", text))
        if len(cases) != len(states):
            problem(f"{name}: {len(states)} states drawn, {len(cases)} in the switch")
    return out


def check(folder, file, more):
    graph = run(file, "--format=json", *flags(*more), cwd=folder, check=False)
    lowered = subprocess.run([AWAITC, "lower", "--no-line", file, *flags(*more)], cwd=folder,
                             capture_output=True, text=True)
    if graph.returncode != 0 or lowered.returncode != 0:
        return 0
    facts = assertions(json.loads(graph.stdout), lowered.stdout)
    text = lowered.stdout + "".join(
        f"_Static_assert({fact}, \"{fact}\");\n" for fact in facts)
    done = subprocess.run(["gcc", "-x", "c", "-fsyntax-only", "-w", *flags(*more)[1:], "-I.", "-"],
                          input=text, cwd=folder, capture_output=True, text=True)
    for line in done.stderr.splitlines():
        if "error" in line:
            problem(f"{os.path.basename(file)}: {line}")
    return len(facts)


count = 0
for folder, files in samples():
    for file in files:
        count += check(folder, file, ())
for case in lower_cases():
    count += check(os.path.dirname(case), os.path.basename(case), CASE_FLAGS)
if count < 500:
    problem(f"only {count} facts were compared")
finish(f"{count} facts")
