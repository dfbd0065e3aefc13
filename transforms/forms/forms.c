/* SPDX-License-Identifier: MIT */
/*
 * Which file lowers which form? The one table, and what several forms share.
 */
#include "transforms/forms/forms.h"

#include "analyzer/base/check.h"

typedef void flatten_fn(lowering *l, ast_node *await, ast_node *form, bool discard);

static flatten_fn *const awaited[] = {
    [FORM_ALL] = group_flatten,         [FORM_TRY_ALL] = group_flatten,
    [FORM_RACE] = group_flatten,        [FORM_TIMEOUT] = group_flatten,
    [FORM_BLOCKING] = pool_flatten,     [FORM_COMPUTE] = pool_flatten,
    [FORM_SCOPE_SPAWN] = scope_flatten,
};

void form_flatten_await(lowering *l, ast_node *await, ast_node *form, bool discard)
{
    flatten_fn *flatten = form->op < COUNTOF(awaited) ? awaited[form->op] : NULL;
    if (flatten == NULL)
        lower_error(
            l, DIAG_AWAIT_OPERAND, await,
            "this form gives its value at once and cannot be awaited; await what it starts");
    else
        flatten(l, await, form, discard);
}

void form_flatten_plain(lowering *l, ast_node *form)
{
    spawn_flatten(l, form);
}

/* In sizeof, typeof and the like: something of the form's type. */
static void print_unevaluated(struct printer *p, ast_node *form)
{
    print_at(p, form->first);
    switch (form->op) {
    case FORM_BLOCKING:
    case FORM_COMPUTE:
    case FORM_BLOCK_ON:
    case FORM_RUNTIME_BLOCK_ON:
        print_text(p, "(");
        print_node(p, form->kid[form->kid_count - 1]);
        print_text(p, ")");
        break;
    case FORM_SPAWN:
    case FORM_SPAWN_ON:
        print_text(p, "((aw_task *)0)");
        break;
    case FORM_ALL:
        print_text(p, "((void)0)");
        break;
    default:
        print_text(p, "((int)0)");
        break;
    }
}

bool form_print_plain(struct printer *p, ast_node *form)
{
    if (form->is_unevaluated)
        print_unevaluated(p, form);
    else
        spawn_print(p, form);
    return true;
}

void form_print_await(struct printer *p, struct point *point)
{
    switch (point->kind) {
    case POINT_GROUP:
        group_print(p, point);
        return;
    case POINT_POOL:
        pool_print(p, point);
        return;
    case POINT_SCOPE_ENTER:
        scope_print_enter(p, point);
        return;
    case POINT_SCOPE_LEAVE:
        scope_print_leave(p, point);
        return;
    case POINT_CALL:
        AWC_UNREACHABLE();
    }
}

void forms_print_prelude(struct printer *p)
{
    lowering *l = p->l;
    for (size_t i = 0; i < l->points.count; i++) {
        if (l->points.at[i]->kind == POINT_POOL)
            pool_print_prelude(p, l->points.at[i]);
    }
    for (size_t i = 0; i < l->spawns.count; i++)
        spawn_print_prelude(p, l->spawns.at[i]);
}

type_id type_int(lowering *l)
{
    type_table *types = l->unit->types;
    for (size_t i = 1; i < types->types.count; i++) {
        const struct type *t = &types->types.at[i];
        if (t->cls == TYPE_INT && t->before != NULL && strcmp(t->before, "int ") == 0)
            return (type_id)i;
    }
    struct type t = {.cls = TYPE_INT,
                     .is_complete = true,
                     .is_nameable = true,
                     .size_bytes = 4,
                     .align_bytes = 4,
                     .before = "int ",
                     .after = ""};
    type_id id = (type_id)types->types.count;
    t.unqualified = id;
    VEC_PUSH(types->mem, &types->types, t);
    return id;
}

const char *field_declare(lowering *l, type_id type, const char *name, const ast_node *at)
{
    const struct type *t = type_of(l, type);
    if (t->is_nameable && t->before != NULL)
        return type_declare(l->unit->types, l->mem, type, name);
    if (t->cls == TYPE_POINTER)
        return arena_printf(l->mem, "void *%s", name);
    lower_error(l, DIAG_UNSUPPORTED, at,
                "the type of this argument is declared inside the function, so it cannot be handed "
                "on here; declare the type at file scope");
    return arena_printf(l->mem, "char %s", name);
}
