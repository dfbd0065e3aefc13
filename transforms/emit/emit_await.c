/* SPDX-License-Identifier: MIT */
/*
 * What does an await become? A call, and a branch that is not taken unless it suspends:
 *
 *     t = g__poll(aw__c, AW_CHILD(aw__f, ...), 0, x);
 *     if (AW_UNLIKELY(aw__c->pending != 0)) {
 *         aw__f->n = n;  aw__f->aw__head.at = &f__site[F__G - 1];  goto aw__pend;
 *     aw__at_1:  n = aw__f->n;  t = *(int *)aw__c->ret;
 *     }
 *
 * all on the line of the await. What is stored and loaded is what across_await says; a cancel goes
 * from the label to the clean-ups that are active here.
 */
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "transforms/emit/emit.h"

/* ---- which function is called how
 * ------------------------------------------------------------------ */

/* A callee whose frame struct is visible here, and whose room the caller provides. */
static bool is_measured(const struct call *call)
{
    return call->measured != NULL && call->measured->is_emitted;
}

const char *child_room(lowering *l, const struct call *call)
{
    if (l->tail_slot != AIR_NONE)
        return "(void *)aw__f->aw__child";
    if (is_measured(call))
        return arena_printf(l->mem, "AW_CHILD(aw__f, __alignof__(struct %s__frame))",
                            call->measured->name);
    return "(void *)(aw__f + 1)";
}

const char *child_need(lowering *l, const struct call *call)
{
    if (is_measured(call))
        return arena_printf(l->mem,
                            fault_planted(FAULT_NEED_WITHOUT_CHILD)
                                ? "0 * %s__need + AW_SLACK(struct %s__frame)"
                                : "%s__need + AW_SLACK(struct %s__frame)",
                            call->measured->name, call->measured->name);
    if (call->function != NULL && call->function->leaf_need_bytes > 0)
        return arena_printf(l->mem, "%u", call->function->leaf_need_bytes);
    return "AW_LEAF_ROOM";
}

/* "(aw_cx *, void *, int, char *)" for a callee of this type. */
static const char *parameter_types(lowering *l, const struct call *call)
{
    const struct type *t = type_of(l, call->type);
    strbuf out = strbuf_in(l->mem);
    strbuf_str(&out, "(aw_cx *, void *");
    if (t->has_prototype) {
        for (uint32_t i = 0; i < t->param_count; i++)
            strbuf_fmt(&out, ", %s", declare(l, t->params[i], ""));
    } else {
        for (uint32_t i = 1; i < call->node->kid_count; i++)
            strbuf_fmt(&out, ", %s", declare(l, value_type(l, call->node->kid[i]), ""));
    }
    strbuf_char(&out, ')');
    return strbuf_text(&out);
}

void declare_callee(struct printer *p, const struct call *call)
{
    lowering *l = p->l;
    if (call->function == NULL || is_measured(call))
        return;
    const char *name = arena_strndup(l->mem, call->function->name.at, call->function->name.len);
    const char *types = parameter_types(l, call);
    if (call->measured != NULL) {
        const char *symbol = arena_printf(l->mem, "%s__entry%s", name, types);
        print_line(p, "static %s;", declare(l, call->result, symbol));
        return;
    }
    const char *symbol = arena_printf(l->mem, "%s__call%s", name, types);
    const char *label = call->function->asm_name != NULL
                            ? arena_printf(l->mem, "\"%s\"", call->function->asm_name)
                            : arena_printf(l->mem, "AW_SYMBOL(\"%s\")", name);
    print_line(p, "extern %s __asm__(%s);", declare(l, call->result, symbol), label);
}

static void print_argument(struct printer *p, ast_node *arg, type_id param, bool by_address)
{
    print_text(p, ",");
    if (by_address)
        print_fmt(p, "__extension__ (%s){", declare(p->l, param, "[1]"));
    print_node(p, arg);
    if (by_address)
        print_text(p, "}");
}

void print_call(struct printer *p, const struct call *call, const char *cx, const char *room)
{
    lowering *l = p->l;
    bool measured = is_measured(call);
    if (measured) {
        print_fmt(p, "%s__poll(%s, %s, 0", call->measured->name, cx, room);
    } else if (call->function != NULL) {
        print_fmt(p, "%.*s__%s(%s, %s", SV_ARG(call->function->name),
                  call->measured != NULL ? "entry" : "call", cx, room);
    } else {
        const char *pointer = arena_printf(l->mem, "(*)%s", parameter_types(l, call));
        print_fmt(p, "((%s)(void (*)(void))", declare(l, call->result, pointer));
        print_text(p, "(");
        print_node(p, call->node->kid[0]);
        print_fmt(p, "))(%s, %s", cx, room);
    }
    const struct type *t = type_of(l, call->type);
    for (uint32_t i = 1; i < call->node->kid_count; i++) {
        type_id param = t->has_prototype && i <= t->param_count ? t->params[i - 1] : TYPE_NONE;
        print_argument(p, call->node->kid[i], param,
                       measured && param != TYPE_NONE && passes_by_address(l, param));
    }
    print_text(p, ")");
}

/* ---- spills
 * ------------------------------------------------------------------------------------------ */

static void print_move(struct printer *p, uint32_t local, bool to_frame)
{
    lowering *l = p->l;
    const ast_decl *d = l->locals.at[local];
    const struct local_plan *plan = &l->plan[local];
    if (fault_planted(FAULT_RELOAD_WRONG_FIELD) && !to_frame && local > 0 &&
        plan[-1].place == PLACE_SPILLED && l->locals.at[local - 1]->type == d->type)
        plan--;
    const char *name = local_ref(l, d, true);
    enum type_class cls = type_of(l, d->type)->cls;
    bool copies = plan->is_bytes || cls == TYPE_BOOL || cls == TYPE_RECORD;
    if (copies && to_frame)
        print_fmt(p, "__builtin_memcpy((void *)&aw__f->%s, (void *)&%s, sizeof %s);", plan->field,
                  name, name);
    else if (copies)
        print_fmt(p, "__builtin_memcpy((void *)&%s, (void *)&aw__f->%s, sizeof %s);", name,
                  plan->field, name);
    else if (to_frame)
        print_fmt(p, "aw__f->%s = %s;", plan->field, name);
    else
        print_fmt(p, "%s = aw__f->%s;", name, plan->field);
}

static void print_moves(struct printer *p, const bitset *locals, bool to_frame)
{
    bool drops = fault_planted(FAULT_SPILL_DROPPED) && to_frame;
    drops |= fault_planted(FAULT_RELOAD_DROPPED) && !to_frame;
    BITSET_FOR_EACH (i, locals) {
        if (p->l->plan[i].place == PLACE_SPILLED && !(drops && i % 3 == 0))
            print_move(p, i, to_frame);
    }
}

bool point_hears_cancel(const struct point *point)
{
    return (point->cleanup != NULL && !point->in_cleanup) || point->takes_late;
}

/* The way of a cancel, from the label on. */
static void print_cancelled(struct printer *p, const struct point *point)
{
    lowering *l = p->l;
    print_text(p, "if ((aw__st & AW_CANCEL) != 0) {");
    if (!fault_planted(FAULT_RELOAD_ON_CANCEL_DROPPED))
        print_moves(p, &l->across->reload_cancel[point->number - 1], false);
    if (point->takes_late)
        group_print_cancelled(p, point);
    if (point->cleanup == NULL) {
        print_fmt(p, "return %s; }",
                  zero_value(l, type_of(l, type_of(l, l->fn->type)->elem)->unqualified));
        return;
    }
    struct way_out *cancel = NULL;
    for (size_t i = 0; i < l->ways.count; i++) {
        if (l->ways.at[i]->kind == EXIT_CANCEL)
            cancel = l->ways.at[i];
    }
    AWC_ASSERT(cancel != NULL);
    const struct cleanup *to = point->cleanup;
    if (fault_planted(FAULT_CANCEL_TO_OUTER) && to->outer != NULL)
        to = to->outer;
    if (fault_planted(FAULT_CLEANUP_NOT_ON_CANCEL))
        print_fmt(p, "goto aw__left;");
    print_fmt(p, "%s = %u; goto aw__fin_%u; }", l->stores_why ? "aw__f->aw__why" : "aw__why",
              cancel->number, to->number);
}

void print_suspension(struct printer *p, struct point *point)
{
    lowering *l = p->l;
    const struct across_await *across = l->across;
    uint32_t k = point->number - 1;
    if (fault_planted(FAULT_SPILL_STALE) && k > 0)
        bitset_minus(&across->across[k], &across->across[k - 1]);
    print_moves(p, &across->across[k], true);
    print_fmt(p, "aw__f->aw__head.at = &%s__site[%s%s]; goto aw__pend; aw__at_%u:", l->name,
              state_name(l, point), l->unit->options->traces ? "" : " - 1", point->number);
    if (point_hears_cancel(point)) {
        print_cancelled(p, point);
    } else {
        print_text(p, ";");
    }
    print_moves(p, &across->reload[k], false);
}

void print_not_suspended(struct printer *p, const struct point *point)
{
    if (p->l->unit->options->traces)
        print_fmt(p, "else aw_trace_ready(&aw__trace, %s);", state_name(p->l, point));
}

static void print_result(struct printer *p, const struct point *point)
{
    lowering *l = p->l;
    if (point->result == NULL || fault_planted(FAULT_RESULT_NOT_COPIED))
        return;
    const char *value =
        arena_printf(l->mem, "*(%s)aw__c->ret", declare(l, point->call.result, "*"));
    print_text(p, assign_text(l, point->call.result, local_ref(l, point->result, true), value));
}

static void print_call_await(struct printer *p, struct point *point)
{
    lowering *l = p->l;
    const char *to = point->result == NULL ? NULL : local_ref(l, point->result, true);
    if (to != NULL)
        print_assign_begin(p, point->call.result, to);
    print_call(p, &point->call, "aw__c", child_room(l, &point->call));
    if (to != NULL)
        print_assign_end(p, point->call.result, to);
    else
        print_text(p, ";");
    if (point->number == 0)
        return;
    print_text(p, "if (AW_UNLIKELY(aw__c->pending != 0)) {");
    print_suspension(p, point);
    print_result(p, point);
    print_text(p, "}");
    print_not_suspended(p, point);
}

void print_await(struct printer *p, struct point *point, ast_node *destination)
{
    (void)destination;
    print_at(p, point->node->first);
    if (point->kind == POINT_CALL)
        print_call_await(p, point);
    else
        form_print_await(p, point);
    print_at(p, point->node->first);
}
