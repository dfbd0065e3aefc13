/* SPDX-License-Identifier: MIT */
/*
 * How does the tree, with its overlays, become AIR? One walk in the order in which the emitters
 * print it: what the analyses see is what will be written. Leaving a scope ends its locals, on
 * every way out; the clean-ups of a block are blocks of their own, entered by falling off its end
 * and by every jump that leaves it.
 *
 * Output: l->air, and decl->local for every automatic object.
 */
#include "transforms/build_air.h"

#include "analyzer/base/check.h"

/* ---- blocks and ops ----------------------------------------------------------------------------
 */

uint32_t air_block_new(struct air_builder *b)
{
    VEC_PUSH(b->l->mem, &b->fn->blocks, (struct air_block){0});
    return (uint32_t)b->fn->blocks.count - 1;
}

void air_block_start(struct air_builder *b, uint32_t block)
{
    if (b->is_open)
        air_goto(b, block);
    b->block = block;
    b->is_open = true;
}

static void push_op(struct air_builder *b, struct air_op op)
{
    if (!b->is_open) { /* unreachable code: it is analysed, too, in a block nobody goes to */
        b->block = air_block_new(b);
        b->is_open = true;
    }
    VEC_PUSH(b->l->mem, &b->fn->blocks.at[b->block].ops, op);
    if (air_op_is_terminator(op.kind))
        b->is_open = false;
}

static void place_op(struct air_builder *b, struct air_op *op, uint32_t token)
{
    if (token == UINT32_MAX)
        return;
    struct diag_place at = lower_place(b->l, token);
    op->line = at.line;
    op->column = at.column;
}

void air_emit(struct air_builder *b, enum air_op_kind kind, const ast_decl *local, uint32_t token)
{
    struct air_op op = {
        .kind = kind, .local = local == NULL ? AIR_NONE : local->local, .cancel = AIR_NONE};
    (void)token; /* places of plain accesses are not needed so far; awaits have theirs */
    push_op(b, op);
}

void air_branch(struct air_builder *b, const uint32_t *targets, uint32_t count)
{
    struct air_op op = {.kind = count == 1 ? AIR_GOTO : AIR_BRANCH,
                        .local = AIR_NONE,
                        .cancel = AIR_NONE,
                        .target_count = count};
    op.targets = arena_copy(b->l->mem, targets, count * sizeof *targets);
    push_op(b, op);
}

void air_goto(struct air_builder *b, uint32_t block)
{
    air_branch(b, &block, 1);
}

/* Notes what the current block is, or what the branch that it just ended with asks. */
static void note(struct air_builder *b, struct block_note n)
{
    n.block = b->block;
    VEC_PUSH(b->l->mem, &b->l->notes, n);
}

static void air_end(struct air_builder *b, enum air_op_kind kind)
{
    push_op(b, (struct air_op){.kind = kind, .local = AIR_NONE, .cancel = AIR_NONE});
}

/* ---- leaving scopes
 * ------------------------------------------------------------------------------ */

static void end_scope(struct air_builder *b, const ast_scope *scope)
{
    for (size_t i = scope->decls.count; i-- > 0;) {
        if (air_is_local(scope->decls.at[i]))
            air_emit(b, AIR_END, scope->decls.at[i], UINT32_MAX);
    }
}

static bool is_inside(const ast_node *n, const ast_node *outer)
{
    for (; n != NULL; n = n->parent) {
        if (n == outer)
            return true;
    }
    return false;
}

/* Ends the locals of all scopes around `from` that `to` is not inside of (NULL: all). */
static void leave_scopes(struct air_builder *b, ast_node *from, const ast_node *to)
{
    for (ast_node *n = from; n != NULL; n = n->parent) {
        if (n->scope != NULL && (to == NULL || !is_inside(to, n)))
            end_scope(b, n->scope);
    }
}

/* ---- awaits
 * -------------------------------------------------------------------------------------- */

static strview point_name(const struct air_builder *b, const struct point *p)
{
    switch (p->kind) {
    case POINT_CALL:
        if (p->call.function != NULL)
            return p->call.function->name;
        return ast_node_text(b->l->fn, p->call.node->kid[0]);
    case POINT_SCOPE_ENTER:
        return SV("aw_scope_spawn");
    case POINT_SCOPE_LEAVE:
        return SV("aw_scope");
    case POINT_GROUP:
    case POINT_POOL:
        break;
    }
    switch ((enum ast_form)p->form) {
    case FORM_ALL:
        return SV("aw_all");
    case FORM_TRY_ALL:
        return SV("aw_try_all");
    case FORM_RACE:
        return SV("aw_race");
    case FORM_TIMEOUT:
        return SV("aw_timeout");
    case FORM_BLOCKING:
        return SV("aw_blocking");
    default:
        return SV("aw_compute");
    }
}

static uint32_t cleanup_block(struct air_builder *b, const struct cleanup *c)
{
    if (c == NULL)
        return AIR_NONE;
    uint32_t *block = &b->cleanup_block[c->number - 1];
    if (*block == AIR_NONE)
        *block = air_block_new(b);
    return *block;
}

/* Each result is assigned on some ways only: when its call is ready at once, or late, or never. */
static void group_targets(struct air_builder *b, const struct point *p)
{
    uint32_t targets[2] = {air_block_new(b), air_block_new(b)};
    air_branch(b, targets, fault_planted(FAULT_GROUP_TARGET_IS_SURE) ? 1 : 2);
    air_block_start(b, targets[0]);
    for (uint32_t i = 0; i < p->branch_count; i++) {
        if (p->branches[i].target != NULL)
            air_object(b, p->branches[i].target, AIR_WRITE);
    }
    air_block_start(b, targets[1]);
}

/* The targets' addresses are needed once more after the await. */
static void group_addresses(struct air_builder *b, const struct point *p)
{
    for (uint32_t i = 0; i < p->branch_count; i++) {
        ast_node *t = p->branches[i].target;
        if (t != NULL && (t->bits & MARK_REPLACED) != 0)
            air_object(b, t, AIR_ADDRESS);
    }
}

/* The cancel target of a group that takes late results; the caller goes on in the block before. */
static void group_cancel(struct air_builder *b, const struct point *p, uint32_t block)
{
    uint32_t next = air_block_new(b);
    air_goto(b, next);
    air_block_start(b, block);
    group_targets(b, p);
    group_addresses(b, p);
    uint32_t out = cleanup_block(b, p->cleanup);
    if (out != AIR_NONE)
        air_goto(b, out);
    else
        air_end(b, AIR_CANCELLED);
    air_block_start(b, next);
}

static void point_operands(struct air_builder *b, struct point *p)
{
    if (p->kind == POINT_CALL)
        air_call(b, p->call.node, true);
    if (p->kind == POINT_GROUP) {
        for (uint32_t i = 0; i < p->branch_count; i++) {
            if (p->branches[i].call.node != NULL)
                air_call(b, p->branches[i].call.node, true);
        }
        if (p->milliseconds != NULL)
            air_emit(b, AIR_USE, p->milliseconds, UINT32_MAX);
        group_targets(b, p);
    }
    if (p->kind == POINT_POOL) {
        air_emit(b, AIR_LEND, p->job, UINT32_MAX);
        VEC_PUSH(b->l->mem, b->holds, p->job->local);
    }
    if (p->kind == POINT_SCOPE_ENTER)
        air_emit(b, AIR_USE, p->scope, UINT32_MAX);
    if (p->kind == POINT_SCOPE_LEAVE)
        air_emit(b, AIR_ADDR, p->cleanup->decl, UINT32_MAX);
}

void air_point(struct air_builder *b, struct point *p)
{
    struct hold_list {
        uint32_t *at;
        size_t count, capacity;
    } holds = {0};
    b->holds = (void *)&holds;
    point_operands(b, p);
    if (p->number == 0) { /* a call that never suspends */
        b->holds = NULL;
        if (p->result != NULL)
            air_emit(b, AIR_DEF, p->result, UINT32_MAX);
        return;
    }
    struct air_op op = {.kind = AIR_AWAIT, .local = AIR_NONE, .await = p->number};
    op.callee = point_name(b, p);
    op.cancel = p->in_cleanup ? AIR_NONE : cleanup_block(b, p->cleanup);
    if (p->takes_late)
        op.cancel = air_block_new(b);
    if (fault_planted(FAULT_CANCEL_EDGE_LOST))
        op.cancel = AIR_NONE;
    op.holds = holds.at;
    op.hold_count = (uint32_t)holds.count;
    place_op(b, &op, p->node->first);
    push_op(b, op);
    b->holds = NULL;
    if (p->takes_late && op.cancel != AIR_NONE)
        group_cancel(b, p, op.cancel);
    if (p->kind == POINT_GROUP) {
        group_targets(b, p);
        group_addresses(b, p);
    }
    if (p->kind == POINT_SCOPE_ENTER && p->spawn != NULL) {
        air_emit(b, AIR_USE, p->scope, UINT32_MAX);
        for (uint32_t i = 1; i < p->spawn->call.node->kid_count; i++)
            air_value(b, p->spawn->call.node->kid[i]);
    }
    if (p->kind == POINT_POOL)
        air_emit(b, AIR_USE, p->job, UINT32_MAX);
    if (p->result != NULL)
        air_emit(b, AIR_DEF, p->result, UINT32_MAX);
}

/* ---- items and overlays
 * ---------------------------------------------------------------------------- */

static void air_overlay(struct air_builder *b, const struct overlay *o)
{
    air_items(b, &o->items);
}

static void end_temps(struct air_builder *b, ast_decl *const *temps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        air_emit(b, AIR_END, temps[i], UINT32_MAX);
}

static void air_init(struct air_builder *b, ast_node *declarator)
{
    ast_node *init = declarator->kid[declarator->kid_count - 1];
    if (!fault_planted(FAULT_INITIALISER_READS_LOST))
        air_value(b, init);
    if (air_is_local(declarator->ref))
        air_emit(b, AIR_DEF, declarator->ref, declarator->first);
}

static void air_declare(struct air_builder *b, ast_node *declarator)
{
    const ast_decl *d = declarator->ref;
    bool is_object = air_is_local(d);
    ast_node *init = declarator->kid_count == 0 ? NULL : declarator->kid[declarator->kid_count - 1];
    if (is_object)
        air_emit(b, AIR_BEGIN, d, declarator->first);
    for (uint32_t i = 0; i + 1 < declarator->kid_count; i++) {
        ast_node *part = declarator->kid[i];
        if (part != NULL && part->kind == AST_ARRAY_BOUND && part->kid[0] != NULL &&
            !part->kid[0]->is_unevaluated && d != NULL && d->kind == DECL_VAR)
            air_value(b, part->kid[0]);
        else if (part != NULL)
            air_bounds(b, part, false);
    }
    if (declarator->parent != NULL && declarator->parent->kid_count > 0)
        air_bounds(b, declarator->parent->kid[0], false);
    if ((declarator->bits & MARK_OVERLAY) != 0) {
        struct overlay *o = declarator->data;
        air_overlay(b, o);
        end_temps(b, o->temps.at, o->temps.count);
    } else if (init != NULL && d != NULL && d->kind == DECL_VAR &&
               (d->storage == STORAGE_AUTO || d->storage == STORAGE_REGISTER)) {
        air_init(b, declarator);
    }
    if ((declarator->bits & MARK_HAND_CLEANUP) != 0 && is_object)
        air_emit(b, AIR_ADDR, d, declarator->first);
}

static void air_if_item(struct air_builder *b, const struct item *item)
{
    air_value(b, item->expr);
    uint32_t targets[2] = {air_block_new(b), air_block_new(b)};
    uint32_t after = air_block_new(b);
    air_branch(b, targets, 2);
    note(b, (struct block_note){.kind = NOTE_ITEM_IF, .item = item});
    air_block_start(b, targets[0]);
    air_items(b, &item->first);
    air_block_start(b, after);
    b->is_open = false;
    air_block_start(b, targets[1]);
    air_items(b, &item->second);
    air_block_start(b, after);
}

void air_items(struct air_builder *b, const struct item_list *items)
{
    for (size_t i = 0; i < items->count; i++) {
        struct item *item = items->at[i];
        switch (item->kind) {
        case ITEM_EVAL:
            air_value(b, item->expr);
            break;
        case ITEM_SET:
        case ITEM_SET_BOOL:
            air_value(b, item->expr);
            air_emit(b, AIR_DEF, item->temp, UINT32_MAX);
            break;
        case ITEM_SET_ADDRESS:
            air_object(b, item->expr, AIR_ADDRESS);
            air_emit(b, AIR_DEF, item->temp, UINT32_MAX);
            break;
        case ITEM_SET_CONST:
            air_emit(b, AIR_DEF, item->temp, UINT32_MAX);
            break;
        case ITEM_SET_FIELD:
            air_value(b, item->expr);
            air_emit(b, AIR_PART, item->temp, UINT32_MAX);
            break;
        case ITEM_AWAIT:
            air_point(b, item->point);
            break;
        case ITEM_IF:
            air_if_item(b, item);
            break;
        case ITEM_BLOCK:
            air_compound(b, item->expr);
            break;
        case ITEM_DECLARE:
            air_declare(b, item->expr);
            break;
        case ITEM_INIT:
            air_init(b, item->expr);
            break;
        case ITEM_SCOPE_START:
            air_emit(b, AIR_DEF, item->temp, UINT32_MAX);
            break;
        }
    }
}

/* ---- clean-ups
 * -------------------------------------------------------------------------------------- */

static uint32_t way_target(struct air_builder *b, const struct way_out *w)
{
    if (w->kind == EXIT_GOTO)
        return b->label_block[w->label->id];
    for (struct air_target *t = b->targets; t != NULL; t = t->outer) {
        if (t->node == w->loop)
            return w->kind == EXIT_BREAK ? t->on_break : t->on_continue;
    }
    uint32_t block = air_block_new(b); /* return, cancel */
    VEC_PUSH(b->l->mem, &b->fn->blocks.at[block].ops,
             (struct air_op){.kind = w->kind == EXIT_CANCEL ? AIR_CANCELLED : AIR_RETURN,
                             .local = AIR_NONE,
                             .cancel = AIR_NONE});
    return block;
}

static bool passes(const struct cleanup *c, const struct way_out *w)
{
    for (size_t i = 0; c != NULL && i < c->ways.count; i++) {
        if (c->ways.at[i] == w)
            return true;
    }
    return false;
}

/* One clean-up's code, then on to the next in the same block (by falling) or where the ways go. */
static void air_cleanup(struct air_builder *b, struct cleanup *c)
{
    air_block_start(b, cleanup_block(b, c));
    note(b, (struct block_note){.kind = NOTE_CLEANUP, .cleanup = c});
    if (c->leave != NULL)
        air_point(b, c->leave); /* (its local ends with the block) */
    else if (c->decl != NULL)
        air_emit(b, AIR_ADDR, c->decl, UINT32_MAX);
    else if (!fault_planted(FAULT_DEFER_READS_LOST))
        air_statement(b, c->node->kid[0]);
    VEC(uint32_t) targets = {0};
    VEC_PUSH(b->l->mem, &targets, air_block_new(b));
    for (size_t i = 0; i < c->ways.count; i++) {
        struct way_out *w = c->ways.at[i];
        VEC_PUSH(b->l->mem, &targets,
                 passes(c->outer, w) ? cleanup_block(b, c->outer) : way_target(b, w));
    }
    air_branch(b, targets.at, (uint32_t)targets.count);
    note(b, (struct block_note){.kind = NOTE_CLEANUP_DISPATCH, .cleanup = c});
    air_block_start(b, targets.at[0]);
}

static void air_block_cleanups(struct air_builder *b, const ast_node *block)
{
    for (size_t i = b->l->cleanups.count; i-- > 0;) {
        struct cleanup *c = b->l->cleanups.at[i];
        if (c->block == block)
            air_cleanup(b, c);
    }
}

/* A jump that leaves clean-ups; true if it did. */
static bool air_way_out(struct air_builder *b, ast_node *jump)
{
    if (way_out_for(b->l, jump) == NULL)
        return false;
    struct cleanup *c = cleanup_at(b->l, jump->first);
    leave_scopes(b, jump, c->node);
    air_goto(b, cleanup_block(b, c));
    note(b, (struct block_note){.kind = NOTE_WAY_OUT, .way = way_out_for(b->l, jump)});
    return true;
}

/* ---- statements
 * -------------------------------------------------------------------------------------- */

void air_compound(struct air_builder *b, ast_node *block)
{
    for (uint32_t i = 0; i < block->kid_count; i++)
        air_statement(b, block->kid[i]);
    air_block_cleanups(b, block);
    if (b->is_open && block->scope != NULL)
        end_scope(b, block->scope);
}

static void air_if(struct air_builder *b, ast_node *s)
{
    uint32_t after = air_block_new(b);
    for (;;) { /* else-if chains in a loop */
        if ((s->bits & MARK_OVERLAY) != 0)
            air_overlay(b, s->data);
        air_value(b, s->kid[0]);
        uint32_t targets[2] = {air_block_new(b), s->kid[2] != NULL ? air_block_new(b) : after};
        air_branch(b, targets, 2);
        note(b, (struct block_note){.kind = NOTE_IF, .node = s});
        air_block_start(b, targets[0]);
        air_statement(b, s->kid[1]);
        if (b->is_open)
            air_goto(b, after);
        if (s->kid[2] == NULL)
            break;
        air_block_start(b, targets[1]);
        if (s->kid[2]->kind != AST_IF) {
            air_statement(b, s->kid[2]);
            break;
        }
        s = s->kid[2];
    }
    air_block_start(b, after);
}

struct loop_blocks {
    uint32_t head, body, next, after;
};

static void enter_loop(struct air_builder *b, ast_node *s, struct air_target *t, uint32_t on_break,
                       uint32_t on_continue)
{
    *t = (struct air_target){s, on_break, on_continue, b->targets};
    b->targets = t;
}

static void air_condition(struct air_builder *b, ast_node *s, ast_node *cond, uint32_t yes,
                          uint32_t no)
{
    if ((s->bits & MARK_OVERLAY) != 0)
        air_overlay(b, s->data);
    if (cond == NULL) {
        air_goto(b, yes);
        return;
    }
    air_value(b, cond);
    air_branch(b, (uint32_t[]){yes, no}, 2);
    note(b, (struct block_note){.kind = NOTE_LOOP_CONDITION, .node = s});
}

static void air_loop(struct air_builder *b, ast_node *s)
{
    bool is_for = s->kind == AST_FOR, is_do = s->kind == AST_DO;
    if (is_for && s->kid[0] != NULL)
        air_statement(b, s->kid[0]);
    struct loop_blocks at = {air_block_new(b), air_block_new(b), air_block_new(b),
                             air_block_new(b)};
    struct air_target target;
    enter_loop(b, s, &target, at.after, at.next);
    ast_node *cond = is_for ? s->kid[1] : is_do ? s->kid[1] : s->kid[0];
    ast_node *body = is_for ? s->kid[3] : is_do ? s->kid[0] : s->kid[1];
    if (!is_do) {
        air_block_start(b, at.head);
        note(b, (struct block_note){.kind = NOTE_LOOP_HEAD, .node = s});
        air_condition(b, s, cond, at.body, at.after);
    }
    air_block_start(b, at.body);
    if (is_do)
        note(b, (struct block_note){.kind = NOTE_LOOP_HEAD, .node = s});
    air_statement(b, body);
    air_block_start(b, at.next);
    if (is_do) {
        air_condition(b, s, cond, at.body, at.after);
    } else {
        if (is_for && (s->bits & MARK_OVERLAY) != 0 &&
            ((struct overlay *)s->data)->second.count > 0)
            air_items(b, &((struct overlay *)s->data)->second);
        else if (is_for && s->kid[2] != NULL)
            air_value(b, s->kid[2]);
        air_goto(b, fault_planted(FAULT_BACK_EDGE_LOST) ? at.after : at.head);
    }
    b->targets = target.outer;
    air_block_start(b, at.after);
    if (is_for) {
        air_block_cleanups(b, s);
        if (s->scope != NULL)
            end_scope(b, s->scope);
    }
    if (is_do)
        (void)at.head;
}

static void collect_cases(struct air_builder *b, ast_node *n)
{
    if (n->kind == AST_CASE || n->kind == AST_DEFAULT)
        VEC_PUSH(b->l->mem, &b->cases, (struct air_case){n, air_block_new(b)});
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && ast_is_statement(n->kid[i]->kind) && n->kid[i]->kind != AST_SWITCH)
            collect_cases(b, n->kid[i]);
    }
}

static void air_switch(struct air_builder *b, ast_node *s)
{
    if ((s->bits & MARK_OVERLAY) != 0)
        air_overlay(b, s->data);
    air_value(b, s->kid[0]);
    uint32_t after = air_block_new(b);
    size_t first = b->cases.count;
    collect_cases(b, s->kid[1]);
    VEC(uint32_t) targets = {0};
    VEC(const ast_node *) cases = {0};
    bool has_default = false;
    for (size_t i = first; i < b->cases.count; i++) {
        VEC_PUSH(b->l->mem, &targets, b->cases.at[i].block);
        VEC_PUSH(b->l->mem, &cases, b->cases.at[i].node);
        has_default |= b->cases.at[i].node->kind == AST_DEFAULT;
    }
    if (!has_default && !fault_planted(FAULT_SWITCH_EDGE_LOST))
        VEC_PUSH(b->l->mem, &targets, after);
    VEC_PUSH(b->l->mem, &cases, NULL);
    air_branch(b, targets.at, (uint32_t)targets.count);
    note(b, (struct block_note){.kind = NOTE_SWITCH, .node = s, .cases = cases.at});
    struct air_target target;
    uint32_t on_continue = AIR_NONE;
    for (struct air_target *t = b->targets; t != NULL && on_continue == AIR_NONE; t = t->outer)
        on_continue = t->on_continue;
    enter_loop(b, s, &target, after, AIR_NONE);
    (void)on_continue;
    air_statement(b, s->kid[1]);
    b->targets = target.outer;
    air_block_start(b, after);
}

static void air_case(struct air_builder *b, ast_node *s)
{
    for (size_t i = b->cases.count; i-- > 0;) {
        if (b->cases.at[i].node == s) {
            air_block_start(b, b->cases.at[i].block);
            break;
        }
    }
    ast_node *body = s->kid[s->kid_count - 1];
    if (body != NULL)
        air_statement(b, body);
}

static void air_jump(struct air_builder *b, ast_node *s)
{
    if (air_way_out(b, s))
        return;
    if (s->kind == AST_GOTO && s->ref != NULL && b->label_block[s->ref->id] != AIR_NONE) {
        leave_scopes(b, s, s->ref->declarator);
        if (fault_planted(FAULT_GOTO_EDGE_LOST))
            air_end(b, AIR_STOP);
        else
            air_goto(b, b->label_block[s->ref->id]);
        return;
    }
    for (struct air_target *t = b->targets; t != NULL; t = t->outer) {
        if (s->kind == AST_CONTINUE && t->on_continue == AIR_NONE)
            continue;
        leave_scopes(b, s, t->node);
        air_goto(b, s->kind == AST_BREAK ? t->on_break : t->on_continue);
        return;
    }
}

static void air_return(struct air_builder *b, ast_node *s)
{
    if ((s->bits & MARK_OVERLAY) != 0)
        air_overlay(b, s->data);
    if (s->kid_count > 0 && s->kid[0] != NULL)
        air_value(b, s->kid[0]);
    if (!air_way_out(b, s))
        air_end(b, AIR_RETURN);
}

static void air_expression(struct air_builder *b, ast_node *s)
{
    if ((s->bits & MARK_OVERLAY) != 0) {
        struct overlay *o = s->data;
        air_overlay(b, o);
        end_temps(b, o->temps.at, o->temps.count);
        if (o->gone)
            return;
    }
    air_value(b, s->kid[0]);
    ast_node *e = ast_strip(s->kid[0]);
    if (e->kind == AST_CALL) {
        bool is_pointer = false;
        const struct clang_function *f =
            clang_unit_callee(b->l->unit->clang, b->l->fn, e->kid[0], &is_pointer);
        if (f != NULL && f->is_noreturn && !f->is_async)
            air_end(b, AIR_STOP);
    }
}

static void air_asm(struct air_builder *b, ast_node *s)
{
    for (uint32_t i = 0; i < s->kid_count; i++)
        air_object(b, s->kid[i], AIR_LENDING);
    if (b->address_labels.count > 0) { /* asm goto may go to any of them */
        VEC(uint32_t) targets = {0};
        VEC_PUSH(b->l->mem, &targets, air_block_new(b));
        for (size_t i = 0; i < b->address_labels.count; i++)
            VEC_PUSH(b->l->mem, &targets, b->address_labels.at[i]);
        air_branch(b, targets.at, (uint32_t)targets.count);
        air_block_start(b, targets.at[0]);
    }
}

void air_statement(struct air_builder *b, ast_node *s)
{
    switch (s->kind) {
    case AST_COMPOUND:
        air_compound(b, s);
        return;
    case AST_EXPR_STMT:
        air_expression(b, s);
        return;
    case AST_DECL_STMT:
        if ((s->bits & MARK_OVERLAY) != 0) {
            air_overlay(b, s->data);
            return;
        }
        for (uint32_t i = 1; i < s->kid_count; i++)
            air_declare(b, s->kid[i]);
        return;
    case AST_IF:
        air_if(b, s);
        return;
    case AST_WHILE:
    case AST_DO:
    case AST_FOR:
        air_loop(b, s);
        return;
    case AST_SWITCH:
        air_switch(b, s);
        return;
    case AST_CASE:
    case AST_DEFAULT:
        air_case(b, s);
        return;
    case AST_LABEL:
        if (s->ref != NULL)
            air_block_start(b, b->label_block[s->ref->id]);
        if (s->kid[0] != NULL)
            air_statement(b, s->kid[0]);
        return;
    case AST_GOTO:
    case AST_BREAK:
    case AST_CONTINUE:
        air_jump(b, s);
        return;
    case AST_GOTO_COMPUTED:
        if ((s->bits & MARK_OVERLAY) != 0)
            air_overlay(b, s->data);
        air_value(b, s->kid[0]);
        if (b->address_labels.count > 0)
            air_branch(
                b, b->address_labels.at,
                fault_planted(FAULT_LABEL_TABLE_EDGE_LOST) ? 1 : (uint32_t)b->address_labels.count);
        else
            air_end(b, AIR_STOP);
        return;
    case AST_RETURN:
        air_return(b, s);
        return;
    case AST_ASM:
        air_asm(b, s);
        return;
    default: /* NULL_STMT, DEFER (runs at the block's end), PRAGMA, ... */
        return;
    }
}

/* ---- the function
 * ------------------------------------------------------------------------------------ */

static void collect_label_addresses(struct air_builder *b, const ast_node *n)
{
    if (n->kind == AST_LABEL_ADDR && n->ref != NULL) {
        uint32_t block = b->label_block[n->ref->id];
        for (size_t i = 0; i < b->address_labels.count; i++) {
            if (b->address_labels.at[i] == block)
                return;
        }
        VEC_PUSH(b->l->mem, &b->address_labels, block);
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            collect_label_addresses(b, n->kid[i]);
    }
}

static void add_local(struct air_builder *b, const ast_decl *d)
{
    const struct type *t = type_of(b->l, d->type);
    bool has_storable_name = !(t->is_const && !t->is_nameable) &&
                             !(d->storage == STORAGE_REGISTER && !t->is_nameable) &&
                             !declaration_is_skipped(b->l, d);
    bool scalar =
        type_is_scalar(b->l->unit->types, d->type) && !t->is_volatile && has_storable_name;
    struct air_local local = {
        .kind = d->kind == DECL_PARAM ? AIR_PARAM
                : decl_is_temp(d)     ? AIR_TEMP
                                      : AIR_VAR,
        .name = d->name,
        .type = sv_from(t->before == NULL || !t->is_nameable
                            ? "(local type)"
                            : type_declare(b->l->unit->types, b->l->mem, d->type, "")),
        .size_bytes = t->size_bytes,
        .align_bytes = t->align_bytes == 0 ? 1 : t->align_bytes,
        .is_scalar = scalar};
    if (!decl_is_temp(d)) {
        struct diag_place at = lower_place(b->l, d->token);
        local.line = at.line;
        local.column = at.column;
    }
    VEC_PUSH(b->l->mem, &b->fn->locals, local);
}

void build_air(lowering *l)
{
    struct air_builder b = {.l = l, .is_open = true};
    b.fn = ARENA_NEW(l->mem, air_func);
    b.fn->mem = l->mem;
    b.fn->name = l->fn->name;
    VEC_PUSH(l->mem, &b.fn->scopes, (struct air_scope){AIR_NONE});
    find_skipping_gotos(l);
    for (size_t i = 0; i < l->locals.count; i++)
        add_local(&b, l->locals.at[i]);
    air_block_new(&b);
    b.label_block = ARENA_ARRAY(l->mem, uint32_t, l->fn->decls.count + l->fn->labels.count + 1);
    b.cleanup_block = ARENA_ARRAY(l->mem, uint32_t, l->cleanups.count + 1);
    for (size_t i = 0; i < l->cleanups.count; i++)
        b.cleanup_block[i] = AIR_NONE;
    for (size_t i = 0; i < l->fn->labels.count; i++) {
        AWC_ASSERT(l->fn->labels.at[i]->id < l->fn->decls.count + l->fn->labels.count + 1);
        b.label_block[l->fn->labels.at[i]->id] = air_block_new(&b);
    }
    for (uint32_t i = 0; i < l->fn->params.count; i++) {
        ast_node *bound = param_bound(l, i);
        if (bound != NULL)
            air_value(&b, bound);
    }
    collect_label_addresses(&b, l->fn->root->kid[2]);
    air_statement(&b, l->fn->root->kid[2]);
    if (b.is_open)
        air_end(&b, AIR_RETURN);
    for (size_t i = 0; i < b.fn->blocks.count; i++) {
        struct air_block *block = &b.fn->blocks.at[i];
        if (block->ops.count == 0 || !air_op_is_terminator(VEC_LAST(&block->ops).kind))
            VEC_PUSH(l->mem, &block->ops,
                     (struct air_op){.kind = AIR_RETURN, .local = AIR_NONE, .cancel = AIR_NONE});
    }
    b.fn->await_count = (uint32_t)l->points.count;
    l->air = b.fn;
}
