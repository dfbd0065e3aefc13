# SPDX-License-Identifier: MIT
# ctest-timeout: 240
"""Does Mermaid's own parser read what the tool writes, and draw it with the words that were meant? Its
build for browsers runs in Chromium, on every sample, cases of the lowering, and names that need care."""
import json
import os
import re
import tempfile

from lib_chromium import Browser
from lib_graph import CASE_FLAGS, HARD_NAMES, ROOT, finish, flags, lower_cases, problem, run, samples, skip

PACKAGE = os.path.join(ROOT, "tests", "graph", "mermaid", "node_modules", "mermaid", "dist", "mermaid.min.js")
VIEWS = ("states", "calls", "frame")
MEANT = ("größe(x)", "await first_waits(\"</script>", "quoted", "second_waits", "p->b[i] >= '\"'")


def load(browser):
    if not os.path.exists(PACKAGE):
        if os.environ.get("CI") == "true":
            problem("Mermaid is not here: run 'npm ci' in tests/graph/mermaid")
            finish("nothing")
        skip("Mermaid is not here: run 'npm ci' in tests/graph/mermaid")
    with open(PACKAGE, encoding="utf-8") as f:
        browser.run(f.read() + "; mermaid.initialize({startOnLoad: false}); 0")


def ask(browser, text, draws):
    """What Mermaid says: an error, or the text that it draws ("" if it only reads)."""
    then = "mermaid.render('drawn', text).then((r) => { const d = document.createElement('div'); d.innerHTML = r.svg; " \
           "return { drawn: d.textContent }; })" if draws else "({ drawn: '' })"
    return browser.run(f"(() => {{ const text = {json.dumps(text)}; return mermaid.parse(text).then(() => {then})"
                       ".catch((e) => ({ error: String(e.message || e) })); })()")


def check(browser, folder, file, more=(), draws=False):
    """How many diagrams were read."""
    count, drawn = 0, ""
    for view in VIEWS:
        for show in ("", "--show=cancel"):
            args = [*file, f"--view={view}", "--format=mermaid", *([show] if show else []), *flags(*more)]
            done = run(*args, cwd=folder, check=False)
            if done.returncode != 0 or not done.stdout.strip():
                continue
            said = ask(browser, done.stdout.decode(), draws)
            if "error" in said:
                problem(f"{os.path.basename(folder)}/{file[0]} {view} {show}: {said['error'][:300]}")
            drawn += said.get("drawn", "")
            count += 1
    return count, drawn


with Browser() as browser, tempfile.TemporaryDirectory() as folder:
    load(browser)
    count = 0
    if "error" not in ask(browser, "flowchart TD\n  a[\"]b", False):
        problem("the parser reads anything")
    for sample, files in samples():
        count += check(browser, sample, files, draws=True)[0]
    for case in lower_cases()[::12]:
        count += check(browser, os.path.dirname(case), [os.path.basename(case)], CASE_FLAGS)[0]
    with open(os.path.join(folder, "hard.c"), "w", encoding="utf-8") as f:
        f.write(HARD_NAMES)
    more, drawn = check(browser, folder, ["hard.c"], draws=True)
    for words in MEANT:
        if words not in re.sub(r"\s+", " ", drawn):
            problem(f"{words!r} is not drawn")
    for text in browser.trouble:
        problem(text)
finish(f"{count + more} diagrams")
