/* SPDX-License-Identifier: MIT */
/*
 * spawn(call), aw_spawn_on(rt, call), aw_block_on(call), aw_runtime_block_on(rt, call): how does a
 * call become a task? Its arguments are packed into a struct that the runtime copies; a function
 * made for this site starts the call with them. No await takes part, so the form stays an
 * expression:
 *
 *     t = spawn(f(x));   t = ({ struct g__spawn_1 a; a.a1 = x; aw_spawn_task(0, &g__spawn_1_site,
 * &a); });
 */
#include "transforms/forms/forms.h"

static bool has_runtime(enum ast_form form)
{
    return form == FORM_SPAWN_ON || form == FORM_RUNTIME_BLOCK_ON;
}

static bool is_spawn_form(const ast_node *n)
{
    return is_form(n, FORM_SPAWN) || is_form(n, FORM_SPAWN_ON) || is_form(n, FORM_BLOCK_ON) ||
           is_form(n, FORM_RUNTIME_BLOCK_ON) || is_form(n, FORM_SCOPE_SPAWN);
}

struct spawn *spawn_find(lowering *l, const ast_node *form)
{
    for (size_t i = 0; i < l->spawns.count; i++) {
        if (l->spawns.at[i]->node == form)
            return l->spawns.at[i];
    }
    return NULL;
}

static bool is_unused(const ast_node *form)
{
    const ast_node *p = form->parent;
    while (p != NULL && (p->kind == AST_PAREN || p->kind == AST_CAST))
        p = p->parent;
    return p != NULL && p->kind == AST_EXPR_STMT;
}

static void spawn_add(lowering *l, ast_node *form)
{
    uint32_t at = form->op == FORM_SCOPE_SPAWN || has_runtime((enum ast_form)form->op) ? 1 : 0;
    ast_node *node = form->kid_count == at + 1 ? ast_strip(form->kid[at]) : NULL;
    struct spawn *s = ARENA_NEW(l->mem, struct spawn);
    if (node == NULL || !call_describe(l, node, &s->call)) {
        if (!l->failed)
            lower_error(l, DIAG_FORM_OPERAND, form,
                        "this form takes one call of an async function, without await");
        return;
    }
    s->number = (uint32_t)l->spawns.count + 1;
    s->form = form->op;
    s->node = form;
    s->runtime = at == 1 && form->op != FORM_SCOPE_SPAWN ? form->kid[0] : NULL;
    s->is_discarded = is_unused(form);
    VEC_PUSH(l->mem, &l->spawns, s);
}

void spawn_collect(lowering *l, ast_node *n)
{
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL)
            spawn_collect(l, n->kid[i]);
    }
    if (is_spawn_form(n) && !n->is_unevaluated)
        spawn_add(l, n);
}

void spawn_flatten(lowering *l, ast_node *form)
{
    struct spawn *s = spawn_find(l, form);
    if (s == NULL)
        return;
    ast_node *call = s->call.node;
    struct ast_operands operands = {0};
    if (s->runtime != NULL)
        VEC_PUSH(l->mem, &operands, s->runtime);
    for (uint32_t i = 0; i < call->kid_count; i++)
        VEC_PUSH(l->mem, &operands, call->kid[i]);
    flatten_operands(l, operands.at, (uint32_t)operands.count);
}

/* ---- the site
 * ------------------------------------------------------------------------------------------- */

static const char *site_name(lowering *l, const struct spawn *s)
{
    return arena_printf(l->mem, "%s__spawn_%u", l->name, s->number);
}

static type_id argument_type(lowering *l, const struct spawn *s, uint32_t i)
{
    const struct type *t = type_of(l, s->call.type);
    if (t->has_prototype && i >= 1 && i <= t->param_count)
        return t->params[i - 1];
    return value_type(l, s->call.node->kid[i]);
}

static bool is_pointer_call(const struct spawn *s)
{
    return s->call.function == NULL;
}

/* The call in the start function: the ABI's two arguments, then those from the struct. */
static const char *start_call(lowering *l, const struct spawn *s)
{
    const struct call *call = &s->call;
    strbuf out = strbuf_in(l->mem);
    bool measured = call->measured != NULL && call->measured->is_emitted;
    if (call->function == NULL) {
        const struct type *t = type_of(l, call->type);
        strbuf types = strbuf_in(l->mem);
        strbuf_str(&types, "(*)(aw_cx *, void *");
        for (uint32_t i = 0; i < t->param_count; i++)
            strbuf_fmt(&types, ", %s", declare(l, t->params[i], ""));
        strbuf_char(&types, ')');
        strbuf_fmt(&out, "((%s)(void (*)(void))a->a0)(c, fp",
                   declare(l, call->result, strbuf_text(&types)));
    } else if (measured) {
        strbuf_fmt(&out, "%s__poll(c, fp, 0", call->measured->name);
    } else {
        strbuf_fmt(&out, "%.*s__%s(c, fp", SV_ARG(call->function->name),
                   call->measured != NULL ? "entry" : "call");
    }
    for (uint32_t i = 1; i < call->node->kid_count; i++) {
        bool by_address = measured && passes_by_address(l, argument_type(l, s, i));
        bool swapped = fault_planted(FAULT_SPAWN_ARGUMENTS_SWAPPED) && i == 2;
        strbuf_fmt(&out, ", %sa->a%u", by_address ? "&" : "", swapped ? 1 : i);
    }
    strbuf_char(&out, ')');
    return strbuf_text(&out);
}

static void print_start(struct printer *p, const struct spawn *s)
{
    lowering *l = p->l;
    const char *name = site_name(l, s);
    bool is_void = type_of(l, s->call.result)->cls == TYPE_VOID;
    const char *result = declare(l, s->call.result, "");
    print_line(p, "static void %s_start(aw_cx *c, void *fp, void *args)", name);
    print_line(p, "{");
    print_line(p, "    struct %s *a = (struct %s *)args;", name, name);
    print_line(p, "    (void)a;");
    if (s->call.measured != NULL && s->call.measured->is_emitted)
        print_line(p, "    fp = AW_ALIGN_FRAME(fp, struct %s__frame);", s->call.measured->name);
    if (is_void) {
        print_line(p, "    %s;", start_call(l, s));
    } else {
        print_line(p, "    %s = %s;", declare(l, s->call.result, "v"), start_call(l, s));
        print_line(p, "    if (c->pending == 0) {");
        print_line(p, "        %s",
                   assign_text(l, s->call.result,
                               arena_printf(l->mem, "*AW_RESULT(fp, %s)", result), "v"));
        print_line(p, "        c->ret = AW_RESULT(fp, %s);", result);
        print_line(p, "    }");
    }
    print_line(p, "}");
}

static const char *spawned_name(lowering *l, const struct spawn *s)
{
    if (s->call.function != NULL)
        return arena_strndup(l->mem, s->call.function->name.at, s->call.function->name.len);
    const ast_node *callee = ast_strip(s->call.node->kid[0]);
    if (callee->kind == AST_IDENT || callee->kind == AST_MEMBER) {
        strview name = ast_token_text(l->fn, callee->name_token);
        return arena_strndup(l->mem, name.at, name.len);
    }
    return "(pointer)";
}

void spawn_print_prelude(struct printer *p, struct spawn *s)
{
    lowering *l = p->l;
    const char *name = site_name(l, s);
    const ast_node *call = s->call.node;
    bool measured = s->call.measured != NULL && s->call.measured->is_emitted;
    const struct type *result = type_of(l, s->call.result);
    print_line(p, "struct %s {", name);
    for (uint32_t i = is_pointer_call(s) ? 0 : 1; i < call->kid_count; i++)
        print_line(
            p, "    %s;",
            field_declare(l, argument_type(l, s, i), arena_printf(l->mem, "a%u", i), call->kid[i]));
    if (call->kid_count == 1 && !is_pointer_call(s))
        print_line(p, "    char none;");
    print_line(p, "};");
    print_dense_begin(p);
    print_start(p, s);
    print_dense_end(p);
    if (!measured)
        print_line(p, "static size_t %s_hint;", name);
    const char *need = measured ? arena_printf(l->mem, "%s__need + AW_SLACK(struct %s__frame)",
                                               s->call.measured->name, s->call.measured->name)
                                : "0";
    bool is_signed = (result->cls == TYPE_INT || result->cls == TYPE_ENUM) &&
                     !result->is_unsigned && result->size_bytes <= 8;
    print_line(p,
               "static const aw_spawn_site %s_site = { %s_start, sizeof(struct %s), "
               "__alignof__(struct %s), %s, %u, %s, \"%s\", __FILE__, %s, %s };",
               name, name, name, name,
               result->cls == TYPE_VOID
                   ? "0"
                   : arena_printf(l->mem, "sizeof(%s)", declare(l, s->call.result, "")),
               lower_line(l, s->node->first), need, spawned_name(l, s),
               measured ? "0" : arena_printf(l->mem, "&%s_hint", name),
               is_signed ? "AW_SPAWN_SIGNED_RESULT" : "0");
}

/* ---- the expression
 * ---------------------------------------------------------------------------------------- */

void spawn_print(struct printer *p, ast_node *form)
{
    lowering *l = p->l;
    struct spawn *s = spawn_find(l, form);
    if (s == NULL)
        return;
    const char *name = site_name(l, s);
    ast_node *call = s->call.node;
    print_at(p, form->first);
    print_fmt(p, "(__extension__ ({");
    if (s->runtime != NULL) {
        print_fmt(p, "aw_runtime *aw__rt%u =", s->number);
        print_node(p, s->runtime);
        print_text(p, ";");
    }
    print_fmt(p, "struct %s aw__a%u;", name, s->number);
    for (uint32_t i = is_pointer_call(s) ? 0 : 1; i < call->kid_count; i++) {
        type_id type = argument_type(l, s, i);
        const char *field = arena_printf(l->mem, "aw__a%u.a%u", s->number, i);
        print_assign_begin(p, type, field);
        print_node(p, call->kid[i]);
        print_assign_end(p, type, field);
    }
    const char *rt = s->runtime != NULL ? arena_printf(l->mem, "aw__rt%u", s->number) : "0";
    bool blocks = s->form == FORM_BLOCK_ON || s->form == FORM_RUNTIME_BLOCK_ON;
    if (!blocks) {
        print_fmt(p, "aw_spawn_%s(%s, &%s_site, &aw__a%u);", s->is_discarded ? "detached" : "task",
                  rt, name, s->number);
    } else if (type_of(l, s->call.result)->cls == TYPE_VOID) {
        print_fmt(p, "(void)aw_block_on_site(%s, &%s_site, &aw__a%u, 0);", rt, name, s->number);
    } else {
        print_fmt(p, "%s;", declare(l, s->call.result, arena_printf(l->mem, "aw__r%u", s->number)));
        print_fmt(p, "(void)aw_block_on_site(%s, &%s_site, &aw__a%u, &aw__r%u); aw__r%u;", rt, name,
                  s->number, s->number, s->number);
    }
    print_text(p, "}))");
}
