/* SPDX-License-Identifier: MIT */
/*
 * How are statements printed that have an overlay, that leave clean-ups, or that end a block with
 * clean-ups? Everything else keeps its text.
 */
#include "analyzer/base/check.h"
#include "transforms/emit/emit.h"

static const char *why(const lowering *l)
{
    return l->stores_why ? "aw__f->aw__why" : "aw__why";
}

static const char *result(const lowering *l)
{
    return l->stores_why ? "aw__f->aw__result" : "aw__result";
}

/* ---- items
 * ---------------------------------------------------------------------------------------- */

static void print_if_item(struct printer *p, const struct item *item)
{
    print_at(p, item->expr->first);
    print_text(p, item->negate ? "if (!(" : "if (");
    print_node(p, item->expr);
    print_text(p, item->negate ? ")) {" : ") {");
    print_items(p, &item->first);
    if (item->second.count > 0) {
        print_text(p, "} else {");
        print_items(p, &item->second);
    }
    print_text(p, "}");
}

static void print_item(struct printer *p, const struct item *item)
{
    lowering *l = p->l;
    switch (item->kind) {
    case ITEM_EVAL:
        print_at(p, item->expr->first);
        print_node(p, item->expr);
        print_text(p, ";");
        return;
    case ITEM_SET:
    case ITEM_SET_ADDRESS:
    case ITEM_SET_FIELD:
        print_set(p, item);
        return;
    case ITEM_SET_BOOL:
        print_at(p, item->expr->first);
        print_fmt(p, "%s = !!(", local_ref(l, item->temp, true));
        print_node(p, item->expr);
        print_text(p, ");");
        return;
    case ITEM_SET_CONST:
        print_fmt(p, "%s = %ld;", local_ref(l, item->temp, true), item->number);
        return;
    case ITEM_AWAIT:
        print_await(p, item->point, NULL);
        return;
    case ITEM_IF:
        print_if_item(p, item);
        return;
    case ITEM_BLOCK:
        print_node(p, item->expr);
        return;
    case ITEM_DECLARE:
        print_declare_item(p, item->expr);
        return;
    case ITEM_INIT:
        print_init_item(p, item->expr);
        return;
    case ITEM_SCOPE_START:
        form_print_scope_start(p, item);
        return;
    }
}

void print_items(struct printer *p, const struct item_list *items)
{
    for (size_t i = 0; i < items->count; i++)
        print_item(p, items->at[i]);
}

/* ---- ways out
 * --------------------------------------------------------------------------------------- */

static bool passes(const struct cleanup *c, const struct way_out *w)
{
    for (size_t i = 0; c != NULL && i < c->ways.count; i++) {
        if (c->ways.at[i] == w)
            return true;
    }
    return false;
}

static uint32_t loop_number(lowering *l, ast_node *loop)
{
    for (uint32_t i = 0; i < l->ways.count; i++) {
        if (l->ways.at[i]->loop == loop)
            return i + 1;
    }
    return 0;
}

/* Does the block, or a for by what its head declares, run clean-ups at its end? */
static bool ends_with_cleanups(const lowering *l, const ast_node *block)
{
    for (size_t i = 0; i < l->cleanups.count; i++) {
        if (l->cleanups.at[i]->block == block)
            return true;
    }
    return false;
}

static void print_destination(struct printer *p, const struct cleanup *c, const struct way_out *w)
{
    lowering *l = p->l;
    if (passes(c->outer, w) && !(fault_planted(FAULT_RETURN_TOO_FAR) && w->kind == EXIT_RETURN)) {
        print_fmt(p, "goto aw__fin_%u;", c->outer->number);
        return;
    }
    switch (w->kind) {
    case EXIT_RETURN:
        print_text(p, "goto aw__return;");
        return;
    case EXIT_CANCEL:
        print_fmt(p, "return %s;",
                  zero_value(l, l->known != NULL ? type_of(l, l->fn->type)->elem : TYPE_NONE));
        return;
    case EXIT_GOTO:
        print_fmt(p, "goto %.*s;", SV_ARG(w->label->name));
        return;
    case EXIT_BREAK:
        print_fmt(p, "goto aw__break_%u;", loop_number(l, w->loop));
        return;
    case EXIT_CONTINUE:
        if (fault_planted(FAULT_CONTINUE_BREAKS))
            print_text(p, "break;");
        else
            print_fmt(p, "goto aw__continue_%u;", loop_number(l, w->loop));
        return;
    }
}

static void print_cleanup_code(struct printer *p, struct cleanup *c)
{
    if (c->leave != NULL) {
        print_await(p, c->leave, NULL);
    } else if (c->decl != NULL) {
        print_at(p, c->node->first);
        print_fmt(p, "%.*s(&%s);", SV_ARG(c->decl->cleanup_function),
                  local_ref(p->l, c->decl, false));
    } else {
        p->previous = UINT32_MAX;
        print_node(p, c->node->kid[0]);
    }
}

static bool same_block(const struct cleanup *c, const struct cleanup *outer)
{
    return outer != NULL && outer->block == c->block;
}

void print_block_cleanups(struct printer *p, ast_node *block)
{
    lowering *l = p->l;
    bool is_first = true;
    for (size_t n = l->cleanups.count; n-- > 0;) {
        size_t i = fault_planted(FAULT_CLEANUPS_REVERSED) ? l->cleanups.count - 1 - n : n;
        struct cleanup *c = l->cleanups.at[i];
        if (c->block != block)
            continue;
        if (is_first && !fault_planted(FAULT_WHY_NOT_RESET))
            print_fmt(p, "%s = 0;", why(l));
        is_first = false;
        if (c->ways.count > 0)
            print_fmt(p, "aw__fin_%u: __attribute__((__unused__));", c->number);
        if (fault_planted(FAULT_CLEANUP_NOT_ON_END))
            print_fmt(p, "if (%s != 0)", why(l));
        print_cleanup_code(p, c);
        for (size_t w = 0; w < c->ways.count; w++) {
            struct way_out *way = c->ways.at[w];
            if (same_block(c, c->outer) && passes(c->outer, way))
                continue; /* falls into it */
            print_fmt(p, "if (%s == %u)", why(l), way->number);
            print_destination(p, c, way);
        }
    }
}

static bool print_way_out(struct printer *p, ast_node *s)
{
    lowering *l = p->l;
    struct way_out *w = way_out_for(l, s);
    if (w == NULL)
        return false;
    if ((fault_planted(FAULT_CLEANUP_NOT_ON_RETURN) && s->kind == AST_RETURN) ||
        (fault_planted(FAULT_CLEANUP_NOT_ON_BREAK) && s->kind == AST_BREAK) ||
        (fault_planted(FAULT_CLEANUP_NOT_ON_CONTINUE) && s->kind == AST_CONTINUE) ||
        (fault_planted(FAULT_CLEANUP_NOT_ON_GOTO) && s->kind == AST_GOTO))
        return false;
    print_at(p, s->first);
    print_text(p, "{");
    if (s->kind == AST_RETURN && s->kid_count > 0 && s->kid[0] != NULL) {
        type_id type = type_of(l, type_of(l, l->fn->type)->elem)->unqualified;
        bool is_void = type_of(l, type)->cls == TYPE_VOID;
        is_void |= fault_planted(FAULT_RESULT_OVERWRITTEN);
        if (!is_void)
            print_assign_begin(p, type, result(l));
        print_node(p, s->kid[0]);
        if (is_void)
            print_text(p, ";");
        else
            print_assign_end(p, type, result(l));
    }
    print_fmt(p, "%s = %u; goto aw__fin_%u; }", why(l), w->number, cleanup_at(l, s->first)->number);
    return true;
}

/* ---- loops
 * -------------------------------------------------------------------------------------------- */

static bool has_way(lowering *l, ast_node *loop, enum exit_kind kind)
{
    for (size_t i = 0; i < l->ways.count; i++) {
        if (l->ways.at[i]->loop == loop && l->ways.at[i]->kind == kind)
            return true;
    }
    return false;
}

static void print_body(struct printer *p, ast_node *loop, ast_node *body, uint32_t label)
{
    bool marked = has_way(p->l, loop, EXIT_CONTINUE);
    bool braces = label != 0 || marked;
    if (braces)
        print_text(p, "{");
    print_node(p, body);
    if (marked)
        print_fmt(p, "aw__continue_%u:;", loop_number(p->l, loop));
    if (label != 0 && !(fault_planted(FAULT_STEP_SKIPPED) && loop->kind == AST_FOR))
        print_fmt(p, "aw__next_%u: __attribute__((__unused__));", label);
    if (braces && label == 0)
        print_text(p, "}");
}

static void print_test(struct printer *p, struct overlay *o, ast_node *cond)
{
    print_text(p, "{");
    print_temps(p, o->temps.at, o->temps.count, &o->items);
    print_items(p, &o->items);
    print_text(p, "if (!(");
    print_node(p, cond);
    print_text(p, ")) break; }");
}

static void print_while(struct printer *p, ast_node *s)
{
    struct overlay *o = s->data;
    print_at(p, s->first);
    if (fault_planted(FAULT_CONDITION_ONCE)) {
        print_text(p, "{");
        print_temps(p, o->temps.at, o->temps.count, &o->items);
        print_items(p, &o->items);
        print_text(p, "while (");
        print_node(p, s->kid[0]);
        print_text(p, ")");
        print_body(p, s, s->kid[1], 0);
        print_text(p, "}");
        return;
    }
    print_text(p, "for (;;) {");
    print_test(p, o, s->kid[0]);
    print_body(p, s, s->kid[1], 0);
    print_text(p, "}");
}

static void print_do(struct printer *p, ast_node *s)
{
    struct overlay *o = s->data;
    print_at(p, s->first);
    print_text(p, "for (;;) {");
    print_body(p, s, s->kid[0], o->continue_label);
    print_text(p, "}");
    print_test(p, o, s->kid[1]);
    print_text(p, "}");
}

static void print_for(struct printer *p, ast_node *s, bool init_outside)
{
    struct overlay *o = (s->bits & MARK_OVERLAY) != 0 ? s->data : NULL;
    bool tests = o != NULL && s->kid[1] != NULL && o->items.count > 0;
    uint32_t label = o == NULL ? 0 : o->continue_label;
    print_at(p, s->first);
    if (init_outside) {
        print_text(p, "{");
        print_node(p, s->kid[0]);
    }
    print_text(p, "for (");
    if (init_outside || s->kid[0] == NULL)
        print_text(p, ";");
    else
        print_node(p, s->kid[0]);
    if (!tests && s->kid[1] != NULL)
        print_node(p, s->kid[1]);
    print_text(p, ";");
    if (label == 0 && s->kid[2] != NULL)
        print_node(p, s->kid[2]);
    print_text(p, ") {");
    if (tests)
        print_test(p, o, s->kid[1]);
    print_body(p, s, s->kid[3], label);
    if (label != 0) {
        print_text(p, "{");
        print_temps(p, o->second_temps.at, o->second_temps.count, &o->second);
        print_items(p, &o->second);
        if (fault_planted(FAULT_STEP_SKIPPED))
            print_fmt(p, "aw__next_%u:;", label);
        print_text(p, "} }");
    }
    print_text(p, "}");
    if (init_outside) {
        if (ends_with_cleanups(p->l, s)) {
            if (has_way(p->l, s, EXIT_BREAK)) /* a break runs them, too */
                print_fmt(p, "aw__break_%u:;", loop_number(p->l, s));
            print_block_cleanups(p, s);
        }
        print_text(p, "}");
    }
}

static uint32_t next_label(ast_node *jump)
{
    for (ast_node *n = jump->parent; n != NULL; n = n->parent) {
        if (n->kind == AST_DO && fault_planted(FAULT_CONTINUE_SKIPS_TEST))
            return 0;
        if (n->kind == AST_WHILE || n->kind == AST_DO || n->kind == AST_FOR)
            return (n->bits & MARK_OVERLAY) != 0 ? ((struct overlay *)n->data)->continue_label : 0;
    }
    return 0;
}

/* A loop that is printed in another form than the user wrote; false if it need not be. */
static bool print_loop(struct printer *p, ast_node *s)
{
    bool marked = has_way(p->l, s, EXIT_CONTINUE);
    bool has_overlay = (s->bits & MARK_OVERLAY) != 0;
    if (s->kind == AST_FOR) {
        ast_node *init = s->kid[0];
        bool outside =
            init != NULL && ((init->bits & MARK_OVERLAY) != 0 ||
                             (init->kind == AST_DECL_STMT && declaration_is_touched(p->l, init)));
        if (!outside && !has_overlay && !marked)
            return false;
        print_for(p, s, outside);
        return true;
    }
    if (has_overlay) {
        if (s->kind == AST_WHILE)
            print_while(p, s);
        else
            print_do(p, s);
        return true;
    }
    if (!marked)
        return false;
    ast_node *body = s->kind == AST_DO ? s->kid[0] : s->kid[1];
    print_at(p, s->first);
    print_tokens(p, s->first, s->first + 1);
    if (s->kind == AST_WHILE) {
        print_text(p, "(");
        print_node(p, s->kid[0]);
        print_text(p, ")");
        print_body(p, s, body, 0);
    } else {
        print_body(p, s, body, 0);
        print_text(p, "while (");
        print_node(p, s->kid[1]);
        print_text(p, ");");
    }
    return true;
}

/* ---- the walk
 * ------------------------------------------------------------------------------------------- */

/* Overlays of statements that keep their own form behind the items. */
static bool print_overlay(struct printer *p, ast_node *s)
{
    struct overlay *o = s->data;
    print_at(p, s->first);
    if (!o->bare)
        print_text(p, "{");
    print_temps(p, o->temps.at, o->temps.count, &o->items);
    print_items(p, &o->items);
    if (!o->gone) {
        s->bits &= ~(uint64_t)MARK_OVERLAY;
        print_node(p, s);
        s->bits |= MARK_OVERLAY;
    }
    if (!o->bare)
        print_text(p, "}");
    return true;
}

/* The first declaration of the block whose type depends on a run-time value; else kid_count. */
static uint32_t first_variable_array(lowering *l, const ast_node *block)
{
    for (uint32_t i = 0; i < block->kid_count; i++) {
        const ast_node *s = block->kid[i];
        for (uint32_t k = 1; s->kind == AST_DECL_STMT && k < s->kid_count; k++) {
            const ast_decl *d = s->kid[k]->ref;
            if (d != NULL && type_of(l, d->type)->is_variable)
                return i;
        }
    }
    return block->kid_count;
}

static void print_compound(struct printer *p, ast_node *s)
{
    if (!ends_with_cleanups(p->l, s)) {
        print_children(p, s);
        return;
    }
    ast_node body = *s;
    body.last = s->last - 1;
    uint32_t split = first_variable_array(p->l, s);
    if (split < s->kid_count) { /* no jump to the clean-ups may enter its scope */
        body.kid_count = split;
        body.last = s->kid[split]->first;
        print_children(p, &body);
        print_text(p, "{");
        body.kid = s->kid + split;
        body.kid_count = s->kid_count - split;
        body.first = body.last;
        body.last = s->last - 1;
    }
    print_children(p, &body);
    if (split < s->kid_count)
        print_text(p, "}");
    print_block_cleanups(p, s);
    print_token(p, s->last - 1);
}

static bool print_statement_itself(struct printer *p, ast_node *s)
{
    lowering *l = p->l;
    switch (s->kind) {
    case AST_COMPOUND:
        print_compound(p, s);
        return true;
    case AST_DECL_STMT:
        if (!declaration_is_touched(l, s))
            return false;
        print_at(p, s->first);
        print_declaration(p, s);
        return true;
    case AST_DEFER:
        print_at(p, s->first);
        print_text(p, ";");
        return true;
    case AST_RETURN:
    case AST_GOTO:
    case AST_BREAK:
        return print_way_out(p, s);
    case AST_CONTINUE:
        if (print_way_out(p, s))
            return true;
        if (next_label(s) == 0)
            return false;
        print_at(p, s->first);
        print_fmt(p, "goto aw__next_%u;", next_label(s));
        return true;
    case AST_LABEL:
    case AST_CASE:
    case AST_DEFAULT: {
        ast_node *body = s->kid_count == 0 ? NULL : s->kid[s->kid_count - 1];
        if (body == NULL) { /* in front of a declaration or at a block's end: C23, so not printed */
            print_children(p, s);
            print_text(p, ";");
            return true;
        }
        if (body->kind == AST_DECL_STMT || body->kind == AST_DEFER)
            return false;
        return false;
    }
    default:
        return false;
    }
}

bool print_statement(struct printer *p, ast_node *s)
{
    bool is_loop = s->kind == AST_WHILE || s->kind == AST_DO || s->kind == AST_FOR;
    bool is_switch =
        s->kind == AST_SWITCH && (s->bits & MARK_OVERLAY) == 0; /* printed again without */
    bool breaks = (is_loop || is_switch) && has_way(p->l, s, EXIT_BREAK) &&
                  !(s->kind == AST_FOR && ends_with_cleanups(p->l, s));
    if (breaks)
        print_text(p, "{");
    bool done = is_loop                         ? print_loop(p, s)
                : (s->bits & MARK_OVERLAY) != 0 ? print_overlay(p, s)
                                                : print_statement_itself(p, s);
    if (!breaks)
        return done;
    if (!done)
        print_children(p, s);
    print_fmt(p, "aw__break_%u:; }", loop_number(p->l, s));
    return true;
}
