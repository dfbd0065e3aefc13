#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns a program of csmith into async C with awaits wherever an expression may stand.

csmith gives a program without undefined behaviour whose result does not depend on the order of
evaluation. Here its functions (all, or some) become async, every call of them is awaited where it
stands, and leaves are sprinkled over operands, arguments, subscripts, conditions, loop parts, results
and between statements. Removing `async` and `await` gives the program back, so the erased build says
what it must print. The text is csmith's own: a token list, a small parser for its C, and insertions.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
from pathlib import Path

TOKEN = re.compile(r"""
    (?P<space>\s+|/\*.*?\*/|//[^\n]*|^\#[^\n]*)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<number>(?:0[xX][0-9a-fA-F.]+(?:[pP][+-]?\d+)?|\.?\d[\d.]*(?:[eE][+-]?\d+)?)[a-zA-Z]*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<punct>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])
""", re.X | re.S | re.M)

TYPE_WORDS = {"int", "char", "short", "long", "unsigned", "signed", "float", "double", "void",
              "const", "volatile", "struct", "union", "static", "register", "inline", "_Bool",
              "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t",
              "uint64_t"}
LEAF_OF = {"int8_t": "t_i8", "int16_t": "t_i16", "int32_t": "t_i32", "int64_t": "t_i64",
           "uint8_t": "t_u8", "uint16_t": "t_u16", "uint32_t": "t_u32", "uint64_t": "t_u64",
           "int": "t_int", "float": "t_f32", "double": "t_f64"}
BINARY = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, ">": 7, "<=": 7,
          ">=": 7, "==": 6, "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1}
ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


class Node:
    """One expression: its kind, its tokens [start, end), its operands, its operator or callee."""

    def __init__(self, kind: str, start: int, end: int, kids: list[Node], op: str = "") -> None:
        self.kind, self.start, self.end, self.kids, self.op = kind, start, end, kids, op


class Text:
    """The tokens of a file, and what is to be inserted before and after each."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        self.kinds: list[str] = []
        self.gaps: list[str] = []  # the space before each token
        gap = ""
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if match is None:
                raise SystemExit(f"cannot read the text at {text[at:at + 40]!r}")
            at = match.end()
            if match.lastgroup == "space":
                gap += match.group()
            else:
                self.tokens.append(match.group())
                self.kinds.append(match.lastgroup or "")
                self.gaps.append(gap)
                gap = ""
        self.last_gap = gap
        self.before: dict[int, list[str]] = {}
        self.after: dict[int, list[str]] = {}

    def wrap(self, start: int, end: int, left: str, right: str) -> None:
        """Puts tokens [start, end) between `left` and `right`; an inner range is wrapped later."""
        self.before.setdefault(start, []).append(left)
        self.after.setdefault(end - 1, []).insert(0, right)

    def insert(self, at: int, text: str) -> None:
        self.before.setdefault(at, []).insert(0, text)

    def render(self) -> str:
        parts = []
        for i, token in enumerate(self.tokens):
            parts += [self.gaps[i], *self.before.get(i, []), token, *self.after.get(i, [])]
        return "".join(parts) + self.last_gap

    def close(self, at: int) -> int:
        """The index of the bracket that closes the one at `at`."""
        pairs = {"(": ")", "[": "]", "{": "}"}
        left, right, depth = self.tokens[at], pairs[self.tokens[at]], 0
        for i in range(at, len(self.tokens)):
            depth += (self.tokens[i] == left) - (self.tokens[i] == right)
            if depth == 0:
                return i
        raise SystemExit("unbalanced brackets")


class Parser:
    """Expressions of C as csmith writes them."""

    def __init__(self, text: Text) -> None:
        self.t, self.i = text, 0

    def at(self, token: str) -> bool:
        return self.t.tokens[self.i] == token

    def expression(self, start: int) -> Node:
        self.i = start
        return self.comma()

    def comma(self) -> Node:
        left = self.assignment()
        while self.at(","):
            self.i += 1
            right = self.assignment()
            left = Node("comma", left.start, right.end, [left, right])
        return left

    def assignment(self) -> Node:
        left = self.conditional()
        op = self.t.tokens[self.i]
        if op in ASSIGN:
            self.i += 1
            right = self.assignment()
            return Node("assign", left.start, right.end, [left, right], op)
        return left

    def conditional(self) -> Node:
        test = self.binary(1)
        if not self.at("?"):
            return test
        self.i += 1
        yes = self.comma()
        assert self.at(":")
        self.i += 1
        no = self.conditional()
        return Node("cond", test.start, no.end, [test, yes, no])

    def binary(self, level: int) -> Node:
        left = self.unary()
        while BINARY.get(self.t.tokens[self.i], 0) >= level:
            op = self.t.tokens[self.i]
            self.i += 1
            right = self.binary(BINARY[op] + 1)
            left = Node("binary", left.start, right.end, [left, right], op)
        return left

    def is_cast(self) -> bool:
        return self.at("(") and self.t.tokens[self.i + 1] in TYPE_WORDS

    def unary(self) -> Node:
        start, op = self.i, self.t.tokens[self.i]
        if op in ("-", "+", "!", "~", "&", "*", "++", "--"):
            self.i += 1
            kid = self.unary()
            return Node("unary", start, kid.end, [kid], op)
        if op == "sizeof":
            self.i += 1
            if self.at("("):
                self.i = self.t.close(self.i) + 1
            else:
                self.unary()
            return Node("constant", start, self.i, [])
        if self.is_cast():
            self.i = self.t.close(self.i) + 1
            kid = self.unary()
            return Node("cast", start, kid.end, [kid])
        return self.postfix()

    def postfix(self) -> Node:
        start = self.i
        if self.at("("):
            self.i += 1
            kid = self.comma()
            assert self.at(")"), self.t.tokens[self.i - 5:self.i + 5]
            self.i += 1
            node = Node("paren", start, self.i, [kid])
        else:
            kind = {"name": "name", "number": "constant", "string": "constant"}[
                self.t.kinds[self.i]]
            node = Node(kind, start, start + 1, [], self.t.tokens[start])
            self.i += 1
        while True:
            if self.at("("):
                arguments = []
                self.i += 1
                while not self.at(")"):
                    arguments.append(self.assignment())
                    if self.at(","):
                        self.i += 1
                self.i += 1
                node = Node("call", start, self.i, arguments, node.op)
            elif self.at("["):
                self.i += 1
                index = self.comma()
                self.i += 1
                node = Node("index", start, self.i, [node, index])
            elif self.at(".") or self.at("->"):
                op = self.t.tokens[self.i]
                self.i += 2
                node = Node("member", start, self.i, [node], op)
            elif self.at("++") or self.at("--"):
                self.i += 1
                node = Node("post", start, self.i, [node])
            else:
                return node


class Function:
    def __init__(self, name: str, first: int, params: list[str], body: int, end: int,
                 result: str) -> None:
        self.name, self.first, self.params = name, first, params
        self.body, self.end, self.result = body, end, result
        self.calls: set[str] = set()


class Rewriter:
    def __init__(self, source: str, rng: random.Random) -> None:
        self.t = Text(source)
        self.parser = Parser(self.t)
        self.rng = rng
        self.density = rng.choice([0.05, 0.12, 0.25, 0.4])
        self.statement_density = rng.choice([0.0, 0.1, 0.3])
        self.functions: dict[str, Function] = {}
        self.heads: list[tuple[str, int]] = []  # every declaration: name and first token
        self.is_async: set[str] = set()
        self.result = ""

    # ---- the shape of the file

    def find_functions(self) -> None:
        tokens, first, i = self.t.tokens, 0, 0
        while i < len(tokens):
            if tokens[i] in (";", "}"):
                first = i + 1
            if tokens[i] == "{":
                i = self.t.close(i)
                first = i + 1
            elif tokens[i] == "(" and re.fullmatch(r"func_\d+|main", tokens[i - 1]):
                close = self.t.close(i)
                name = tokens[i - 1]
                words = [w for w in tokens[first:i - 1] if w not in ("static", "inline")]
                self.heads.append((name, first))
                if tokens[close + 1] == "{":
                    end = self.t.close(close + 1)
                    self.functions[name] = Function(
                        name, first, self.params(i, close), close + 1, end, " ".join(words))
                    for k in range(close, end):
                        if re.fullmatch(r"func_\d+", tokens[k]):
                            self.functions[name].calls.add(tokens[k])
                    i = end
                    first = end + 1
                else:
                    i = close
            i += 1

    def params(self, left: int, right: int) -> list[str]:
        parts: list[list[str]] = [[]]
        for token in self.t.tokens[left + 1:right]:
            if token == ",":
                parts.append([])
            else:
                parts[-1].append(token)
        return [" ".join(w for w in part[:-1] if w != "const") for part in parts]

    def choose_async(self) -> None:
        names = [name for name in self.functions if name != "main"]
        chosen = set(names) if self.rng.random() < 0.6 else \
            {name for name in names if self.rng.random() < 0.5}
        chosen.add("main")
        while True:  # only async functions may call async ones
            more = {f.name for f in self.functions.values() if f.calls & chosen} - chosen
            if not more:
                break
            chosen |= more
        self.is_async = chosen

    # ---- expressions

    def maybe(self, factor: float = 1.0) -> bool:
        return self.rng.random() < self.density * factor

    def tick(self, node: Node) -> None:
        """A suspension before the value of any expression, whatever its type."""
        if self.rng.random() < 0.3 and node.kind != "constant":
            self.t.wrap(node.start, node.end, "({ await t_tick(); ", "; })")
        else:
            self.t.wrap(node.start, node.end, "(await t_tick(), ", ")")

    def value(self, node: Node, leaf: str) -> None:
        self.t.wrap(node.start, node.end, f"(await {leaf}(", "))")

    def is_null(self, node: Node) -> bool:
        while node.kind in ("paren", "cast"):
            node = node.kids[0]
        return node.kind == "constant" or node.kind == "unary" and self.is_null(node.kids[0])

    def rvalue(self, node: Node, leaf: str = "", truth: bool = False) -> None:
        """`node` is read here; `leaf` takes its type where that is known."""
        if not self.is_null(node) or leaf and self.rng.random() < 0.2:
            if self.maybe():
                if leaf and self.rng.random() < 0.7:
                    self.value(node, leaf)
                elif truth and self.rng.random() < 0.6:
                    self.t.wrap(node.start, node.end, "(await t_int((", ") != 0))")
                else:
                    self.tick(node)
        self.inside(node)

    def lvalue(self, node: Node) -> None:
        """`node` is written, or its address is taken: only what computes the place may wait."""
        if node.kind == "paren":
            self.lvalue(node.kids[0])
        elif node.kind == "unary" and node.op == "*":
            self.rvalue(node.kids[0])
        elif node.kind == "index":
            self.lvalue(node.kids[0])
            self.rvalue(node.kids[1], "t_int")
        elif node.kind == "member":
            if node.op == "->":
                self.rvalue(node.kids[0])
            else:
                self.lvalue(node.kids[0])
        elif node.kind not in ("name", "constant"):
            self.inside(node)

    def inside(self, node: Node) -> None:
        kind, kids = node.kind, node.kids
        if kind == "call":
            if node.op in self.is_async:
                self.t.wrap(node.start, node.end, "(await ", ")")
                types = self.functions[node.op].params
            elif match := re.fullmatch(r"safe_\w+?_func_(\w+?)((?:_[suf])+)", node.op):
                types = [match.group(1)] * len(kids)
                if "shift" in node.op and len(kids) == 2:
                    types[1] = "int32_t" if match.group(2).endswith("s") else "uint32_t"
            else:
                types = [""] * len(kids)
            for kid, type_ in zip(kids, types):
                self.rvalue(kid, LEAF_OF.get(type_, ""))
        elif kind == "assign":
            self.lvalue(kids[0])
            self.rvalue(kids[1])
        elif kind == "unary" and node.op in ("&", "++", "--") or kind == "post":
            self.lvalue(kids[0])
        elif kind in ("index", "member"):
            self.lvalue(node)
        elif kind == "binary" and node.op in ("&&", "||"):
            self.rvalue(kids[0], truth=True)
            self.rvalue(kids[1], truth=True)
        elif kind == "cond":
            self.rvalue(kids[0], truth=True)
            self.rvalue(kids[1])
            self.rvalue(kids[2])
        elif kind == "paren":
            if kids[0].kind not in ("paren", "name"):
                self.inside(kids[0])
        elif kind == "comma":
            self.inside(kids[0])
            self.rvalue(kids[1])
        else:
            for kid in kids:
                self.rvalue(kid)

    # ---- statements of an async function

    def full(self, at: int, leaf: str = "", truth: bool = False) -> int:
        """A full expression that starts at `at`; returns the token behind it."""
        node = self.parser.expression(at)
        if leaf or truth:
            self.rvalue(node, leaf, truth)
        else:
            self.inside(node)
        return node.end

    def statement(self, i: int, in_block: bool) -> int:
        tokens = self.t.tokens
        if in_block and self.rng.random() < self.statement_density and tokens[i] != "}":
            self.t.insert(i, "await t_tick(); ")
        if tokens[i] == "{":
            i += 1
            while tokens[i] != "}":
                i = self.statement(i, True)
            return i + 1
        if self.t.kinds[i] == "name" and tokens[i + 1] == ":":
            return self.statement(i + 2, in_block and self.rng.random() < 0.5)
        if tokens[i] == "if":
            i = self.full(i + 2, truth=True)
            i = self.statement(i + 1, False)
            return self.statement(i + 1, False) if tokens[i] == "else" else i
        if tokens[i] == "for":
            i += 2
            for _ in range(2):
                i = i + 1 if tokens[i] == ";" else self.full(i, truth=_ == 1) + 1
            i = i if tokens[i] == ")" else self.full(i)
            return self.statement(i + 1, False)
        if tokens[i] == "return":
            if tokens[i + 1] == ";":
                return i + 2
            node = self.parser.expression(i + 1)
            self.rvalue(node, LEAF_OF.get(self.result, ""))
            return node.end + 1
        if tokens[i] in ("goto", "break", "continue", ";"):
            while tokens[i] != ";":
                i += 1
            return i + 1
        if tokens[i] in TYPE_WORDS:
            return self.declaration(i)
        return self.full(i) + 1

    def declaration(self, i: int) -> int:
        tokens, start = self.t.tokens, i
        while tokens[i] not in ("=", ";", "["):
            i += 1
        base = " ".join(w for w in tokens[start:i - 1] if w not in ("const", "volatile"))
        while tokens[i] not in ("=", ";"):
            i += 1
        if tokens[i] == "=" and "static" not in tokens[start:i]:
            if tokens[i + 1] == "{":
                return self.braces(i + 1) + 1
            node = self.parser.expression(i + 1)
            self.rvalue(node, LEAF_OF.get(base, ""))
            return node.end + 1
        while tokens[i] != ";":
            i += 1
        return i + 1

    def braces(self, i: int) -> int:
        """A braced initialiser; elements may wait. Returns the token behind it."""
        i += 1
        while self.t.tokens[i] != "}":
            if self.t.tokens[i] == "{":
                i = self.braces(i)
            else:
                self.parser.i = i
                node = self.parser.assignment()
                if not self.is_null(node) and self.maybe(0.3):
                    self.tick(node)
                i = node.end
            if self.t.tokens[i] == ",":
                i += 1
        return i + 1

    def rewrite(self) -> str:
        self.find_functions()
        self.choose_async()
        for name, first in self.heads:
            if name == "main":
                self.t.insert(first, "async ")
            elif name in self.is_async:
                where = first + self.rng.choice([0, 1])
                self.t.insert(where, "async ")
        for function in self.functions.values():
            if function.name in self.is_async:
                self.result = function.result.replace("const ", "").replace("volatile ", "")
                if function.name == "main":
                    self.density, was = 0.0, self.density
                    self.statement(function.body, False)
                    self.density = was
                else:
                    self.statement(function.body, False)
        for i, token in enumerate(self.t.tokens):
            if token == "main":
                self.t.tokens[i] = "test_main"
        return self.t.render()


def csmith_options(rng: random.Random) -> list[str]:
    """Small programs, each with features of its own."""
    options = ["--no-argc", "--concise",
               "--max-funcs", str(rng.choice([2, 3, 4, 6])),
               "--max-block-size", str(rng.choice([2, 3, 4])),
               "--max-block-depth", str(rng.choice([2, 3, 4])),
               "--max-expr-complexity", str(rng.choice([3, 5, 8])),
               "--max-array-dim", str(rng.choice([1, 2, 3])),
               "--max-array-len-per-dim", str(rng.choice([3, 4, 6])),
               "--max-struct-fields", str(rng.choice([3, 5, 8])),
               "--max-union-fields", str(rng.choice([2, 4])),
               "--max-pointer-depth", str(rng.choice([1, 2, 3])),
               "--inline-function-prob", str(rng.choice([0, 50]))]
    for feature, probability in (("bitfields", 0.6), ("volatiles", 0.6), ("packed-struct", 0.5),
                                 ("unions", 0.6), ("structs", 0.8), ("arrays", 0.85),
                                 ("pointers", 0.9), ("jumps", 0.8), ("comma-operators", 0.7),
                                 ("consts", 0.7), ("embedded-assigns", 0.8), ("longlong", 0.9),
                                 ("volatile-pointers", 0.6), ("const-pointers", 0.6),
                                 ("compound-assignment", 0.9), ("global-variables", 0.9)):
        if rng.random() >= probability:
            options.append(f"--no-{feature}")
    if rng.random() < 0.2:
        options.append("--float")
    return options


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True, help="directory for the program")
    arguments = parser.parse_args()
    rng = random.Random(f"csmith-{arguments.seed}")
    source = ""
    options: list[str] = []
    for attempt in range(8):
        options = csmith_options(rng)
        seed = arguments.seed * 10 + attempt
        try:
            made = subprocess.run(["csmith", "--seed", str(seed), *options],
                                  capture_output=True, text=True, timeout=10,
                                  cwd=arguments.out)  # it writes a platform.info
        except subprocess.TimeoutExpired:
            continue
        if made.returncode == 0 and 2000 < len(made.stdout) < 40000:
            source = made.stdout
            options = ["--seed", str(seed), *options]
            break
    if not source:
        print("csmith gave no program of the right size", file=sys.stderr)
        return 77
    head = f"/* csmith {' '.join(options)} */\n#include \"leaf.h\"\n"
    text = Rewriter(source, rng).rewrite()
    out = Path(arguments.out) / f"csmith_{arguments.seed}.c"
    out.write_text(head + text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
