/* SPDX-License-Identifier: MIT */
/*
 * What do the files of the contract check share? An *async mark* says how a function, or whatever
 * leads to one, is called; libclang's types know nothing of it, so it is read off the declarations.
 *
 *     clang_contract  walks bodies and initialisers     clang_mark  marks of types, names, values
 *     clang_init      braces -> target and value
 */
#ifndef AWAITC_PARSE_CLANG_CONTRACT_H
#define AWAITC_PARSE_CLANG_CONTRACT_H

#include "analyzer/parse/clang_private.h"

enum clang_mark {
    MARK_NOTHING, /* leads to no function, or it is not known to which kind */
    MARK_PLAIN,
    MARK_ASYNC
};

/* The children of cursors under examination, the innermost cursor's last. */
struct clang_kids {
    size_t begin, count;
};

struct contract {
    clang_unit *u;
    VEC(CXCursor) stack;
    struct clang_map decl_marks;    /* of a declaration -> 1 + enum clang_mark */
    struct clang_map typedef_marks; /* of a typedef's declaration -> 1 + is it async itself? */
    struct clang_map record_marks;  /* of a record -> 1 + does it hold pointers to functions? */
    struct clang_map reported;      /* offset and kind of a finding -> 1 */
    VEC(struct clang_finding) findings;
    CXCursor function;   /* whose body is walked */
    bool is_in_function; /* else an initialiser of file scope */
    bool is_region;
};

/* clang_mark.c */

/* Pushes a cursor's children; clang_kids_done takes them off again. */
struct clang_kids clang_kids_of(struct contract *c, CXCursor parent);
static inline CXCursor clang_kid(const struct contract *c, struct clang_kids kids, size_t i)
{
    return c->stack.at[kids.begin + i];
}
void clang_kids_done(struct contract *c, struct clang_kids kids);

/* The mark of a type, through pointers and arrays; `is_async`: its declarator's own mark. */
enum clang_mark clang_mark_of_type(struct contract *c, CXType type, bool is_async);
/* Does the type lead to a function through pointers and arrays? */
bool clang_leads_to_function(const clang_unit *u, CXType type);
/* The mark of a function, variable, parameter or field. */
enum clang_mark clang_mark_of_decl(struct contract *c, CXCursor declared);
/* The mark of an expression's value. */
enum clang_mark clang_mark_of_value(struct contract *c, CXCursor value);
/* The expression below implicit conversions and parentheses. */
CXCursor clang_bare_value(struct contract *c, CXCursor value);
/* The mark that parameter `index` of what is called has. */
enum clang_mark clang_mark_of_param(struct contract *c, CXCursor callee, unsigned index);
/* The mark of a cast's type. */
enum clang_mark clang_mark_of_cast(struct contract *c, CXCursor cast);

/* clang_init.c */

/* Checks an initialiser of an object of this type; `is_async`: the object's own mark. */
void clang_check_init(struct contract *c, CXType type, bool is_async, CXCursor init);

/* clang_contract.c */

/* Reports that a value of the wrong kind goes where `target` is wanted. */
void clang_check_pair(struct contract *c, enum clang_mark target, CXCursor value,
                      enum clang_finding_place place);
/* Reports a choice between values of both kinds. */
void clang_check_alike(struct contract *c, CXCursor choice, CXCursor one, CXCursor other);

#endif
