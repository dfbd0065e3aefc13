/* SPDX-License-Identifier: MIT */
/*
 * How does an expression with awaits become statements? Operand by operand, in the order that the
 * language fixes (left to right; in an assignment the right side first): what must be evaluated
 * before a later operand's await, or effect, is captured in a temporary; what is lazy (&&, ||, ?:)
 * becomes an if. What is left of the expression stays where it was and reads the temporaries.
 *
 *     x = g(a(), await f(b)) + c;     t1 = a(); await t2 = f(b); x = g(t1, t2) + c;
 *
 * Input: the tree after check_contract. Output: items in l->into, replacements on nodes.
 * Invariant: an expression that was flattened can be printed once, at the place where the items
 * end.
 */
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "transforms/lowering.h"

void replace_with(lowering *l, ast_node *e, ast_decl *temp, const char *suffix)
{
    struct replacement *r = ARENA_NEW(l->mem, struct replacement);
    r->temp = temp;
    r->suffix = suffix;
    e->data = r;
    e->bits |= MARK_REPLACED;
}

static bool is_void(const lowering *l, type_id id)
{
    return type_of(l, id)->cls == TYPE_VOID;
}

/* A bit-field wider than int keeps its own width in gcc's arithmetic: only a bit-field can hold it.
 */
static bool needs_bitfield_temp(lowering *l, const ast_node *e)
{
    e = ast_strip((ast_node *)(uintptr_t)e);
    return e->kind == AST_MEMBER && e->is_lvalue_bitfield && e->bitfield_bits > 32 &&
           e->bitfield_bits < 64 && type_of(l, e->type)->is_nameable;
}

static void capture_bitfield(lowering *l, ast_node *e)
{
    const struct type *t = type_of(l, type_of(l, e->type)->unqualified);
    const char *before = arena_printf(l->mem, "struct { %saw__v : %u; } ", t->before,
                                      (unsigned)ast_strip(e)->bitfield_bits);
    type_id record = type_make_record(l->unit->types, before, t->size_bytes, t->align_bytes);
    l->unit->types->types.at[record].is_nameable = false;
    ast_decl *temp = temp_new(l, record);
    struct item *item = item_add(l, ITEM_SET_FIELD, NULL);
    item->expr = e;
    item->temp = temp;
    item->field = "aw__v";
    ast_node *kept = ARENA_NEW(l->mem, ast_node); /* the item prints the original */
    *kept = *e;
    item->expr = kept;
    replace_with(l, e, temp, ".aw__v");
}

void capture_as(lowering *l, ast_node *e, type_id type)
{
    ast_node *kept = ARENA_NEW(l->mem, ast_node);
    *kept = *e;
    if (type == TYPE_NONE) {
        lower_error(l, DIAG_UNSUPPORTED, e,
                    "the type of this operand is not known, so its value cannot be kept over the "
                    "await; assign it to a variable first");
        return;
    }
    ast_decl *temp = temp_new(l, type);
    struct item *item = item_add(l, ITEM_SET, kept);
    item->temp = temp;
    replace_with(l, e, temp, "");
}

/* The rvalue that an array member is taken from (`f().a`), or NULL: its lifetime ends with the
 * expression, so it is kept itself. */
static ast_node *array_owner(lowering *l, ast_node *e)
{
    e = ast_strip(e);
    if (e->kind != AST_MEMBER || e->op != OP_DOT || type_of(l, e->type)->cls != TYPE_ARRAY)
        return NULL;
    while (e->kind == AST_MEMBER && e->op == OP_DOT)
        e = ast_strip(e->kid[0]);
    bool is_rvalue = e->kind == AST_CALL || e->kind == AST_CONDITIONAL || e->kind == AST_ASSIGN ||
                     e->kind == AST_STMT_EXPR || e->kind == AST_COMMA;
    return is_rvalue ? e : NULL;
}

void capture(lowering *l, ast_node *e)
{
    if (e->is_const_expr || (e->bits & MARK_REPLACED) != 0)
        return;
    ast_node *owner = array_owner(l, e);
    if (owner != NULL) {
        capture(l, owner);
        return;
    }
    if (is_void(l, value_type(l, e))) {
        ast_node *kept = ARENA_NEW(l->mem, ast_node);
        *kept = *e;
        item_add(l, ITEM_EVAL, kept);
        replace_with(l, e, NULL, "");
        return;
    }
    if (needs_bitfield_temp(l, e) && e->converted == e->type)
        capture_bitfield(l, e);
    else
        capture_as(l, e, value_type(l, e));
}

void capture_address(lowering *l, ast_node *e)
{
    ast_node *kept = ARENA_NEW(l->mem, ast_node);
    *kept = *e;
    type_id pointer = type_make_pointer(l, e->type);
    ast_decl *temp = temp_new(l, pointer);
    struct item *item = item_add(l, ITEM_SET_ADDRESS, kept);
    item->temp = temp;
    replace_with(l, e, temp, "");
    ((struct replacement *)e->data)->deref = true;
}

/* Does what is still to come after operand i take part in an order with it? */
static bool must_capture(lowering *l, ast_node **operands, uint32_t count, uint32_t i)
{
    struct effects mine = effects_of(l, operands[i]);
    for (uint32_t j = i + 1; j < count; j++) {
        if (operands[j] != NULL && effects_conflict(mine, effects_of(l, operands[j])))
            return true;
    }
    return false;
}

void flatten_operands(lowering *l, ast_node **operands, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = fault_planted(FAULT_OPERANDS_REVERSED) ? count - 1 - n : n;
        if (operands[i] == NULL)
            continue;
        flatten_value(l, operands[i]);
        if (fault_planted(FAULT_FIRST_OPERAND_NOT_KEPT) && i == 0)
            continue;
        if (must_capture(l, operands, count, i))
            capture(l, operands[i]);
    }
}

/* ---- lazy operators -------------------------------------------------------------------------- */

static type_id int_type(lowering *l, const ast_node *e)
{
    return e->type != TYPE_NONE ? type_of(l, e->type)->unqualified : value_type(l, e);
}

/* Items of one branch of an if, in a list of their own. */
static void into_list(lowering *l, struct item_list *list, struct item_list **saved)
{
    *saved = l->into;
    l->into = list;
}

static void flatten_logical(lowering *l, ast_node *e)
{
    flatten_value(l, e->kid[0]);
    if (!needs_flatten(l, e->kid[1]))
        return;
    bool is_and = e->kind == AST_AND_AND;
    ast_decl *temp = temp_new(l, int_type(l, e));
    struct item *start = item_add(l, ITEM_SET_CONST, NULL);
    start->temp = temp;
    start->number = is_and ? 0 : 1;
    if (fault_planted(FAULT_AND_EAGER) && is_and)
        flatten_value(l, e->kid[1]);
    struct item *branch = item_add(l, ITEM_IF, e->kid[0]);
    branch->negate = !is_and && !fault_planted(FAULT_OR_SENSE);
    struct item_list *saved;
    into_list(l, &branch->first, &saved);
    flatten_value(l, e->kid[1]);
    struct item *set =
        item_add(l, fault_planted(FAULT_LOGICAL_NOT_BOOL) ? ITEM_SET : ITEM_SET_BOOL, e->kid[1]);
    set->temp = temp;
    l->into = saved;
    replace_with(l, e, temp, "");
}

static void flatten_arm(lowering *l, ast_node *arm, struct item_list *list, ast_decl *temp)
{
    struct item_list *saved;
    into_list(l, list, &saved);
    if (temp == NULL) {
        flatten_discard(l, arm);
    } else {
        flatten_value(l, arm);
        item_add(l, ITEM_SET, arm)->temp = temp;
    }
    l->into = saved;
}

static void flatten_conditional(lowering *l, ast_node *e, bool discard)
{
    flatten_value(l, e->kid[0]);
    bool inside = needs_flatten(l, e->kid[1]) || needs_flatten(l, e->kid[2]);
    if (!inside && !discard)
        return;
    ast_decl *temp = NULL;
    type_id type = value_type(l, e);
    if (!discard && !is_void(l, type)) {
        if (type_of(l, e->type)->unqualified != TYPE_NONE && type_of(l, e->type)->cls != TYPE_ARRAY)
            type = type_of(l, e->type)->unqualified; /* before what the place converts it to */
        temp = temp_new(l, type);
    }
    if (e->kid[1] == NULL && !fault_planted(FAULT_ELVIS_TWICE)) /* a ?: b evaluates a once */
        capture(l, e->kid[0]);
    struct item *branch = item_add(l, ITEM_IF, e->kid[0]);
    branch->negate = fault_planted(FAULT_ARMS_SWAPPED);
    if (e->kid[1] != NULL) {
        flatten_arm(l, e->kid[1], &branch->first, temp);
    } else if (temp != NULL) {
        struct item_list *saved;
        into_list(l, &branch->first, &saved);
        item_add(l, ITEM_SET, e->kid[0])->temp = temp;
        l->into = saved;
    }
    flatten_arm(l, e->kid[2], &branch->second, temp);
    replace_with(l, e, temp, "");
}

/* ---- assignment, statement expressions, literals ----------------------------------------------
 */

static void flatten_assign(lowering *l, ast_node *e)
{
    if (fault_planted(FAULT_ASSIGN_LEFT_FIRST))
        flatten_lvalue(l, e->kid[0]);
    if (fault_planted(FAULT_COMPOUND_TO_COPY) && e->op != OP_ASSIGN && e->kid[0]->kind == AST_IDENT)
        capture_as(l, e->kid[0], value_type(l, e->kid[1]));
    flatten_value(l, e->kid[1]);
    if (needs_flatten(l, e->kid[0]) || assign_conflict(l, e)) {
        type_id type = e->op == OP_ASSIGN ? type_of(l, e->kid[0]->type)->unqualified
                                          : value_type(l, e->kid[1]);
        const struct type *t = type_of(l, type);
        if (t->cls == TYPE_ATOMIC)
            type = type_of(l, t->elem)->unqualified;
        if (e->kid[0]->kind == AST_MEMBER && e->kid[0]->is_lvalue_bitfield)
            type = value_type(l, e->kid[1]);
        if (!e->kid[1]->is_const_expr && (e->kid[1]->bits & MARK_REPLACED) == 0)
            capture_as(l, e->kid[1], type);
    }
    flatten_lvalue(l, e->kid[0]);
}

/* The expression that gives a statement expression its value, or NULL. */
static ast_node *last_expression(ast_node *block)
{
    for (uint32_t i = block->kid_count; i-- > 0;) {
        ast_node *s = block->kid[i];
        if (s->kind == AST_PRAGMA)
            continue;
        while (s->kind == AST_LABEL && s->kid[0] != NULL)
            s = s->kid[0];
        return s->kind == AST_EXPR_STMT ? s : NULL;
    }
    return NULL;
}

static void flatten_stmt_expr(lowering *l, ast_node *e, bool discard)
{
    ast_node *block = e->kid[0];
    ast_node *last = last_expression(block);
    ast_decl *temp = NULL;
    type_id type = value_type(l, e);
    if (last != NULL && !discard && !is_void(l, type)) {
        if (type_of(l, e->type)->unqualified != TYPE_NONE && type_of(l, e->type)->cls != TYPE_ARRAY)
            type = type_of(l, e->type)->unqualified;
        temp = temp_new(l, type);
    }
    struct item *item = item_add(l, ITEM_BLOCK, block);
    struct overlay *saved = l->overlay;
    struct item_list *into = l->into;
    bool second = l->into_second;
    l->into_second = false;
    for (uint32_t i = 0; i < block->kid_count; i++) {
        ast_node *s = block->kid[i];
        while (s->kind == AST_LABEL && s->kid[0] != NULL && s != last)
            s = s->kid[0];
        if (s != last || temp == NULL) {
            flatten_statement(l, block->kid[i]);
            continue;
        }
        struct overlay *o = ARENA_NEW(l->mem, struct overlay);
        o->gone = true;
        last->data = o;
        last->bits |= MARK_OVERLAY;
        l->overlay = o;
        l->into = &o->items;
        flatten_value(l, last->kid[0]);
        item_add(l, fault_planted(FAULT_STATEMENT_VALUE_LOST) ? ITEM_EVAL : ITEM_SET, last->kid[0])
            ->temp = temp;
    }
    item->temp = temp;
    l->overlay = saved;
    l->into = into;
    l->into_second = second;
    replace_with(l, e, temp, "");
}

/* Do the designators of `outer` name what those of `inner` name, or an object around it? */
static bool designates_around(const lowering *l, const ast_node *outer, const ast_node *inner)
{
    uint32_t count = outer->kid[outer->kid_count - 1]->first - outer->first; /* with the `=` */
    if (count < 2 || inner->kid[inner->kid_count - 1]->first - inner->first < count)
        return false;
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (!sv_equal(ast_token_text(l->fn, outer->first + i),
                      ast_token_text(l->fn, inner->first + i)))
            return false;
    }
    strview next = ast_token_text(l->fn, inner->first + count - 1);
    return sv_is(next, "=") || sv_is(next, ".") || sv_is(next, "[") || sv_is(next, "<:");
}

/* ---- which elements of an array of scalars an initialiser gives: each takes the next one ---- */

struct elements {
    uint64_t first, last;
};

static bool lists_scalars(const lowering *l, const ast_node *list)
{
    const ast_node *parent = list->parent;
    type_id id = parent->kind == AST_DECLARATOR && parent->ref != NULL ? parent->ref->type
                 : parent->kind == AST_COMPOUND_LITERAL                ? parent->type
                                                                       : TYPE_NONE;
    const struct type *t = id == TYPE_NONE ? NULL : type_of(l, id);
    return t != NULL && t->cls == TYPE_ARRAY && type_is_scalar(l->unit->types, t->elem);
}

/* "[3]" and "[1 ... 4]", in numbers. */
static bool designated_elements(const lowering *l, const ast_node *designated, struct elements *out)
{
    const ast_node *d = designated->kid[0];
    uint64_t *to[2] = {&out->first, &out->last};
    if (designated->kid_count != 2 || d->kind != AST_DESIG_INDEX)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const ast_node *n = i < d->kid_count && d->kid[i] != NULL ? d->kid[i] : d->kid[0];
        char *end;
        strview text = ast_node_text(l->fn, n);
        *to[i] = strtoull(text.at, &end, 0);
        if (n->kind != AST_NUMBER || end != text.at + text.len)
            return false;
    }
    return true;
}

/* Does a later initialiser, designated or not, give all the elements that this one gives? */
static bool is_given_again(const lowering *l, const ast_node *list, uint32_t i)
{
    struct elements at = {UINT64_MAX, UINT64_MAX}, mine = at;
    if (!lists_scalars(l, list))
        return false;
    for (uint32_t k = 0; k < list->kid_count; k++) {
        const ast_node *value = list->kid[k];
        if (value->kind != AST_DESIGNATED)
            at.first = at.last = at.last + 1;
        else if (!designated_elements(l, value, &at))
            return false;
        if (k == i)
            mine = at;
        else if (k > i && at.first <= mine.first && mine.last <= at.last)
            return true;
    }
    return false;
}

static bool has_designator(const ast_node *list)
{
    for (uint32_t i = 0; i < list->kid_count; i++) {
        if (list->kid[i]->kind == AST_DESIGNATED)
            return true;
    }
    return false;
}

/* Does a later designator replace what initialiser i gives? */
static bool is_overridden(const lowering *l, const ast_node *list, uint32_t i)
{
    if (has_designator(list) && is_given_again(l, list, i))
        return true;
    const ast_node *mine = list->kid[i];
    if (mine->kind != AST_DESIGNATED)
        return false;
    for (uint32_t j = i + 1; j < list->kid_count; j++) {
        if (list->kid[j]->kind == AST_DESIGNATED && designates_around(l, list->kid[j], mine))
            return true;
    }
    return false;
}

/* The values of a braced list, nested lists opened, in source order. */
static void collect_values(lowering *l, ast_node *list, struct ast_operands *out)
{
    for (uint32_t i = 0; i < list->kid_count; i++) {
        ast_node *value = list->kid[i];
        bool dropped = is_overridden(l, list, i) && !fault_planted(FAULT_OVERRIDDEN_EVALUATED);
        if (value->kind == AST_DESIGNATED)
            value = value->kid[value->kid_count - 1];
        if (dropped) {
            value->bits |= MARK_REPLACED; /* C leaves it out; so does the order of evaluation */
            struct replacement *r = ARENA_NEW(l->mem, struct replacement);
            r->suffix = "0";
            value->data = r;
        } else if (value->kind == AST_INIT_LIST) {
            collect_values(l, value, out);
        } else {
            VEC_PUSH(l->mem, out, value);
        }
    }
}

static void flatten_init_list(lowering *l, ast_node *list)
{
    struct ast_operands values = {0};
    collect_values(l, list, &values);
    flatten_operands(l, values.at, (uint32_t)values.count);
}

/* ---- awaits -----------------------------------------------------------------------------------
 */

struct point *point_new(lowering *l, enum point_kind kind, ast_node *node)
{
    struct point *p = ARENA_NEW(l->mem, struct point);
    p->kind = kind;
    p->node = node;
    p->cleanup = cleanup_at(l, node->first);
    VEC_PUSH(l->mem, &l->points, p);
    p->number = (uint32_t)l->points.count;
    return p;
}

static struct point *plain_call_new(lowering *l, ast_node *node)
{
    struct point *p = ARENA_NEW(l->mem, struct point);
    p->kind = POINT_CALL;
    p->node = node;
    VEC_PUSH(l->mem, &l->calls, p);
    return p;
}

static void flatten_await(lowering *l, ast_node *e, bool discard)
{
    ast_node *operand = ast_strip(e->kid[0]);
    if (operand->kind == AST_FORM) {
        form_flatten_await(l, e, operand, discard);
        return;
    }
    struct call call;
    if (!call_describe(l, operand, &call)) {
        l->failed = true;
        return;
    }
    for (uint32_t i = 1; i < operand->kid_count && fault_planted(FAULT_CALLEE_LAST); i++) {
        flatten_value(l, operand->kid[i]);
        capture(l, operand->kid[i]);
    }
    flatten_operands(l, operand->kid, operand->kid_count);
    bool is_plain = call.measured != NULL && call.measured->is_emitted &&
                    call.measured->never_suspends; /* nothing to wait for: no state of its own */
    struct point *p = is_plain ? plain_call_new(l, e) : point_new(l, POINT_CALL, e);
    p->call = call;
    struct item *item = item_add(l, ITEM_AWAIT, e);
    item->point = p;
    if (!discard && !is_void(l, call.result))
        p->result = temp_new(l, call.result);
    replace_with(l, e, p->result, "");
}

/* ---- the walk ---------------------------------------------------------------------------------
 */

/* Does the expression name an object, so that its address can be kept? */
static bool is_object_lvalue(const ast_node *e)
{
    for (;;) {
        if (e->kind == AST_PAREN || (e->kind == AST_UNARY && e->op == OP_EXTENSION) ||
            (e->kind == AST_MEMBER && e->op == OP_DOT))
            e = e->kid[0];
        else
            break;
    }
    return e->kind == AST_IDENT || e->kind == AST_MEMBER || e->kind == AST_INDEX ||
           e->kind == AST_COMPOUND_LITERAL || (e->kind == AST_UNARY && e->op == OP_DEREF);
}

/* `v[i]` of a vector: a part of the object, which a captured value would not be. */
static void flatten_element(lowering *l, ast_node *e)
{
    flatten_lvalue(l, e->kid[0]);
    if (effects_conflict(effects_of(l, e->kid[0]), effects_of(l, e->kid[1])))
        capture_address(l, e->kid[0]);
    flatten_value(l, e->kid[1]);
}

void flatten_lvalue(lowering *l, ast_node *e)
{
    if (!needs_flatten(l, e))
        return;
    switch (e->kind) {
    case AST_PAREN:
        flatten_lvalue(l, e->kid[0]);
        return;
    case AST_MEMBER:
        if (e->op == OP_DOT)
            flatten_lvalue(l, e->kid[0]);
        else
            flatten_value(l, e->kid[0]);
        return;
    case AST_UNARY:
        if (e->op == OP_REAL || e->op == OP_IMAG || e->op == OP_EXTENSION)
            flatten_lvalue(l, e->kid[0]);
        else
            flatten_value(l, e->kid[0]);
        return;
    case AST_INDEX:
        if (type_of(l, e->kid[0]->type)->cls == TYPE_ARRAY &&
            !effects_conflict(effects_of(l, e->kid[0]), effects_of(l, e->kid[1]))) {
            flatten_lvalue(l, e->kid[0]);
            flatten_value(l, e->kid[1]);
        } else if (type_of(l, e->kid[0]->type)->cls == TYPE_VECTOR && is_object_lvalue(e->kid[0])) {
            flatten_element(l, e);
        } else {
            flatten_operands(l, e->kid, 2);
        }
        return;
    default:
        flatten_value(l, e);
    }
}

void flatten_value(lowering *l, ast_node *e)
{
    if (!needs_flatten(l, e))
        return;
    switch (e->kind) {
    case AST_AWAIT:
        flatten_await(l, e, false);
        return;
    case AST_AND_AND:
    case AST_OR_OR:
        flatten_logical(l, e);
        return;
    case AST_CONDITIONAL:
        flatten_conditional(l, e, false);
        return;
    case AST_COMMA:
        if (!fault_planted(FAULT_COMMA_DROPPED))
            flatten_discard(l, e->kid[0]);
        e->kid[0] =
            arena_copy(l->mem, e->kid[0], sizeof *e->kid[0]); /* items may print the other */
        replace_with(l, e->kid[0], NULL, "");
        flatten_value(l, e->kid[1]);
        return;
    case AST_ASSIGN:
        flatten_assign(l, e);
        return;
    case AST_PREFIX:
    case AST_POSTFIX:
        flatten_lvalue(l, e->kid[0]);
        return;
    case AST_MEMBER:
    case AST_INDEX:
        flatten_lvalue(l, e);
        return;
    case AST_UNARY:
        if (e->op == OP_ADDR)
            flatten_lvalue(l, e->kid[0]);
        else
            flatten_value(l, e->kid[0]);
        return;
    case AST_STMT_EXPR:
        flatten_stmt_expr(l, e, false);
        return;
    case AST_COMPOUND_LITERAL:
        flatten_init_list(l, e->kid[1]);
        return;
    case AST_INIT_LIST:
        flatten_init_list(l, e);
        return;
    case AST_CAST:
        flatten_value(l, e->kid[1]);
        return;
    case AST_CHOOSE_EXPR:
        flatten_value(l, e->kid[1]->is_unevaluated ? e->kid[2] : e->kid[1]);
        return;
    case AST_GENERIC:
        for (uint32_t i = 1; i < e->kid_count; i++) {
            if (!e->kid[i]->is_unevaluated)
                flatten_value(l, e->kid[i]->kid[1]);
        }
        return;
    case AST_FORM:
        form_flatten_plain(l, e);
        return;
    case AST_VA_ARG:
        flatten_lvalue(l, e->kid[0]);
        return;
    default: /* PAREN, CALL, BINARY, ... */
        flatten_operands(l, e->kid, e->kid_count);
    }
}

void flatten_discard(lowering *l, ast_node *e)
{
    if ((e->bits & MARK_REPLACED) != 0)
        return;
    switch (e->kind) {
    case AST_PAREN:
        flatten_discard(l, e->kid[0]);
        return;
    case AST_AWAIT:
        flatten_await(l, e, true);
        return;
    case AST_COMMA:
        flatten_discard(l, e->kid[0]);
        flatten_discard(l, e->kid[1]);
        return;
    case AST_CONDITIONAL:
        if (e->kid[1] != NULL && (needs_flatten(l, e->kid[1]) || needs_flatten(l, e->kid[2]))) {
            flatten_conditional(l, e, true);
            return;
        }
        break;
    case AST_STMT_EXPR:
        if (needs_flatten(l, e)) {
            flatten_stmt_expr(l, e, true);
            return;
        }
        break;
    case AST_CAST:
        if (is_void(l, e->type) && needs_flatten(l, e->kid[1])) {
            flatten_value(l,
                          e->kid[1]); /* a (void) cast also quiets warnings: keep it on the value */
            item_add(l, ITEM_EVAL, e);
            return;
        }
        break;
    default:
        break;
    }
    flatten_value(l, e);
    if ((e->bits & MARK_REPLACED) == 0)
        item_add(l, ITEM_EVAL, e);
}
