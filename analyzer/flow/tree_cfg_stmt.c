/* SPDX-License-Identifier: MIT */
/*
 * Lays out statements and declarations. A loop's condition, body, increment and the block behind it
 * are begun in the order of the source, so that a loop is a run of blocks. Chains of `else if` and
 * of labels are laid out in loops.
 */
#include "analyzer/flow/tree_cfg_internal.h"

#include "analyzer/syntax/ast_lex.h"

/* ---- blocks and declarations ---------------------------------------------------------------- */

static void pop_exits(tree_builder *b, const struct exit_entry *down_to)
{
    build_unwind(b, down_to);
    b->exits = down_to;
}

static void lay_compound(tree_builder *b, const ast_node *n)
{
    const struct exit_entry *outer = b->exits;
    build_push_exit(b, EXIT_SCOPE, n);
    for (uint32_t i = 0; i < n->kid_count; i++)
        build_statement(b, n->kid[i]);
    pop_exits(b, outer);
}

static void lay_declarator(tree_builder *b, const ast_node *n)
{
    const ast_decl *d = n->ref;
    if (d == NULL || (d->kind != DECL_VAR && d->kind != DECL_TYPEDEF))
        return;
    build_bounds(b, n);
    if (d->kind == DECL_TYPEDEF)
        return;
    bool is_automatic = d->storage == STORAGE_AUTO || d->storage == STORAGE_REGISTER ||
                        (d->storage == STORAGE_CONSTEXPR && !d->is_thread_local);
    if (is_automatic)
        build_value(b, n->kid[n->kid_count - 1]);
    build_emit(b, TREE_DECL, n);
    if (is_automatic && d->cleanup != NULL)
        build_push_exit(b, EXIT_CLEANUP, n);
}

static void lay_declaration(tree_builder *b, const ast_node *n)
{
    for (uint32_t i = 1; i < n->kid_count; i++)
        lay_declarator(b, n->kid[i]);
}

/* ---- if ------------------------------------------------------------------------------------- */

static void lay_if(tree_builder *b, const ast_node *n)
{
    uint32_t after = build_new_block(b);
    for (;;) {
        uint32_t then = build_new_block(b);
        uint32_t otherwise = n->kid[2] == NULL ? after : build_new_block(b);
        build_condition(b, n->kid[0], then, otherwise);
        build_begin(b, then);
        build_statement(b, n->kid[1]);
        build_jump(b, after, NULL);
        if (n->kid[2] == NULL)
            break;
        build_begin(b, otherwise);
        n = n->kid[2];
        if (n->kind != AST_IF) {
            build_statement(b, n);
            break;
        }
    }
    build_begin(b, after);
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* A loop that is being laid out. */
struct open_loop {
    struct jump_frame frame;
    size_t index; /* in the builder's loops */
};

/* Begins the loop's header. */
static void open_loop(tree_builder *b, struct open_loop *l, const ast_node *n)
{
    uint32_t header = build_new_block(b);
    *l = (struct open_loop){.index = b->loops.count};
    l->frame = (struct jump_frame){.outer = b->jumps,
                                   .break_to = build_new_block(b),
                                   .continue_to = header,
                                   .exits = b->exits};
    build_begin_always(b, header, true);
    VEC_PUSH(
        b->mem, &b->loops,
        (struct tree_loop_range){.node = n, .header = header, .first = b->blocks.at[header].place});
    b->jumps = &l->frame;
}

/* Goes on behind the loop. */
static void close_loop(tree_builder *b, const struct open_loop *l)
{
    struct tree_loop_range *range = &b->loops.at[l->index];
    range->end = b->begun_count;
    range->continues_at = l->frame.continue_to;
    b->jumps = l->frame.outer;
    build_begin(b, l->frame.break_to);
}

static void lay_while(tree_builder *b, const ast_node *n)
{
    struct open_loop l;
    open_loop(b, &l, n);
    uint32_t body = build_new_block(b);
    build_condition(b, n->kid[0], body, l.frame.break_to);
    build_begin(b, body);
    build_statement(b, n->kid[1]);
    build_jump(b, l.frame.continue_to, NULL);
    close_loop(b, &l);
}

static void lay_do(tree_builder *b, const ast_node *n)
{
    struct open_loop l;
    open_loop(b, &l, n);
    uint32_t header = l.frame.continue_to;
    l.frame.continue_to = build_new_block(b);
    build_statement(b, n->kid[0]);
    build_begin(b, l.frame.continue_to);
    build_condition(b, n->kid[1], header, l.frame.break_to);
    close_loop(b, &l);
}

/* The first clause is in the loop's scope, but in front of the loop. */
static void lay_for(tree_builder *b, const ast_node *n)
{
    const struct exit_entry *outer = b->exits;
    if (n->scope != NULL && n->scope->decls.count != 0)
        build_push_exit(b, EXIT_SCOPE, n);
    if (n->kid[0] != NULL)
        build_statement(b, n->kid[0]);
    struct open_loop l;
    open_loop(b, &l, n);
    uint32_t header = l.frame.continue_to;
    if (n->kid[1] != NULL) {
        uint32_t body = build_new_block(b);
        build_condition(b, n->kid[1], body, l.frame.break_to);
        build_begin(b, body);
    }
    if (n->kid[2] != NULL)
        l.frame.continue_to = build_new_block(b);
    build_statement(b, n->kid[3]);
    if (n->kid[2] != NULL) {
        build_begin(b, l.frame.continue_to);
        build_value(b, n->kid[2]);
    }
    build_jump(b, header, NULL);
    close_loop(b, &l);
    pop_exits(b, outer);
}

/* ---- switch --------------------------------------------------------------------------------- */

/* Where the operand has none of the values; decided when all of them are known. */
static void lay_default_edge(tree_builder *b, const struct switch_frame *s, const ast_node *n,
                             uint32_t after)
{
    bool is_impossible = s->is_met;
    if (s->default_label == NULL && b->hooks.is_exhaustive != NULL)
        is_impossible |= b->hooks.is_exhaustive(b->hooks.context, n);
    if (is_impossible)
        return;
    build_edge(b, s->block,
               &(struct tree_edge){.to = s->default_label == NULL ? after : s->default_block,
                                   .kind = TREE_DEFAULT,
                                   .cond = s->cond,
                                   .label = s->default_label});
}

static void lay_switch(tree_builder *b, const ast_node *n)
{
    struct switch_frame s = {.outer = b->switches, .cond = tree_bare(n->kid[0])};
    build_value(b, n->kid[0]);
    s.is_known = build_constant(b, n->kid[0], &s.value);
    s.block = b->current;
    b->current = TREE_NONE;
    struct jump_frame frame = {.outer = b->jumps,
                               .break_to = build_new_block(b),
                               .continue_to = TREE_NONE,
                               .exits = b->exits};
    b->jumps = &frame;
    b->switches = &s;
    build_statement(b, n->kid[1]);
    b->jumps = frame.outer;
    b->switches = s.outer;
    lay_default_edge(b, &s, n, frame.break_to);
    build_begin(b, frame.break_to);
}

/* Can the switch's operand have one of the case's values? */
static bool is_possible_case(const tree_builder *b, struct switch_frame *s, const ast_node *n)
{
    int64_t low, high;
    if (!s->is_known || !build_constant(b, n->kid[0], &low))
        return true;
    high = low;
    if (n->kid[1] != NULL && !build_constant(b, n->kid[1], &high))
        return true;
    bool is_met = low <= s->value && s->value <= high;
    s->is_met |= is_met;
    return is_met;
}

static void lay_case(tree_builder *b, const ast_node *n)
{
    struct switch_frame *s = b->switches;
    uint32_t block = build_new_block(b);
    if (s != NULL && is_possible_case(b, s, n))
        build_edge(
            b, s->block,
            &(struct tree_edge){.to = block, .kind = TREE_CASE, .cond = s->cond, .label = n});
    build_begin(b, block);
}

static void lay_default(tree_builder *b, const ast_node *n)
{
    uint32_t block = build_new_block(b);
    if (b->switches != NULL) {
        b->switches->default_label = n;
        b->switches->default_block = block;
    }
    build_begin_always(b, block, false);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

/* Unwinds and goes; the exits of the statements behind are as before. */
static void leave(tree_builder *b, const ast_node *n, const struct exit_entry *down_to, uint32_t to)
{
    if (b->current == TREE_NONE)
        return;
    build_unwind(b, down_to);
    build_jump(b, to, n);
}

static void lay_break_or_continue(tree_builder *b, const ast_node *n)
{
    const struct jump_frame *f = b->jumps;
    while (n->kind == AST_CONTINUE && f != NULL && f->continue_to == TREE_NONE)
        f = f->outer;
    if (f == NULL)
        leave(b, n, b->floor, b->exit);
    else
        leave(b, n, f->exits, n->kind == AST_BREAK ? f->break_to : f->continue_to);
}

static void lay_return(tree_builder *b, const ast_node *n)
{
    build_value(b, n->kid[0]);
    build_emit(b, TREE_RETURN, n);
    leave(b, n, NULL, b->exit);
}

static void lay_goto(tree_builder *b, const ast_node *n)
{
    uint32_t to = build_label_block(b, n->ref);
    const struct exit_entry *down_to =
        to == b->exit ? b->floor : build_exits_at_label(b, n->ref->declarator);
    leave(b, n, down_to, to);
}

/* ---- jumps to where values say -------------------------------------------------------------- */

/* The labels whose address the function takes, each once. */
static void find_addressed(tree_builder *b)
{
    VEC(const ast_node *) stack = {0};
    bool *seen = ARENA_ARRAY(b->mem, bool, b->fn->decls.count);
    VEC_PUSH(b->mem, &stack, b->fn->root);
    while (stack.count != 0) {
        const ast_node *n = stack.at[--stack.count];
        if (n->kind == AST_LABEL_ADDR && n->ref != NULL && n->ref->declarator != NULL &&
            !seen[n->ref->id]) {
            seen[n->ref->id] = true;
            VEC_PUSH(b->mem, &b->addressed, n->ref);
        }
        for (uint32_t i = n->kid_count; i-- > 0;) {
            if (n->kid[i] != NULL)
                VEC_PUSH(b->mem, &stack, n->kid[i]);
        }
    }
}

/* What none of the labels that it may go to leaves in force. */
static const struct exit_entry *exits_at_addressed(const tree_builder *b)
{
    const struct exit_entry *e = b->exits;
    for (; e != b->floor; e = e->below) {
        for (size_t i = 0; i < b->addressed.count; i++) {
            if (build_exits_at_label(b, b->addressed.at[i]->declarator) == e)
                return e;
        }
    }
    return e;
}

static void lay_computed_goto(tree_builder *b, const ast_node *n)
{
    bool is_first = b->dispatch == TREE_NONE;
    build_value(b, n->kid[0]);
    if (is_first) {
        find_addressed(b);
        b->dispatch = build_new_block(b);
    }
    leave(b, n, exits_at_addressed(b), b->dispatch);
    if (is_first)
        build_begin_always(b, b->dispatch, true);
    b->current = TREE_NONE;
}

static const ast_decl *label_named(const tree_builder *b, strview name)
{
    for (size_t i = 0; i < b->fn->labels.count; i++) {
        if (sv_equal(b->fn->labels.at[i]->name, name))
            return b->fn->labels.at[i];
    }
    return NULL;
}

/* `asm goto ("..." : outputs : inputs : clobbers : labels)`: the labels are only tokens. */
static void lay_asm_jumps(tree_builder *b, const ast_node *n)
{
    uint32_t from = b->current, sections = 0;
    int depth = 0;
    for (uint32_t t = n->first; t < n->last; t++) {
        uint16_t code = b->fn->tokens[t].code;
        depth +=
            (code == P_LPAREN || code == P_LBRACKET) - (code == P_RPAREN || code == P_RBRACKET);
        sections += depth == 1 && code == P_COLON;
        const ast_decl *label = NULL;
        if (sections >= 4 && b->fn->tokens[t].kind == TOKEN_IDENT)
            label = label_named(b, ast_token_text(b->fn, t));
        if (label != NULL)
            build_edge(b, from,
                       &(struct tree_edge){.to = build_label_block(b, label),
                                           .kind = TREE_COMPUTED,
                                           .label = label->declarator});
    }
    uint32_t next = build_new_block(b);
    build_begin(b, next);
}

static void lay_asm(tree_builder *b, const ast_node *n)
{
    bool jumps = false;
    for (uint32_t t = n->first; t < n->last && b->fn->tokens[t].code != P_LPAREN; t++)
        jumps |= b->fn->tokens[t].code == KW_GOTO;
    for (uint32_t i = 0; i < n->kid_count; i++)
        build_value(b, n->kid[i]);
    build_emit(b, TREE_ASM, n);
    if (jumps)
        lay_asm_jumps(b, n);
}

/* ---- any ------------------------------------------------------------------------------------ */

/* Begins at the labels in front of a statement; returns the statement, or NULL. */
static const ast_node *lay_labels(tree_builder *b, const ast_node *n)
{
    while (n != NULL && (n->kind == AST_LABEL || n->kind == AST_CASE || n->kind == AST_DEFAULT)) {
        if (n->kind == AST_LABEL)
            build_begin_always(b, build_label_block(b, n->ref), true);
        else if (n->kind == AST_CASE)
            lay_case(b, n);
        else
            lay_default(b, n);
        n = n->kid[n->kid_count - 1];
    }
    return n;
}

static void lay_expression_statement(tree_builder *b, const ast_node *n)
{
    build_value(b, n->kid[0]);
}

static void lay_defer(tree_builder *b, const ast_node *n)
{
    build_push_exit(b, EXIT_DEFER, n);
}

void build_statement(tree_builder *b, const ast_node *n)
{
    static void (*const layers[AST_KIND_COUNT])(tree_builder *, const ast_node *) = {
        [AST_COMPOUND] = lay_compound,
        [AST_EXPR_STMT] = lay_expression_statement,
        [AST_DECL_STMT] = lay_declaration,
        [AST_IF] = lay_if,
        [AST_WHILE] = lay_while,
        [AST_DO] = lay_do,
        [AST_FOR] = lay_for,
        [AST_SWITCH] = lay_switch,
        [AST_GOTO] = lay_goto,
        [AST_GOTO_COMPUTED] = lay_computed_goto,
        [AST_CONTINUE] = lay_break_or_continue,
        [AST_BREAK] = lay_break_or_continue,
        [AST_RETURN] = lay_return,
        [AST_ASM] = lay_asm,
        [AST_DEFER] = lay_defer,
    };
    n = lay_labels(b, n);
    if (n != NULL && layers[n->kind] != NULL) /* the rest does nothing */
        layers[n->kind](b, n);
}
