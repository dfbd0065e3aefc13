#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random async C of the kinds that csmith lacks.

Loops with awaits in every part, switches with cases inside nested blocks, jumps out of and into blocks,
labels as values, && || ?: chains, compound assignments, struct values, pointers to locals, arrays,
compound literals, statement expressions, shadowed names, local types, clean-ups and defer, groups and
spawned tasks whose outcome is fixed, calls through async pointers, several files. A program prints an
event log and a hash. It is free of undefined behaviour by construction: arithmetic wraps through
unsigned, indices are masked, every variable has a value. A full expression has at most one effect unless
an await in it fixes the order. With --cancel the program takes and gives back resources and says
`// cancel: sweep`, so that the runner cancels it at each leaf.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from pathlib import Path

INTS = ["int", "int", "int", "short", "unsigned char", "unsigned", "long long", "signed char"]
LEAVES = {"int": "t_int", "short": "t_i16", "unsigned char": "t_u8", "unsigned": "t_u32",
          "long long": "t_i64", "signed char": "t_i8"}

HEADER = """/* SPDX-License-Identifier: MIT */
/* Shared by the files of one generated program. */
#ifndef OWN_H
#define OWN_H
#include "leaf.h"
#ifdef T_ERASED
#define DEFER_GIVE(id) __attribute__((cleanup(t_drop))) int T_HOLD_NAME(__LINE__) = (id)
#define DEFER_NOTE(x) __attribute__((cleanup(own_note))) int *T_HOLD_NAME(__LINE__) = &(x)
#else
#define DEFER_GIVE(id) defer { t_give(id); }
#define DEFER_NOTE(x) defer { say("note %d", x); x = WRAP(x, +, 3); }
#endif
#define WRAP(a, op, b) ((int)((unsigned)(a) op (unsigned)(b)))
#define SMALL(x) ((int)((unsigned)(x) % 97u))
typedef async int (*own_fn)(int);
struct own_ops { int tag; async int (*first)(int); own_fn second; };
struct bits { int a : 5; unsigned b : 7; int c : 3; };
typedef struct own_big { int v[6]; char tag; } own_big;
static inline void own_note(int **p)
{
    say("note %d", **p);
    **p = WRAP(**p, +, 3);
}
static inline async int own_inc(int *p, int by)
{
    int was = await t_int(*p);
    *p = WRAP(was, +, by);
    say("inc %d", *p);
    return await t_int(was);
}
static inline async int own_quiet(int a, int b)
{
    int c = await t_int(a);
    await t_tick();
    return WRAP(c, *, await t_int(b));
}
static inline async own_big own_mkbig(int a, int b)
{
    own_big big = {{a, b, WRAP(a, ^, b)}, 'b'};
    big.v[3] = await t_int(a);
    return big;
}
static inline async int own_fail(int a)
{
    int code = -1 - SMALL(await t_int(a));
    return await t_int(code);
}
static inline async int own_wide(int a)
{
    int wide[900] = {0};
    wide[SMALL(a)] = await t_int(a);
    wide[899] = a;
    await t_tick();
    return WRAP(wide[SMALL(a)], +, wide[899]);
}
static inline void own_drop(int *id)
{
    if (*id != 0)
        t_give(*id);
}
static inline async int own_take(int id)
{
    await aw_yield();
    return t_take(id);
}
static inline async int own_behind(int a)
{
    for (int i = 0; i < 4; i++)
        await aw_yield();
    return await t_int(a);
}
static inline int own_sum(int a, int b)
{
    return WRAP(WRAP(a, *, 3), +, b);
}
static inline async int own_ready(int a)
{
    return WRAP(a, ^, 21);
}
static inline async int own_deep(int n, int seed)
{
    if (n == 0)
        return await t_int(seed);
    int below = await own_deep(n - 1, WRAP(seed, *, 7));
    return WRAP(below, +, n);
}
"""


class Var:
    def __init__(self, name: str, type_: str, kind: str = "int", assign: bool = True) -> None:
        self.name, self.type, self.kind, self.assign = name, type_, kind, assign


class Func:
    def __init__(self, name: str, result: str, params: list[tuple[str, str]]) -> None:
        self.name, self.result, self.params = name, result, params
        self.cost = 1

    def head(self) -> str:
        inside = ", ".join(f"{t}{'' if t.endswith('*') else ' '}{n}" for t, n in self.params)
        return f"async {self.result} {self.name}({inside or 'void'})"


class Generator:
    def __init__(self, seed: int, cancel: bool) -> None:
        self.rng = random.Random(f"own-{cancel}-{seed}")
        self.cancel = cancel
        self.has_groups = seed % 7 == 0  # few, so that the rest are short
        self.number = 0
        self.lines: list[str] = []
        self.indent = 1
        self.vars: list[Var] = []
        self.temps: list[str] = []      # used once each, so that (t = E) conflicts with nothing
        self.functions: list[Func] = []
        self.callable: list[Func] = []
        self.spent = 0
        self.times = 1                  # how often the statement here may run
        self.limit = 40 if cancel else 70
        self.in_loop = False
        self.can_return = True
        self.has_table = False
        self.has_hold = False
        self.has_dive = False           # into a recursion that is too deep for the C stack
        self.in_switch = False
        self.result = "int"

    # ---- small things

    def fresh(self, prefix: str) -> str:
        self.number += 1
        return f"{prefix}{self.number}"

    def one_of(self, *choices):
        return self.rng.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def afford(self, cost: int = 1) -> bool:
        if self.spent + cost * self.times > self.limit:
            return False
        self.spent += cost * self.times
        return True

    def of_kind(self, kind: str, assign: bool = False) -> list[Var]:
        return [v for v in self.vars if v.kind == kind and (v.assign or not assign)]

    # ---- expressions: all give an integer

    def pure(self, depth: int) -> str:
        pick = self.rng.random()
        ints = self.of_kind("int")
        if depth <= 0 or pick < 0.35:
            if ints and self.chance(0.75):
                return self.rng.choice(ints).name
            return self.one_of(str(self.rng.randrange(0, 40)), str(-self.rng.randrange(1, 9)),
                               "(-7)", "'a'")
        if pick < 0.45 and self.of_kind("array"):
            return f"{self.rng.choice(self.of_kind('array')).name}[({self.pure(depth - 1)}) & 3]"
        if pick < 0.52 and self.of_kind("pair"):
            return f"{self.rng.choice(self.of_kind('pair')).name}.{self.one_of('a', 'b')}"
        if pick < 0.55 and self.of_kind("big"):
            return f"{self.rng.choice(self.of_kind('big')).name}.v[({self.pure(depth - 1)}) & 3]"
        if pick < 0.58 and self.of_kind("ptr"):
            return f"(*{self.rng.choice(self.of_kind('ptr')).name})"
        if pick < 0.62 and self.of_kind("bits"):
            return f"{self.rng.choice(self.of_kind('bits')).name}.{self.one_of('a', 'b', 'c')}"
        if pick < 0.68:
            return f"(int)({self.one_of(*INTS)})({self.pure(depth - 1)})"
        return self.combine(self.pure(depth - 1), self.pure(depth - 1))

    def combine(self, a: str, b: str) -> str:
        op = self.one_of("+", "-", "*", "^", "&", "|", "<", "==", "&&", "||", "%", ">>", "?")
        if op in "+-*^&|":
            return f"WRAP({a}, {op}, {b})"
        if op == "%":
            return f"(SMALL({a}) % (SMALL({b}) + 1))"
        if op == ">>":
            return f"(SMALL({a}) >> (({b}) & 3))"
        if op == "?":
            return f"(({a}) > 5 ? ({b}) : {self.rng.randrange(90)})"
        return f"(({a}) {op} ({b}))"

    def call(self, depth: int) -> str:
        """One awaited call with an integer value; falls back to something pure."""
        if not self.afford():
            return self.pure(1)
        sub = lambda: self.expr(depth - 1)
        choices = ["ev"] * 4 + ["leaf"] * 3 + ["func"] * 6 + [
            "pair", "pass", "evp", "inc", "inc", "set", "pointer", "deep", "ops", "big",
            "plain", "plain", "plain"]
        if not self.cancel:
            choices.append("pool")
        kind = self.rng.choice(choices)
        if kind == "func":
            usable = [f for f in self.callable if f.result != "void"
                      and self.spent + f.cost * self.times <= self.limit]
            if usable:
                func = self.rng.choice(usable)
                self.spent += func.cost * self.times
                args = [self.argument(t, depth) for t, _ in func.params]
                text = f"await {func.name}({', '.join(args)})"
                return f"({text}).{self.one_of('a', 'b')}" if func.result == "t_pair" \
                    else f"({text}).v[{self.rng.randrange(4)}]" if func.result == "own_big" \
                    else f"(int){text}" if func.result == "long long" else text
        if kind == "leaf":
            type_ = self.one_of(*LEAVES)
            return f"(int)await {LEAVES[type_]}(({type_})({sub()}))"
        if kind == "pair":
            return f"(await t_mkpair({sub()}, {sub()})).{self.one_of('a', 'b')}"
        if kind == "plain":  # an effect without an await, whose order an await beside it fixes
            return self.one_of(f"WRAP(p_ev({self.pure(1)}), +, await t_ev({sub()}))",
                               f"(await t_mkpair(p_ev({self.pure(1)}), {sub()})).a",
                               f"WRAP(await t_int({sub()}), ^, p_ev({self.pure(1)}))",
                               f"(p_ev({self.pure(1)}) ?: await t_int({sub()}))",
                               f"(await own_table[p_ev({self.pure(1)}) & 1](p_ev({self.pure(1)})))")
        if kind == "big":
            return f"({self.big(depth)}).v[{self.rng.randrange(4)}]"
        if kind == "pool":
            return f"await {self.one_of('aw_blocking', 'aw_compute')}(own_sum({sub()}, {sub()}))"
        if kind == "pass" and self.of_kind("pair"):
            return f"(await t_pass({self.rng.choice(self.of_kind('pair')).name})).b"
        plain = [v for v in self.of_kind("int", True) if v.type == "int"]
        if kind in ("evp", "inc", "set") and plain:
            var = self.rng.choice(plain).name
            if kind == "evp":
                return f'*await t_evp("{self.fresh("q")}", &{var})'
            new = f"await own_inc(&{var}, {sub()})" if kind == "inc" else \
                f"({{ {var} = WRAP(await t_ev({sub()}), +, 1000); {var}; }})"
            return new if self.chance(0.3) else f"WRAP({var}, +, {new})"  # the old value first
        if kind == "pointer":
            return f"await own_table[({sub()}) & 1]({sub()})"
        if kind == "ops" and self.of_kind("ops"):
            name = self.rng.choice(self.of_kind("ops")).name
            return f"await {name}.{self.one_of('first', 'second')}({sub()})"
        if kind == "deep" and self.afford(3):
            depth_of_it = self.one_of(1, 2, 3, 30, 300)
            if self.times == 1 and not self.has_dive and self.chance(0.2):
                self.has_dive, depth_of_it = True, 80000
            return f"await own_deep({depth_of_it}, {sub()})"
        return f"await {self.one_of('t_ev', '(t_ev)', '(*t_ev)')}({sub()})" \
            if self.chance(0.2) else f"await t_ev({sub()})"

    def argument(self, type_: str, depth: int) -> str:
        if type_ == "t_pair":
            return self.pair(depth)
        if type_ == "own_big":
            return self.big(depth)
        if type_ == "int *":
            plain = [v for v in self.of_kind("int", True) if v.type == "int"]
            return f"&{self.rng.choice(plain).name}" if plain else "&(int){4}"
        return self.expr(depth - 1)

    def pair(self, depth: int) -> str:
        pairs = self.of_kind("pair")
        pick = self.rng.random()
        if pairs and pick < 0.3:
            return self.rng.choice(pairs).name
        if pick < 0.55:
            return f"(t_pair){{{self.expr(depth - 1)}, {self.expr(depth - 1)}}}"
        if pick < 0.7:
            return f"(t_pair){{.b = {self.expr(depth - 1)}}}"
        if self.afford():
            return f"await t_mkpair({self.expr(depth - 1)}, {self.expr(depth - 1)})"
        return "(t_pair){1, 2}"

    def big(self, depth: int) -> str:
        """A struct that is too large to be passed in registers."""
        bigs = self.of_kind("big")
        if bigs and self.chance(0.4):
            return self.rng.choice(bigs).name
        if self.chance(0.5) and self.afford():
            return f"await own_mkbig({self.expr(depth - 1)}, {self.expr(depth - 1)})"
        return f"(own_big){{{{{self.pure(1)}, {self.expr(depth - 1)}}}, 'l'}}"

    def expr(self, depth: int) -> str:
        """An integer expression that may await anywhere."""
        if depth <= 0 or self.chance(0.25):
            return self.pure(1)
        pick = self.rng.random()
        if pick < 0.35:
            return self.call(depth)
        a, b = self.expr(depth - 1), self.expr(depth - 1)
        if pick < 0.6:
            return self.combine(a, b)
        if pick < 0.68:
            return f"(({a}) {self.one_of('&&', '||')} ({b}))"
        if pick < 0.76:
            return f"(({a}) ? ({b}) : ({self.expr(depth - 1)}))"
        if pick < 0.8:
            return f"(({a}) ?: ({b}))"
        if pick < 0.84 and self.afford():
            return f"((void)await t_int({a}), {b})"
        if pick < 0.88 and self.temps:
            return f"({self.temps.pop()} = {a})"
        if pick < 0.93 and self.afford():
            name = self.fresh("s")
            return f"({{ int {name} = {a}; await t_tick(); WRAP({name}, +, {b}); }})"
        if pick < 0.95:
            return f"(int)(sizeof(await t_i16(1)) + ({b} & 1))" if self.afford() else b
        if pick < 0.97:
            return f"_Generic(({self.pure(0)}), char *: 0, default: {b})"
        return f"(({self.one_of('!', '~', '-(int)(short)')}({a})) & 1023)"

    def awaited(self, depth: int = 2) -> str:
        """An expression that surely awaits, where the budget allows."""
        if self.chance(0.5) and self.afford():
            return self.combine(self.expr(depth), f"await t_ev({self.expr(depth - 1)})")
        return self.expr(depth + 1)

    # ---- statements

    def block(self, count: int, braces: bool = True, first=None) -> None:
        """A nested scope."""
        if braces:
            self.emit("{")
        self.indent += 1
        mark = len(self.vars)
        if first is not None:
            first()
        for _ in range(count):
            self.statement()
        del self.vars[mark:]
        self.indent -= 1
        if braces:
            self.emit("}")

    def looped(self, times: int, count: int) -> None:
        was, self.times = (self.times, self.in_loop, self.in_switch), self.times * times
        self.in_loop, self.in_switch = True, False
        self.block(count, first=self.one_of(self.resource_block, self.leave_early)
                   if self.chance(0.45) else None)
        self.times, self.in_loop, self.in_switch = was

    def statement(self) -> None:
        simple = [self.declare, self.declare, self.assign, self.compound, self.log, self.log]
        nested = [self.if_, self.for_, self.while_, self.do_, self.switch_, self.jump_out,
                  self.jump_back, self.jump_in, self.shadow, self.local_types, self.literals,
                  self.pointer_kept, self.sized]
        other = [self.lazy, self.declare_array, self.declare_pair, self.void_call, self.leave_early,
                 self.declare_bits, self.declare_ops, self.struct_copy, self.declare_big,
                 self.declare_two]
        if self.cancel:
            other += [self.hold] * 6 + ([self.resource_group] * 3 if self.has_groups else [])
        else:
            other += [self.hold, self.group, self.race, self.task, self.vla, self.table_goto,
                      self.try_all]
        room = self.indent < 6 and self.spent + 4 * self.times < self.limit
        pool = simple * 2 + other * 2 + (nested * 2 if room else [])
        self.rng.choice(pool)()

    def declare(self) -> None:
        type_ = self.one_of(*INTS)
        name = self.fresh("v")
        value = self.awaited()
        quals = self.rng.choice(["", "", "", "", "volatile ", "const ", "register ", "_Atomic "])
        if self.chance(0.08):
            quals = "_Alignas(32) "
        self.emit(f"{quals}{type_} {name} = ({type_})({value});")
        if quals == "_Alignas(32) ":
            self.emit(f'say("aligned %d", (int)((uintptr_t)&{name} % 32));')
        plain = quals in ("", "_Alignas(32) ")
        self.vars.append(Var(name, type_ if plain else quals + type_, "int",
                             quals != "const "))

    def declare_array(self) -> None:
        name = self.fresh("a")
        form = self.rng.randrange(4)
        if form == 0:
            text = f"{{{self.expr(2)}, {self.awaited()}, {self.expr(1)}}}"
        elif form == 1:
            # clang evaluates in the order of the elements, the language in that of the text: the
            # second must not read what the first may write
            first, second = self.awaited(), self.pure(1)
            if re.search(r"[A-Za-z_]", second.replace("'a'", "")):
                second = "7"
            text = f"{{[2] = {first}, [0] = {second}}}"
        elif form == 2:
            text = f"{{[0 ... 2] = {self.rng.randrange(50)}, {self.awaited()}}}"
        else:
            text = "{0}"
        self.emit(f"int {name}[4] = {text};")
        self.vars.append(Var(name, "int", "array"))

    def declare_pair(self) -> None:
        name = self.fresh("p")
        value = self.pair(2)
        if self.chance(0.25):  # the first is overridden, so it is not evaluated
            value = f"{{.a = p_ev({self.pure(1)}), .b = 3, .a = {self.awaited(1)}}}"
        self.emit(f"t_pair {name} = {value};")
        self.vars.append(Var(name, "t_pair", "pair"))

    def declare_big(self) -> None:
        name = self.fresh("b")
        self.emit(f"own_big {name} = {self.big(2)};")
        self.vars.append(Var(name, "own_big", "big"))

    def declare_two(self) -> None:
        names = [self.fresh("v") for _ in range(2)]
        first, last = self.call(2), self.call(2)
        self.emit(f"int {names[0]} = {first}, *{names[1]}p = &{names[0]}, {names[1]} = {last};")
        self.emit(f"(void){names[1]}p;")
        self.vars += [Var(name, "int") for name in names]

    def lazy(self) -> None:
        """A local that may be overwritten, or may not, after an await."""
        name = self.fresh("z")
        self.emit(f"int {name} = {self.call(1)};")
        self.emit("await t_tick();")
        self.spent += self.times
        write = f"({name} = {self.pure(1)})"
        self.emit(self.one_of(f"(void)(SMALL({self.pure(1)}) & 1 ? {write} : 0);",
                              f"(void)((SMALL({self.pure(1)}) & 2) && {write});",
                              f"if (SMALL({self.pure(1)}) & 1) {write};"))
        self.emit(f'say("lazy %d", {name});')

    def declare_bits(self) -> None:
        name = self.fresh("f")
        self.emit(f"struct bits {name} = {{{self.pure(0)} & 7, .b = SMALL({self.awaited(1)}), "
                  f".c = {self.one_of('1', '-2')}}};")
        self.vars.append(Var(name, "struct bits", "bits"))

    def declare_ops(self) -> None:
        name = self.fresh("o")
        self.emit(f"struct own_ops {name} = {{{self.expr(1)}, t_ev, .second = "
                  f"own_table[{self.pure(0)} & 1]}};")
        self.vars.append(Var(name, "struct own_ops", "ops"))

    def target(self) -> tuple[str, str]:
        """Something to assign to: its text and its type."""
        pick = self.rng.random()
        if pick < 0.35 and self.of_kind("array"):
            index = f"await t_ev({self.pure(1)})" if self.chance(0.4) and self.afford() \
                else self.expr(1)
            return f"{self.rng.choice(self.of_kind('array')).name}[({index}) & 3]", "int"
        if pick < 0.45 and self.of_kind("pair"):
            return f"{self.rng.choice(self.of_kind('pair')).name}.{self.one_of('a', 'b')}", "int"
        if pick < 0.52 and self.of_kind("ptr"):
            return f"*{self.rng.choice(self.of_kind('ptr')).name}", "int"
        ints = self.of_kind("int", True)
        if ints:
            var = self.rng.choice(ints)
            return var.name, var.type.replace("volatile ", "").replace("register ", "").replace(
                "_Atomic ", "")
        return "sink", "int"

    def assign(self) -> None:
        if self.chance(0.15) and self.of_kind("bits"):
            bits = self.rng.choice(self.of_kind("bits")).name
            field, mask = self.one_of(("a", "7"), ("b", "63"), ("c", "1"))
            self.emit(f"{bits}.{field} = ({self.awaited()}) & {mask};")
            return
        if self.chance(0.15) and self.temps:
            text, type_ = self.target()
            self.emit(f"{text} = ({type_})({self.temps.pop()} = {self.awaited()});")
            return
        text, type_ = self.target()
        self.emit(f"{text} = ({type_})({self.awaited()});")

    def compound(self) -> None:
        text, type_ = self.target()
        op = self.one_of("^=", "|=", "&=", "+=", "-=")
        if op in ("+=", "-=") and type_ not in ("unsigned", "unsigned char"):
            op = "^="
        self.emit(f"{text} {op} ({type_})({self.awaited()});")

    def struct_copy(self) -> None:
        pairs = self.of_kind("pair")
        if not pairs:
            return self.declare_pair()
        self.emit(f"{self.rng.choice(pairs).name} = {self.pair(2)};")

    def log(self) -> None:
        ints = [v for v in self.vars if v.kind == "int"]
        shown = self.rng.sample(ints, min(len(ints), 3))
        parts = [f"(int){v.name}" for v in shown]
        parts += [f"{v.name}.a, {v.name}.b" for v in self.of_kind("pair")[-1:]]
        parts += [f"{v.name}[1]" for v in self.of_kind("array")[-1:]]
        count = sum(part.count(",") + 1 for part in parts)
        tag = self.fresh("L")
        if parts:
            self.emit(f'say("{tag}{" %d" * count}", {", ".join(parts)});')
            self.emit(f"t_hash((uint64_t)(int64_t)({self.pure(2)}));")

    def void_call(self) -> None:
        if self.afford():
            self.emit(self.one_of("await t_tick();", f"(void)await t_ev({self.expr(2)});",
                                  f"await t_ev({self.expr(1)});"))

    def leave_early(self) -> None:
        jumps = ["break"] * (self.in_loop or self.in_switch) + ["continue"] * self.in_loop
        if jumps and self.chance(0.6):
            self.emit(f"if (SMALL({self.awaited(1)}) < 30) {self.rng.choice(jumps)};")
        elif self.can_return and self.chance(0.4):
            self.emit(f"if (SMALL({self.awaited(1)}) < 12) {self.return_text()}")

    def return_text(self) -> str:
        if self.result == "void":
            return "return;"
        if self.result == "t_pair":
            return f"return {self.pair(2)};"
        if self.result == "own_big":
            return f"return {self.big(2)};"
        return f"return {self.awaited()};"

    def if_(self) -> None:
        self.emit(f"if ({self.awaited()})")
        self.block(self.rng.randrange(1, 3))
        if self.chance(0.5):
            if self.chance(0.4):
                self.emit(f"else if ({self.expr(2)})")
                self.block(1)
            self.emit("else")
            self.block(self.rng.randrange(1, 3))

    def for_(self) -> None:
        i, rounds = self.fresh("i"), self.rng.randrange(1, 4)
        self.times *= rounds + 1
        test = f"{i} < {rounds}" if not (self.chance(0.5) and self.afford()) else \
            f"await t_int({i}) < {rounds}"
        step = f"{i}++" if not (self.chance(0.5) and self.afford()) else \
            self.one_of(f"{i} += await t_int(1)", f"await t_tick(), ++{i}")
        self.times //= rounds + 1
        start = "0" if not (self.chance(0.4) and self.afford()) else "await t_int(0)"
        self.emit(f"for (int {i} = {start}; {test}; {step})")
        self.vars.append(Var(i, "int", "int", False))
        self.looped(rounds, self.rng.randrange(1, 4))
        self.vars = [v for v in self.vars if v.name != i]

    def while_(self) -> None:
        i, rounds = self.fresh("w"), self.rng.randrange(1, 4)
        self.emit("{")
        self.indent += 1
        self.emit(f"int {i} = 0;")
        awaited = self.chance(0.6)
        self.spent += (rounds + 1) * self.times * awaited
        self.emit(f"while ({f'await t_int({i}++) < {rounds}' if awaited else f'{i}++ < {rounds}'})")
        self.looped(rounds, self.rng.randrange(1, 3))
        self.indent -= 1
        self.emit("}")

    def do_(self) -> None:
        i, rounds = self.fresh("d"), self.rng.randrange(1, 3)
        self.emit("{")
        self.indent += 1
        self.emit(f"int {i} = 0;")
        self.emit("do")
        self.looped(rounds, self.rng.randrange(1, 3))
        self.spent += rounds * self.times
        self.emit(f"while (await t_ev(++{i}) < {rounds});")
        self.indent -= 1
        self.emit("}")

    def switch_(self) -> None:
        kept = self.fresh("z")  # overwritten in some cases, read behind
        self.emit(f"int {kept} = {self.pure(1)};")
        self.emit(f"switch (SMALL({self.awaited(1)}) % 7) {{")
        around, self.in_switch = (self.in_loop, self.in_switch), True
        labels = ["case 0:", "case 1:", "case 2 ... 3:", "default:", "case 5:"]
        self.rng.shuffle(labels)
        for label in labels[:self.rng.randrange(1, 6)]:
            self.emit(label)
            self.emit(f"{kept} = {self.rng.randrange(90)};")
            if self.chance(0.3):
                self.resource_block()
            self.block(self.rng.randrange(1, 3))
            if self.chance(0.5):
                self.emit("break;")
        self.in_loop = self.in_switch = False
        if self.chance(0.5):  # a case inside a nested loop
            i = self.fresh("n")
            self.emit(f"for (int {i} = 0; {i} < 2; {i}++) {{")
            self.times *= 2
            self.block(1)
            self.emit(f"case 6: {kept} = 6;")
            self.emit(f'say("nested case");')
            self.emit(f"{i} = 1;")
            self.block(1)
            self.times //= 2
            self.emit("}")
        self.emit("}")
        self.emit(f'say("kept %d", {kept});')
        self.in_loop, self.in_switch = around

    def jump_out(self) -> None:
        label, i = self.fresh("out"), self.fresh("i")
        self.emit("{")
        self.indent += 1
        self.emit(f"for (int {i} = 0; {i} < 2; {i}++) {{")
        self.indent += 1
        self.times *= 2
        if self.chance(0.4):
            self.hold()
        self.block(1)
        self.emit(f"if (SMALL({self.awaited(1)}) > 50) goto {label};")
        self.block(1)
        self.times //= 2
        self.indent -= 1
        self.emit("}")
        self.emit('say("no jump");')
        self.emit(f"{label}:;")
        self.indent -= 1
        self.emit("}")

    def jump_back(self) -> None:
        label, i = self.fresh("back"), self.fresh("g")
        self.emit("{")
        self.indent += 1
        self.emit(f"int {i} = 0;")
        self.emit(f"{label}:;")
        self.times *= 2
        around, self.in_loop, self.in_switch = (self.in_loop, self.in_switch), False, False
        self.emit("{")
        self.indent += 1
        if self.chance(0.4):
            self.hold()
        self.block(2)
        self.in_loop, self.in_switch = around
        self.spent += self.times
        self.times //= 2
        self.emit(f"if (await t_int(++{i}) < 2) goto {label};")
        self.indent -= 1
        self.emit("}")
        self.indent -= 1
        self.emit("}")

    def jump_in(self) -> None:
        label, name = self.fresh("in"), self.fresh("v")
        self.emit(f"if (SMALL({self.expr(2)}) & 1) goto {label};")
        self.emit("{")
        self.indent += 1
        self.emit(f"int {name};")
        self.block(1)
        self.emit(f"{label}: {name} = {self.awaited(1)};")
        self.vars.append(Var(name, "int"))
        self.block(1)
        self.vars = [v for v in self.vars if v.name != name]
        self.emit(f'say("{label} %d", {name});')
        self.indent -= 1
        self.emit("}")

    def table_goto(self) -> None:
        if self.has_table or self.has_hold:  # clang checks every target of a function's gotos
            return
        self.has_table = True
        table, count = self.fresh("tab"), self.fresh("c")
        names = [self.fresh("lab") for _ in range(3)]
        self.emit("{")
        self.indent += 1
        where = self.one_of("static const ", "")
        self.emit(f"{where}void *{'const ' if where else ''}{table}[] = "
                  f"{{&&{names[0]}, &&{names[1]}, &&{names[2]}}};")
        kept = self.fresh("z")  # overwritten behind the first label
        self.emit(f"int {count} = 0, {kept} = {self.pure(1)};")
        self.emit(f"goto *{table}[({self.call(1)}) & 1];")
        for at, name in enumerate(names):
            if at > 0:
                self.emit(f"{name}: say(\"{name} %d\", {kept});")
            else:
                self.emit(f"{name}: {kept} = {self.rng.randrange(90)};")
            self.times *= 3
            self.block(1)
            self.spent += self.times
            self.times //= 3
            if at < 2:
                self.emit(f"if (await t_int({count}++) < 2) "
                          f"goto *{table}[({self.pure(1)}) & 1];")
        self.indent -= 1
        self.emit("}")

    def shadow(self) -> None:
        plain = [v for v in self.of_kind("int") if v.type == "int"]
        if not plain:
            return self.declare()
        name = self.rng.choice(plain).name
        self.emit("{")
        self.indent += 1
        keep = self.fresh("k")
        self.emit(f"int {keep} = {name};")
        self.emit("{")
        self.indent += 1
        self.emit(f"int {name} = WRAP({keep}, +, {self.one_of('1', '100')});")
        mark = len(self.vars)
        for _ in range(2):
            self.statement()
        del self.vars[mark:]
        if self.afford():
            self.emit(f'say("inner %d", await t_int({name}));')
        self.indent -= 1
        self.emit("}")
        self.emit(f'say("outer %d %d", {name}, {keep});')
        self.indent -= 1
        self.emit("}")

    def local_types(self) -> None:
        tag, name = self.one_of("node", "item"), self.fresh("x")
        unit = self.fresh("UNIT")
        self.emit("{")
        self.indent += 1
        self.emit(f"enum {{ {unit} = {self.rng.randrange(2, 30)} }};")
        self.emit(f"struct {tag} {{ int key; {self.one_of('char pad[3]; ', '')}"
                  f"struct {tag} *next; t_pair in[2]; }};")
        self.emit(f"typedef struct {tag} {tag}_t;")
        self.emit(f"{tag}_t {name} = {{.key = {self.awaited(1)}, .next = &{name}, "
                  f".in[1].b = {unit}}};")
        if self.afford():
            self.emit(f"{name}.next->in[0].a = await t_int({unit} + 1);")
        self.block(1)
        self.emit(f'say("{tag} %d %d %d", {name}.key, {name}.next->in[0].a, {name}.in[1].b);')
        self.indent -= 1
        self.emit("}")

    def literals(self) -> None:
        name = self.fresh("lit")
        form = self.rng.randrange(3)
        self.emit("{")
        self.indent += 1
        if form == 0:
            self.emit(f"t_pair *{name} = &(t_pair){{{self.expr(1)}, {self.awaited(1)}}};")
            use = f"{name}->a, {name}->b"
        elif form == 1:
            self.emit(f"int *{name} = (int[]){{{self.awaited(1)}, {self.pure(1)}, 3}};")
            use = f"{name}[0], {name}[1]"
        else:
            self.emit(f"const char *{name} = (char[]){{'h', (char)('a' + (({self.awaited(1)}) & 7)),"
                      f" 0}};")
            use = f"{name}[0], {name}[1]"
        if self.afford():
            self.emit("await t_tick();")
        self.block(1)
        self.emit(f'say("{name} %d %d", {use});')
        self.indent -= 1
        self.emit("}")

    def pointer_kept(self) -> None:
        plain = [v for v in self.of_kind("int", True) if v.type == "int"]
        if not plain:
            return self.declare()
        name = self.fresh("r")
        self.emit(f"int *{name} = &{self.rng.choice(plain).name};")
        self.vars.append(Var(name, "int *", "ptr", False))
        if self.afford():
            self.emit(f"*{name} ^= await t_ev({self.expr(1)});")

    def hold(self) -> None:
        if self.has_table:
            return
        ident = self.fresh("")
        self.has_hold = True
        form = self.rng.randrange(5)
        if form == 0:
            self.emit(f"HOLD({ident});")
        elif form == 4:  # a clean-up that reads a local
            name = self.fresh("h")
            self.emit(f"int {name} = t_take({ident});")
            self.emit(f"DEFER_GIVE({name});")
        elif form == 1:
            self.emit(f"t_take({ident});")
            self.emit(f"DEFER_GIVE({ident});")
        elif form == 2 and not self.cancel:
            plain = [v for v in self.of_kind("int", True) if v.type == "int"]
            if plain:
                self.emit(f"DEFER_NOTE({self.rng.choice(plain).name});")
        else:
            name = self.fresh("h")
            self.emit(f"__attribute__((cleanup(t_drop))) int {name} = t_take({ident});")
        if self.afford():
            self.emit(f"await t_ev({self.expr(1)});")

    def resource_group(self) -> None:
        """A branch takes a resource late; the next is where a cancel may land."""
        if self.has_table or not self.afford(2):
            return
        self.has_hold = True
        ident, name, other = self.fresh(""), self.fresh("h"), self.fresh("m")
        self.emit(f"__attribute__((cleanup(own_drop))) int {name} = 0;")
        self.emit(f"int {other} = 0;")
        form = self.one_of("aw_all", "aw_try_all")
        self.emit(f"await {form}({name} = own_take({ident}), "
                  f"{other} = own_behind(SMALL({self.pure(1)})));")
        self.vars.append(Var(other, "int"))

    def resource_block(self) -> None:
        """A block that may be left early while it holds something."""
        self.emit("{")
        self.indent += 1
        mark = len(self.vars)
        self.hold()
        self.leave_early()
        if self.chance(0.5):
            self.hold()
            if self.can_return and self.chance(0.3):
                self.emit(f"if (SMALL({self.awaited(1)}) < 60) {self.return_text()}")
            self.leave_early()
        self.log()
        del self.vars[mark:]
        self.indent -= 1
        self.emit("}")

    def try_all(self) -> None:
        """One call fails: at once, so that the next is not started, or late, as the last."""
        if not self.afford(5):
            return
        names, rc = [self.fresh("m") for _ in range(3)], self.fresh("rc")
        self.emit(f"int {', '.join(n + ' = 0' for n in names)};")
        calls = [f"own_ready(SMALL({self.pure(1)}))", "own_ready(-2 - SMALL(3))",
                 f"own_quiet(1, SMALL({self.pure(1)}))"] if self.chance(0.5) else \
            [f"own_ready(SMALL({self.pure(1)}))", f"own_ready(SMALL({self.pure(1)}))",
             f"own_fail({self.pure(1)})"]
        self.emit(f"int {rc} = await aw_try_all("
                  f"{', '.join(f'{n} = {c}' for n, c in zip(names, calls))});")
        self.emit(f'say("try %d %d %d %d", {rc}, {", ".join(names)});')

    def group(self) -> None:
        if not self.afford(6):
            return
        names = [self.fresh("m") for _ in range(self.rng.randrange(2, 4))]
        self.emit(f"int {', '.join(names)};")
        results = self.fresh("a")
        self.emit(f"int {results}[4] = {{0}};")
        calls = []
        for name in names:
            work = self.one_of(f"own_quiet({self.pure(1)}, {self.pure(1)})",
                               f"t_int({self.expr(1)})", f"own_ready({self.expr(1)})",
                               f"own_deep(2, {self.pure(1)})", f"own_wide({self.pure(1)})")
            calls.append(f"{name} = {work}")
        if self.chance(0.5):  # places that are evaluated once, before the calls
            calls.append(f"{results}[p_ev({self.pure(1)}) & 1] = own_quiet(p_ev(2), 3)")
            calls.append(f"{results}[2 | (p_ev({self.pure(1)}) & 1)] = t_int(4)")
        if self.chance(0.3):
            inner = self.fresh("m")
            self.emit(f"int {inner} = 0;")
            calls.append(f"aw_all({inner} = own_quiet(3, 4), t_int(1))")
            names.append(inner)
        if self.chance(0.7):
            self.emit(f"await aw_all({', '.join(calls)});")
            self.vars.append(Var(results, "int", "array"))
        else:
            names = names[:2]
            wrapped = [f"{n} = {self.one_of('own_ready(', 'own_quiet(2, ')}SMALL({self.pure(1)}))"
                       for n in names]
            self.emit(f"int {self.fresh('rc')} = await aw_try_all({', '.join(wrapped)});")
        for name in names:
            self.vars.append(Var(name, "int"))
        self.log()

    def race(self) -> None:
        if not self.afford(4):
            return
        name, other, which = self.fresh("m"), self.fresh("m"), self.fresh("who")
        self.emit(f"int {name} = -1, {other} = -1;")
        self.emit(f"int {which} = await aw_race({name} = own_ready({self.expr(1)}), "
                  f"{other} = own_quiet(1, 2));")
        self.emit(f'say("race %d %d %d", {which}, {name}, {other});')
        if self.chance(0.5):
            self.emit(f"{which} = await aw_timeout(0, {other} = own_ready({self.expr(1)}));")
            self.emit(f"{which} = await aw_timeout(600000, {name} = own_quiet(2, {self.expr(1)}));")
            self.emit(f'say("timeout %d %d %d", {which}, {name}, {other});')

    def task(self) -> None:
        if not self.afford(5):
            return
        task, out, rc = self.fresh("task"), self.fresh("m"), self.fresh("rc")
        self.emit(f"int {out} = 0;")
        self.emit(f"aw_task *{task} = spawn(own_quiet({self.expr(1)}, {self.pure(1)}));")
        self.emit(f"await t_ev({self.expr(1)});")
        self.emit(f"int {rc} = await aw_join({task}, &{out});")
        self.emit(f'say("joined %d %d", {rc}, {out});')
        self.vars.append(Var(out, "int"))

    def vla(self) -> None:
        name, n = self.fresh("vla"), self.fresh("n")
        self.emit("{")
        self.indent += 1
        self.emit(f"int {n} = (({self.pure(1)}) & 3) + 2;")
        self.emit(f"int {name}[{n}];")
        self.emit(f"for (int i = 0; i < {n}; i++) {name}[i] = i * 3;")
        self.emit(f'say("vla %d %d", {name}[1], (int)(sizeof {name} / sizeof {name}[0]));')
        self.indent -= 1
        self.emit("}")

    def sized(self) -> None:
        """Arrays whose size is computed, a pointer to their rows, a typedef: all across awaits."""
        if self.has_table or not self.afford(4):
            return
        self.has_hold = True
        n, name, row, type_ = self.fresh("n"), self.fresh("sized"), self.fresh("row"), \
            self.fresh("line")
        mark = len(self.vars)
        self.emit("{")
        self.indent += 1
        self.emit(f"int {n} = (({self.pure(1)}) & 3) + 4;")
        size = f"SMALL({self.awaited(1)}) % 3 + 4" if self.chance(0.5) else n
        self.emit(f"typedef int {type_}[{n}];")
        self.emit(f"int {name}[{n} - 1][{size}], {name}_one[{n}];")
        self.emit(f"{type_} {name}_two;")
        self.emit(f"{n} += {self.awaited(1)};")
        self.emit(f"for (size_t i = 0; i < sizeof {name} / sizeof(int); i++) "
                  f"(&{name}[0][0])[i] = (int)i * 3;")
        self.emit(f"for (size_t i = 0; i < sizeof({type_}) / sizeof(int); i++) "
                  f"{name}_one[i] = {name}_two[i] = (int)i + {self.awaited(1)};")
        self.emit(f"int (*{row})[sizeof {name}[0] / sizeof(int)] = {name};")
        self.vars += [Var(f"{name}_one", "int", "array"), Var(f"{name}_two", "int", "array"),
                      Var(f"(*{row})", "int", "array"), Var(f"{name}[1]", "int", "array")]
        self.block(1)
        self.emit(self.one_of(
            f"{row} += SMALL({self.awaited(1)}) & 1;",
            f"{row} = (SMALL({self.awaited(1)}) & 1) ? {name} + 1 : &{name}[2];",
            f"{row}++;",
            f"sink ^= ({row} + (SMALL({self.awaited(1)}) & 1))[1][SMALL({self.awaited(1)}) & 3];",
            f"sink ^= (*{row}++)[SMALL({self.awaited(1)}) & 3] + {self.awaited(1)};"))
        self.block(2)
        self.emit(f'say("{name} %d %d %d %d", (*{row})[1], {name}[2][3], {name}_one[2], '
                  f"(int)(sizeof {name} + sizeof {name}_one + sizeof {name}_two + sizeof *{row}));")
        self.indent -= 1
        self.emit("}")
        del self.vars[mark:]

    # ---- functions and files

    def function(self, func: Func) -> list[str]:
        self.lines, self.indent, self.vars, self.spent, self.times = [], 1, [], 0, 1
        self.has_table = self.has_hold = self.in_loop = self.in_switch = False
        self.result = func.result
        self.temps = [self.fresh("t") for _ in range(5)]
        temps = list(self.temps)
        shown = []
        for type_, name in func.params:
            if type_ == "t_pair":
                self.vars.append(Var(name, type_, "pair"))
                shown.append(f"{name}.a")
            elif type_ == "own_big":
                self.vars.append(Var(name, type_, "big"))
                shown.append(f"{name}.v[1]")
            elif type_ == "int *":
                self.vars.append(Var(name, type_, "ptr", False))
                shown.append(f"*{name}")
            else:
                self.vars.append(Var(name, type_))
                shown.append(f"(int){name}")
        self.emit(f"int sink = 0, {', '.join(t + ' = 0' for t in temps)};")
        self.emit(f'say("{func.name}{" %d" * len(shown)}"{"".join(", " + s for s in shown)});')
        for _ in range(self.rng.randrange(4, 9)):
            self.statement()
        self.log()
        used = [t for t in temps if t not in self.temps]
        self.emit("t_hash((uint64_t)(unsigned)(sink" + "".join(f" ^ {t}" for t in used) + "));")
        if self.can_return and self.chance(0.25):  # the last return leaves several scopes
            self.hold()
            self.hold()
        self.emit(f'say("{func.name} ends");')
        self.emit(self.return_text())
        func.cost = self.spent + 2
        return [func.head(), "{", *self.lines, "}", ""]

    def program(self, out: Path) -> None:
        count = self.rng.randrange(2, 5)
        types = ["int", "int", "int", "short", "unsigned char", "long long", "t_pair", "own_big",
                 "int *"]
        for k in range(count):
            params = [(self.rng.choice(types), f"{'abcd'[i]}{k}")
                      for i in range(self.rng.randrange(0, 4))]
            result = self.rng.choice(["int", "int", "int", "t_pair", "own_big", "long long",
                                      "short"])
            self.functions.append(Func(f"f{k}", result, params))
        texts: dict[str, list[str]] = {}
        for func in reversed(self.functions):  # callees first, so that their cost is known
            texts[func.name] = self.function(func)
            self.callable.append(func)
        self.limit *= 3
        top = Func("test_main", "int", [])
        self.can_return = False
        main_text = self.function(top)
        main_text[-3] = "    return 0;"
        files = self.rng.choice([1, 1, 2, 3])
        parts: list[list[str]] = [[] for _ in range(files)]
        for k, func in enumerate(self.functions):
            parts[k % files] += texts[func.name]
        header = HEADER + "\n".join(f.head() + ";" for f in self.functions) + \
            "\nextern async int (*const own_table[2])(int);\n#endif\n"
        (out / "own.h").write_text(header)
        table = ["static async int twice(int v)", "{", "    return WRAP(await t_ev(v), *, 2);", "}",
                 "async int (*const own_table[2])(int) = {t_ev, twice};", ""]
        parts[0] = table + parts[0]
        parts[-1] += main_text
        for k, part in enumerate(parts):
            directives = ""
            if k == 0 and self.cancel:
                directives = "// cancel: sweep\n"
            text = "/* SPDX-License-Identifier: MIT */\n" + directives + \
                '#include "own.h"\n\n' + "\n".join(part)
            (out / f"own_{k}.c").write_text(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", required=True, help="directory for the program")
    parser.add_argument("--cancel", action="store_true", help="a program to cancel at each leaf")
    arguments = parser.parse_args()
    Generator(arguments.seed, arguments.cancel).program(Path(arguments.out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
