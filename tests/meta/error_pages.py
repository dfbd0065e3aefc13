# SPDX-License-Identifier: MIT
# ctest-timeout: 300
"""Has each message its page, of the common form, and are the pages' examples sound C?

The good examples compile with the annotations erased, without a warning, in gcc and clang. Whether
awaitc refuses the bad ones and takes the good ones is tested by tests/tool/explain_examples.py.
"""
import os
import re
import shutil
import subprocess

from lib_tree import ROOT, all_files, finish, problem, read

FLAGS = "-std=gnu11 -Wall -Wextra -fsyntax-only -Iruntime/include -xc -".split()
COMPILERS = [c for c in ("gcc", "clang-19") if shutil.which(c)]

catalogue = dict(re.findall(r'^DIAG\((?:\w+), "awaitc-([\w-]+)", \w+, "(.*)"\)$',
                            read("analyzer/diag/diag_catalog.def"), re.M))
if len(catalogue) != read("analyzer/diag/diag_catalog.def").count("\nDIAG("):
    problem("analyzer/diag/diag_catalog.def: a line has another form than DIAG(NAME, id, SEVERITY, text)")

pages = {os.path.basename(p)[:-len(".md")]: read(p) for p in all_files(".md")
         if p.startswith("docs/errors/") and not p.endswith("README.md")}
for name in sorted(catalogue.keys() - pages.keys()):
    problem(f"docs/errors/{name}.md is missing")
for name in sorted(pages.keys() - catalogue.keys()):
    problem(f"docs/errors/{name}.md: no such message in diag_catalog.def")

for name, page in sorted(pages.items()):
    where = f"docs/errors/{name}.md"
    if not page.startswith(f"# awaitc-{name}\n\n"):
        problem(f"{where}: the first line is not '# awaitc-{name}'")
    sections = re.findall(r"^## (.*)$", page, re.M)
    if sections != ["Why it is an error", "Bad", "Good"]:
        problem(f"{where}: its sections are {sections}")
        continue
    for example in re.findall(r"```c\n(.*?)```", page.split("\n## Good\n")[1], re.S):
        for compiler in COMPILERS:
            result = subprocess.run([compiler] + FLAGS, cwd=ROOT, input=example, text=True,
                                    capture_output=True)
            if result.stderr:
                problem(f"{where}: a good example does not compile:\n{result.stderr}")
finish()
