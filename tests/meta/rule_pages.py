# SPDX-License-Identifier: MIT
# ctest-timeout: 300
"""Has each check of the linter its page, of the common form, and are the pages' examples sound C?

The examples are read with the annotations erased: the good ones without a warning, the bad ones
without an error, in gcc and clang. Whether the linter flags the bad ones and is silent on the good
ones is tested elsewhere.
"""
import os
import re
import shutil
import subprocess

from lib_tree import ROOT, all_files, finish, problem, read

FLAGS = ("-std=gnu11 -Wall -Wextra -Wno-unused-function -Wno-unused-but-set-variable "
         "-fsyntax-only -Iruntime/include -xc -").split()
COMPILERS = [c for c in ("gcc", "clang-19") if shutil.which(c)]
SECTIONS = ["Why", "Bad", "Good", "What it does not report", "Options", "How to silence"]
REFUSED = {"async-from-sync"}  # the bad example is an error of the language


def check_example(where, kind, example):
    for compiler in COMPILERS:
        result = subprocess.run([compiler] + FLAGS, cwd=ROOT, input=example, text=True,
                                capture_output=True)
        if result.returncode != 0 or (kind == "good" and result.stderr):
            problem(f"{where}: a {kind} example is no sound C:\n{result.stderr}")


def check_page(name, page):
    where = f"rules/docs/{name}.md"
    if not page.startswith(f"# awaitc-{name}\n\n"):
        problem(f"{where}: the first line is not '# awaitc-{name}'")
    if re.findall(r"^## (.*)$", page, re.M) != SECTIONS:
        problem(f"{where}: its sections are not {SECTIONS}")
        return
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```$", page, re.S | re.M)
    kinds = [kind for kind, _ in blocks if kind.startswith("c")]
    if set(kinds) != {"c bad", "c good"}:
        problem(f"{where}: its examples are marked {kinds}, not 'c bad' and 'c good'")
    for kind, example in blocks:
        if not (kind == "c bad" and name in REFUSED):
            check_example(where, kind.removeprefix("c "), example)
    for line in page.split("\n"):
        if len(line) > 105:
            problem(f"{where}: a line is longer than 105: {line[:50]}")


table = read("rules/rules.def")
rules = dict(re.findall(r'^(?:OTHER_)?RULE\((\w+), "awaitc-([\w-]+)", \w+, (?:ON|OFF), ".*"\)$', table, re.M))
if len(rules) != len(re.findall(r"^(?:OTHER_)?RULE\(", table, re.M)):
    problem("rules/rules.def: a line has another form than RULE(name, id, SEVERITY, ON or OFF, text)")
for name, identity in rules.items():
    if name != identity.replace("-", "_"):
        problem(f"rules/rules.def: {name} and awaitc-{identity} are not the same words")

pages = {os.path.basename(p)[:-len(".md")]: read(p) for p in all_files(".md")
         if p.startswith("rules/docs/")}
for name in sorted(set(rules.values()) - pages.keys()):
    problem(f"rules/docs/{name}.md is missing")
for name in sorted(pages.keys() - set(rules.values())):
    problem(f"rules/docs/{name}.md: no such check in rules.def")
for name, page in sorted(pages.items()):
    check_page(name, page)
finish()
