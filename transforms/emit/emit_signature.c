/* SPDX-License-Identifier: MIT */
/*
 * What do functions with the same result and parameters share? The two cold ways into a state
 * machine: going on after a suspension (resume), and starting where the frame stack or the C stack
 * is short (grow). One pair a signature and file, not one a function: the compiler's time for them
 * would be more than that for many a state machine. They find the machine in the await's site.
 *
 * From the second function on, they also share how a caller starts that does not know the frame
 * (start): then each entry is one call. The first has it inline, so that a signature that
 * nobody shares costs no function more.
 */
#include "transforms/emit/emit.h"

static type_id result_type(lowering *l)
{
    return type_of(l, type_of(l, l->fn->type)->elem)->unqualified;
}

static type_id param_type(lowering *l, uint32_t i)
{
    return type_of(l, l->fn->params.at[i]->type)->unqualified;
}

/* "(aw_cx *, void *, unsigned, int, const struct s *)": of __poll, behind a name or "(*)". */
static const char *poll_types(lowering *l)
{
    strbuf out = strbuf_in(l->mem);
    strbuf_str(&out, "(aw_cx *, void *, unsigned");
    for (uint32_t i = 0; i < l->fn->params.count; i++) {
        type_id type = param_type(l, i);
        if (passes_by_address(l, type))
            strbuf_fmt(&out, ", const %s", declare(l, type, "*"));
        else
            strbuf_fmt(&out, ", %s", declare(l, type, ""));
    }
    strbuf_char(&out, ')');
    return strbuf_text(&out);
}

/* ", int a1, const struct s *a2": the same types with names. */
static const char *poll_params(lowering *l)
{
    strbuf out = strbuf_in(l->mem);
    for (uint32_t i = 0; i < l->fn->params.count; i++) {
        type_id type = param_type(l, i);
        bool by_address = passes_by_address(l, type);
        const char *name = arena_printf(l->mem, "%sa%u", by_address ? "*" : "", i + 1);
        strbuf_fmt(&out, ", %s%s", by_address ? "const " : "", declare(l, type, name));
    }
    return strbuf_text(&out);
}

static void print_args_struct(struct printer *p, uint32_t n)
{
    lowering *l = p->l;
    print_line(p, "struct aw__args_%u {", n);
    print_line(p, "    aw_frame head;");
    for (uint32_t i = 0; i < l->fn->params.count; i++)
        print_line(p, "    %s;", declare(l, param_type(l, i), arena_printf(l->mem, "a%u", i + 1)));
    print_line(p, "};");
}

/* The arguments of a state machine: as they are (prefix ""), from a struct, or zeros. */
static const char *arguments(lowering *l, const char *prefix, bool zero)
{
    strbuf out = strbuf_in(l->mem);
    for (uint32_t i = 0; i < l->fn->params.count; i++) {
        type_id type = param_type(l, i);
        bool by_address = passes_by_address(l, type);
        if (zero)
            strbuf_fmt(&out, ", %s", by_address ? "0" : zero_value(l, type));
        else
            strbuf_fmt(&out, ", %s%sa%u", by_address && prefix[0] != '\0' ? "&" : "", prefix,
                       i + 1);
    }
    return strbuf_text(&out);
}

/* A call whose result goes to v, unless it has none. */
static const char *call_text(lowering *l, type_id type, const char *call)
{
    if (type_of(l, type)->cls == TYPE_VOID)
        return arena_printf(l->mem, "%s;", call);
    return assign_text(l, type, "v", call);
}

static void print_resume(struct printer *p, uint32_t n)
{
    lowering *l = p->l;
    bool is_void = type_of(l, result_type(l))->cls == TYPE_VOID;
    type_id type = result_type(l);
    const char *pointer =
        declare(l, result_type(l), arena_printf(l->mem, "(*poll)%s", poll_types(l)));
    const char *cast = declare(l, result_type(l), arena_printf(l->mem, "(*)%s", poll_types(l)));
    print_line(p, "static void aw__resume_%u(aw_cx *c, aw_frame *h, unsigned st)", n);
    print_line(p, "{");
    print_line(p, "    %s = (%s)h->at->code;", pointer, cast);
    if (!is_void)
        print_line(p, "    %s;", declare(l, result_type(l), "v"));
    print_line(p, "    if (st == AW_RESTART) {");
    if (l->fn->params.count > 0) /* a copy: the machine's frame lies where the arguments wait */
        print_line(p, "        struct aw__args_%u a = *(struct aw__args_%u *)(void *)h;", n, n);
    print_line(
        p, "        %s",
        call_text(l, type, arena_printf(l->mem, "poll(c, h, 0%s)", arguments(l, "a.", false))));
    print_line(p, "    } else {");
    print_line(
        p, "        %s",
        call_text(l, type, arena_printf(l->mem, "poll(c, h, st%s)", arguments(l, "", true))));
    print_line(p, "    }");
    if (!is_void) {
        const char *name = declare(l, type, "");
        print_line(p, "    if (c->pending == 0) {");
        print_line(p, "        %s",
                   assign_text(l, type, arena_printf(l->mem, "*AW_RESULT(h, %s)", name), "v"));
        print_line(p, "        c->ret = AW_RESULT(h, %s);", name);
        print_line(p, "    }");
    }
    print_line(p, "}");
}

static void print_grow(struct printer *p, uint32_t n)
{
    lowering *l = p->l;
    bool is_void = type_of(l, result_type(l))->cls == TYPE_VOID;
    const char *head = arena_printf(
        l->mem, "aw__grow_%u(aw_cx *c, void *fp, const aw_code *code%s)", n, poll_params(l));
    const char *cast = declare(l, result_type(l), arena_printf(l->mem, "(*)%s", poll_types(l)));
    print_line(p, "static %s __attribute__((__noinline__, __unused__));",
               declare(l, result_type(l), head));
    print_line(p, "static %s", declare(l, result_type(l), head));
    print_line(p, "{");
    print_line(p, "    aw_growth g;");
    if (!is_void)
        print_line(p, "    %s = %s;", declare(l, result_type(l), "v"),
                   zero_value(l, result_type(l)));
    print_line(p, "    switch (aw_grow_begin(c, fp, code->need_bytes, code->align_bytes, &g)) {");
    print_line(p, "    case AW_GROW_RUN:");
    print_line(p, "        %s",
               call_text(l, result_type(l),
                         arena_printf(l->mem, "((%s)code->poll)(c, g.room, 0%s)", cast,
                                      arguments(l, "", fault_planted(FAULT_GROW_ARGUMENTS_LOST)))));
    print_line(p, "        break;");
    print_line(p, "    case AW_GROW_BOUNCE:");
    uint32_t count = (uint32_t)l->fn->params.count;
    for (uint32_t i = 0; i < count - (fault_planted(FAULT_BOUNCE_ARGUMENT_LOST) && count > 0); i++)
        print_line(
            p, "        %s",
            assign_text(l, param_type(l, i),
                        arena_printf(l->mem, "((struct aw__args_%u *)g.room)->a%u", n, i + 1),
                        arena_printf(l->mem, "%sa%u",
                                     passes_by_address(l, param_type(l, i)) ? "*" : "", i + 1)));
    print_line(p, "        aw_bounce(c, (aw_frame *)g.room, code->restart);");
    print_line(p, "        break;");
    print_line(p, "    default:");
    print_line(p, "        break;");
    print_line(p, "    }");
    print_line(p, "    aw_grow_end(c, &g);");
    print_line(p, "    return%s;", is_void ? "" : " v");
    print_line(p, "}");
}

uint32_t print_signature(struct printer *p)
{
    lowering *l = p->l;
    struct unit *u = l->unit;
    const char *key = declare(l, result_type(l), arena_printf(l->mem, "(*)%s", poll_types(l)));
    for (uint32_t i = 0; i < u->signatures.count; i++) {
        if (strcmp(u->signatures.at[i].key, key) == 0)
            return i + 1;
    }
    VEC_PUSH(u->mem, &u->signatures, (struct signature){.key = key});
    uint32_t n = (uint32_t)u->signatures.count;
    print_line(
        p,
        "/* Functions of the type %s: how they go on, and how they start where room is short. */",
        key);
    if (l->fn->params.count > 0)
        print_args_struct(p, n);
    print_dense_begin(p);
    print_resume(p, n);
    print_grow(p, n);
    print_dense_end(p);
    return n;
}

bool print_shared_start(struct printer *p, uint32_t n)
{
    lowering *l = p->l;
    struct signature *s = &l->unit->signatures.at[n - 1];
    if (s->entry_count++ == 0)
        return false;
    if (s->entry_count > 2)
        return true;
    bool is_void = type_of(l, result_type(l))->cls == TYPE_VOID;
    const char *ret = is_void ? "" : "return ", *end = is_void ? "; return;" : ";";
    const char *head = arena_printf(
        l->mem, "aw__start_%u(aw_cx *c, void *fp, const aw_code *code%s)", n, poll_params(l));
    const char *cast = declare(l, result_type(l), arena_printf(l->mem, "(*)%s", poll_types(l)));
    print_dense_begin(p);
    print_line(p, "static AW_ENTRY %s", declare(l, result_type(l), head));
    print_line(p, "{");
    print_line(p, "    if (AW_UNLIKELY(AW_MUST_GROW(c, fp, code->need_bytes))) {");
    print_line(p, "        %saw__grow_%u(c, fp, code%s)%s", ret, n, arguments(l, "", false), end);
    print_line(p, "    }");
    print_line(p, "    %s((%s)code->poll)(c, fp, 0%s);", ret, cast, arguments(l, "", false));
    print_line(p, "}");
    print_dense_end(p);
    return true;
}
