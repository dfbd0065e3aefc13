# SPDX-License-Identifier: MIT
"""Are the tables of facts well formed, sorted by library and name, and free of doubles?

What each cell may hold is checked by the reader in C, at the first use; here is what it does not
see: order, the same row twice, blanks at the ends of cells, a column that is empty rather than "-".
"""
import os
import re

from lib_tree import all_files, finish, problem, read

GROUP = {"twins": "header", "constants": "header"}  # the others are grouped by library
UNIQUE_NAME = {"blocking", "constants", "locks", "loops", "threadstate"}


def check_row(where, header, cells):
    if len(cells) != len(header):
        problem(f"{where}: {len(cells)} columns, the header has {len(header)}")
        return False
    for name, cell in zip(header, cells):
        if cell != cell.strip() or cell == "":
            problem(f"{where}: column '{name}' is empty (write -) or has blanks at an end")
        if not cell.isascii():
            problem(f"{where}: column '{name}' has a letter beyond ASCII")
    if not re.fullmatch(r"[A-Za-z_]\w*(\.\w+)?", cells[0]):
        problem(f"{where}: '{cells[0]}' is no name")
    return True


def check_table(path):
    table = os.path.basename(path)[:-len(".tsv")]
    lines = [(i, l) for i, l in enumerate(read(path).split("\n"), 1) if l and not l.startswith("#")]
    header = lines[0][1].split("\t")
    group = header.index(GROUP.get(table, "library"))
    seen, before = {}, ("", "")
    for number, line in lines[1:]:
        where, cells = f"{path}:{number}", line.split("\t")
        if not check_row(where, header, cells):
            continue
        key = (cells[group], cells[0])
        if key < before:
            problem(f"{where}: not sorted: {' '.join(key)} comes after {' '.join(before)}")
        before = key
        same = cells[0] if table in UNIQUE_NAME else line
        if same in seen:
            problem(f"{where}: said already in line {seen[same]}: {cells[0]}")
        seen[same] = number
    return len(lines) - 1


tables = [p for p in all_files(".tsv") if p.startswith("rules/data/")]
if len(tables) < 9 or any(check_table(p) == 0 for p in tables):
    problem("rules/data: a table is missing or empty")
finish()
