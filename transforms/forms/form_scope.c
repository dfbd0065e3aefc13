/* SPDX-License-Identifier: MIT */
/*
 * await aw_scope_spawn(&s, f(x)): two steps, since it may wait. First the await, until the scope
 * has room for one more child (aw_scope_enter); then the start, with arguments that were evaluated
 * before. And the implicit clean-up of a local aw_scope, an await of its own on every way out.
 */
#include "transforms/forms/forms.h"

void scope_flatten(lowering *l, ast_node *await, ast_node *form, bool discard)
{
    struct spawn *s = spawn_find(l, form);
    if (s == NULL || form->kid_count != 2)
        return;
    ast_node *call = s->call.node;
    flatten_value(l, form->kid[0]);
    type_id pointer = value_type(l, form->kid[0]);
    ast_node *kept = ARENA_NEW(l->mem, ast_node);
    *kept = *form->kid[0];
    struct point *p = point_new(l, POINT_SCOPE_ENTER, await);
    p->scope = temp_new(l, pointer);
    item_add(l, ITEM_SET, kept)->temp = p->scope;
    for (uint32_t i = 0; i < call->kid_count; i++) {
        flatten_value(l, call->kid[i]);
        capture(l, call->kid[i]);
    }
    p->spawn = s;
    p->result = temp_new(l, type_int(l));
    item_add(l, ITEM_AWAIT, await)->point = p;
    struct item *start = item_add(l, ITEM_SCOPE_START, await);
    start->point = p;
    start->temp = p->result;
    replace_with(l, await, discard ? NULL : p->result, "");
}

void scope_add_leave(lowering *l, struct cleanup *c)
{
    struct point *p = point_new(l, POINT_SCOPE_LEAVE, c->node);
    p->cleanup = c;
    p->in_cleanup = true;
    c->leave = p;
}

void scope_print_enter(struct printer *p, struct point *point)
{
    lowering *l = p->l;
    const char *rc = local_ref(l, point->result, true);
    print_fmt(p, "%s = aw_scope_enter(aw__c, (void *)(aw__f + 1), %s);", rc,
              local_ref(l, point->scope, true));
    print_text(p, "if (AW_UNLIKELY(aw__c->pending != 0)) {");
    print_suspension(p, point);
    print_fmt(p, "%s = *(int *)aw__c->ret; }", rc);
    print_not_suspended(p, point);
}

void form_print_scope_start(struct printer *p, const struct item *item)
{
    lowering *l = p->l;
    const struct point *point = item->point;
    const struct spawn *s = point->spawn;
    ast_node *call = s->call.node;
    const char *rc = local_ref(l, point->result, true);
    const char *name = arena_printf(l->mem, "%s__spawn_%u", l->name, s->number);
    print_fmt(p, "if (%s == 0) { struct %s aw__a;", rc, name);
    for (uint32_t i = s->call.function == NULL ? 0 : 1; i < call->kid_count; i++) {
        type_id type = value_type(l, call->kid[i]);
        const char *field = arena_printf(l->mem, "aw__a.a%u", i);
        print_assign_begin(p, type, field);
        print_node(p, call->kid[i]);
        print_assign_end(p, type, field);
    }
    print_fmt(p, "%s = aw_scope_start(%s, &%s_site, &aw__a); }", rc,
              local_ref(l, point->scope, true), name);
}

void scope_print_leave(struct printer *p, struct point *point)
{
    lowering *l = p->l;
    print_fmt(p, "aw_scope_leave(aw__c, (void *)(aw__f + 1), (struct aw_scope *)&%s);",
              local_ref(l, point->cleanup->decl, true));
    print_text(p, "if (AW_UNLIKELY(aw__c->pending != 0)) {");
    print_suspension(p, point);
    print_text(p, "}");
    print_not_suspended(p, point);
}
