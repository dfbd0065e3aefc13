/* SPDX-License-Identifier: MIT */
/*
 * awaitc-unbounded-queue: each piece of input is put on a queue, and nothing stops that when the
 * queue is long: no count that is compared, no bounded channel, no await of room. Found in loops
 * that read, and in callbacks that read once a call and queue what they allocate.
 */
#include "analyzer/program/value_of.h"
#include "rules/intake.h"
#include "rules/relay_writes.h"
#include "rules/work_estimate.h"

static const char pushes[] = "push enqueue insert_tail add_tail queue_add queue_put queue_msg "
                             "queue_append list_append offer add_last";
/* Growing text and scratch lists are no queues. */
static const char growing[] = "str buf vec stack array byte char text arena";
enum { MAX_BODY_DEPTH = 2, MAX_MAYBE = 4 };

/* Marks of functions that others call. */
static const char queues[] = "queues", limits[] = "limits-queue";
static const char pops[] = "pop dequeue shift remove_head take_first";

/* ---- channels ----------------------------------------------------------------------------------
 */

struct channel_search {
    rule_cx *cx;
    const char *key;
    bool found;
};

static bool is_unbounded(rule_cx *cx, const ast_node *capacity)
{
    int64_t value, unbounded = -1;
    if (sv_is(ast_node_text(cx->fn->tree, sema_strip(capacity)), "AW_UNBOUNDED"))
        return true;
    (void)sema_named_constant(cx->sema, SV("AW_UNBOUNDED"), &unbounded);
    return sema_constant(cx->sema, cx->fn, capacity, &value) && value == unbounded;
}

static bool makes_unbounded(rule_cx *cx, const ast_node *value)
{
    value = sema_strip(value);
    return value->kind == AST_CALL && sema_arg_count(value) == 2 &&
           sv_is(sema_callee_name(cx->sema, cx->fn, value), "aw_chan_new") &&
           is_unbounded(cx, sema_arg(value, 1));
}

static bool visit_channel(void *context, const ast_node *n)
{
    struct channel_search *search = context;
    rule_cx *cx = search->cx;
    const ast_node *lvalue = NULL, *value = NULL;
    if (n->kind == AST_ASSIGN) {
        lvalue = n->kid[0];
        value = n->kid[1];
    } else if (n->kind == AST_DECLARATOR && n->kid_count != 0) {
        value = n->kid[n->kid_count - 1];
    }
    if (value == NULL || !makes_unbounded(cx, value))
        return true;
    const char *key = NULL;
    if (lvalue != NULL)
        key = key_of(cx->mem, local_uses_of(cx->mem, cx->sema, cx->fn), lvalue);
    else if (n->ref != NULL)
        key =
            arena_printf(cx->mem, "l:%.*s.%.*s", SV_ARG(cx->fn->tree->name), SV_ARG(n->ref->name));
    search->found = search->found || (key != NULL && strcmp(key, search->key) == 0);
    return true;
}

/* Was the channel that the call sends to made without a limit, in this unit? */
static bool sends_unbounded(rule_cx *cx, const ast_node *call)
{
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    uint32_t count;
    struct sema_function *const *all = sema_unit_functions(cx->sema, &count);
    if (sema_arg_count(call) == 0 ||
        !(sv_is(name, "aw_chan_send") || sv_is(name, "aw_chan_try_send")))
        return false;
    struct channel_search search = {
        .key = key_of(cx->mem, local_uses_of(cx->mem, cx->sema, cx->fn), sema_arg(call, 0))};
    for (uint32_t i = 0; i < count && search.key != NULL && !search.found; i++) {
        rule_cx inner = *cx;
        inner.fn = all[i];
        search.cx = &inner;
        if (all[i]->in_source)
            tree_visit(all[i]->tree->root, visit_channel, &search);
    }
    return search.found;
}

/* ---- lists -------------------------------------------------------------------------------------
 */

static bool is_allocation(rule_cx *cx, const ast_node *value)
{
    value = sema_strip(value);
    if (value->kind != AST_CALL)
        return false;
    strview name = sema_callee_name(cx->sema, cx->fn, value);
    return name_has_word(name,
                         "malloc calloc alloc new g_malloc strdup memdup dup create zmalloc") ||
           (work_of_call(cx, value).cls == WORK_MEMORY && !name_has_word(name, "free"));
}

/* m = await recv_msg(fd): what came in. */
static bool is_taken_in(rule_cx *cx, const ast_node *value)
{
    return sema_strip(value)->kind == AST_AWAIT &&
           sema_type(cx->sema, cx->fn, value)->cls == CTYPE_POINTER;
}

/* Does an expression name something that the loop allocates or takes in? */
static bool is_item(rule_cx *cx, const struct loop_shape *s, const ast_node *n)
{
    n = sema_strip(n);
    if (n->kind != AST_IDENT)
        return false;
    for (size_t i = 0; i < s->steps.count; i++) {
        const struct loop_step *step = &s->steps.at[i];
        bool is_it = step->lvalue->kind == AST_DECLARATOR
                         ? step->lvalue->ref == n->ref
                         : tree_same(cx->fn->tree, step->lvalue, n);
        if (is_it && step->kind == STEP_SET &&
            (is_allocation(cx, step->value) || is_taken_in(cx, step->value)))
            return true;
    }
    return false;
}

/* The parameter of a function that queues what it gets. */
static bool is_given(rule_cx *cx, const struct loop_shape *s, const ast_node *n)
{
    n = sema_strip(n);
    return s->loop == cx->fn->tree->root && n->kind == AST_IDENT && n->ref != NULL &&
           n->ref->kind == DECL_PARAM && sema_type(cx->sema, cx->fn, n)->cls == CTYPE_POINTER;
}

struct chain_search {
    rule_cx *cx;
    const ast_node *item, *head;
    bool found;
};

/* item->next = q->head; */
static bool visit_chain(void *context, const ast_node *n)
{
    struct chain_search *search = context;
    const ast_node *left = n->kind == AST_ASSIGN ? sema_strip(n->kid[0]) : NULL;
    if (left != NULL && n->op == OP_ASSIGN && left->kind == AST_MEMBER && left->op == OP_ARROW &&
        tree_same(search->cx->fn->tree, left->kid[0], search->item) &&
        tree_same(search->cx->fn->tree, n->kid[1], search->head))
        search->found = true;
    return !search->found;
}

/* Does the item point to what stands in the place, before it takes the place: a push in front? */
static bool is_pushed_front(rule_cx *cx, const struct loop_shape *s, const ast_node *to,
                            const ast_node *item)
{
    struct chain_search search = {.cx = cx, .item = sema_strip(item), .head = to};
    tree_visit(s->loop, visit_chain, &search);
    return search.found;
}

/* more = realloc(q->jobs, ...); q->jobs = more: the same array, with more room. */
static bool is_grown_array(rule_cx *cx, const struct loop_shape *s, const ast_node *n)
{
    const ast_node *value = sema_strip(n->kid[1]);
    for (size_t i = 0; value->kind == AST_IDENT && i < s->steps.count; i++) {
        const struct loop_step *step = &s->steps.at[i];
        bool is_it = step->lvalue->kind == AST_DECLARATOR
                         ? step->lvalue->ref == value->ref
                         : tree_same(cx->fn->tree, step->lvalue, value);
        if (is_it && step->kind == STEP_SET && grows_memory(cx, step->value))
            return true;
    }
    return false;
}

/* q->tail->next = item; *q->last = item; q->tail = item: into what is not the item's own. */
static bool links_item(rule_cx *cx, const struct loop_shape *s, const ast_node *n)
{
    if (n->kind != AST_ASSIGN || n->op != OP_ASSIGN ||
        !(is_item(cx, s, n->kid[1]) || is_given(cx, s, n->kid[1])) || is_grown_array(cx, s, n))
        return false;
    const ast_node *to = sema_strip(n->kid[0]), *root = tree_root(to);
    bool is_field = to->kind == AST_MEMBER || (to->kind == AST_UNARY && to->op == OP_DEREF);
    return is_field && root != NULL && !is_item(cx, s, root) &&
           !tree_same(cx->fn->tree, root, n->kid[1]) &&
           (name_has_word(
                ast_node_text(cx->fn->tree, to),
                "tail last next end tqe tqh first head list queue items pending backlog inbox "
                "outbox mailbox jobs todo") ||
            is_pushed_front(cx, s, to, n->kid[1]));
}

/* q->at[q->n++] = job, where the loop makes q->at larger when it is full: of what outlives the
 * function, and no text. */
static bool stores_in_grown(rule_cx *cx, const struct loop_shape *s, const ast_node *n)
{
    const ast_node *to = n->kind == AST_ASSIGN && n->op == OP_ASSIGN ? sema_strip(n->kid[0]) : NULL;
    if (to == NULL || to->kind != AST_INDEX)
        return false;
    const ast_node *base = sema_strip(to->kid[0]), *root = tree_root(to);
    const ctype *type = sema_type(cx->sema, cx->fn, to);
    bool is_text = type->cls == CTYPE_INT && type->size_bytes == 1;
    bool is_own = base->kind == AST_MEMBER && base->op == OP_ARROW;
    if (!is_own && root != NULL && root->kind == AST_IDENT)
        is_own = root->ref == NULL || root->ref->storage == STORAGE_STATIC;
    return is_own && !is_text && grows_memory(cx, s->loop);
}

struct push_search {
    rule_cx *cx;
    const struct loop_shape *s;
    const ast_node *push; /* the first; NULL */
    bool is_channel, pops;
    unsigned depth;
    const ast_node *maybe[MAX_MAYBE]; /* calls of functions that other sources define */
    uint32_t maybe_count;
};

enum body_verdict { BODY_UNKNOWN, BODY_PUSHES, BODY_LIMITS };

static bool visit_push(void *context, const ast_node *n);

/* bus_put(bus, text), with a body in the unit: does it queue, and does a limit stop it? */
static enum body_verdict look_into(const struct push_search *search, const ast_node *call)
{
    rule_cx inner = *search->cx;
    inner.fn = unit_function(search->cx, sema_callee(search->cx->sema, search->cx->fn, call));
    if (inner.fn == NULL || inner.fn == search->cx->fn || search->depth >= MAX_BODY_DEPTH)
        return BODY_UNKNOWN;
    struct loop_shape s = body_shape(&inner);
    struct push_search below = {.cx = &inner, .s = &s, .depth = search->depth + 1};
    tree_visit(inner.fn->tree->root, visit_push, &below);
    if (loop_is_held_back(&inner, &s))
        return BODY_LIMITS;
    return below.push != NULL && !below.pops ? BODY_PUSHES : BODY_UNKNOWN;
}

/* put(bus, text): a plain function of the project that this source only declares. */
static bool is_far_call(rule_cx *cx, const ast_node *n)
{
    const sema_symbol *callee = n->kind == AST_CALL ? sema_callee(cx->sema, cx->fn, n) : NULL;
    return callee != NULL && !callee->is_system && !callee->is_async &&
           unit_function(cx, callee) == NULL && sema_arg_count(n) >= 2 &&
           sema_type(cx->sema, cx->fn, sema_arg(n, 0))->cls == CTYPE_POINTER;
}

static bool visit_push(void *context, const ast_node *n)
{
    struct push_search *search = context;
    rule_cx *cx = search->cx;
    bool is_push = links_item(cx, search->s, n) || stores_in_grown(cx, search->s, n);
    if (n->kind == AST_CALL) {
        strview name = sema_callee_name(cx->sema, cx->fn, n);
        bool is_channel = sends_unbounded(cx, n);
        search->is_channel = search->is_channel || is_channel;
        search->pops = search->pops || name_has_word(name, pops);
        bool is_named = name_has_word(name, pushes) && !name_has_word(name, growing);
        bool is_plain = sema_arg_count(n) >= 2 && !sema_call_is_async(cx->sema, cx->fn, n);
        enum body_verdict body = is_plain ? look_into(search, n) : BODY_UNKNOWN;
        is_push =
            is_channel || body == BODY_PUSHES || (is_named && is_plain && body != BODY_LIMITS);
    }
    if (is_push && search->push == NULL)
        search->push = n;
    else if (!is_push && is_far_call(cx, n) && search->maybe_count < MAX_MAYBE)
        search->maybe[search->maybe_count++] = n;
    return true;
}

/* ---- the finding -------------------------------------------------------------------------------
 */

static const char *mark_of(rule_cx *cx, const char *word, strview name)
{
    return arena_printf(cx->mem, "%s %.*s", word, SV_ARG(name));
}

static struct candidate *report(rule_cx *cx, const struct push_search *search,
                                const ast_node *input)
{
    bool is_async = cx->fn->tree->is_async;
    struct candidate *c = rule_report(
        cx, search->push,
        "each piece of input is queued, and nothing stops that when the queue is long: whoever "
        "sends faster than it is emptied fills the memory; %s",
        search->is_channel ? "give the channel a capacity, so that the send waits"
        : is_async         ? "wait for room before the next read, or use a channel with a capacity"
                           : "stop reading above a length, and start again below it");
    rule_note(cx, c, input, "where the input comes from");
    if (search->push->kind == AST_CALL && is_far_call(cx, search->push))
        rule_unless_mark(c, mark_of(cx, limits, sema_callee_name(cx->sema, cx->fn, search->push)));
    return c;
}

static void check_push(rule_cx *cx, const ast_node *loop, const struct push_search *search,
                       bool is_maybe)
{
    const ast_node *input;
    if (unlimited_intake(cx, search->push, &input) != loop)
        return;
    struct candidate *c = report(cx, search, input);
    if (!cx->fn->tree->is_async)
        rule_needs_loop(cx, c);
    if (is_maybe)
        rule_needs_mark(c, mark_of(cx, queues, sema_callee_name(cx->sema, cx->fn, search->push)));
}

static void check_loop(rule_cx *cx, const ast_node *loop)
{
    struct push_search search = {.cx = cx, .s = loop_shape_of(cx, loop)};
    tree_visit(tree_loop_body(loop), visit_push, &search);
    if (search.pops)
        return;
    if (search.push != NULL)
        check_push(cx, loop, &search, false);
    for (uint32_t i = 0; search.push == NULL && i < search.maybe_count; i++) {
        struct push_search maybe = search;
        maybe.push = search.maybe[i];
        check_push(cx, loop, &maybe, true);
    }
}

struct input_search {
    rule_cx *cx;
    const ast_node *input;
    bool has_loop;
};

static bool visit_input(void *context, const ast_node *n)
{
    struct input_search *search = context;
    if (tree_is_loop(n) && loop_shape_of(search->cx, n)->kind != LOOP_ONCE)
        search->has_loop = true;
    if (n->kind == AST_CALL && search->input == NULL && asks_event_source(search->cx, n))
        search->input = n;
    return true;
}

/* A connection that is accepted joins the list of all; their number has limits of its own. */
static bool accepts(rule_cx *cx, const ast_node *input)
{
    return input->kind == AST_CALL &&
           name_has_word(sema_callee_name(cx->sema, cx->fn, input), "accept");
}

/* A callback that reads once: the loop is the event loop. */
static void check_callback(rule_cx *cx)
{
    struct input_search in = {.cx = cx};
    tree_visit(cx->fn->tree->root, visit_input, &in);
    if (in.input == NULL && is_read_callback(cx))
        in.input = cx->fn->tree->root->kid[1]; /* what is read comes as a parameter */
    if (in.input == NULL || in.has_loop || cx->fn->tree->is_async || accepts(cx, in.input))
        return;
    struct loop_shape s = body_shape(cx);
    struct push_search search = {.cx = cx, .s = &s};
    tree_visit(cx->fn->tree->root, visit_push, &search);
    if (search.push == NULL || search.pops || loop_is_held_back(cx, &s))
        return;
    bool queues_item = search.push->kind == AST_ASSIGN;
    for (uint32_t i = 0; !queues_item && i < sema_arg_count(search.push); i++)
        queues_item = is_item(cx, &s, sema_arg(search.push, i));
    if (queues_item)
        rule_needs_loop(cx, report(cx, &search, in.input));
}

/* What one side sends is queued for the other by the library. */
static void check_relay(rule_cx *cx)
{
    const ast_node *write = relay_write_of(cx);
    if (write == NULL)
        return;
    rule_needs_loop(
        cx, rule_report(cx, write,
                        "what is read from one side is queued for the other, and nothing stops "
                        "that when the other is slower; stop reading above a length of the queue, "
                        "and start again below it"));
}

/* Tells other sources what a call of this function does. */
static void mark_function(rule_cx *cx)
{
    const sema_symbol *self = cx->fn->symbol;
    if (self == NULL || self->is_static || cx->fn->tree->is_async || cx->fn->tree->params.count < 2)
        return;
    struct loop_shape s = body_shape(cx);
    struct push_search search = {.cx = cx, .s = &s};
    tree_visit(cx->fn->tree->root, visit_push, &search);
    if (search.push != NULL && !search.pops)
        rule_mark(cx, mark_of(cx, loop_is_held_back(cx, &s) ? limits : queues, self->name));
}

static void on_function(rule_cx *cx)
{
    mark_function(cx);
    check_relay(cx);
    struct loop_list loops = loops_of_function(cx);
    for (size_t i = 0; i < loops.all.count; i++)
        check_loop(cx, loops.all.at[i]);
    check_callback(cx);
}

const struct rule_calls rule_unbounded_queue = {.on_function = on_function};
