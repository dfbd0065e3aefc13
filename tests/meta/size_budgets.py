# SPDX-License-Identifier: MIT
"""Do functions and files stay small enough to be read? Uses universal-ctags.

Budgets: a function 100 lines, 6 parameters and blocks nested 4 deep; a file 900 lines. What
exceeds them with a reason stands in budgets.txt.
"""
import json
import re
import shutil
import subprocess

from lib_tree import ROOT, finish, problem, product_files, read, skip, without_comments

FUNCTION_LINES, FILE_LINES, PARAMETERS, NESTING = 100, 900, 6, 4


def load_exceptions():
    exceptions = set()
    for number, line in enumerate(read("tests/meta/budgets.txt").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            place, _, reason = line.partition(" -- ")
            if not reason.strip():
                problem(f"tests/meta/budgets.txt:{number}: an exception needs a reason")
            exceptions.add(place.strip())
    return exceptions


def functions_of(paths):
    """(path, name, first line, last line, signature) of every function."""
    command = ["ctags", "--languages=C", "--langmap=C:.c.h", "--kinds-C=f", "--fields=+neS",
               "--output-format=json", "-f", "-"] + paths
    output = subprocess.run(command, cwd=ROOT, check=True, text=True, capture_output=True).stdout
    for line in output.splitlines():
        tag = json.loads(line)
        if "end" in tag:
            yield tag["path"], tag["name"], tag["line"], tag["end"], tag.get("signature", "()")


def parameter_count(signature):
    depth, commas = 0, 0
    for c in signature[1:-1]:
        depth += (c == "(") - (c == ")")
        commas += c == "," and depth == 0
    return commas + 1


def deepest_nesting(text):
    """Blocks inside the body; braces of initialisers and literals do not count."""
    depth, deepest, blocks = 0, 0, []
    for match in re.finditer(r"[{}]", text):
        if match.group() == "{":
            before = text[:match.start()].rstrip()
            is_block = before.endswith((")", ";", "{", "}", ":")) or bool(
                re.search(r"\b(else|do)$", before))
            blocks.append(is_block)
            depth += is_block
            deepest = max(deepest, depth)
        elif blocks:
            depth -= blocks.pop()
    return deepest - 1


def check_function(path, name, first, last, signature, lines):
    where = f"{path}:{first}: {name}"
    if last - first + 1 > FUNCTION_LINES:
        problem(f"{where} has {last - first + 1} lines (at most {FUNCTION_LINES})")
    if parameter_count(signature) > PARAMETERS:
        problem(f"{where} has {parameter_count(signature)} parameters (at most {PARAMETERS})")
    nesting = deepest_nesting("\n".join(lines[first - 1:last]))
    if nesting > NESTING:
        problem(f"{where} nests {nesting} deep (at most {NESTING})")


version = shutil.which("ctags") and subprocess.run(["ctags", "--version"], text=True,
                                                   capture_output=True).stdout
if not version or "Universal Ctags" not in version or "+json" not in version:
    skip("universal-ctags with JSON output is not here")

exceptions = load_exceptions()
sources = product_files(".c", ".h")
used = set()
for path in sources:
    count = read(path).count("\n")
    if count > FILE_LINES:
        used.add(path)
        if path not in exceptions:
            problem(f"{path} has {count} lines (at most {FILE_LINES})")
blanked = {path: without_comments(read(path)).split("\n") for path in sources}
for path, name, first, last, signature in functions_of(sources):
    if f"{path}:{name}" in exceptions:
        used.add(f"{path}:{name}")
    else:
        check_function(path, name, first, last, signature, blanked[path])
for place in sorted(exceptions - used):
    problem(f"tests/meta/budgets.txt: {place} does not exist or needs no exception")
finish("Split it, or give the reason in tests/meta/budgets.txt.")
