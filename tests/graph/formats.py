# SPDX-License-Identifier: MIT
# ctest-timeout: 600
"""Is each format of each view valid, the same every time, and free of paths of this machine?"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from lib_graph import CASE_FLAGS, HARD_NAMES, ROOT, finish, flags, lower_cases, problem, run, samples

SUFFIXES = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "dot": b"digraph", "mermaid": b"flowchart",
            "json": b"{", "html": b"<!DOCTYPE html>", "text": b""}


def schema_check(value, schema, root, where):
    """The part of JSON Schema that docs/graph.schema.json uses."""
    if "$ref" in schema:
        schema = dict(root["definitions"][schema["$ref"].split("/")[-1]], **{k: v for k, v in schema.items() if k == "enum"})
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
    if "type" in schema and (not isinstance(value, kinds[schema["type"]]) or
                             (schema["type"] == "integer" and isinstance(value, bool))):
        problem(f"{where}: not {schema['type']}: {value!r}")
        return
    if "const" in schema and value != schema["const"] or "enum" in schema and value not in schema["enum"]:
        problem(f"{where}: {value!r} is not allowed")
    if "minimum" in schema and value < schema["minimum"]:
        problem(f"{where}: {value} is too small")
    for key in schema.get("required", ()):
        if key not in value:
            problem(f"{where}: no {key}")
    for key, one in (value.items() if isinstance(value, dict) else ()):
        if key in schema.get("properties", {}):
            schema_check(one, schema["properties"][key], root, f"{where}.{key}")
        elif schema.get("additionalProperties") is False:
            problem(f"{where}: {key} is not in the schema")
    for i, one in enumerate(value if isinstance(value, list) else ()):
        schema_check(one, schema.get("items", {}), root, f"{where}[{i}]")


def check_text(kind, data, where, folder):
    if not data.startswith(SUFFIXES[kind]) or not data:
        problem(f"{where}: does not look like {kind}: {data[:40]!r}")
    if kind in ("svg", "html", "dot", "json", "mermaid", "text"):
        text = data.decode("utf-8")
        for path in {ROOT, folder, os.path.expanduser("~")} - {"/"}:
            if re.search(re.escape(path) + r"\b", text):
                problem(f"{where}: names {path}")
    if kind == "svg":
        xml.etree.ElementTree.fromstring(data)
    if kind == "dot" and shutil.which("dot"):
        done = subprocess.run(["dot", "-Tcanon"], input=data, capture_output=True)
        if done.returncode != 0 or done.stderr:
            problem(f"{where}: dot says {done.stderr.decode()[:200]}")
    if kind == "json":
        schema_check(json.loads(data), SCHEMA, SCHEMA, where)


def check(folder, files, kinds, more=()):
    done = 0
    for view in ("states", "frame", "calls"):
        for kind in kinds:
            if kind in ("json", "html") and view != "states":
                continue  # they hold all views
            args = [*files, f"--view={view}", f"--format={kind}", "--show=cancel", *flags(*more)]
            first = run(*args, cwd=folder)
            where = f"{os.path.basename(folder)}/{files[0]} {view} {kind}"
            if first.returncode != 0:
                continue
            check_text(kind, first.stdout, where, folder)
            if kind not in ("png", "pdf") or view == "frame":
                if run(*args, cwd=folder).stdout != first.stdout:
                    problem(f"{where}: not the same again")
            done += 1
    return done


with open(os.path.join(ROOT, "docs", "graph.schema.json"), encoding="utf-8") as f:
    SCHEMA = json.load(f)
count = 0
for folder, files in samples():
    count += check(folder, files, SUFFIXES)
for case in lower_cases()[::15]:
    if run(case, *flags(*CASE_FLAGS), check=False).returncode == 0:
        count += check(os.path.dirname(case), [os.path.basename(case)], ("svg", "dot", "json", "mermaid"), CASE_FLAGS)
with tempfile.TemporaryDirectory() as folder:
    with open(os.path.join(folder, "hard.c"), "w", encoding="utf-8") as f:
        f.write(HARD_NAMES)
    count += check(folder, ["hard.c"], SUFFIXES)
    graph = json.loads(run("hard.c", "--format=json", *flags(), cwd=folder).stdout)
    names = [f["name"] for f in graph["functions"]]
    if names != ["first_waits", "second_waits", "größe", "quoted"]:
        problem(f"names: {names}")
    texts = [n.get("text") for f in graph["functions"] for n in f["nodes"] if n["kind"] == "state"]
    if 'await first_waits("</script><b>&amp;\\n\\"")' not in texts:
        problem(f"texts: {texts}")
finish(f"{count} outputs")
