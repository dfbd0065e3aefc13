/* SPDX-License-Identifier: MIT */
/*
 * How are temporaries declared and set? Most have a type that can be written down. A type without a
 * name at file scope (a struct without a tag, a struct of a block, what holds a wide bit-field)
 * gets a typedef in front of the statement, made from the expression that sets the temporary; its
 * object is bytes, of the C stack or of the frame, so that a const type can be set, too:
 *
 *     use(s.in, await g())      typedef __typeof__(s.in) aw__type_7;
 *                               unsigned char aw__t7[sizeof(aw__type_7)] ...;
 *                               memcpy(aw__t7, &(aw__type_7[1]){s.in}, ...); await t8 = g(); ...
 */
#include "transforms/emit/emit.h"

bool temp_lacks_name(const lowering *l, const ast_decl *d)
{
    const struct type *t = type_of(l, d->type);
    return decl_is_temp(d) && d->declarator == NULL && (t->before == NULL || !t->is_nameable);
}

/* The item that sets the temporary; of several the one whose value has its very type. */
static const struct item *find_setter(lowering *l, const struct item_list *items, const ast_decl *d)
{
    const struct item *found = NULL;
    for (size_t i = 0; i < items->count; i++) {
        const struct item *item = items->at[i];
        const struct item *mine = NULL;
        if (item->temp == d && (item->kind == ITEM_SET || item->kind == ITEM_SET_ADDRESS))
            mine = item;
        if (item->temp == d && item->kind == ITEM_BLOCK) /* what gives its value is out of sight */
            return item;
        if (item->kind == ITEM_IF) {
            mine = find_setter(l, &item->first, d);
            const struct item *other = find_setter(l, &item->second, d);
            if (mine == NULL || (other != NULL && mine->kind != ITEM_BLOCK &&
                                 value_type(l, other->expr) == d->type))
                mine = other != NULL ? other : mine;
        }
        if (mine != NULL && mine->kind == ITEM_BLOCK)
            return mine;
        if (mine != NULL && (found == NULL || value_type(l, mine->expr) == d->type))
            found = mine;
    }
    return found;
}

static void print_nameless(struct printer *p, const ast_decl *d, const struct item_list *items)
{
    lowering *l = p->l;
    const struct type *t = type_of(l, d->type);
    const struct local_plan *plan = &l->plan[d->local];
    const struct item *setter = t->before == NULL ? find_setter(l, items, d) : NULL;
    if (t->before != NULL) {
        print_fmt(p, "typedef %s%s%s;", t->before, plan->typedef_name, t->after);
    } else if (setter != NULL && setter->kind == ITEM_BLOCK) {
        print_text(p, "typedef");
        print_typeof(p, setter->expr->parent);
        print_fmt(p, "%s;", plan->typedef_name);
    } else if (setter != NULL) {
        print_text(p, setter->kind == ITEM_SET ? "typedef __typeof__(" : "typedef __typeof__(&");
        print_node(p, setter->expr);
        print_fmt(p, ") %s;", plan->typedef_name);
    }
    if (plan->place != PLACE_RESIDENT)
        print_fmt(p,
                  "unsigned char %.*s[sizeof(%s)] "
                  "__attribute__((__aligned__(__alignof__(%s))));",
                  SV_ARG(d->name), plan->typedef_name, plan->typedef_name);
}

void print_temps(struct printer *p, ast_decl *const *temps, size_t count,
                 const struct item_list *items)
{
    lowering *l = p->l;
    for (size_t i = 0; i < count; i++) {
        const ast_decl *d = temps[i];
        const struct type *t = type_of(l, d->type);
        if (l->plan[d->local].place != PLACE_RESIDENT && !temp_lacks_name(l, d))
            print_fmt(p, "%s%.*s%s;", t->before, SV_ARG(d->name), t->after);
    }
    for (size_t i = 0; i < count; i++) {
        if (temp_lacks_name(l, temps[i]))
            print_nameless(p, temps[i], items);
    }
}

/* The right side of an assignment: a comma operator needs its own parentheses. */
static void print_value(struct printer *p, ast_node *e)
{
    bool bare = e->kind == AST_COMMA;
    print_text(p, bare ? "(" : "");
    print_node(p, e);
    print_text(p, bare ? ")" : "");
}

/* Sets bytes from a value whose type, const as it may be, only __typeof__ can tell. */
static void print_set_bytes(struct printer *p, const struct item *item, const char *to)
{
    bool is_address = item->kind == ITEM_SET_ADDRESS;
    const char *operator= is_address ? "&" : "";
    print_fmt(p, "__builtin_memcpy((void *)&%s, __extension__ (__typeof__(%s", to, operator);
    print_node(p, item->expr);
    print_fmt(p, ")[1]){%s", operator);
    print_value(p, item->expr);
    print_fmt(p, "}, sizeof %s);", to);
}

void print_set(struct printer *p, const struct item *item)
{
    lowering *l = p->l;
    const char *name = local_ref(l, item->temp, true);
    print_at(p, item->expr->first);
    if (type_of(l, item->temp->type)->before == NULL) {
        print_set_bytes(p, item, name);
    } else if (item->kind == ITEM_SET_ADDRESS) {
        print_fmt(p, "%s = &", name);
        print_node(p, item->expr);
        print_text(p, ";");
    } else if (item->kind == ITEM_SET_FIELD) {
        print_fmt(p, "%s.%s =", name, item->field);
        print_value(p, item->expr);
        print_text(p, ";");
    } else {
        print_assign_begin(p, item->temp->type, name);
        print_value(p, item->expr);
        print_assign_end(p, item->temp->type, name);
    }
}
