/* SPDX-License-Identifier: MIT */
/*
 * aw_all, aw_try_all, aw_race, aw_timeout: how do several calls run inside one task? First every
 * argument and every lvalue is evaluated and captured; then the calls start, each in a strand of
 * its own whose frames lie in the group, behind this function's frame. A call that returns at once
 * has its result assigned on the spot; what suspended is assigned when the group has ended, by a
 * cancel also.
 */
#include "transforms/forms/forms.h"

#define FIND_GROUP "aw__g = (aw_group *)AW_CHILD(aw__f, __alignof__(aw_group));"

static bool is_plain_place(const ast_node *e)
{
    e = ast_strip((ast_node *)(uintptr_t)e);
    while (e->kind == AST_MEMBER && e->op == OP_DOT)
        e = ast_strip(e->kid[0]);
    return e->kind == AST_IDENT;
}

/* An lvalue is evaluated once, now: what is left of it names the same object later. */
static void settle_target(lowering *l, ast_node *target)
{
    if (is_plain_place(target) || fault_planted(FAULT_GROUP_PLACE_NOT_KEPT))
        return;
    flatten_lvalue(l, target);
    ast_node *inner = ast_strip(target);
    if (inner->kind == AST_MEMBER && inner->is_lvalue_bitfield) {
        if (inner->op == OP_ARROW)
            capture(l, inner->kid[0]);
        else
            capture_address(l, inner->kid[0]);
    } else {
        capture_address(l, target);
    }
}

static void settle_call(lowering *l, ast_node *call)
{
    for (uint32_t i = 0; i < call->kid_count; i++) {
        flatten_value(l, call->kid[i]);
        capture(l, call->kid[i]);
    }
}

/* Can anybody see what the place holds when the function is left here by a cancel? */
static bool outlives_cancel(const lowering *l, const struct point *p, const ast_node *target)
{
    if (p->cleanup != NULL || !is_plain_place(target))
        return true;
    const ast_node *e = ast_strip((ast_node *)(uintptr_t)target);
    while (e->kind == AST_MEMBER)
        e = ast_strip(e->kid[0]);
    return e->ref == NULL || e->ref->local == UINT32_MAX || l->taken[e->ref->id] != 0;
}

static bool add_branch(lowering *l, struct point *p, ast_node *arg)
{
    struct branch *b = &p->branches[p->branch_count];
    ast_node *e = ast_strip(arg);
    if (e->kind == AST_ASSIGN && e->op == OP_ASSIGN) {
        b->target = e->kid[0];
        e = ast_strip(e->kid[1]);
    }
    if (!call_describe(l, e, &b->call)) {
        if (!l->failed)
            lower_error(l, DIAG_FORM_OPERAND, arg,
                        "each argument is a call of an async function, or an assignment of one");
        return false;
    }
    p->branch_count++;
    return true;
}

void group_flatten(lowering *l, ast_node *await, ast_node *form, bool discard)
{
    struct point *p = ARENA_NEW(l->mem, struct point);
    uint32_t first = form->op == FORM_TIMEOUT ? 1 : 0;
    p->branches = ARENA_ARRAY(l->mem, struct branch, form->kid_count + 1);
    p->form = form->op;
    if (first == 1) {
        flatten_value(l, form->kid[0]);
        type_id type = value_type(l, form->kid[0]);
        ast_node *kept = ARENA_NEW(l->mem, ast_node);
        *kept = *form->kid[0];
        p->milliseconds = temp_new(l, type != TYPE_NONE ? type : type_int(l));
        item_add(l, ITEM_SET, kept)->temp = p->milliseconds;
    }
    for (uint32_t i = first; i < form->kid_count; i++) {
        if (!add_branch(l, p, form->kid[i]))
            return;
    }
    for (uint32_t i = 0; i < p->branch_count; i++) {
        settle_call(l, p->branches[i].call.node);
        if (p->branches[i].target != NULL)
            settle_target(l, p->branches[i].target);
    }
    struct point *numbered = point_new(l, POINT_GROUP, await);
    p->kind = POINT_GROUP;
    p->node = numbered->node;
    p->cleanup = numbered->cleanup;
    p->number = numbered->number;
    for (uint32_t i = 0; i < p->branch_count; i++) {
        const ast_node *target = p->branches[i].target;
        p->takes_late |= target != NULL && outlives_cancel(l, p, target);
    }
    *numbered = *p;
    if (!discard && form->op != FORM_ALL)
        numbered->result = temp_new(l, type_int(l));
    item_add(l, ITEM_AWAIT, await)->point = numbered;
    replace_with(l, await, numbered->result, "");
}

/* ---- printing
 * --------------------------------------------------------------------------------------------- */

static const char *group_kind(const struct point *point)
{
    switch ((enum ast_form)point->form) {
    case FORM_ALL:
        return "AW_ALL";
    case FORM_TRY_ALL:
        return "AW_TRY_ALL";
    case FORM_RACE:
        return "AW_RACE";
    default:
        return "AW_TIMEOUT";
    }
}

static const char *branch_room(lowering *l, const struct call *call, uint32_t i)
{
    if (call->measured != NULL && call->measured->is_emitted)
        return arena_printf(l->mem, "AW_ALIGN_FRAME(aw_group_room(aw__g, %u), struct %s__frame)", i,
                            call->measured->name);
    return arena_printf(l->mem, "aw_group_room(aw__g, %u)", i);
}

static void print_branch(struct printer *p, const struct point *point, uint32_t i)
{
    lowering *l = p->l;
    const struct branch *b = &point->branches[i];
    bool is_void = type_of(l, b->call.result)->cls == TYPE_VOID;
    bool tries = point->form == FORM_TRY_ALL;
    bool no_width = fault_planted(FAULT_TRY_WIDTH_LOST),
         no_value = fault_planted(FAULT_TRY_VALUE_LOST);
    print_fmt(p, "if ((aw__s = aw_group_strand(aw__g, %u, AW_ROUND_UP(%s, 16))) != 0) {", i,
              child_need(l, &b->call));
    if (tries && !no_width)
        print_fmt(p, "aw_group_width(aw__g, %u, sizeof(%s));", i, declare(l, b->call.result, ""));
    if (!is_void)
        print_fmt(p, "%s =", declare(l, b->call.result, "aw__v"));
    print_call(p, &b->call, "aw__s", branch_room(l, &b->call, i));
    print_fmt(p, "; if (aw_group_started(aw__g, %u)) {", i);
    if (tries && !no_value)
        print_fmt(p, "aw_group_value(aw__g, %u, aw__v);", i);
    if (b->target != NULL) {
        if (!fault_planted(FAULT_GROUP_READY_DROPPED))
            print_node(p, b->target);
        else
            print_fmt(p, "%s", declare(l, b->call.result, "aw__dropped"));
        print_text(p, "= aw__v;");
    }
    print_text(p, is_void || b->target != NULL || tries ? "} }" : "(void)aw__v; } }");
}

static void print_timeout_branch(struct printer *p, const struct point *point)
{
    print_fmt(p,
              "if ((aw__s = aw_group_strand(aw__g, 1, AW_SLEEP_NEED)) != 0) { "
              "aw_sleep_ms__leaf(aw__s, aw_group_room(aw__g, 1), (uint64_t)%s); "
              "(void)aw_group_started(aw__g, 1); }",
              local_ref(p->l, point->milliseconds, true));
}

static void print_late(struct printer *p, const struct point *point)
{
    lowering *l = p->l;
    for (uint32_t i = 0; i < point->branch_count; i++) {
        const struct branch *b = &point->branches[i];
        if (b->target == NULL || fault_planted(FAULT_GROUP_LATE_DROPPED))
            continue;
        print_fmt(p, "if (aw_group_late(aw__g, %u))", i);
        print_node(p, b->target);
        print_fmt(p, "= *(%s)aw_group_ret(aw__g, %u);", declare(l, b->call.result, "*"), i);
    }
}

void group_print_cancelled(struct printer *p, const struct point *point)
{
    print_text(p, FIND_GROUP);
    if (!fault_planted(FAULT_GROUP_LATE_DROPPED_ON_CANCEL))
        print_late(p, point);
    print_text(p, "(void)aw_group_end(aw__g);");
}

void group_print(struct printer *p, struct point *point)
{
    lowering *l = p->l;
    bool times = point->form == FORM_TIMEOUT;
    print_fmt(p,
              "{ aw_group *aw__g = aw_group_begin(aw__c, AW_CHILD(aw__f, __alignof__(aw_group)), "
              "%s%s, %u);",
              group_kind(point), point->takes_late ? " | AW_TAKES_LATE" : "",
              point->branch_count + (times ? 1u : 0u));
    print_text(p, "if (aw__g != 0) { aw_cx *aw__s;");
    if (times && fault_planted(FAULT_TIMEOUT_FIRST))
        print_timeout_branch(p, point);
    for (uint32_t i = 0; i < point->branch_count; i++)
        print_branch(p, point, i);
    if (times && !fault_planted(FAULT_TIMEOUT_FIRST))
        print_timeout_branch(p, point);
    print_text(p, "} if (AW_UNLIKELY(aw__g == 0 || aw_group_wait(aw__g))) {");
    print_suspension(p, point);
    print_text(p, FIND_GROUP " }");
    print_not_suspended(p, point);
    print_late(p, point);
    if (point->result != NULL)
        print_fmt(p, "%s = (int)", local_ref(l, point->result, true));
    else
        print_text(p, "(void)");
    if (fault_planted(FAULT_RACE_INDEX_OFF) && point->form == FORM_RACE)
        print_text(p, "1 +");
    print_text(p, "aw_group_end(aw__g); }");
}
