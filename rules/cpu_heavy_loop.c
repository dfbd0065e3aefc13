/* SPDX-License-Identifier: MIT */
/*
 * awaitc-cpu-heavy-loop: a loop on an event loop or in a task that can run for long without a
 * suspension. Few loops say how long they run, so two things are weighed, in points:
 *
 *     rounds   do they grow with all that a program stores or is sent, and not with one event?
 *              Counts of pages, rows, buckets; a store that is emptied; a table and its chains;
 *              nothing that ends it
 *     work     does a round do what takes time? A call of something unknown, the heap, a known
 *              computation, loops inside
 *
 * Ordinary loops have too few: text and buffers (no work), lists of clients, arguments, headers
 * (few rounds), the parts of one object that is torn down. A bound, a budget, a clock, a yield, or
 * an await in every round silence all of it. A call of what is declared AW_CPU_HEAVY is a finding
 * of its own.
 */
#include "rules/await_sites.h"
#include "rules/event_source.h"
#include "rules/function_memo.h"
#include "rules/work_estimate.h"

enum {
    POINTS_FOR_FINDING = 4,
    FEW_BUCKETS = 256,        /* of a table, with their chains: a part of it, or a small one */
    MANY_ROUNDS = 1000000,    /* of trivial work, nested */
    ENDLESS_ROUNDS = 50000000 /* of any work */
};

static const char large_words[] = "page block sector cluster row record entry entries bucket key "
                                  "node route file pixel sample point vertex vertices object inode "
                                  "cell slot table index bit all";
/* Of a record: many of its kind make up a store. */
static const char stored_words[] = "page block sector row record route inode bucket vertex pixel "
                                   "sample cell object";
/* Of a field: the size of something that is stored. */
static const char size_words[] = "total bytes size capacity cap";
static const char small_words[] =
    "client conn fd arg header hdr worker thread server addr listener "
    "field token cpu iov seg opt param column col backend port iface";
#define DOING_WORDS                                                                                \
    "clear flush purge expire rehash resize rebuild scan sweep gc evict "                          \
    "reindex compact vacuum dump checksum digest verify check_all fsck "                           \
    "recompute recalc import export convert render encode compress crunch simulate"
static const char doing_words[] = DOING_WORDS;
static const char whole_words[] = DOING_WORDS " everything all";
static const char store_words[] = "table cache store index dict map db database rib pool hash tree "
                                  "registry archive heap";
static const char end_words[] =
    "free destroy close dtor fini cleanup teardown shutdown exit finalize "
    "finish disconnect delete release unref dispose deinit";

/* Words that only begin as those do. */
static const char no_end_words[] = "closest closeness freeze";

struct weigh {
    rule_cx *cx;
    const struct loop_shape *s;
    int rounds, work;
    const ast_node *busy;   /* a call that makes a round long; NULL */
    const ast_node *nested; /* a loop inside that makes it long; NULL */
    bool has_stated;        /* calls something declared AW_CPU_HEAVY, which is reported itself */
    bool has_wait;          /* calls what blocks: another check's */
};

static strview node_name(const struct weigh *w, const ast_node *n)
{
    const strview none = {"", 0};
    return n == NULL ? none : ast_node_text(w->cx->fn->tree, n);
}

static strview function_name(const struct weigh *w)
{
    const strview none = {"", 0};
    return w->cx->fn->symbol == NULL ? none : w->cx->fn->symbol->name;
}

/* ---- work -------------------------------------------------------------------------------------
 */

static int work_points(enum work_class cls)
{
    switch (cls) {
    case WORK_HEAVY:
        return 3;
    case WORK_MEMORY:
        return 2;
    case WORK_CALLS:
        return 1;
    default:
        return 0;
    }
}

static bool takes_item(const struct weigh *w, const ast_node *call)
{
    for (uint32_t i = 0; w->s->item != NULL && i < sema_arg_count(call); i++) {
        const ast_node *root = tree_root(sema_arg(call, i));
        if (root != NULL && tree_same(w->cx->fn->tree, root, w->s->item))
            return true;
    }
    return false;
}

static void weigh_call(struct weigh *w, const ast_node *call)
{
    rule_cx *cx = w->cx;
    const sema_symbol *callee = sema_callee(cx->sema, cx->fn, call);
    strview name = sema_callee_name(cx->sema, cx->fn, call);
    const struct known_blocking *known = known_blocking_find(cx->settings->known, name);
    if (tree_is_on_pool(call) || sema_call_is_async(cx->sema, cx->fn, call))
        return;
    w->has_stated = w->has_stated || (callee != NULL && (callee->stated & STATED_CPU_HEAVY) != 0);
    w->has_wait = w->has_wait || (known != NULL && (known->reasons & REASON_CPU_HEAVY) == 0 &&
                                  (known->tier == TIER_WAITS || known->tier == TIER_MAYBE));
    enum work_class cls = work_of_call(cx, call).cls;
    /* Something given back in a walk counts as the heap only if it is what the walk is over. */
    if (cls == WORK_MEMORY && w->s->kind == LOOP_LIST && !takes_item(w, call))
        cls = WORK_CALLS;
    if (work_points(cls) <= w->work)
        return;
    w->work = work_points(cls);
    w->busy = call;
}

/* ---- rounds -----------------------------------------------------------------------------------
 */

struct subscript_search {
    const struct weigh *w;
    bool found, of_bytes, of_more; /* elements of one byte; of more */
    bool of_store;                 /* records of which a program stores many: pages, rows, routes */
    bool of_record;
    const ast_node *table; /* what is subscripted */
    const ast_node *array; /* the variable at its root */
};

static bool visit_subscript(void *context, const ast_node *n)
{
    struct subscript_search *search = context;
    const struct weigh *w = search->w;
    rule_cx *cx = w->cx;
    bool is_index = n->kind == AST_INDEX;
    bool is_sum = n->kind == AST_BINARY && n->op == OP_ADD &&
                  sema_type(cx->sema, cx->fn, n->kid[0])->cls == CTYPE_POINTER;
    if ((is_index || is_sum) && tree_mentions(cx->fn->tree, n->kid[1], w->s->counter)) {
        const ctype *base = sema_type(cx->sema, cx->fn, n->kid[0]);
        search->found = true;
        search->array = tree_root(n->kid[0]);
        search->table = n->kid[0];
        search->of_record = base->elem != NULL && base->elem->record != NULL;
        bool is_plain = sema_strip(n->kid[1])->kind == AST_IDENT;
        bool is_byte = base->elem != NULL && base->elem->size_bytes == 1;
        search->of_bytes = search->of_bytes || (is_plain && is_byte);
        search->of_more = search->of_more || !is_byte;
        search->of_store =
            search->of_store || (base->elem != NULL && base->elem->record != NULL &&
                                 name_has_whole_word(base->elem->record->tag, stored_words));
    }
    return true;
}

static bool is_wide(const struct weigh *w, const ast_node *n)
{
    const ctype *type = n == NULL ? NULL : sema_type(w->cx->sema, w->cx->fn, n);
    return type != NULL && type->cls == CTYPE_INT && type->size_bytes == 8;
}

/* The words that tell what is counted: of `db->rows.count` "count" and "rows", not "db". */
static bool counts_words(const struct weigh *w, const ast_node *n, const char *words, bool is_whole)
{
    const ast_function *fn = w->cx->fn->tree;
    for (n = n == NULL ? NULL : sema_strip(n); n != NULL; n = sema_strip(n->kid[0])) {
        strview name = {"", 0};
        if (n->kind == AST_MEMBER)
            name = ast_token_text(fn, n->name_token);
        else if (n->kind == AST_CALL || n->kind == AST_IDENT)
            name = ast_node_text(fn, n->kind == AST_CALL ? n->kid[0] : n);
        bool has = is_whole ? name_has_whole_word(name, words) : name_has_word(name, words);
        if (has)
            return true;
        if (n->kind != AST_MEMBER || sema_strip(n->kid[0])->kind == AST_IDENT)
            return false;
    }
    return false;
}

static bool is_torn_down(const struct weigh *w, const ast_node *owner);

/* The count of a loop that runs a pointer to an end: `n` of end = table + n. */
static const ast_node *counted_by(const struct weigh *w, const ast_node *limit)
{
    const ast_node *n = limit == NULL ? NULL : sema_strip(limit);
    if (n == NULL || sema_type(w->cx->sema, w->cx->fn, n)->cls != CTYPE_POINTER)
        return limit;
    if (n->kind == AST_IDENT && n->ref != NULL && n->ref->kind == DECL_VAR) {
        const struct local_use *use = &await_local_uses(w->cx, w->cx->fn)->at[n->ref->id];
        n = use->assignments == 1 && use->value != NULL ? sema_strip(use->value) : n;
    }
    return n->kind == AST_BINARY && n->op == OP_ADD ? n->kid[1] : limit;
}

/* Is the table of records that the loop goes through, and its count, what one object of the heap
 * holds: db->rows[i] with db->count? */
static bool is_table_of(const struct weigh *w, const ast_node *array, const ast_node *limit)
{
    const ast_node *owner = limit == NULL ? NULL : sema_strip(limit);
    if (array == NULL || owner->kind != AST_MEMBER || owner->op != OP_ARROW)
        return false;
    array = sema_strip(array);
    return array->kind == AST_MEMBER && array->op == OP_ARROW &&
           tree_same(w->cx->fn->tree, array->kid[0], owner->kid[0]) &&
           sema_type(w->cx->sema, w->cx->fn, array)->cls == CTYPE_POINTER;
}

static int counted_points(struct weigh *w)
{
    const struct loop_shape *s = w->s;
    struct subscript_search search = {.w = w};
    int points = 1;
    tree_visit(tree_loop_body(s->loop), visit_subscript, &search);
    if (s->rounds != UINT64_MAX)
        return points + 1 + (search.found ? 0 : 1) + (s->rounds >= ENDLESS_ROUNDS ? 2 : 0);
    const ast_node *limit = s->count != NULL ? counted_by(w, s->count) : s->counter;
    bool is_table = w->cx->fn->tree->is_async && is_wide(w, limit) && search.of_record &&
                    is_table_of(w, search.table, limit);
    bool is_field = sema_strip(limit)->kind == AST_MEMBER;
    bool is_large = counts_words(w, limit, large_words, true) ||
                    counts_words(w, s->counter, large_words, true) ||
                    (is_field && counts_words(w, limit, size_words, true)) ||
                    (is_field && search.of_store);
    bool is_whole = name_has_whole_word(function_name(w), whole_words);
    if (counts_words(w, limit, small_words, false))
        points -= 2;
    points += is_large || is_table ? 1 : 0;
    bool counts_wide = is_wide(w, s->counter) || is_wide(w, limit);
    points += counts_wide ? 1 : 0;
    points += counts_wide && is_large && is_field ? 1 : 0;
    points += search.found ? 0 : 1;
    points += is_whole ? 1 : 0;
    points += is_whole && is_large && is_field && w->cx->fn->tree->is_async ? 1 : 0;
    points -= search.of_bytes && !search.of_more && !is_whole ? 1 : 0;
    points -= is_torn_down(w, search.array) ? 2 : 0;
    /* Elements given back one by one are the work of any clean-up. */
    if (search.found && !is_large && w->work == 2)
        w->work = 1;
    return points;
}

/* A pointer that runs over a table of records: for (r = t->rows; r < t->rows + t->count; r++). */
static int scanned_points(struct weigh *w)
{
    const struct loop_shape *s = w->s;
    rule_cx *cx = w->cx;
    const ctype *type = sema_type(cx->sema, cx->fn, s->counter);
    if (!cx->fn->tree->is_async || type->cls != CTYPE_POINTER || type->elem == NULL ||
        type->elem->record == NULL || name_has_word(type->elem->record->tag, small_words))
        return 0;
    for (size_t i = 0; i < s->exits.all.count; i++) {
        const ast_node *term = s->exits.all.at[i];
        if (!tree_is_comparison(term))
            continue;
        bool is_left = tree_same(cx->fn->tree, term->kid[0], s->counter);
        const ast_node *end = term->kid[is_left ? 1 : 0], *limit = counted_by(w, end);
        if ((!is_left && !tree_same(cx->fn->tree, term->kid[1], s->counter)) || limit == end ||
            sema_strip(limit)->kind != AST_MEMBER || counts_words(w, limit, small_words, false))
            continue;
        bool is_large = counts_words(w, limit, large_words, true) ||
                        name_has_whole_word(type->elem->record->tag, stored_words);
        return 1 + (is_large ? 1 : 0) + (is_wide(w, limit) ? 1 : 0);
    }
    return 0;
}

struct free_search {
    const struct weigh *w;
    const ast_node *owner;
    bool found;
};

/* Is the owner given back behind the loop? */
static void look_for_free(struct free_search *search, const ast_node *n)
{
    const struct weigh *w = search->w;
    if (n->kind != AST_CALL || n->first < w->s->loop->last || sema_arg_count(n) == 0)
        return;
    const ast_node *arg = sema_strip(sema_arg(n, 0));
    bool is_owner = arg->kind == AST_IDENT && tree_same(w->cx->fn->tree, arg, search->owner);
    search->found = search->found || (is_owner && work_of_call(w->cx, n).cls == WORK_MEMORY);
}

/* Does what is emptied end with the function, or is its end what the function is for? */
static bool is_torn_down(const struct weigh *w, const ast_node *owner)
{
    strview name = function_name(w);
    bool is_end = name_has_word(name, end_words) && !name_has_word(name, no_end_words);
    if (is_end || tree_around(w->s->loop, AST_DEFER) != NULL)
        return true;
    if (owner == NULL)
        return false;
    struct free_search search = {.w = w, .owner = owner};
    const ctype *type = sema_type(w->cx->sema, w->cx->fn, owner);
    bool is_own = owner->ref != NULL && owner->ref->kind == DECL_VAR &&
                  owner->ref->storage == STORAGE_AUTO && type->cls != CTYPE_POINTER;
    const struct memo_nodes *calls = calls_of_function(w->cx, w->cx->fn);
    for (size_t i = calls->all.count; !is_own && !search.found && i-- > 0;)
        look_for_free(&search, calls->all.at[i]);
    return is_own || search.found;
}

/* Where a walk begins: `t` of for (e = t->first; ...). */
static const ast_node *walk_owner(const struct weigh *w)
{
    const ast_node *loop = w->s->loop;
    const ast_node *init = loop->kind == AST_FOR ? loop->kid[0] : NULL;
    if (init != NULL && init->kind == AST_EXPR_STMT)
        init = sema_strip(init->kid[0]);
    if (init != NULL && init->kind == AST_DECL_STMT && init->kid_count > 1) {
        const ast_node *d = init->kid[1];
        init = d->kid_count == 0 ? NULL : d->kid[d->kid_count - 1];
    } else if (init != NULL && init->kind == AST_ASSIGN) {
        init = init->kid[1];
    }
    return init == NULL ? NULL : tree_root(init);
}

/* Does an exit look into the item: `e->expires <= now`? Then only some are taken. */
static bool selects(const struct weigh *w)
{
    const struct loop_shape *s = w->s;
    for (size_t i = 0; i < s->exits.all.count; i++) {
        const ast_node *term = s->exits.all.at[i];
        bool is_relation = tree_is_comparison(term) && term->op != OP_NE && term->op != OP_EQ;
        if (is_relation && tree_root(term->kid[0]) != NULL &&
            sema_strip(term->kid[0])->kind == AST_MEMBER)
            return true;
    }
    return false;
}

static int emptied_points(struct weigh *w, const ast_node *owner)
{
    int points = 2;
    points -= is_torn_down(w, owner) ? 2 : 0;
    points -= selects(w) ? 1 : 0;
    points += name_has_whole_word(function_name(w), whole_words) ? 1 : 0;
    return points;
}

/* The record that a walk's variable points to: its tag; empty. */
static strview item_tag(const struct weigh *w)
{
    const strview none = {"", 0};
    const ctype *type = sema_type(w->cx->sema, w->cx->fn, w->s->item);
    return type->elem != NULL && type->elem->record != NULL ? type->elem->record->tag : none;
}

static int iterated_points(struct weigh *w)
{
    const struct loop_shape *s = w->s;
    rule_cx *cx = w->cx;
    if (s->source == NULL || s->source->kind != AST_CALL)
        return 0;
    strview name = sema_callee_name(cx->sema, cx->fn, s->source);
    enum work_class cls = work_of_call(cx, s->source).cls;
    const struct known_blocking *known = known_blocking_find(cx->settings->known, name);
    if (known != NULL || cls == WORK_BUFFERED || cls == WORK_TRIVIAL || name.len == 0)
        return 0;
    bool is_walk = s->item != NULL && sema_type(cx->sema, cx->fn, s->item)->cls == CTYPE_POINTER;
    strview tag = is_walk ? item_tag(w) : (strview){"", 0};
    int points = 2;
    /* The iterator of any hash table says nothing of this one. */
    bool is_generic = name_has_whole_word(name, "iter iterator");
    if (name_has_word(name, small_words) || name_has_word(tag, small_words) ||
        (is_walk && name_has_word(node_name(w, s->item), small_words)))
        points -= 2;
    else if (is_walk && !is_generic &&
             (name_has_whole_word(name, large_words) || name_has_whole_word(tag, large_words)))
        points++;
    points -= is_torn_down(w, NULL) ? 2 : 0;
    bool is_step = name_has_whole_word(name, whole_words) ||
                   name_has_whole_word(function_name(w), whole_words);
    return points + (is_step ? 1 : 0);
}

/* A walk over a list: long if its elements are those of a store. */
static int walked_points(struct weigh *w)
{
    strview tag = item_tag(w);
    int points = 1;
    points -= name_has_word(tag, small_words) ? 2 : 0;
    points += name_has_whole_word(tag, large_words) ? 1 : 0;
    points += name_has_whole_word(function_name(w), whole_words) ? 1 : 0;
    return points;
}

/* do { changed = 0; for (i = 1; i < n; i++) ...; } while (changed): again over everything, until a
 * round has nothing to change. */
static bool until_settled(const struct weigh *w)
{
    const struct loop_shape *s = w->s;
    rule_cx *cx = w->cx;
    const ast_node *flag = s->condition_count == 1 ? sema_strip(s->exits.all.at[0]) : NULL;
    unsigned clears = 0, sets = 0;
    if (flag == NULL || flag->kind != AST_IDENT || flag->ref == NULL)
        return false;
    for (size_t i = 0; i < s->steps.count; i++) {
        const struct loop_step *step = &s->steps.at[i];
        int64_t value;
        if (!tree_same(cx->fn->tree, step->lvalue, flag))
            continue;
        if (step->kind != STEP_SET || !sema_constant(cx->sema, cx->fn, step->value, &value))
            return false;
        clears += value == 0 ? 1 : 0;
        sets += value != 0 ? 1 : 0;
    }
    for (size_t i = 0; clears != 0 && sets != 0 && i < s->inner.count; i++) {
        const struct loop_shape *inner = loop_shape_of(cx, s->inner.at[i]);
        if (inner->kind == LOOP_COUNTED && inner->rounds == UINT64_MAX && !inner->is_limited &&
            !inner->steps_by_result && !counts_words(w, inner->count, small_words, false))
            return true;
    }
    return false;
}

static int round_points(struct weigh *w)
{
    switch (w->s->kind) {
    case LOOP_ENDLESS:
        return POINTS_FOR_FINDING;
    case LOOP_COUNTED:
        if (w->s->steps_by_result) /* goes through data: in pieces that each take long */
            return w->cx->fn->tree->is_async && w->work == work_points(WORK_HEAVY) ? 1 : 0;
        return counted_points(w);
    case LOOP_SCANS:
        return scanned_points(w);
    case LOOP_EMPTIES:
        return emptied_points(w, tree_root(w->s->container));
    case LOOP_LIST:
        return w->work >= 2 ? emptied_points(w, walk_owner(w)) : walked_points(w);
    case LOOP_ITERATES:
        return iterated_points(w);
    case LOOP_OTHER:
        return until_settled(w) ? 2 : 0;
    default:
        return 0;
    }
}

/* ---- loops inside -----------------------------------------------------------------------------
 */

/* Is the count one side of an area: im->height? */
static bool is_side(const struct weigh *w, const struct loop_shape *s)
{
    static const char sides[] = "height width rows columns cols lines stride pitch";
    const ast_node *count = s->count == NULL ? NULL : sema_strip(s->count);
    return count != NULL && s->rounds == UINT64_MAX &&
           (count->kind == AST_IDENT || count->kind == AST_MEMBER) &&
           name_has_whole_word(ast_token_text(w->cx->fn->tree, count->last - 1), sides);
}

struct cell_search {
    const struct weigh *w;
    const struct loop_shape *outer, *inner;
    bool found;
};

/* y * width + x, of the two loops' counters. */
static bool visit_cell(void *context, const ast_node *n)
{
    struct cell_search *search = context;
    const ast_function *tree = search->w->cx->fn->tree;
    if (n->kind != AST_BINARY || n->op != OP_ADD)
        return true;
    for (int i = 0; i < 2; i++) {
        const ast_node *row = sema_strip(n->kid[i]), *column = n->kid[1 - i];
        search->found |= row->kind == AST_BINARY && row->op == OP_MUL &&
                         tree_mentions(tree, row, search->outer->counter) &&
                         tree_mentions(tree, column, search->inner->counter);
    }
    return true;
}

/* Do the two go over the cells of an area whose sides nothing bounds? */
static bool is_area_of(const struct weigh *w, const struct loop_shape *inner)
{
    struct cell_search search = {.w = w, .outer = w->s, .inner = inner};
    if (w->s->kind != LOOP_COUNTED || inner->kind != LOOP_COUNTED || w->s->rounds != UINT64_MAX ||
        inner->rounds != UINT64_MAX)
        return false;
    if (is_side(w, w->s) && is_side(w, inner))
        return true;
    tree_visit(tree_loop_body(inner->loop), visit_cell, &search);
    return search.found;
}

static void weigh_inner(struct weigh *w)
{
    const struct loop_shape *s = w->s;
    for (size_t i = 0; i < s->inner.count; i++) {
        const struct loop_shape *inner = loop_shape_of(w->cx, s->inner.at[i]);
        bool is_long = inner->rounds > LOOP_FEW_ROUNDS && !inner->is_limited &&
                       (inner->kind == LOOP_COUNTED || inner->kind == LOOP_LIST ||
                        inner->kind == LOOP_EMPTIES || inner->kind == LOOP_ITERATES);
        bool are_many = s->rounds <= LOOP_FEW_ROUNDS && inner->rounds <= LOOP_FEW_ROUNDS &&
                        s->rounds * inner->rounds >= MANY_ROUNDS;
        bool is_slice = s->rounds <= FEW_BUCKETS && inner->kind == LOOP_LIST;
        if ((!is_long && !are_many) || is_slice)
            continue;
        w->nested = s->inner.at[i];
        bool is_table = s->kind == LOOP_COUNTED && inner->kind == LOOP_LIST;
        bool is_grid = s->kind == LOOP_COUNTED && inner->kind == LOOP_COUNTED;
        bool is_area = is_area_of(w, inner);
        w->rounds += is_table || (is_grid && w->busy != NULL) || inner->inner.count != 0 ? 2 : 1;
        w->rounds += are_many || is_area ? 2 : 0;
        w->work += w->work == 0 ? 1 : 0;
        return;
    }
}

static bool is_short(const struct loop_shape *s)
{
    if (s->is_limited || s->kind == LOOP_ONCE)
        return true;
    return s->rounds <= LOOP_FEW_ROUNDS && s->inner.count == 0;
}

/* ---- awaits -----------------------------------------------------------------------------------
 */

/* Where some rounds await and others do not, only a count of something large, whose rounds are not
 * the elements of an array at hand, is sure to be long. */
static bool is_stream(struct weigh *w)
{
    const struct loop_shape *s = w->s;
    struct subscript_search search = {.w = w};
    if (s->awaits.count == 0)
        return false;
    if (s->kind != LOOP_COUNTED || s->steps_by_result)
        return true;
    tree_visit(tree_loop_body(s->loop), visit_subscript, &search);
    return search.found || !is_wide(w, s->counter);
}

/* ---- the finding ------------------------------------------------------------------------------
 */

static const char *rounds_text(const struct weigh *w)
{
    const struct loop_shape *s = w->s;
    arena *mem = w->cx->mem;
    sema_unit *u = w->cx->sema;
    switch (s->kind) {
    case LOOP_ENDLESS:
        return "nothing ends it";
    case LOOP_COUNTED:
        if (s->rounds != UINT64_MAX)
            return arena_printf(mem, "it has %llu rounds%s", (unsigned long long)s->rounds,
                                w->nested != NULL ? ", and a loop in each of them" : "");
        return arena_printf(mem, "it runs as often as '%s' says, which nothing bounds",
                            sema_text(u, w->cx->fn, s->count != NULL ? s->count : s->counter, 40));
    case LOOP_EMPTIES:
        return arena_printf(mem, "it runs until '%s' is empty, however much is in it",
                            sema_text(u, w->cx->fn, s->container, 40));
    default:
        return "it has a round for each element, however many there are";
    }
}

static const char *work_text(const struct weigh *w)
{
    if (w->busy != NULL)
        return arena_printf(w->cx->mem, ", each with a call of '%s'",
                            sema_text(w->cx->sema, w->cx->fn, w->busy->kid[0], 40));
    return w->nested != NULL ? ", each with a loop of its own" : "";
}

/* A yield every 256 rounds, at the end of the body of a loop that counts. */
static void add_yield(const struct weigh *w, struct candidate *c)
{
    rule_cx *cx = w->cx;
    const ast_node *body = tree_loop_body(w->s->loop), *counter = w->s->counter;
    const struct loop_step *step = counter == NULL ? NULL : loop_step_of(cx, w->s, counter);
    uint32_t begin, end;
    if (!cx->fn->tree->is_async || w->s->kind != LOOP_COUNTED || counter->kind != AST_IDENT ||
        step->value != NULL || body->kind != AST_COMPOUND ||
        !sema_source_range(cx->sema, cx->fn, body, &begin, &end))
        return;
    strview name = ast_node_text(cx->fn->tree, counter);
    const char *indent = source_indent(cx, end - 1);
    rule_fix(cx, c, "yield every 256 rounds");
    rule_fix_bytes(cx, c, end - 1, end - 1,
                   arena_printf(cx->mem,
                                "    if ((%.*s & 255) == 255)\n%s        await aw_yield();\n%s",
                                SV_ARG(name), indent, indent));
}

static void report(struct weigh *w)
{
    rule_cx *cx = w->cx;
    bool is_async = cx->fn->tree->is_async;
    struct candidate *c = rule_report(
        cx, w->s->loop, "this loop can hold its thread for long: %s%s; %s", rounds_text(w),
        work_text(w),
        is_async ? "await aw_yield() every few hundred rounds, or move the work to aw_compute"
                 : "do a limited number of rounds, and the rest from a timer or an idle callback");
    if (w->busy != NULL && w->nested == NULL)
        rule_note(cx, c, w->busy, "called in every round");
    else if (w->nested != NULL)
        rule_note(cx, c, w->nested, "a loop in every round");
    add_yield(w, c);
    rule_needs_loop(cx, c);
    /* In event-loop code most loops are far from the loop, and short for reasons that only the
     * program's authors know: one that is a callback's own is worth a word. */
    if (!is_async)
        rule_needs_near_loop(cx, c);
}

/* The tag of the record that the list hangs on: `table` of t->first; empty. */
static strview owner_tag(const struct weigh *w)
{
    const strview none = {"", 0};
    const ast_node *root = w->s->kind == LOOP_EMPTIES ? tree_root(w->s->container) : walk_owner(w);
    const ctype *type = root == NULL ? NULL : sema_type(w->cx->sema, w->cx->fn, root);
    if (type != NULL && type->cls == CTYPE_POINTER)
        type = type->elem;
    return type != NULL && type->record != NULL ? type->record->tag : none;
}

/* Does a name say that all of a store is gone over? Any list has entries; a table or cache has
 * many.
 */
static bool is_of_store(const struct weigh *w)
{
    return name_has_whole_word(function_name(w), doing_words) ||
           name_has_whole_word(owner_tag(w), store_words);
}

/* What an iterator hands out says nothing of how much there is, unless its name does: lines and
 * messages out of a buffer are what one event brought. */
static bool is_plain_iterator(const struct weigh *w)
{
    if (w->s->kind != LOOP_ITERATES || w->s->source == NULL || w->s->source->kind != AST_CALL)
        return false;
    strview name = sema_callee_name(w->cx->sema, w->cx->fn, w->s->source);
    strview item = w->s->item != NULL ? item_tag(w) : (strview){"", 0};
    if (sv_starts(name, "g_hash_table_iter_") || sv_starts(name, "g_ptr_array_"))
        name = SV("next"); /* of a library's container: its name tells nothing */
    if (w->s->item == NULL && !name_has_whole_word(name, whole_words))
        return true; /* while (keys_next(tty)): steps through what one event brought */
    return !name_has_whole_word(name, large_words) && !name_has_whole_word(name, whole_words) &&
           !name_has_whole_word(item, large_words) &&
           !name_has_whole_word(function_name(w), doing_words);
}

/* Is the inner loop a walk over a list that hangs on the element of the outer one, as panes hang on
 * a window? */
static bool is_list_of_item(const struct weigh *w)
{
    const struct loop_shape *inner = loop_shape_of(w->cx, w->nested);
    return w->s->kind == LOOP_ITERATES && inner->kind == LOOP_LIST && inner->inner.count == 0;
}

/* A walk over a list in event-loop code: as many rounds as there are clients, windows, timers. One
 * that gives back each element goes over all that is stored, if it is a store. */
static bool is_plain_walk(const struct weigh *w)
{
    bool releases = w->work == work_points(WORK_MEMORY) && w->busy != NULL;
    bool takes = releases && (w->s->kind == LOOP_EMPTIES || takes_item(w, w->busy));
    bool is_list = w->s->kind == LOOP_LIST || w->s->kind == LOOP_EMPTIES;
    if (w->cx->fn->tree->is_async || (w->nested != NULL && !is_list_of_item(w)))
        return false;
    return is_plain_iterator(w) || (is_list && !(takes && is_of_store(w)));
}

/* A chain of a bucket, where the loop over the buckets yields every so often. */
static bool is_in_yielding_loop(rule_cx *cx, const ast_node *loop)
{
    for (const ast_node *n = loop->parent; n != NULL; n = n->parent) {
        if (tree_is_loop(n) && loop_yields(cx, loop_shape_of(cx, n)))
            return true;
    }
    return false;
}

static bool check_loop(rule_cx *cx, const ast_node *loop)
{
    struct weigh w = {.cx = cx, .s = loop_shape_of(cx, loop)};
    const struct loop_shape *s = w.s;
    if (is_short(s) || loop_drains(cx, s) != NULL || loop_yields(cx, s) ||
        (s->kind == LOOP_LIST && is_in_yielding_loop(cx, loop)))
        return false;
    for (size_t i = 0; i < s->calls.count; i++)
        weigh_call(&w, s->calls.at[i]);
    w.rounds = round_points(&w);
    if (s->rounds <= LOOP_FEW_ROUNDS)
        w.rounds = 0;
    if (w.rounds > 0 || s->rounds <= LOOP_FEW_ROUNDS || is_side(&w, s))
        weigh_inner(&w);
    if (w.rounds <= 0 || w.rounds + w.work < POINTS_FOR_FINDING || w.has_stated || w.has_wait ||
        is_stream(&w) || is_plain_walk(&w) || !loop_round_without_await(cx, s))
        return false;
    report(&w);
    return true;
}

/* ---- calls that say so themselves --------------------------------------------------------------
 */

static void check_stated(rule_cx *cx, const ast_node *n)
{
    const sema_symbol *callee = sema_callee(cx->sema, cx->fn, n);
    if (callee == NULL || (callee->stated & STATED_CPU_HEAVY) == 0 || tree_is_on_pool(n))
        return;
    struct candidate *c = rule_report(
        cx, n,
        "'%.*s' is declared AW_CPU_HEAVY, and runs here on the thread that serves everybody; %s",
        SV_ARG(callee->name),
        cx->fn->tree->is_async ? "run it as await aw_compute(...)"
                               : "hand it to a thread pool, and go on when it is done");
    uint32_t begin, end;
    if (cx->fn->tree->is_async && !callee->is_async &&
        sema_source_range(cx->sema, cx->fn, n, &begin, &end)) {
        rule_fix(cx, c, "run the call on the compute pool");
        bool is_inner = tree_needs_parens(n);
        rule_fix_bytes(cx, c, begin, begin, is_inner ? "(await aw_compute(" : "await aw_compute(");
        rule_fix_bytes(cx, c, end, end, is_inner ? "))" : ")");
    }
    rule_leaf(c, arena_printf(cx->mem, "%.*s", SV_ARG(callee->name)));
    rule_needs_loop(cx, c);
}

static void on_function(rule_cx *cx)
{
    struct loop_list loops = loops_of_function(cx);
    const ast_node *reported = NULL;
    const struct memo_nodes *calls = calls_of_function(cx, cx->fn);
    for (size_t i = 0; i < calls->all.count; i++)
        check_stated(cx, calls->all.at[i]);
    if (cx->fn->symbol != NULL && (cx->fn->symbol->stated & STATED_CPU_HEAVY) != 0)
        return;
    for (size_t i = 0; i < loops.all.count; i++) {
        const ast_node *loop = loops.all.at[i];
        if ((reported == NULL || !tree_is_inside(loop, reported)) && check_loop(cx, loop))
            reported = loop;
    }
}

const struct rule_calls rule_cpu_heavy_loop = {.on_function = on_function};
