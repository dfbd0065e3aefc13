/* SPDX-License-Identifier: MIT */
/*
 * One walk over a function counts what is assigned to each local; value_of then looks through
 * locals with a single value, a few steps deep.
 */
#include "analyzer/program/value_of.h"

#include "analyzer/base/check.h"

enum { MAX_STEPS = 6 };

/* ---- locals ---------------------------------------------------------------------------------- */

/* The local variable or parameter that an lvalue is, or is a part of. */
static const ast_decl *local_of(const ast_node *n, bool *is_part)
{
    *is_part = false;
    for (;;) {
        n = sema_strip_parens(n);
        if (n->kind == AST_MEMBER && n->op == OP_DOT) {
            n = n->kid[0];
            *is_part = true;
        } else if (n->kind == AST_INDEX) {
            n = n->kid[0];
            *is_part = true;
        } else {
            break;
        }
    }
    if (n->kind != AST_IDENT || n->ref == NULL)
        return NULL;
    return n->ref->kind == DECL_VAR || n->ref->kind == DECL_PARAM ? n->ref : NULL;
}

static void note_value(struct local_uses *uses, const ast_decl *d, const ast_node *value)
{
    struct local_use *use = &uses->at[d->id];
    int64_t number;
    if (sema_constant(uses->sema, uses->fn, value, &number) && number < 0) {
        use->constants++;
        return;
    }
    use->assignments++;
    use->value = value;
}

static void note_node(struct local_uses *uses, const ast_node *n)
{
    bool is_part;
    const ast_decl *d = NULL;
    switch (n->kind) {
    case AST_ASSIGN:
        d = local_of(n->kid[0], &is_part);
        if (d != NULL && !is_part && n->op == OP_ASSIGN)
            note_value(uses, d, n->kid[1]);
        else if (d != NULL)
            uses->at[d->id].is_changed = true;
        break;
    case AST_PREFIX:
    case AST_POSTFIX:
        d = local_of(n->kid[0], &is_part);
        if (d != NULL)
            uses->at[d->id].is_changed = true;
        break;
    case AST_UNARY:
        d = n->op == OP_ADDR ? local_of(n->kid[0], &is_part) : NULL;
        if (d != NULL)
            uses->at[d->id].address_taken = true;
        break;
    case AST_DECLARATOR:
        if (n->ref != NULL && n->ref->kind == DECL_VAR && n->kid_count != 0 &&
            n->kid[n->kid_count - 1] != NULL)
            note_value(uses, n->ref, n->kid[n->kid_count - 1]);
        break;
    case AST_ASM:
        for (uint32_t i = 0; i < n->kid_count; i++) {
            d = n->kid[i] == NULL ? NULL : local_of(n->kid[i], &is_part);
            if (d != NULL)
                uses->at[d->id].is_changed = true;
        }
        break;
    default:
        break;
    }
}

static void note_tree(struct local_uses *uses, const ast_node *n)
{
    note_node(uses, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            note_tree(uses, n->kid[i]);
    }
}

struct local_uses *local_uses_of(arena *mem, sema_unit *sema, struct sema_function *fn)
{
    if (fn->uses != NULL)
        return fn->uses;
    struct local_uses *uses = ARENA_NEW(mem, struct local_uses);
    uses->sema = sema;
    uses->fn = fn;
    uses->at = ARENA_ARRAY(mem, struct local_use, fn->tree->decls.count + 1);
    note_tree(uses, fn->tree->root);
    fn->uses = uses;
    return uses;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static strview function_name(const struct local_uses *uses)
{
    return uses->fn->symbol != NULL ? uses->fn->symbol->name : (strview){"", 0};
}

static const char *global_key(arena *mem, const struct local_uses *uses, const sema_symbol *s)
{
    if (s->is_static)
        return ARENA_JOIN(mem, SV("g:"), sv_from(sema_unit_path(uses->sema)), SV(":"), s->name);
    return ARENA_JOIN(mem, SV("g:"), s->name);
}

const char *key_of(arena *mem, const struct local_uses *uses, const ast_node *lvalue)
{
    const ast_node *n = sema_strip(lvalue);
    if (n->kind == AST_UNARY && n->op == OP_DEREF)
        n = sema_strip(n->kid[0]);
    while (n->kind == AST_INDEX)
        n = sema_strip(n->kid[0]);
    if (n->kind == AST_MEMBER)
        return sema_member_key(uses->sema, uses->fn, n);
    if (n->kind != AST_IDENT)
        return NULL;
    const sema_symbol *s = sema_ident_symbol(uses->sema, uses->fn, n);
    if (s != NULL)
        return s->kind == SYMBOL_VARIABLE ? global_key(mem, uses, s) : NULL;
    if (n->ref == NULL || (n->ref->kind != DECL_VAR && n->ref->kind != DECL_PARAM))
        return NULL;
    return ARENA_JOIN(mem, SV("l:"), function_name(uses), SV("."), n->ref->name);
}

/* ---- values ---------------------------------------------------------------------------------- */

struct value_cx {
    arena *mem;
    const struct local_uses *uses;
    uint32_t (*call_index)(const void *context, const ast_node *call);
    const void *context;
};

static struct value value_in(const struct value_cx *cx, const ast_node *n, unsigned steps);

static int64_t param_index(const struct local_uses *uses, const ast_decl *d)
{
    const ast_function *tree = uses->fn->tree;
    for (size_t i = 0; i < tree->params.count; i++) {
        if (tree->params.at[i] == d)
            return (int64_t)i;
    }
    return -1;
}

/* Is it {0}, {}, {0, 0} or {.a = 0}? */
static bool is_zeros(const struct local_uses *uses, const ast_node *n)
{
    if (n->kind == AST_DESIGNATED)
        return is_zeros(uses, n->kid[n->kid_count - 1]);
    if (n->kind != AST_INIT_LIST) {
        int64_t v;
        return sema_constant(uses->sema, uses->fn, n, &v) && v == 0;
    }
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] == NULL || !is_zeros(uses, n->kid[i]))
            return false;
    }
    return true;
}

static struct value local_value(const struct value_cx *cx, const ast_node *n, unsigned steps)
{
    const struct local_use *use = &cx->uses->at[n->ref->id];
    const char *key = key_of(cx->mem, cx->uses, n);
    struct value v = {.kind = VALUE_KEY, .text = key, .key = key};
    bool is_known = !use->is_changed && !use->address_taken;
    if (n->ref->kind == DECL_PARAM && is_known && use->assignments == 0 && use->constants == 0) {
        v.kind = VALUE_PARAM;
        v.number = param_index(cx->uses, n->ref);
        return v;
    }
    bool has_one = use->assignments == 1 && n->ref->kind == DECL_VAR && !use->is_changed;
    if (!has_one || steps == 0 || use->value->kind == AST_INIT_LIST)
        return v;
    struct value of = value_in(cx, use->value, steps - 1);
    if (use->constants != 0 || use->address_taken) { /* may be another number as well */
        if (of.kind == VALUE_NUMBER || of.kind == VALUE_ZEROS || use->address_taken)
            return v;
    }
    of.key = of.key != NULL ? of.key : key;
    return of.kind == VALUE_UNKNOWN ? v : of;
}

static struct value ident_value(const struct value_cx *cx, const ast_node *n, unsigned steps)
{
    struct value v = {.kind = VALUE_UNKNOWN};
    const sema_symbol *s = sema_ident_symbol(cx->uses->sema, cx->uses->fn, n);
    if (s != NULL && s->kind == SYMBOL_FUNCTION) {
        v.kind = VALUE_FUNCTION;
        v.text = arena_strndup(cx->mem, s->name.at, s->name.len);
    } else if (s != NULL && s->kind == SYMBOL_VARIABLE) {
        v.kind = VALUE_KEY;
        v.text = v.key = global_key(cx->mem, cx->uses, s);
    } else if (n->ref != NULL && (n->ref->kind == DECL_VAR || n->ref->kind == DECL_PARAM)) {
        return local_value(cx, n, steps);
    }
    return v;
}

static struct value address_value(const struct value_cx *cx, const ast_node *operand)
{
    const ast_node *n = sema_strip(operand);
    struct value v = {.kind = VALUE_UNKNOWN};
    const sema_symbol *s = sema_ident_symbol(cx->uses->sema, cx->uses->fn, n);
    if (s != NULL && s->kind == SYMBOL_FUNCTION)
        return ident_value(cx, n, 1);
    if (n->kind == AST_COMPOUND_LITERAL && is_zeros(cx->uses, n->kid[1])) {
        v.kind = VALUE_ZEROS;
        return v;
    }
    bool is_local = n->kind == AST_IDENT && n->ref != NULL && n->ref->kind == DECL_VAR;
    if (is_local) {
        const struct local_use *use = &cx->uses->at[n->ref->id];
        if (use->assignments == 1 && !use->is_changed && is_zeros(cx->uses, use->value) &&
            use->value->kind == AST_INIT_LIST) {
            v.kind = VALUE_ZEROS;
            return v;
        }
    }
    v.text = key_of(cx->mem, cx->uses, n);
    v.kind = v.text != NULL ? VALUE_ADDRESS : VALUE_UNKNOWN;
    v.key = v.text;
    const ctype *type = sema_type(cx->uses->sema, cx->uses->fn, n);
    if (type->cls == CTYPE_RECORD && type->record != NULL && type->record->tag.len != 0)
        v.record = arena_printf(cx->mem, "%.*s", SV_ARG(type->record->tag));
    return v;
}

/* `a | FLAG`: the flags that are surely in it. */
static struct value flags_value(const struct value_cx *cx, const ast_node *n, unsigned steps)
{
    struct value v = {.kind = VALUE_FLAGS};
    struct value parts[2] = {value_in(cx, n->kid[0], steps), value_in(cx, n->kid[1], steps)};
    for (uint32_t i = 0; i < 2; i++) {
        struct value part = parts[i];
        if (parts[1 - i].kind == VALUE_NUMBER &&
            (part.kind == VALUE_PARAM || part.kind == VALUE_CHOICE)) {
            part.with |= parts[1 - i].number;
            part.otherwise |= parts[1 - i].number;
            part.text = part.key = NULL;
            return part;
        }
        if (part.kind == VALUE_NUMBER || part.kind == VALUE_FLAGS)
            v.number |= part.number;
    }
    if (v.number == 0)
        v.kind = VALUE_UNKNOWN;
    return v;
}

/* Is it a parameter, or its opposite? Then *number is which. */
static bool is_param(const struct value_cx *cx, const ast_node *n, bool *is_not, int64_t *number)
{
    int64_t zero;
    n = sema_strip(n);
    if (n->kind == AST_UNARY && n->op == OP_NOT) {
        *is_not = !*is_not;
        return is_param(cx, n->kid[0], is_not, number);
    }
    if (n->kind == AST_BINARY && (n->op == OP_EQ || n->op == OP_NE) &&
        sema_constant(cx->uses->sema, cx->uses->fn, n->kid[1], &zero) && zero == 0) {
        *is_not = *is_not != (n->op == OP_EQ);
        return is_param(cx, n->kid[0], is_not, number);
    }
    struct value v = value_in(cx, n, 1);
    *number = v.number;
    return v.kind == VALUE_PARAM && v.with == 0;
}

/* `wait ? 0 : WNOHANG`: by the parameter, if it is one; else what both ways have. */
static struct value choice_value(const struct value_cx *cx, const ast_node *n, unsigned steps)
{
    struct value v = {.kind = VALUE_UNKNOWN};
    if (n->kid[1] == NULL)
        return v;
    struct value yes = value_in(cx, n->kid[1], steps), no = value_in(cx, n->kid[2], steps);
    bool is_not = false;
    if (yes.kind != VALUE_NUMBER || no.kind != VALUE_NUMBER)
        return v;
    if (is_param(cx, n->kid[0], &is_not, &v.number)) {
        v.kind = VALUE_CHOICE;
        v.with = is_not ? no.number : yes.number;
        v.otherwise = is_not ? yes.number : no.number;
    } else {
        v.number = yes.number & no.number;
        v.kind = v.number != 0 ? VALUE_FLAGS : VALUE_UNKNOWN;
    }
    return v;
}

static struct value string_value(const struct value_cx *cx, const ast_node *n)
{
    strview text = ast_node_text(cx->uses->fn->tree, n);
    const char *quote = memchr(text.at, '"', text.len);
    size_t skip = quote == NULL ? 0 : (size_t)(quote - text.at) + 1;
    size_t len = text.len >= skip + 1 ? text.len - skip - 1 : 0;
    return (struct value){.kind = VALUE_STRING,
                          .text = arena_strndup(cx->mem, text.at + skip, len)};
}

static struct value value_in(const struct value_cx *cx, const ast_node *n, unsigned steps)
{
    struct value v = {.kind = VALUE_UNKNOWN};
    n = sema_strip(n);
    if (sema_constant(cx->uses->sema, cx->uses->fn, n, &v.number)) {
        v.kind = VALUE_NUMBER;
        return v;
    }
    switch (n->kind) {
    case AST_STRING:
        return string_value(cx, n);
    case AST_IDENT:
        return ident_value(cx, n, steps);
    case AST_MEMBER:
    case AST_INDEX:
        v.text = v.key = key_of(cx->mem, cx->uses, n);
        v.kind = v.text != NULL ? VALUE_KEY : VALUE_UNKNOWN;
        return v;
    case AST_UNARY:
        return n->op == OP_ADDR ? address_value(cx, n->kid[0]) : v;
    case AST_CALL:
        v.number = cx->call_index(cx->context, n);
        v.kind = v.number != UINT32_MAX ? VALUE_RESULT : VALUE_UNKNOWN;
        return v;
    case AST_AWAIT:
    case AST_COMPOUND_LITERAL:
        return n->kind == AST_AWAIT ? value_in(cx, n->kid[0], steps) : v;
    case AST_ASSIGN:
        return n->op == OP_ASSIGN ? value_in(cx, n->kid[1], steps) : v;
    case AST_BINARY:
        return n->op == OP_OR ? flags_value(cx, n, steps) : v;
    case AST_CONDITIONAL:
        return choice_value(cx, n, steps);
    default:
        return v;
    }
}

struct value value_of(arena *mem, const struct local_uses *uses, const ast_node *n,
                      uint32_t (*call_index)(const void *context, const ast_node *call),
                      const void *context)
{
    struct value_cx cx = {mem, uses, call_index, context};
    return value_in(&cx, n, MAX_STEPS);
}
