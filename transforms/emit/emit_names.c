/* SPDX-License-Identifier: MIT */
/*
 * What is everything called in the lowered text? A frame field keeps the user's name; a second
 * local of that name gets a number. A local with a qualified type is read through a cast that gives
 * its qualifiers back, since frame fields have none.
 */
#include <ctype.h>
#include <stdio.h>

#include "analyzer/base/check.h"
#include "transforms/emit/emit.h"

const char *emitted_name(lowering *l, const char *suffix)
{
    return arena_printf(l->mem, "%s__%s", l->name, suffix);
}

const char *declare(lowering *l, type_id type, const char *name)
{
    const struct type *t = type_of(l, type);
    return arena_printf(l->mem, "%s%s%s", t->before == NULL ? "" : t->before, name,
                        t->after == NULL ? "" : t->after);
}

/* A pointer to the type, for a cast: "const int *", "const int (*)[3]". */
static const char *pointer_to(lowering *l, type_id type)
{
    enum type_class cls = type_of(l, type)->cls;
    return declare(l, type, cls == TYPE_ARRAY || cls == TYPE_FUNCTION ? "(*)" : "*");
}

static bool has_qualifiers(const lowering *l, type_id type)
{
    const struct type *t = type_of(l, type);
    if (t->is_const || t->is_volatile)
        return true;
    return t->cls == TYPE_ARRAY && has_qualifiers(l, t->elem);
}

/* The type of a literal that has no name at file scope, as the literal spells it. */
static const char *literal_type(lowering *l, const ast_decl *d)
{
    return arena_printf(l->mem, "__typeof__(%s)", node_text(l, d->declarator->kid[0]));
}

const char *local_ref(lowering *l, const ast_decl *d, bool raw)
{
    const struct local_plan *plan = d->local == UINT32_MAX ? NULL : &l->plan[d->local];
    if (plan != NULL && plan->c_name != NULL)
        return plan->c_name;
    if (plan == NULL || plan->place != PLACE_RESIDENT)
        return arena_strndup(l->mem, d->name.at, d->name.len);
    if (plan->is_bytes)
        return arena_printf(l->mem, "(*(%s *)(void *)aw__f->%s)",
                            plan->typedef_name != NULL ? plan->typedef_name : literal_type(l, d),
                            plan->field);
    if (!raw && has_qualifiers(l, d->type))
        return arena_printf(l->mem, "(*(%s)&aw__f->%s)", pointer_to(l, d->type), plan->field);
    return arena_printf(l->mem, "aw__f->%s", plan->field);
}

static bool field_taken(const lowering *l, uint32_t upto, const char *name)
{
    for (uint32_t i = 0; i < upto; i++) {
        if (l->plan[i].field != NULL && strcmp(l->plan[i].field, name) == 0)
            return true;
    }
    return false;
}

static const char *unique_field(lowering *l, uint32_t local, strview name)
{
    const char *field = name.len == 0 ? arena_printf(l->mem, "aw__p%u", local)
                                      : arena_strndup(l->mem, name.at, name.len);
    for (unsigned n = 2; field_taken(l, local, field); n++)
        field = arena_printf(l->mem, "%.*s_%u", SV_ARG(name), n);
    return field;
}

/* Does a scope inside d's declare the name again? Then d, stored and loaded there, is not visible.
 */
static bool is_hidden_somewhere(const lowering *l, const ast_decl *d)
{
    for (size_t i = 0; i < l->fn->decls.count; i++) {
        const ast_decl *other = l->fn->decls.at[i];
        if (other == d || other->kind == DECL_TAG || other->kind == DECL_LABEL ||
            other->kind == DECL_FIELD || !sv_equal(other->name, d->name))
            continue;
        for (const ast_scope *s = other->scope; s != NULL; s = s->parent) {
            if (s == d->scope && s != other->scope)
                return true;
        }
    }
    return false;
}

void plan_locals(lowering *l)
{
    l->plan = ARENA_ARRAY(l->mem, struct local_plan, l->locals.count + 1);
    for (uint32_t i = 0; i < l->locals.count; i++) {
        const ast_decl *d = l->locals.at[i];
        const struct type *t = type_of(l, d->type);
        struct local_plan *plan = &l->plan[i];
        plan->place = l->across->place[i];
        if (temp_lacks_name(l, d)) {
            plan->typedef_name = arena_printf(l->mem, "aw__type_%u", i);
            if (plan->place != PLACE_RESIDENT)
                plan->c_name = arena_printf(l->mem, "(*(%s *)(void *)%.*s)", plan->typedef_name,
                                            SV_ARG(d->name));
        }
        if (plan->place == PLACE_PLAIN)
            continue;
        plan->field = unique_field(l, i, d->name);
        if (plan->place == PLACE_SPILLED && !decl_is_temp(d) && is_hidden_somewhere(l, d) &&
            !fault_planted(FAULT_HIDDEN_NOT_RENAMED))
            plan->c_name = arena_printf(l->mem, "aw__%.*s_%u", SV_ARG(d->name), i);
        plan->is_bytes = !t->is_nameable || t->before == NULL;
        bool is_literal = decl_is_temp(d) && d->declarator != NULL; /* see literal_type */
        if (plan->is_bytes && plan->place == PLACE_RESIDENT && !is_literal)
            plan->typedef_name = arena_printf(l->mem, "aw__type_%u", i);
    }
}

const char *zero_value(lowering *l, type_id type)
{
    switch (type_of(l, type)->cls) {
    case TYPE_VOID:
        return "";
    case TYPE_RECORD:
    case TYPE_VECTOR:
        return arena_printf(l->mem, "__extension__ (%s){0}", declare(l, type, ""));
    default:
        return "0";
    }
}

bool passes_by_address(const lowering *l, type_id type)
{
    const struct type *t = type_of(l, type);
    return t->cls == TYPE_RECORD && t->size_bytes > 16;
}

static strview point_word(const lowering *l, const struct point *p)
{
    if (p->kind == POINT_CALL && p->call.function != NULL)
        return p->call.function->name;
    if (p->kind == POINT_CALL) {
        const ast_node *callee = ast_strip(p->call.node->kid[0]);
        if (callee->kind == AST_MEMBER || callee->kind == AST_IDENT)
            return ast_token_text(l->fn, callee->name_token);
        return SV("call");
    }
    if (p->kind == POINT_SCOPE_LEAVE)
        return SV("scope_end");
    if (p->kind == POINT_SCOPE_ENTER)
        return SV("scope_spawn");
    switch ((enum ast_form)p->form) {
    case FORM_ALL:
        return SV("all");
    case FORM_TRY_ALL:
        return SV("try_all");
    case FORM_RACE:
        return SV("race");
    case FORM_TIMEOUT:
        return SV("timeout");
    case FORM_BLOCKING:
        return SV("blocking");
    default:
        return SV("compute");
    }
}

const char *state_name(lowering *l, const struct point *p)
{
    (void)l;
    return p->state;
}

/* f__READ, f__READ_2: by what is awaited, and numbered where that is not enough. `taken`: the names
 * so far; value: the number that the last one of the same word has. */
static const char *make_state_name(lowering *l, word_set *taken, const struct point *p)
{
    strview word = point_word(l, p);
    if (sv_starts(word, "aw_"))
        word = (strview){word.at + 3, word.len - 3};
    char *upper = arena_printf(l->mem, "%s__%.*s", l->name, SV_ARG(word));
    for (char *c = upper + strlen(l->name) + 2; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    const char *name = upper;
    uint32_t number = word_set_add(taken, sv_from(upper))->value;
    while (number != 0) {
        name = arena_printf(l->mem, "%s_%u", upper, ++number);
        if (word_set_find(taken, sv_from(name)) == NULL)
            break;
    }
    word_set_add(taken, sv_from(name))->value = 1;
    if (number != 0)
        word_set_add(taken, sv_from(upper))->value = number;
    return name;
}

void name_states(lowering *l)
{
    word_set taken = word_set_in(l->mem);
    for (size_t i = 0; i < l->points.count; i++)
        l->points.at[i]->state = make_state_name(l, &taken, l->points.at[i]);
}

void print_assign_begin(struct printer *p, type_id type, const char *to)
{
    lowering *l = p->l;
    if (type_of(l, type)->has_const_member)
        print_fmt(p, "__builtin_memcpy((void *)&%s, __extension__ (%s){", to,
                  declare(l, type, "[1]"));
    else
        print_fmt(p, "%s =", to);
}

void print_assign_end(struct printer *p, type_id type, const char *to)
{
    if (type_of(p->l, type)->has_const_member)
        print_fmt(p, "}, sizeof %s);", to);
    else
        print_text(p, ";");
}

const char *assign_text(lowering *l, type_id type, const char *to, const char *value)
{
    if (type_of(l, type)->has_const_member)
        return arena_printf(l->mem,
                            "__builtin_memcpy((void *)&%s, __extension__ (%s){%s}, sizeof %s);", to,
                            declare(l, type, "[1]"), value, to);
    return arena_printf(l->mem, "%s = %s;", to, value);
}
