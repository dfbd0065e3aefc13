# SPDX-License-Identifier: MIT
"""Do includes obey layers.txt, are they spelled from the root, and is there no cycle?"""
import os
import re

from lib_tree import ROOT, finish, line_of, our_code, problem, product_files, read

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)
GENERATED = {"analyzer/diagram/page_text.def", "analyzer/program/known_data.def",
             "analyzer/query/built_in_queries.def", "analyzer/report/html_page.def",
             "analyzer/tool/error_pages.def", "analyzer/tool/rule_pages.def"}


def load_law():
    folders, only = {}, {}
    for line in read("tests/meta/layers.txt").splitlines():
        line = line.split("#")[0].strip()
        if line:
            left, right = (part.strip() for part in line.split(":"))
            if left.startswith("only "):
                only[left[len("only <"):-1]] = right.split()
            else:
                folders[left] = right.split()
    return folders, only


FOLDERS, ONLY = load_law()


def below(path, place):
    return path == place or path.startswith(place + "/")


def layer_of(path):
    layers = [f for f in FOLDERS if below(path, f)]
    return max(layers, key=len) if layers else None


def check_quoted(path, where, target):
    if not os.path.exists(os.path.join(ROOT, target)) and target not in GENERATED:
        problem(f'{where}: "{target}" is not a path from the root of the tree')
        return
    layer = layer_of(path)
    if layer is None:
        problem(f"{path}: its folder is not in tests/meta/layers.txt")
    elif not any(below(target, place) for place in [layer] + FOLDERS[layer]):
        problem(f'{where}: {layer} may not include "{target}" (tests/meta/layers.txt)')


def check_angled(path, where, target):
    for header, users in ONLY.items():
        if target == header or (header.endswith("/") and target.startswith(header)):
            if not any(below(path, user) for user in users):
                problem(f"{where}: <{target}> is for {' '.join(users)} only")


def find_cycle(graph):
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for target in graph.get(node, ()):
            if state.get(target) == "open":
                problem("include cycle: " + " -> ".join(trail + [node, target]))
            elif target not in state:
                visit(target, trail + [node])
        state[node] = "done"

    for node in graph:
        if node not in state:
            visit(node, [])


graph = {}
for path in product_files(".c", ".h"):
    text = read(path)
    for match in INCLUDE.finditer(text):
        where = f"{path}:{line_of(text, match.start())}"
        if match.group(1) == '"':
            check_quoted(path, where, match.group(2))
            graph.setdefault(path, []).append(match.group(2))
        else:
            check_angled(path, where, match.group(2))
find_cycle(graph)

# Tests may include everything, spelled in the same way, and what lies beside them.
for path in our_code(".c", ".h"):
    if path.startswith("tests/"):
        text = read(path)
        for match in INCLUDE.finditer(text):
            target = match.group(2)
            here = os.path.join(os.path.dirname(path), target)
            if match.group(1) == '"' and not any(
                    os.path.exists(os.path.join(ROOT, p)) for p in (target, here)):
                problem(f'{path}:{line_of(text, match.start())}: "{target}" is not a path from the'
                        " root of the tree")
finish()
