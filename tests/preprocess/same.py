# SPDX-License-Identifier: MIT
# ctest-timeout: 600
"""Does the linter's preprocessor say what the compiler's says?

usage: same.py AWAITC [--database FOLDER]... [--headers FOLDER] [--compiler CC]...

Tokens are compared with the file and line of each. Two differences are allowed: how a literal that
`#` made is spaced; and clang prints what follows a macro call over several lines on that call's first
line, which is the linter's loss. Without options: the cases beside this file, the sources of this project,
and each header below /usr/include that compiles alone.
"""
import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOKEN = re.compile(r'(?:L|u8|u|U)?"(?:[^"\\\n]|\\.)*"|(?:L|u|U)?\'(?:[^\'\\\n]|\\.)*\''
                   r"|\.?[0-9](?:[eEpP][+-]|[\w.])*|[A-Za-z_$\x80-\U0010ffff][\w$]*"
                   r"|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|[<>=!*/%+\-&^|]=|&&|\|\||##|\S")
MARKER = re.compile(r'# (\d+) "((?:[^"\\]|\\.)*)"(.*)')


def tokens(text):
    """(token, file, line), pragmas as one token, definitions as one token without a line."""
    file, line, out = "", 1, []
    for row in text.split("\n"):
        marker = MARKER.match(row)
        if marker:
            file, line = os.path.normpath(marker.group(2)), int(marker.group(1))
            continue
        if row.startswith("#define ") or row.startswith("#undef "):
            out.append((" ".join(TOKEN.findall(row)), file, 0))
        elif row.startswith("#pragma "):
            out.append((" ".join(TOKEN.findall(row)), file, 0))
        elif row.startswith("#"):
            pass
        else:
            out += [(t, file, line) for t in TOKEN.findall(row)]
        line += 1
    return out


def plain(token):
    return re.sub(r"\s+", "", token) if token[:1] == '"' else token


def own_part(stream):
    """Without what the compiler prints before the first file."""
    return [t for t in stream if not t[1].startswith("<")]


def difference(ours, theirs, is_clang):
    """The first place where the streams differ, as text; None."""
    ours, theirs = own_part(ours), own_part(theirs)
    for i, (a, b) in enumerate(zip(ours, theirs)):
        near = a[1] == b[1] and (a[2] == b[2] or is_clang and 0 < a[2] - b[2] < 40)
        if plain(a[0]) != plain(b[0]) or not near:
            before = " ".join(t[0] for t in theirs[max(0, i - 6):i])
            return f"token {i}: {a} where the compiler has {b}, behind: {before}"
    if len(ours) != len(theirs):
        longer = ours if len(ours) > len(theirs) else theirs
        i = min(len(ours), len(theirs))
        return f"{len(ours)} tokens where the compiler has {len(theirs)}; then {longer[i:i + 3]}"
    return None


class Comparison:
    def __init__(self, awaitc):
        bin_folder = os.path.dirname(os.path.abspath(awaitc))
        self.preprocess = os.path.join(bin_folder, "preprocess_files")
        self.include = os.path.join(os.path.dirname(bin_folder), "include")
        self.same, self.handed, self.failures = 0, {}, []

    def compare(self, compiler, flags, files, folder):
        """Preprocesses the files in one process of ours and one each of the compiler's."""
        with tempfile.TemporaryDirectory() as work:
            run = subprocess.run([self.preprocess, work] + compiler + flags + ["--"] + files,
                                 cwd=folder, stdout=subprocess.PIPE, text=True)
            rows = [r.split("\t", 1) for r in run.stdout.splitlines()]
            if run.returncode != 0 or len(rows) != len(files):
                self.failures.append(f"{' '.join(files)[:200]}: exit status {run.returncode}")
                return
            for (number, why), file in zip(rows, files):
                self.one(compiler, flags, file, folder, why, os.path.join(work, number + ".i"))

    def one(self, compiler, flags, file, folder, why, ours):
        theirs = subprocess.run(
            compiler + flags + ["-E", "-dD", "-D__AWAITC__", "-D__AWAITC_EXPAND__", "-isystem",
                                self.include, file],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if theirs.returncode != 0:
            if not why:
                self.failures.append(f"{file}: the compiler refuses it")
            return
        if why:
            self.handed.setdefault(why, []).append(file)
            return
        with open(ours, encoding="utf-8", errors="replace") as f:
            what = difference(tokens(f.read()),
                              tokens(theirs.stdout.decode("utf-8", errors="replace")),
                              "clang" in compiler[0])
        if what:
            self.failures.append(f"{file}: {what}")
        else:
            self.same += 1


def database_groups(folder):
    """(compiler, flags, files, directory) of a compilation database, one group a set of flags."""
    with open(os.path.join(folder, "compile_commands.json")) as f:
        entries = json.load(f)
    groups = {}
    for e in entries:
        words = e.get("arguments") or shlex.split(e["command"])
        flags, skip = [], False
        for w in words[1:]:
            if skip or w in ("-c", e["file"], "-MD", "-MP", "-MMD"):
                skip = False
            elif w in ("-o", "-MF", "-MT", "-MQ"):
                skip = True
            elif w.endswith((".o", ".lo")) and not w.startswith("-"):
                pass
            else:
                flags.append(w)
        if e["file"].endswith(".c") and os.path.exists(os.path.join(e["directory"], e["file"])):
            groups.setdefault((words[0], tuple(flags), e["directory"]), []).append(e["file"])
    return [([c], list(f), files, d) for (c, f, d), files in groups.items()]


def header_sources(folder, work):
    """A source for each header below a folder that C can include alone."""
    out = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if f not in ("c++", "python3.11"))
        for name in sorted(names):
            if name.endswith(".h"):
                path = os.path.relpath(os.path.join(root, name), folder)
                source = os.path.join(work, path.replace("/", "__") + ".c")
                with open(source, "w") as f:
                    f.write(f"#include <{path}>\nint end;\n")
                out.append(source)
    return out


def case_files(comparison, compiler):
    folder = os.path.join(HERE, "cases")
    for name in sorted(n for n in os.listdir(folder) if n.endswith(".c")):
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
            wanted = re.search(r"/\* FLAGS: (.*) \*/", f.read())
        flags = shlex.split(wanted.group(1)) if wanted else []
        comparison.compare(compiler, flags, [name], folder)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("awaitc")
    parser.add_argument("--database", action="append", default=[])
    parser.add_argument("--headers")
    parser.add_argument("--compiler", action="append")
    args = parser.parse_args()
    comparison = Comparison(args.awaitc)
    for folder in args.database:
        for group in database_groups(folder):
            comparison.compare(*group)
    if args.headers:
        for compiler in args.compiler or ["gcc", "clang"]:
            with tempfile.TemporaryDirectory() as work:
                comparison.compare([compiler], [], header_sources(args.headers, work), work)
    if not args.database and not args.headers:
        source = os.path.dirname(os.path.dirname(HERE))
        own = sorted(os.path.join(r, n) for top in ("analyzer", "runtime", "rules", "transforms")
                     for r, d, names in os.walk(os.path.join(source, top)) for n in names
                     if n.endswith(".c"))
        for compiler in args.compiler or ["gcc", "clang"]:
            case_files(comparison, [compiler])
            comparison.compare([compiler], ["-D_GNU_SOURCE", "-std=c11", "-I" + source], own, source)
    for why, files in sorted(comparison.handed.items()):
        print(f"left to the compiler, {why}: {len(files)}, as {files[0]}")
    for failure in comparison.failures:
        print("FAIL", failure)
    print(f"{comparison.same} the same, {len(comparison.failures)} not")
    return 1 if comparison.failures else 0


if __name__ == "__main__":
    sys.exit(main())
