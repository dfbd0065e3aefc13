/* SPDX-License-Identifier: MIT */
/*
 * Which association of a _Generic is chosen? libclang visits all of them and names none, so the
 * types are compared here: the controlling expression's, as the parser knows it, with the
 * associations', as they are spelled. Only a _Generic that holds an await asks; what cannot be
 * decided is refused.
 *
 * The arms that are not chosen are marked unevaluated, as C has it.
 */
#include <ctype.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "transforms/lowering.h"

/* Equal but for white space. */
static bool same_spelling(const char *a, strview b)
{
    size_t i = 0;
    for (;; a++) {
        while (isspace((unsigned char)*a))
            a++;
        while (i < b.len && isspace((unsigned char)b.at[i]))
            i++;
        if (*a == '\0' || i == b.len)
            return *a == '\0' && i == b.len;
        if (*a != b.at[i++])
            return false;
    }
}

static const struct spelling {
    const char *written, *canonical;
} spellings[] = {
    {"unsigned", "unsigned int"},
    {"signed", "int"},
    {"signed int", "int"},
    {"short int", "short"},
    {"signed short", "short"},
    {"unsigned short int", "unsigned short"},
    {"long int", "long"},
    {"signed long", "long"},
    {"unsigned long int", "unsigned long"},
    {"long long int", "long long"},
    {"unsigned long long int", "unsigned long long"},
    {"bool", "_Bool"},
};

/* The canonical type that a type name spells, or TYPE_NONE if no type of the unit is spelled so. */
static type_id type_spelled(lowering *l, strview name)
{
    const type_table *types = l->unit->types;
    for (size_t i = 0; i < COUNTOF(spellings); i++) {
        if (same_spelling(spellings[i].written, name))
            name = sv_from(spellings[i].canonical);
    }
    for (size_t i = 1; i < types->types.count; i++) {
        const struct type *t = &types->types.at[i];
        if (t->before != NULL &&
            same_spelling(arena_printf(l->mem, "%s%s", t->before, t->after), name))
            return t->canonical;
    }
    return TYPE_NONE;
}

static bool is_plain_word(strview name)
{
    static const char *const basic[] = {"int",   "char",  "long",     "short",  "double",
                                        "float", "_Bool", "unsigned", "signed", "void",
                                        "*",     "const", "volatile"};
    size_t i = 0;
    while (i < name.len) {
        if (isspace((unsigned char)name.at[i])) {
            i++;
            continue;
        }
        size_t end = i + 1;
        while (name.at[i] != '*' && end < name.len &&
               (isalnum((unsigned char)name.at[end]) || name.at[end] == '_'))
            end++;
        bool known = false;
        for (size_t k = 0; k < COUNTOF(basic); k++)
            known |= sv_equal((strview){name.at + i, end - i}, sv_from(basic[k]));
        if (!known)
            return false;
        i = end;
    }
    return true;
}

static void mark_unevaluated(ast_node *n)
{
    n->is_unevaluated = true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            mark_unevaluated(n->kid[i]);
    }
}

/* The chosen association, or NULL if it cannot be told. */
static ast_node *chosen(lowering *l, ast_node *generic)
{
    type_id control = value_type(l, generic->kid[0]);
    if (control == TYPE_NONE)
        return NULL;
    control = type_of(l, control)->canonical;
    ast_node *by_default = NULL;
    bool all_known = true;
    for (uint32_t i = 1; i < generic->kid_count; i++) {
        ast_node *association = generic->kid[i];
        if (association->kid[0] == NULL) {
            by_default = association;
            continue;
        }
        strview name = ast_node_text(l->fn, association->kid[0]);
        type_id type = type_spelled(l, name);
        if (type != TYPE_NONE && type == control)
            return association;
        /* a type that the unit has nowhere else is not the control's */
        all_known &= type != TYPE_NONE || is_plain_word(name);
    }
    return all_known ? by_default : NULL;
}

static bool holds_await(const ast_node *n)
{
    if (n->kind == AST_AWAIT)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && holds_await(n->kid[i]))
            return true;
    }
    return false;
}

/* __builtin_choose_expr: which operand does a plain number choose? */
static void choose_operand(lowering *l, ast_node *n)
{
    const ast_node *condition = ast_strip(n->kid[0]);
    if (condition->kind != AST_NUMBER) {
        lower_error(
            l, DIAG_AWAIT_PLACE, n,
            "await stands in a __builtin_choose_expr whose choice awaitc cannot tell; await "
            "into a variable first");
        return;
    }
    strview text = ast_node_text(l->fn, condition);
    bool is_true = strtoull(arena_strndup(l->mem, text.at, text.len), NULL, 0) != 0;
    mark_unevaluated(n->kid[is_true ? 2 : 1]);
}

void choose_generics(lowering *l, ast_node *n)
{
    if (n->kind == AST_CHOOSE_EXPR && !n->is_unevaluated && holds_await(n))
        choose_operand(l, n);
    if (n->kind == AST_GENERIC && !n->is_unevaluated && holds_await(n)) {
        ast_node *choice = chosen(l, n);
        if (choice == NULL)
            lower_error(l, DIAG_AWAIT_PLACE, n,
                        "await stands in a _Generic whose choice awaitc cannot tell; await into a "
                        "variable first");
        for (uint32_t i = 1; i < n->kid_count; i++) {
            if (n->kid[i] != choice)
                mark_unevaluated(n->kid[i]);
        }
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            choose_generics(l, n->kid[i]);
    }
}
