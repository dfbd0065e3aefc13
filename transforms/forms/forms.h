/* SPDX-License-Identifier: MIT */
/*
 * What does each form of section 4 of the language add to the lowering? One file a kind of form;
 * this header is the seam between them and forms.c, which holds the one table of forms.
 */
#ifndef AWAITC_TRANSFORMS_FORMS_H
#define AWAITC_TRANSFORMS_FORMS_H

#include "transforms/emit/emit.h"

/* form_group.c: aw_all, aw_try_all, aw_race, aw_timeout */
void group_flatten(lowering *l, ast_node *await, ast_node *form, bool discard);
void group_print(struct printer *p, struct point *point);

/* form_pool.c: aw_blocking, aw_compute */
void pool_flatten(lowering *l, ast_node *await, ast_node *form, bool discard);
void pool_print(struct printer *p, struct point *point);
void pool_print_prelude(struct printer *p, struct point *point);

/* form_spawn.c: spawn, aw_spawn_on, aw_block_on, aw_runtime_block_on */
void spawn_flatten(lowering *l, ast_node *form);
void spawn_print(struct printer *p, ast_node *form);
void spawn_print_prelude(struct printer *p, struct spawn *spawn);
void spawn_collect(lowering *l, ast_node *n);

/* form_scope.c: aw_scope_spawn, and the implicit clean-up of an aw_scope */
void scope_flatten(lowering *l, ast_node *await, ast_node *form, bool discard);
/* Gives the clean-up of an aw_scope its await. */
void scope_add_leave(lowering *l, struct cleanup *c);
void scope_print_enter(struct printer *p, struct point *point);
void scope_print_leave(struct printer *p, struct point *point);

/* The type int. */
type_id type_int(lowering *l);
/* "T name;" for a field that holds a value of this type; a pointer to a local type becomes void *.
 */
const char *field_declare(lowering *l, type_id type, const char *name, const ast_node *at);

#endif
