/* SPDX-License-Identifier: MIT */
/*
 * What do checks ask of a syntax tree again and again? Whether two expressions name the same thing,
 * what stands inside what, which operands decide a condition.
 */
#ifndef AWAITC_RULES_TREE_TERMS_H
#define AWAITC_RULES_TREE_TERMS_H

#include "rules/rule.h"

/* Visits a node and all below it that is evaluated, parents first; below a node for which `visit`
 * says false it does not go. n may be NULL. */
void tree_visit(const ast_node *n, bool (*visit)(void *context, const ast_node *n), void *context);

/* Is n inside (or the same as) `around`? */
bool tree_is_inside(const ast_node *n, const ast_node *around);
/* The innermost node of a kind around n, n itself excluded; NULL. */
const ast_node *tree_around(const ast_node *n, enum ast_kind kind);
/* Is n an operand of a pool's form (aw_blocking, aw_compute), so that it runs elsewhere? */
bool tree_is_on_pool(const ast_node *n);
/* Is n a loop statement? */
bool tree_is_loop(const ast_node *n);
/* The parts of a loop; NULL where it has none. */
const ast_node *tree_loop_body(const ast_node *loop);
const ast_node *tree_loop_condition(const ast_node *loop);

/* Do two expressions read the same, parentheses and casts aside? */
bool tree_same(const ast_function *fn, const ast_node *a, const ast_node *b);
/* Does n contain an expression that reads as `what`? */
bool tree_mentions(const ast_function *fn, const ast_node *n, const ast_node *what);
/* Is it a comparison (== and != included)? */
bool tree_is_comparison(const ast_node *n);
/* The local, parameter or global at the root of an lvalue: `q` of q->head[i].x; NULL. */
const ast_node *tree_root(const ast_node *lvalue);

/* The innermost operands of a condition, through !, &&, ||, parentheses, __builtin_expect. */
struct tree_terms {
    VEC(const ast_node *) all;
};
void tree_add_terms(arena *mem, const ast_function *fn, struct tree_terms *terms,
                    const ast_node *condition);

/* The blanks at the start of the source's line that holds a byte, for edits that add lines. */
const char *source_indent(const rule_cx *cx, uint32_t offset);
/* Does an operator around an expression need it to be in parentheses, should it become an await? */
bool tree_needs_parens(const ast_node *n);

/* Is one of the words, in lower case and separated by blanks, part of the identifier, at the start
 * of one of its words: at its own start, behind an underscore, at an upper-case letter, behind the
 * `n` of a count ("npages" has "page")? */
bool name_has_word(strview name, const char *words);
/* The same, but the word must be the whole one, or its plural or past: "purge" is in "on_purged",
 * "scan" is not in "scandir". */
bool name_has_whole_word(strview name, const char *words);

#endif
