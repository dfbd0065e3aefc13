# SPDX-License-Identifier: MIT
"""Small rules of the tree: names, first lines of files, READMEs, sorted tables, portable text."""
import collections
import os
import re

from lib_tree import ROOT, TEST_INPUT, all_files, finish, line_of, our_code, problem, product_files, read

README_LINES = 30


def check_basenames():
    """A basename says which file is meant, so it is unique among product sources."""
    by_name = collections.defaultdict(list)
    for path in product_files(".c", ".h", ".def"):
        by_name[os.path.basename(path)].append(path)
    for paths in by_name.values():
        if len(paths) > 1:
            problem("same basename: " + " ".join(paths))


def check_openers():
    """SPDX line first, then a comment that says what question the file answers."""
    for path in our_code(".c", ".h"):
        text = read(path)
        if not text.startswith("/* SPDX-License-Identifier: MIT */\n"):
            problem(f"{path}:1: the first line is not the SPDX line")
        elif not re.match(r"[^\n]*\n/\*", text):
            problem(f"{path}:2: no opening comment after the SPDX line")
    for path in all_files(".py", ".sh", ".cmake", "CMakeLists.txt"):
        if "SPDX-License-Identifier: MIT" not in "\n".join(read(path).split("\n")[:2]):
            problem(f"{path}: no SPDX line at the top")


def check_guards():
    """A header is guarded by the words of its path."""
    for path in product_files(".h"):
        guard = re.search(r"^#ifndef (\w+)\n#define \1\n", read(path), re.M)
        word = re.sub(r"\W", "_", os.path.basename(path)).upper()
        if not guard or not guard.group(1).endswith(word):
            problem(f"{path}: no include guard that ends in {word}")


def check_readmes():
    """Each folder of sources has a short README; each sample, too."""
    folders = {os.path.dirname(p) for p in our_code(".c", ".h", ".py", ".sh")}
    folders |= {"analyzer", "transforms", "rules", "runtime", "tests", "samples", "cmake"}
    folders -= {f for f in folders if f.startswith("runtime/include")}
    folders -= {f for f in folders if f.startswith("tests/") and f.count("/") > 1}
    for folder in sorted(folders):
        readme = folder + "/README.md"
        if not os.path.exists(os.path.join(ROOT, readme)):
            problem(f"{folder} has no README.md")
        elif read(readme).count("\n") > README_LINES:
            problem(f"{readme} has more than {README_LINES} lines")


def check_sorted_tables():
    """A .def file whose opening comment says that it is sorted is sorted."""
    for path in product_files(".def"):
        text = read(path)
        if not re.search(r"\bsorted\b", text.split("*/")[0]):
            continue
        keys = re.findall(r"^[A-Z_]+\((.*)", text, re.M)
        for before, after in zip(keys, keys[1:]):
            if before > after:
                problem(f"{path}: not sorted: {after.split(',')[0]} comes after {before.split(',')[0]}")


def check_portable_text():
    """Nothing in the tree depends on one machine: no homes, no mirrors."""
    patterns = {
        r"(?<![\w.$}/])/(?:home|root|work|Users)/\w": "an absolute path of one machine",
        r"https?://(?!(?:127\.0\.0\.1|localhost|\$|%s))[^\s\"'`)>]*": "a URL",
        r"\b(?:npmjs|pypi|deb\.debian|security\.debian|ftp\.debian)\.\w+": "a registry's host",
    }
    allowed_urls = re.compile(r"https?://(spdx\.org|json\.schemastore\.org|www\.w3\.org|datatracker\.ietf\.org)/")
    for path in all_files():
        if path.endswith((".png", ".pdf", ".ico")) or path == "tests/meta/tree_rules.py":
            continue
        text = read(path)
        for pattern, what in patterns.items():
            for match in re.finditer(pattern, text):
                if not allowed_urls.match(match.group()):
                    problem(f"{path}:{line_of(text, match.start())}: {what}: {match.group()[:60]}")


def check_whitespace():
    for path in all_files(".md", ".py", ".sh", ".cmake", ".txt", ".def", ".json", ".c", ".h"):
        text = read(path)
        if path.startswith(TEST_INPUT):
            continue
        if text and not text.endswith("\n"):
            problem(f"{path}: no newline at the end")
        for match in re.finditer(r"[ \t]+$", text, re.M):
            problem(f"{path}:{line_of(text, match.start())}: blanks at the end of the line")


check_basenames()
check_openers()
check_guards()
check_readmes()
check_sorted_tables()
check_portable_text()
check_whitespace()
finish()
