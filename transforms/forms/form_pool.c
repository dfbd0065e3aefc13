/* SPDX-License-Identifier: MIT */
/*
 * aw_blocking(call), aw_compute(call): how does an ordinary call run on another thread? Its
 * arguments are stored in a job, a struct in the caller's frame; a function made for this call site
 * reads them there, calls, and leaves the result in the job; the await waits for that.
 *
 *     n = await aw_blocking(scan(p, k));
 *     job.a1 = p; job.a2 = k; await aw_pool_run(BLOCKING, f__job_1_run, &job); n = job.result;
 */
#include "transforms/forms/forms.h"

static const char *job_type(lowering *l, const struct point *point)
{
    return arena_printf(l->mem, "%s__job_%u", l->name, point->job_number);
}

static void grow(uint64_t *size, uint64_t *align, const struct type *t)
{
    uint64_t a = t->align_bytes == 0 ? 1 : t->align_bytes;
    *size = (*size + a - 1) / a * a + t->size_bytes;
    if (a > *align)
        *align = a;
}

static bool is_direct(const ast_node *callee)
{
    return callee->kind == AST_IDENT && callee->ref == NULL && callee->is_const_expr;
}

static bool is_void(lowering *l, type_id type)
{
    return type_of(l, type)->cls == TYPE_VOID;
}

/* The job's struct as a type, so that its temporary gets a place in the frame. */
static type_id job_record(lowering *l, const struct point *point, const ast_node *call)
{
    uint64_t size = 0, align = 1;
    for (uint32_t i = is_direct(ast_strip(call->kid[0])) ? 1 : 0; i < call->kid_count; i++)
        grow(&size, &align, type_of(l, value_type(l, call->kid[i])));
    if (!is_void(l, call->type))
        grow(&size, &align, type_of(l, call->type));
    size = size == 0 ? 1 : (size + align - 1) / align * align;
    return type_make_record(l->unit->types, arena_printf(l->mem, "struct %s ", job_type(l, point)),
                            size, align);
}

void pool_flatten(lowering *l, ast_node *await, ast_node *form, bool discard)
{
    ast_node *call = form->kid_count == 1 ? ast_strip(form->kid[0]) : NULL;
    if (call == NULL || call->kind != AST_CALL || call->is_file_callee_async) {
        lower_error(
            l, DIAG_FORM_OPERAND, form,
            "this form runs one ordinary call on another thread; write aw_blocking(f(x)), and "
            "await an async function directly");
        return;
    }
    flatten_operands(l, call->kid, call->kid_count);
    struct point *p = point_new(l, POINT_POOL, await);
    p->form = form->op;
    p->call.node = call;
    p->job_number = ++l->job_count;
    p->job = temp_new(l, job_record(l, p, call));
    for (uint32_t i = is_direct(ast_strip(call->kid[0])) ? 1 : 0; i < call->kid_count; i++) {
        if (fault_planted(FAULT_POOL_ARGUMENT_DROPPED) && i > 0 && i + 1 == call->kid_count)
            continue;
        struct item *item = item_add(l, ITEM_SET_FIELD, call->kid[i]);
        item->temp = p->job;
        item->field = arena_printf(l->mem, "a%u", i);
    }
    item_add(l, ITEM_AWAIT, await)->point = p;
    bool has_value = !discard && !is_void(l, call->type);
    replace_with(l, await, has_value ? p->job : NULL, has_value ? ".result" : "");
}

void pool_print_prelude(struct printer *p, struct point *point)
{
    lowering *l = p->l;
    ast_node *call = point->call.node;
    const char *name = job_type(l, point);
    bool direct = is_direct(ast_strip(call->kid[0])), has_result = !is_void(l, call->type);
    print_line(p, "struct %s {", name);
    for (uint32_t i = direct ? 1 : 0; i < call->kid_count; i++)
        print_line(p, "    %s;",
                   field_declare(l, value_type(l, call->kid[i]), arena_printf(l->mem, "a%u", i),
                                 call->kid[i]));
    if (has_result)
        print_line(p, "    %s;",
                   field_declare(l, type_of(l, call->type)->unqualified, "result", call));
    else if (direct && call->kid_count == 1)
        print_line(p, "    char none;");
    print_line(p, "};");
    print_dense_begin(p);
    print_line(p, "static void %s_run(void *job)", name);
    print_line(p, "{");
    print_line(p, "    struct %s *j = (struct %s *)job;", name, name);
    strbuf line = strbuf_in(l->mem);
    strbuf_str(&line, has_result ? "j->result = " : "");
    if (direct)
        strbuf_sv(&line, ast_node_text(l->fn, ast_strip(call->kid[0])));
    else
        strbuf_str(&line, "j->a0");
    strbuf_char(&line, '(');
    for (uint32_t i = 1; i < call->kid_count; i++)
        strbuf_fmt(&line, "%sj->a%u", i == 1 ? "" : ", ", i);
    print_line(p, "    %s);", strbuf_text(&line));
    if (!has_result && direct && call->kid_count == 1)
        print_line(p, "    (void)j;");
    print_line(p, "}");
    print_dense_end(p);
}

void pool_print(struct printer *p, struct point *point)
{
    lowering *l = p->l;
    print_fmt(p, "aw_pool_run(aw__c, (void *)(aw__f + 1), %s, %s_run, &%s);",
              point->form == FORM_BLOCKING ? "AW_POOL_BLOCKING" : "AW_POOL_COMPUTE",
              job_type(l, point), local_ref(l, point->job, true));
    print_text(p, "if (AW_UNLIKELY(aw__c->pending != 0)) {");
    print_suspension(p, point);
    print_text(p, "}");
    print_not_suspended(p, point);
}
