/* SPDX-License-Identifier: MIT */
/*
 * Which function does a nested form become? Its parameters are what its calls need: the values of
 * their arguments, callees that are no named functions, the time of an aw_timeout, and where the
 * results go. A form that is nested in it becomes a function of its own, called with some of them.
 */
#include "transforms/forms/form_nested.h"

#include "transforms/emit/emit.h"
#include "transforms/forms/forms.h"
#include "transforms/forms/nested_text.h"

/* A nested form on its way to be a root. */
struct maker {
    lowering *l;
    struct nested_function *f;
    VEC(struct nested_slot *) slots;
};

/* ---- parameters
 * ---------------------------------------------------------------------------------- */

static const char *declared(lowering *l, type_id type, const char *name, bool is_async,
                            bool is_kept)
{
    return arena_printf(l->mem, "%s%s%s", is_async ? "__awaitc_async__ " : "",
                        declare(l, type, name),
                        is_kept ? "" : " __attribute__((annotate(\"awaitc::noescape\")))");
}

static struct nested_slot *add_slot(struct maker *m, const ast_node *node, char letter)
{
    struct nested_slot *slot = ARENA_NEW(m->l->mem, struct nested_slot);
    VEC_PUSH(m->l->mem, &m->slots, slot);
    slot->node = node;
    slot->name = arena_printf(m->l->mem, "aw_%c%zu", letter, m->slots.count);
    return slot;
}

static bool is_nameable(const lowering *l, type_id type)
{
    const struct type *t = type_of(l, type);
    return t->is_nameable && t->before != NULL;
}

/* A value, passed on as the type that its place wants. */
static struct nested_slot *value_slot(struct maker *m, const ast_node *node, type_id type,
                                      bool is_kept)
{
    lowering *l = m->l;
    struct nested_slot *slot = add_slot(m, node, 'v');
    const struct type *t = type_of(l, type);
    bool is_data = t->cls == TYPE_POINTER && type_of(l, t->elem)->cls != TYPE_FUNCTION;
    if (is_nameable(l, type))
        slot->declaration = declared(l, type, slot->name, t->is_async, is_kept);
    else if (is_data)
        slot->declaration = arena_printf(l->mem, "void *%s", slot->name);
    else
        lower_error(
            l, DIAG_UNSUPPORTED, node,
            "the type of this argument has no name outside the function, which a call in a "
            "form within a form needs; declare the type at file scope, or await the call in "
            "an async function of its own");
    return slot;
}

static const char *callee_slot(struct maker *m, ast_node *callee, bool is_async)
{
    lowering *l = m->l;
    struct nested_slot *slot = add_slot(m, callee, 'f');
    type_id type = value_type(l, callee);
    if (is_nameable(l, type))
        slot->declaration = declared(l, type, slot->name, is_async, true);
    else
        lower_error(l, DIAG_UNSUPPORTED, callee,
                    "the type of this function has no name outside the function, which a call in a "
                    "form within a form needs; declare the types in it at file scope");
    return slot->name;
}

/* ---- lvalues
 * ------------------------------------------------------------------------------------- */

/* Says why the address of the lvalue cannot be taken, if so. */
static bool check_address(lowering *l, ast_node *target)
{
    for (ast_node *e = ast_strip(target);; e = ast_strip(e->kid[0])) {
        if (e->kind == AST_IDENT && e->ref != NULL && e->ref->storage == STORAGE_REGISTER) {
            lower_error(l, DIAG_FORM_OPERAND, target,
                        "`%.*s` is a register variable, and a form within a form assigns through a "
                        "pointer; remove `register` from its declaration",
                        SV_ARG(e->ref->name));
            return false;
        }
        bool has_base = e->kind == AST_INDEX || (e->kind == AST_MEMBER && e->op == OP_DOT);
        if (has_base && type_of(l, e->kid[0]->type)->cls == TYPE_VECTOR) {
            lower_error(
                l, DIAG_FORM_OPERAND, target,
                "this is an element of a vector, and a form within a form assigns through a "
                "pointer; assign to a variable, and that to the element");
            return false;
        }
        if (!has_base || (e->kind == AST_INDEX && type_of(l, e->kid[0]->type)->cls != TYPE_ARRAY))
            return true;
    }
}

/* "*aw_p3" for an lvalue; "aw_p3->bits" for a bit-field, which has no address. */
static const char *target_slot(struct maker *m, ast_node *target)
{
    lowering *l = m->l;
    ast_node *object = ast_strip(target);
    const char *member = NULL;
    if (object->kind == AST_MEMBER && object->is_lvalue_bitfield) {
        strview name = ast_token_text(l->fn, object->name_token);
        member = arena_strndup(l->mem, name.at, name.len);
    }
    bool is_arrow = member != NULL && object->op == OP_ARROW;
    ast_node *base = member != NULL ? object->kid[0] : target;
    if (!is_arrow && !check_address(l, base))
        return "";
    type_id type = is_arrow ? value_type(l, base) : base->type;
    struct nested_slot *slot = add_slot(m, base, 'p');
    slot->by_address = !is_arrow;
    bool has_name = is_nameable(l, type) && !type_of(l, type)->is_variable;
    if (has_name)
        slot->declaration =
            declared(l, type, arena_printf(l->mem, "%s%s", is_arrow ? "" : "*", slot->name),
                     type_of(l, type)->is_async, false);
    else
        lower_error(l, DIAG_UNSUPPORTED, target,
                    "the type of this lvalue has no name outside the function, which an assignment "
                    "in a form within a form needs; declare the type at file scope, or assign to "
                    "another variable first");
    return member != NULL ? arena_printf(l->mem, "%s->%s", slot->name, member)
                          : arena_printf(l->mem, "*%s", slot->name);
}

/* ---- calls
 * --------------------------------------------------------------------------------------- */

/* The function's own head as a prototype, for nested calls of itself. */
static const char *own_prototype(lowering *l)
{
    const ast_function *fn = l->fn;
    strbuf out = strbuf_in(l->mem);
    for (uint32_t i = fn->root->first; i < fn->root->kid[2]->first; i++) {
        if (fn->tokens[i].kind != TOKEN_PRAGMA)
            strbuf_fmt(&out, "%.*s ", SV_ARG(ast_token_text(fn, i)));
    }
    strbuf_str(&out, "; ");
    return strbuf_text(&out);
}

/* Does the callee name a function that can be named in front of this one, too? */
static bool is_named(struct maker *m, const ast_node *callee, const struct clang_function *known)
{
    lowering *l = m->l;
    if (callee->kind != AST_IDENT || callee->ref != NULL ||
        type_of(l, callee->type)->cls == TYPE_POINTER)
        return false;
    if (known == NULL || !sv_equal(known->name, l->fn->name) ||
        known->first_offset < l->region->buffer_begin)
        return true;
    m->f->declaration = own_prototype(l);
    return true;
}

/* "g(aw_v1, aw_v2)", with what it needs as slots. */
static const char *make_call(struct maker *m, ast_node *node)
{
    lowering *l = m->l;
    struct call call = {0};
    if (node->is_file_callee_async && !call_describe(l, node, &call))
        return "";
    ast_node *callee = ast_strip(node->kid[0]);
    strbuf out = strbuf_in(l->mem);
    if (is_named(m, callee, call.function))
        strbuf_sv(&out, ast_node_text(l->fn, callee));
    else
        strbuf_str(&out, callee_slot(m, node->kid[0], node->is_file_callee_async));
    const struct type *t = type_of(l, call.type);
    uint64_t noescape = call.function == NULL ? 0 : call.function->noescape_params;
    strbuf_char(&out, '(');
    for (uint32_t i = 1; i < node->kid_count; i++) {
        bool has_param = t->has_prototype && i <= t->param_count;
        type_id type = has_param ? t->params[i - 1] : value_type(l, node->kid[i]);
        bool is_kept = i > 64 || (noescape >> (i - 1) & 1) == 0;
        strbuf_fmt(&out, "%s%s", i == 1 ? "" : ", ",
                   value_slot(m, node->kid[i], type, is_kept)->name);
    }
    strbuf_char(&out, ')');
    return strbuf_text(&out);
}

/* ---- functions
 * ----------------------------------------------------------------------------------- */

static const char *make(struct maker *m, ast_node *form);

/* "f__nest_1(aw_v1, aw_p2)" with the slots from `from` on. */
static const char *made_call(const struct maker *m, const char *name, size_t from)
{
    strbuf out = strbuf_in(m->l->mem);
    strbuf_fmt(&out, "%s(", name);
    for (size_t i = from; i < m->slots.count; i++)
        strbuf_fmt(&out, "%s%s", i == from ? "" : ", ", m->slots.at[i]->name);
    strbuf_char(&out, ')');
    return strbuf_text(&out);
}

static const char *make_branch(struct maker *m, ast_node *argument)
{
    ast_node *target, *run = nested_split(argument, &target);
    size_t from = m->slots.count;
    const char *call = run->kind == AST_FORM ? made_call(m, make(m, run), from) : make_call(m, run);
    if (target == NULL)
        return call;
    const char *place = target_slot(m, target);
    return arena_printf(m->l->mem, "%s = %s", place, call);
}

/* "__awaitc_try_all__(*aw_p2 = g(aw_v1), h())" */
static const char *make_body(struct maker *m, ast_node *form)
{
    lowering *l = m->l;
    strbuf out = strbuf_in(l->mem);
    strbuf_fmt(&out, "%.*s(", SV_ARG(ast_token_text(l->fn, form->first)));
    for (uint32_t i = 0; i < form->kid_count; i++) {
        ast_node *argument = form->kid[i];
        strbuf_str(&out, i == 0 ? "" : ", ");
        if (form->op == FORM_TIMEOUT && i == 0)
            strbuf_str(&out, value_slot(m, argument, value_type(l, argument), true)->name);
        else if (nested_is_group(form))
            strbuf_str(&out, make_branch(m, argument));
        else
            strbuf_str(&out, make_call(m, ast_strip(argument)));
    }
    strbuf_char(&out, ')');
    return strbuf_text(&out);
}

static type_id result_type(lowering *l, ast_node *form)
{
    if (form->op == FORM_BLOCKING || form->op == FORM_COMPUTE)
        return type_of(l, ast_strip(form->kid[0])->type)->unqualified;
    return type_int(l);
}

/* Makes the function of a nested form, those that it needs first; its name. */
static const char *make(struct maker *m, ast_node *form)
{
    lowering *l = m->l;
    size_t from = m->slots.count;
    const char *body = make_body(m, form);
    type_id type = form->op == FORM_ALL ? TYPE_NONE : result_type(l, form);
    bool is_void = form->op == FORM_ALL || type_of(l, type)->cls == TYPE_VOID;
    if (!is_void && !is_nameable(l, type))
        lower_error(l, DIAG_UNSUPPORTED, form,
                    "the type of this call has no name outside the function, which a form within a "
                    "form needs; declare the type at file scope");
    if (l->failed)
        return "";
    const char *name = arena_printf(l->mem, "%s__nest_%zu", l->name, m->f->made.count + 1);
    strbuf head = strbuf_in(l->mem);
    strbuf_fmt(&head, "%s(", name);
    for (size_t i = from; i < m->slots.count; i++)
        strbuf_fmt(&head, "%s%s", i == from ? "" : ", ", m->slots.at[i]->declaration);
    strbuf_str(&head, from == m->slots.count ? "void)" : ")");
    const char *text = arena_printf(l->mem, "static __awaitc_async__ %s { %s__awaitc_await__ %s; }",
                                    is_void ? arena_printf(l->mem, "void %s", strbuf_text(&head))
                                            : declare(l, type, strbuf_text(&head)),
                                    is_void ? "" : "return ", body);
    VEC_PUSH(l->mem, &m->f->made, (struct nested_made){text, l->fn->tokens[form->first].begin});
    return name;
}

/* A type of the function's head is not known in front of it. */
static void check_head(lowering *l, const ast_node *form)
{
    for (uint32_t i = l->fn->root->first; i < l->fn->root->kid[2]->first; i++) {
        if (!sv_is(ast_token_text(l->fn, i), "{"))
            continue;
        lower_error(l, DIAG_UNSUPPORTED, form,
                    "a form within a form cannot stand in a function whose head defines a type; "
                    "define the type in front of the function");
        return;
    }
}

static void make_root(struct nested_function *f, ast_node *form)
{
    if (f->roots.count == 0)
        check_head(f->l, form);
    struct maker m = {.l = f->l, .f = f};
    const char *name = make(&m, form);
    VEC_PUSH(f->l->mem, &f->roots, (struct nested_root){form, name, m.slots.at, m.slots.count});
}

/* ---- the unit
 * ------------------------------------------------------------------------------------ */

/* Is the form an argument of a form that is nested itself? Then its function is made with that one.
 */
static bool is_inner(const ast_node *form)
{
    const ast_node *p = form->parent;
    while (p->kind != AST_FORM)
        p = p->parent;
    return nested_is_argument(p);
}

static void find(struct nested_function *f, ast_node *n)
{
    if (n->kind == AST_FORM && !n->is_unevaluated && nested_is_argument(n) && !is_inner(n))
        make_root(f, n);
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            find(f, n->kid[i]);
    }
}

/* A few kinds of nodes have their children in another order than the source. */
static void sort_roots(struct nested_function *f)
{
    struct nested_root *at = f->roots.at;
    for (size_t i = 1; i < f->roots.count; i++) {
        for (size_t j = i; j > 0 && at[j - 1].form->first > at[j].form->first; j--) {
            struct nested_root r = at[j];
            at[j] = at[j - 1];
            at[j - 1] = r;
        }
    }
}

bool nested_rewrite(struct unit *u)
{
    struct nested_function **functions =
        ARENA_ARRAY(u->mem, struct nested_function *, u->function_count + 1);
    bool any = false, failed = false;
    for (uint32_t i = 0; i < u->function_count; i++) {
        functions[i] = NULL;
        if (u->functions[i] == NULL || !u->functions[i]->is_async)
            continue;
        struct nested_function *f = ARENA_NEW(u->mem, struct nested_function);
        f->l = u->functions[i];
        find(f, f->l->fn->root->kid[2]);
        failed |= f->l->failed;
        if (f->roots.count == 0)
            continue;
        sort_roots(f);
        functions[i] = f;
        any = true;
    }
    if (!any || failed)
        return false;
    nested_write(u, functions);
    return true;
}
