/* SPDX-License-Identifier: MIT */
/*
 * What do the two files of nested forms share? form_nested.c makes a function of each nested form
 * and a list of what its caller passes; nested_text.c writes the new buffer with both.
 */
#ifndef AWAITC_TRANSFORMS_NESTED_TEXT_H
#define AWAITC_TRANSFORMS_NESTED_TEXT_H

#include "transforms/forms/form_nested.h"
#include "transforms/rewrite.h"

/* A parameter of a made function, and what is passed for it. */
struct nested_slot {
    const char *name;
    const char *declaration; /* "int aw_v1" */
    const ast_node *node;    /* the user's expression */
    bool by_address;         /* &(node) is passed */
};

/* A nested form that is no argument of another one, and the function that it becomes a call of. */
struct nested_root {
    ast_node *form;
    const char *name;
    struct nested_slot **slots;
    size_t slot_count;
};

/* A function that was made, with the place of its form. */
struct nested_made {
    const char *text;
    uint32_t origin;
};

/* Everything made for one function of the user's. */
struct nested_function {
    lowering *l;
    const char *declaration; /* what has to stand in front of the made ones: a prototype of l */
    VEC(struct nested_root) roots; /* in source order */
    VEC(struct nested_made) made;  /* callees first */
};

/* Rewrites the unit; functions[i] is NULL where region i has no nested form. */
void nested_write(struct unit *u, struct nested_function **functions);

#endif
