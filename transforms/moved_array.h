/* SPDX-License-Identifier: MIT */
/*
 * What do the files of variable arrays share? variable_arrays.c finds the declarations that have to
 * move, moved_text.c writes the new text, moved_array.c their types in it.
 */
#ifndef AWAITC_TRANSFORMS_MOVED_ARRAY_H
#define AWAITC_TRANSFORMS_MOVED_ARRAY_H

#include "transforms/lowering.h"

enum moved_kind {
    MOVED_ARRAY,  /* storage from aw_array_new */
    MOVED_OBJECT, /* a pointer to such an array, or an array of fixed size of such pointers */
    MOVED_PARAM,
    MOVED_TYPEDEF
};

/* A size that is kept: `name` holds what `node` was at the declaration. */
struct moved_size {
    const ast_node *node;
    const char *name;
};

struct moved {
    enum moved_kind kind;
    const ast_decl *decl;
    const ast_node *specifiers;
    const char *name; /* of what stands for it */
    const char
        *base; /* a typedef of the specifiers, where an inner scope hides a name in them; NULL */
    bool is_value; /* only its value is used: no address, no assignment */
    VEC(struct moved_size) sizes;
};

/* The moved declarations of one function. */
struct moved_set {
    lowering *l;
    struct moved **of; /* [decl id]; NULL: it stays */
};

/* The moved typedef that this token of specifiers names, or NULL. */
const struct moved *moved_typedef_at(const struct moved_set *set, uint32_t token);
/* "int [aw__n1_a_7]": the type that the declaration gives its name. */
const char *moved_type(const struct moved_set *set, const struct moved *m);
/* "int (*)[aw__n1_a_7]": a pointer to an object of it. */
const char *moved_pointer_type(const struct moved_set *set, const struct moved *m);
/* What stands for a use of its name. */
const char *moved_use(const struct moved_set *set, const struct moved *m);
/* "const struct row": the specifiers of its type. */
const char *moved_base_type(const struct moved_set *set, const struct moved *m);
/* The tag's own name, or the one that it gets: "row", "aw__vtag_12". */
const char *moved_tag_name(const lowering *l, const ast_node *tag);

/* Rewrites the unit; sets[i] is NULL where function i has nothing that moves. */
void moved_write(struct unit *u, struct moved_set **sets);

#endif
