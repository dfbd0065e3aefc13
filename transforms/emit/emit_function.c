/* SPDX-License-Identifier: MIT */
/*
 * What does an async function become as a whole? In this order, so that a reader meets what a name
 * means before its use: the frame, the states, the table of awaits, the state machine (__poll), and
 * the ways into it: __resume for the runtime, __entry (with the cold __grow) for callers that do
 * not know the frame; then the user's own name for it, so that pointers to it stay plain C
 * pointers.
 */
#include "analyzer/base/check.h"
#include "transforms/emit/emit.h"

static type_id result_type(lowering *l)
{
    return type_of(l, type_of(l, l->fn->type)->elem)->unqualified;
}

static bool returns_void(lowering *l)
{
    return type_of(l, result_type(l))->cls == TYPE_VOID;
}

static const char *param_name(lowering *l, uint32_t i)
{
    const ast_decl *d = l->fn->params.at[i];
    if (d->name.len == 0)
        return arena_printf(l->mem, "aw__p%u", i + 1);
    if (d->local != UINT32_MAX && l->plan[d->local].c_name != NULL)
        return l->plan[d->local].c_name;
    return arena_strndup(l->mem, d->name.at, d->name.len);
}

static type_id param_type(lowering *l, uint32_t i)
{
    return type_of(l, l->fn->params.at[i]->type)->unqualified;
}

/* ---- the frame
 * ---------------------------------------------------------------------------------------- */

void find_over_aligned(lowering *l)
{
    for (uint32_t i = 0; i < l->locals.count; i++)
        l->is_over_aligned |=
            l->plan[i].place != PLACE_PLAIN && own_alignment(l, l->locals.at[i])[0] != '\0';
}

static void print_field(struct printer *p, uint32_t local, const char *indent)
{
    lowering *l = p->l;
    const struct local_plan *plan = &l->plan[local];
    const struct type *t = type_of(l, l->locals.at[local]->type);
    indent = arena_printf(l->mem, "%s%s", indent, own_alignment(l, l->locals.at[local]));
    if (plan->is_bytes)
        print_line(
            p, "%sunsigned char %s[%llu] __attribute__((__aligned__(%llu)));", indent, plan->field,
            (unsigned long long)t->size_bytes - (fault_planted(FAULT_SLOT_TOO_SMALL) ? 4 : 0),
            (unsigned long long)t->align_bytes);
    else
        print_line(p, "%s%s;", indent,
                   type_declare(l->unit->types, l->mem, l->locals.at[local]->type, plan->field));
}

static void print_slots(struct printer *p, const char *child)
{
    lowering *l = p->l;
    for (uint32_t i = 0; i < l->layout->slot_count; i++) {
        const struct frame_slot *slot = &l->layout->slots[i];
        if (i == l->tail_slot)
            print_line(p, "    char aw__child[%s] __attribute__((__aligned__(8))); /* its room */",
                       child);
        if (slot->local_count == 1) {
            print_field(p, slot->locals[0], "    ");
            continue;
        }
        print_line(p, "    __extension__ union { /* never needed together */");
        for (uint32_t k = 0; k < slot->local_count; k++)
            print_field(p, slot->locals[k], "        ");
        print_line(p, "    };");
    }
}

static const char *point_need(lowering *l, const struct point *point)
{
    switch (point->kind) {
    case POINT_CALL:
        return child_need(l, &point->call);
    case POINT_POOL:
        return "AW_POOL_NEED";
    case POINT_SCOPE_ENTER:
    case POINT_SCOPE_LEAVE:
        return "AW_SCOPE_NEED";
    case POINT_GROUP:
        break;
    }
    strbuf rooms = strbuf_in(l->mem);
    bool times = point->form == FORM_TIMEOUT;
    strbuf_fmt(&rooms, "AW_GROUP_NEED(%u, %s", point->branch_count + (times ? 1u : 0u),
               times ? "AW_ROUND_UP(AW_SLEEP_NEED, 16)" : "0");
    for (uint32_t i = 0; i < point->branch_count && !fault_planted(FAULT_NEED_WITHOUT_BRANCHES);
         i++)
        strbuf_fmt(&rooms, " + AW_ROUND_UP(%s, 16)", child_need(l, &point->branches[i].call));
    strbuf_char(&rooms, ')');
    return strbuf_text(&rooms);
}

/* The need of the function as a chain of constants, each the larger of two. */
/* Does the call use no more behind the frame than it says, with a pointer's alignment? */
static bool has_exact_room(const struct point *p)
{
    if (p->kind != POINT_CALL)
        return false;
    const struct call *c = &p->call;
    if (c->measured != NULL && c->measured->is_emitted)
        return c->measured->keeps_to_room && c->measured->layout->align_bytes <= 8 &&
               !c->measured->is_over_aligned;
    return c->function != NULL && c->measured == NULL && c->function->leaf_need_bytes > 0;
}

/*
 * A last slot of at most 4 bytes would be followed by as much padding; where every callee keeps to
 * a known room, the slot goes behind that room, and the padding is saved.
 */
static void find_tail_slot(lowering *l)
{
    l->tail_slot = AIR_NONE;
    l->keeps_to_room = true;
    for (size_t i = 0; i < l->points.count + l->calls.count; i++) {
        size_t count = l->points.count;
        l->keeps_to_room &= has_exact_room(i < count ? l->points.at[i] : l->calls.at[i - count]);
    }
    if (!l->keeps_to_room)
        return;
    if (l->layout->slot_count == 0 || l->points.count == 0 || l->stores_why || l->is_over_aligned)
        return;
    const struct frame_slot *last = &l->layout->slots[l->layout->slot_count - 1];
    uint64_t end = last->offset_bytes + last->size_bytes;
    if (last->size_bytes > 4 || last->align_bytes > 4 || end % 8 == 0 || end % 8 > 4 ||
        l->layout->align_bytes > 8 || last->local_count != 1)
        return;
    l->tail_slot = l->layout->slot_count - 1;
}

/* The children's room as a chain of constants, each the larger of two; the name of the last. */
static const char *print_child_needs(struct printer *p)
{
    lowering *l = p->l;
    const char *previous = "AW_LEAF_ROOM";
    VEC(const char *) seen = {0};
    for (size_t i = 0; i < l->points.count + l->calls.count; i++) {
        size_t count = l->points.count;
        const char *need = point_need(l, i < count ? l->points.at[i] : l->calls.at[i - count]);
        bool known = strcmp(need, "AW_LEAF_ROOM") == 0;
        for (size_t k = 0; k < seen.count; k++)
            known |= strcmp(seen.at[k], need) == 0;
        if (known)
            continue;
        VEC_PUSH(l->mem, &seen, need);
        const char *name = arena_printf(l->mem, "%s__child_%zu", l->name, seen.count);
        print_line(p, "enum { %s = AW_MAX(%s, %s) };", name, previous, need);
        previous = name;
    }
    return previous;
}

static void print_need(struct printer *p, const char *child)
{
    lowering *l = p->l;
    const char *frame = arena_printf(l->mem, "sizeof(struct %s__frame) + %s", l->name, child);
    if (l->tail_slot != AIR_NONE) {
        const char *field = l->plan[l->layout->slots[l->tail_slot].locals[0]].field;
        frame = arena_printf(l->mem, "AW_END(struct %s__frame, %s)", l->name, field);
    }
    if (l->fn->params.count > 0 && l->needs_entry)
        frame = arena_printf(l->mem, "AW_MAX(%s, sizeof(struct aw__args_%u))", frame, l->signature);
    if (!returns_void(l))
        frame = arena_printf(l->mem, "AW_MAX(%s, AW_RESULT_NEED(%s))", frame,
                             declare(l, result_type(l), ""));
    print_line(p, "enum { %s__need = %s };", l->name, frame);
}

static void print_frame(struct printer *p, const char *child)
{
    lowering *l = p->l;
    bool unpacks = l->unit->packs; /* or the frame would lose the alignment of what it holds */
    if (unpacks) {
        print_line(p, "#pragma pack(push)");
        print_line(p, "#pragma pack()");
    }
    print_line(p, "struct %s__frame {", l->name);
    print_line(p, "    aw_frame aw__head;");
    print_slots(p, child);
    if (l->stores_why) {
        print_line(p, "    unsigned aw__why;");
        if (!returns_void(l))
            print_line(p, "    %s;", declare(l, result_type(l), "aw__result"));
    }
    print_line(p, "};");
    if (unpacks)
        print_line(p, "#pragma pack(pop)");
}

static void print_states(struct printer *p)
{
    lowering *l = p->l;
    if (l->points.count == 0)
        return;
    strbuf out = strbuf_in(l->mem);
    strbuf_fmt(&out, "enum %s__state { ", l->name);
    for (size_t i = 0; i < l->points.count; i++)
        strbuf_fmt(&out, "%s%s = %zu", i == 0 ? "" : ", ", state_name(l, l->points.at[i]), i + 1);
    strbuf_str(&out, " };");
    print_line(p, "%s", strbuf_text(&out));
}

static void print_sites(struct printer *p)
{
    lowering *l = p->l;
    bool traces = l->unit->options->traces;
    print_line(p, "static const aw_site %s__site[] = {", l->name);
    if (traces)
        print_line(p, "    { 0, 0, AW_SITE_TRACED, %u, \"%s\", __FILE__, 0 },",
                   lower_line(l, l->fn->root->kid[1]->name_token), l->name);
    for (size_t i = 0; i < l->points.count; i++) {
        const struct point *point = l->points.at[i];
        bool clean = point_hears_cancel(point) && !fault_planted(FAULT_SITE_NOT_CLEAN);
        print_line(
            p, "    { aw__resume_%u, %s, %s%s, %u, \"%s\", __FILE__, (void (*)(void))%s__poll },",
            l->signature, state_name(l, point), clean ? "AW_SITE_CLEAN" : "0",
            traces ? " | AW_SITE_TRACED" : "", lower_line(l, point->node->first), l->name, l->name);
    }
    if (l->needs_entry)
        print_line(
            p,
            "    { aw__resume_%u, AW_RESTART, 0, %u, \"%s\", __FILE__, (void (*)(void))%s__poll },",
            l->signature, lower_line(l, l->fn->root->first), l->name, l->name);
    print_line(p, "};");
    if (l->needs_entry)
        print_line(p,
                   "static const aw_code %s__code = { (void (*)(void))%s__poll, %s__need, "
                   "__alignof__(struct %s__frame), &%s__site[%zu] };",
                   l->name, l->name, l->name, l->name, l->name, l->points.count + traces);
}

/* ---- signatures
 * ------------------------------------------------------------------------------------------ */

/* ", int a, char *b" in the way __poll takes them. */
static const char *poll_params(lowering *l)
{
    strbuf out = strbuf_in(l->mem);
    for (uint32_t i = 0; i < l->fn->params.count; i++) {
        type_id type = param_type(l, i);
        const char *name = param_name(l, i);
        if (passes_by_address(l, type))
            strbuf_fmt(&out, ", const %s",
                       declare(l, type, arena_printf(l->mem, "*aw__by_%s", name)));
        else
            strbuf_fmt(&out, ", %s", declare(l, type, name));
    }
    return strbuf_text(&out);
}

static const char *entry_params(lowering *l)
{
    strbuf out = strbuf_in(l->mem);
    for (uint32_t i = 0; i < l->fn->params.count; i++)
        strbuf_fmt(&out, ", %s", declare(l, param_type(l, i), param_name(l, i)));
    return strbuf_text(&out);
}

static const char *poll_head(lowering *l)
{
    const char *params = arena_printf(
        l->mem, "%s__poll(aw_cx *aw__c, void *aw__fp, unsigned aw__st%s)", l->name, poll_params(l));
    return declare(l, result_type(l), params);
}

/* Attributes of the user's that belong to the code itself. */
static bool is_code_attribute(strview text)
{
    static const char *const names[] = {"noinline", "noclone",       "noipa",    "hot",
                                        "cold",     "optimize",      "target",   "no_sanitize",
                                        "flatten",  "no_instrument", "no_stack", "stack_protect"};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (memmem(text.at, text.len, names[i], strlen(names[i])) != NULL)
            return true;
    }
    return false;
}

/* Attributes that are not the function's to keep: of its type, which is spelled with them, or
 * against its noinline parts. */
static bool is_dropped_attribute(strview text)
{
    static const char *const names[] = {"always_inline", "gnu_inline",      "vector_size", "mode(",
                                        "__mode__",      "ext_vector_type", "section"};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        if (memmem(text.at, text.len, names[i], strlen(names[i])) != NULL)
            return true;
    }
    return false;
}

/* The end of the attribute that starts at `at`: a comma or the closing parenthesis. */
static size_t attribute_end(strview list, size_t at)
{
    int depth = 0;
    for (; at < list.len; at++) {
        char c = list.at[at];
        if (c == '"') {
            for (at++; at < list.len && list.at[at] != '"'; at++)
                at += list.at[at] == '\\';
            continue;
        }
        if (depth == 0 && (c == ',' || c == ')'))
            break;
        depth += (c == '(') - (c == ')');
    }
    return at;
}

/* Those of `__attribute__((a, b(1)))` that are for the code, or for the symbol. */
static void add_attributes(strbuf *out, strview text, bool of_code)
{
    size_t at = 0;
    for (int open = 0; open < 2 && at < text.len; at++)
        open += text.at[at] == '(';
    while (at < text.len && text.at[at] != ')') {
        size_t end = attribute_end(text, at);
        strview one = {text.at + at, end - at};
        if (one.len > 0 && !is_dropped_attribute(one) && is_code_attribute(one) == of_code)
            strbuf_fmt(out, "__attribute__((%.*s)) ", SV_ARG(one));
        at = end < text.len && text.at[end] == ',' ? end + 1 : end;
    }
}

static const char *attributes(lowering *l, bool of_code)
{
    strbuf out = strbuf_in(l->mem);
    if (l->known != NULL && l->known->section != NULL) /* of whichever declaration */
        strbuf_fmt(&out, "__attribute__((__section__(\"%s\"))) ", l->known->section);
    for (int part = 0; part < 2; part++) {
        const ast_node *n = l->fn->root->kid[part];
        for (uint32_t i = 0; n != NULL && i < n->kid_count; i++) {
            const ast_node *k = n->kid[i];
            if (k == NULL || k->kind != AST_ATTRIBUTE)
                continue;
            strview text = ast_node_text(l->fn, k);
            if (text.at[0] != '[')
                add_attributes(&out, text, of_code);
        }
    }
    return strbuf_text(&out);
}

/* ---- the state machine
 * -------------------------------------------------------------------------------------- */

static void print_dispatch(struct printer *p)
{
    lowering *l = p->l;
    if (l->points.count == 0) {
        print_text(p, "(void)aw__c; (void)aw__f; (void)aw__st;");
        return;
    }
    bool cleans = l->cleanups.count > 0; /* then a state may come with AW_CANCEL */
    for (size_t i = 0; i < l->points.count; i++)
        cleans |= point_hears_cancel(l->points.at[i]);
    print_fmt(p, "if (AW_UNLIKELY(aw__st != 0)) switch (aw__st%s) {",
              cleans ? " & ~AW_CANCEL" : "");
    for (size_t i = 0; i < l->points.count; i++)
        print_fmt(p, "case %s: goto aw__at_%zu;", state_name(l, l->points.at[i]),
                  fault_planted(FAULT_STATE_WRONG) && i == 2 ? i : i + 1);
    print_text(p, "default: __builtin_unreachable(); }");
}

/* Parameters that live in the frame, or came by address. */
static void print_param_stores(struct printer *p)
{
    lowering *l = p->l;
    for (uint32_t i = 0; i < l->fn->params.count; i++) {
        const ast_decl *d = l->fn->params.at[i];
        if (d->local == UINT32_MAX || d->name.len == 0)
            continue;
        const char *name = param_name(l, i);
        bool by_address = passes_by_address(l, param_type(l, i));
        if (fault_planted(by_address ? FAULT_PARAM_BY_ADDRESS_NOT_COPIED : FAULT_PARAM_NOT_STORED))
            continue;
        const char *value = by_address ? arena_printf(l->mem, "*aw__by_%s", name) : name;
        if (l->plan[d->local].place == PLACE_RESIDENT)
            print_text(p, assign_text(l, param_type(l, i),
                                      arena_printf(l->mem, "aw__f->%s", l->plan[d->local].field),
                                      value));
        else if (by_address)
            print_text(p, assign_text(l, param_type(l, i), name, value));
    }
}

/* What the bounds of parameters do when the function starts. */
static void print_bounds(struct printer *p)
{
    for (uint32_t i = 0; i < p->l->fn->params.count; i++) {
        ast_node *bound = param_bound(p->l, i);
        if (bound == NULL)
            continue;
        print_text(p, "(void)(");
        print_node(p, bound);
        print_text(p, ");");
    }
}

static void print_address_params(struct printer *p)
{
    lowering *l = p->l;
    for (uint32_t i = 0; i < l->fn->params.count; i++) {
        const ast_decl *d = l->fn->params.at[i];
        if (!passes_by_address(l, param_type(l, i)))
            continue;
        if (d->name.len == 0 ||
            (d->local != UINT32_MAX && l->plan[d->local].place == PLACE_RESIDENT)) {
            if (d->name.len == 0)
                print_fmt(p, "(void)aw__by_%s;", param_name(l, i));
            continue;
        }
        print_fmt(p, "%s;", declare(l, param_type(l, i), param_name(l, i)));
    }
}

static bool uses_func_name(const ast_node *n)
{
    if (n->kind == AST_FUNC_NAME)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && uses_func_name(n->kid[i]))
            return true;
    }
    return false;
}

static bool has_way(lowering *l, enum exit_kind kind)
{
    for (size_t i = 0; i < l->ways.count; i++) {
        if (l->ways.at[i]->kind == kind)
            return true;
    }
    return false;
}

/* Reports that the machine is entered and, on every way out, that it is left. */
static void print_trace(struct printer *p)
{
    if (p->l->unit->options->traces)
        print_fmt(p,
                  "__attribute__((__cleanup__(aw_trace_leave))) aw_trace aw__trace = { aw__c, "
                  "(aw_frame *)aw__fp, %s__site, aw__st }; aw_trace_enter(&aw__trace);",
                  p->l->name);
}

static void print_declarations(struct printer *p)
{
    lowering *l = p->l;
    print_trace(p);
    if (uses_func_name(l->fn->root->kid[2]))
        print_fmt(p, "static const char aw__func[] = \"%s\";", l->name);
    if (l->ways.count > 0 && !l->stores_why)
        print_text(p, "unsigned aw__why;");
    if (has_way(l, EXIT_RETURN) && !returns_void(l) && !l->stores_why)
        print_fmt(p, "%s;", declare(l, result_type(l), "aw__result"));
    if (l->cleanups.count > 0 && l->ways.count == 0 && !l->stores_why)
        print_text(p, "unsigned aw__why; (void)aw__why;");
    for (size_t i = 0; i < l->locals.count; i++) {
        const ast_decl *d = l->locals.at[i];
        if (decl_is_temp(d) && d->declarator != NULL && l->plan[i].place != PLACE_RESIDENT &&
            type_of(l, d->type)->before != NULL)
            print_fmt(p, "%s;",
                      type_declare(l->unit->types, l->mem, d->type,
                                   arena_strndup(l->mem, d->name.at, d->name.len)));
    }
    print_address_params(p);
}

static void print_poll(struct printer *p)
{
    lowering *l = p->l;
    ast_node *body = l->fn->root->kid[2];
    print_at(p, l->fn->root->first);
    /* where others come in through __entry, one copy of the machine is enough */
    const char *copies = l->has_label_addresses ? "__attribute__((__noinline__, __noclone__)) "
                         : l->needs_entry       ? "__attribute__((__noinline__)) "
                                                : "";
    print_fmt(p, "%sstatic %s%s", attributes(l, true), copies, poll_head(l));
    print_fmt(p, "{ struct %s__frame *const aw__f = (struct %s__frame *)aw__fp;", l->name, l->name);
    print_declarations(p);
    print_dispatch(p);
    print_param_stores(p);
    print_bounds(p);
    print_node(p, body);
    const char *zero = zero_value(l, result_type(l));
    if (fault_planted(FAULT_CLEANUP_NOT_ON_CANCEL))
        print_text(p, "aw__left: __attribute__((__unused__));");
    print_fmt(p, "return %s;", zero);
    if (has_way(l, EXIT_RETURN))
        print_fmt(p, "aw__return: return %s;",
                  returns_void(l) ? ""
                  : l->stores_why ? "aw__f->aw__result"
                                  : "aw__result");
    if (l->points.count > 0)
        print_fmt(p, "aw__pend: AW_SUSPEND(aw__c, &aw__f->aw__head); return %s;", zero);
    print_text(p, "}");
}

/* ---- the ways in
 * --------------------------------------------------------------------------------------------- */

/* ", a, &b": the entry's parameters as __poll takes them, large structs by address. */
static const char *entry_arguments(lowering *l)
{
    strbuf out = strbuf_in(l->mem);
    for (uint32_t i = 0; i < l->fn->params.count; i++)
        strbuf_fmt(&out, ", %s%s", passes_by_address(l, param_type(l, i)) ? "&" : "",
                   param_name(l, i));
    return strbuf_text(&out);
}

/* An alias must be in the section of what it names. */
static const char *section_attribute(lowering *l)
{
    const char *text = attributes(l, false);
    return strstr(text, "section") != NULL ? attributes(l, true) : "";
}

/* Is every room that a caller gives aligned for the frame? */
static bool needs_no_alignment(lowering *l)
{
    return l->layout->align_bytes <= clang_unit_pointer_bytes(l->unit->clang) &&
           !l->is_over_aligned && (!l->stores_why || returns_void(l));
}

static void print_entry_body(struct printer *p)
{
    lowering *l = p->l;
    const char *ret = returns_void(l) ? "" : "return ";
    const char *end = returns_void(l) ? "; return;" : ";";
    print_line(p,
               "    if (AW_UNLIKELY(AW_MUST_GROW(aw__c, aw__fp, %s__need + AW_SLACK(struct "
               "%s__frame)))) {",
               l->name, l->name);
    print_line(p, "        %saw__grow_%u(aw__c, aw__fp, &%s__code%s)%s", ret, l->signature, l->name,
               entry_arguments(l), end);
    print_line(p, "    }");
    print_line(p, "    %s%s__poll(aw__c, AW_ALIGN_FRAME(aw__fp, struct %s__frame), 0%s);", ret,
               l->name, l->name, entry_arguments(l));
}

static void print_entry(struct printer *p)
{
    lowering *l = p->l;
    bool shares = needs_no_alignment(l) && print_shared_start(p, l->signature);
    print_dense_begin(p);
    const char *head =
        arena_printf(l->mem, "%s__entry(aw_cx *aw__c, void *aw__fp%s)", l->name, entry_params(l));
    print_line(p, "static AW_ENTRY %s%s", section_attribute(l), declare(l, result_type(l), head));
    print_line(p, "{");
    if (shares)
        print_line(p, "    %saw__start_%u(aw__c, aw__fp, &%s__code%s);",
                   returns_void(l) ? "" : "return ", l->signature, l->name, entry_arguments(l));
    else
        print_entry_body(p);
    print_line(p, "}");
    print_dense_end(p);
}

/* A parameter in the type that the rest of the file knows the function by. A size that is computed
 * can only be written as the user wrote it, with the parameters that it names. */
static const char *declared_param(lowering *l, uint32_t i, bool as_written)
{
    const ast_node *n = l->fn->params.at[i]->declarator;
    while (n != NULL && n->kind != AST_PARAM)
        n = n->parent;
    if (!as_written || n == NULL)
        return declare(l, param_type(l, i), "");
    strbuf out = strbuf_in(l->mem);
    for (uint32_t t = n->first; t < n->last; t++) {
        if (!sv_is(ast_token_text(l->fn, t), "__awaitc_async__"))
            strbuf_fmt(&out, "%.*s ", SV_ARG(ast_token_text(l->fn, t)));
    }
    return strbuf_text(&out);
}

static bool has_variable_param(const lowering *l)
{
    for (uint32_t i = 0; i < l->fn->params.count; i++) {
        if (type_of(l, l->fn->params.at[i]->type)->is_variable)
            return true;
    }
    return false;
}

/* "static int f(struct s *)": how the rest of the file knows the function. */
static const char *own_declaration(lowering *l)
{
    bool as_written = has_variable_param(l);
    strbuf params = strbuf_in(l->mem);
    strbuf_fmt(&params, "%s(", l->name);
    for (uint32_t i = 0; i < l->fn->params.count; i++)
        strbuf_fmt(&params, "%s%s", i == 0 ? "" : ", ", declared_param(l, i, as_written));
    strbuf_str(&params, l->fn->params.count == 0 ? "void)" : ")");
    return arena_printf(l->mem, "%s%s %s", l->fn->is_static ? "static " : "", attributes(l, false),
                        declare(l, type_of(l, l->fn->type)->elem, strbuf_text(&params)));
}

/* The body takes the function's own address: its name must be known there. */
static void print_own_name(struct printer *p)
{
    lowering *l = p->l;
    strview body = ast_node_text(l->fn, l->fn->root->kid[2]);
    if (l->needs_entry && !l->is_main && count_words(body, l->fn->name) > 0)
        print_line(p, "%s;", own_declaration(l));
}

/* The user's name: an alias, with the type that the rest of the file knows it by. */
static void print_alias(struct printer *p)
{
    lowering *l = p->l;
    print_line(p, "%s __attribute__((__alias__(\"%s__entry\")%s));", own_declaration(l), l->name,
               l->fn->is_static ? ", __unused__" : "");
}

static void print_main(struct printer *p)
{
    lowering *l = p->l;
    bool has_args = l->fn->params.count == 2;
    print_dense_begin(p);
    print_line(p, "static void main__start(aw_cx *c, void *fp, void *args)");
    print_line(p, "{");
    if (has_args)
        print_line(p, "    struct main__spawned { int argc; char **argv; } *a = (struct "
                      "main__spawned *)args;");
    else
        print_line(p, "    (void)args;");
    print_line(p, "    int v = main__entry(c, fp%s);", has_args ? ", a->argc, a->argv" : "");
    print_line(p, "    if (c->pending == 0) {");
    print_line(p, "        *AW_RESULT(fp, int) = v;");
    print_line(p, "        c->ret = AW_RESULT(fp, int);");
    print_line(p, "    }");
    print_line(p, "}");
    print_line(p, "int main(%s)", has_args ? "int argc, char **argv" : "void");
    print_line(p, "{");
    if (has_args)
        print_line(p, "    struct { int argc; char **argv; } a = {argc, argv};");
    print_line(
        p,
        "    static const aw_spawn_site site = {main__start, %s, sizeof(void *), sizeof(int), "
        "%u, main__need + 32, \"main\", __FILE__, 0, 0};",
        has_args ? "sizeof(struct { int argc; char **argv; })" : "0",
        lower_line(l, l->fn->root->first));
    print_line(p, "    return aw_main_site(&site, %s);", has_args ? "&a" : "0");
    print_line(p, "}");
    print_dense_end(p);
}

/* ---- the region
 * ---------------------------------------------------------------------------------------------- */

static void print_callees(struct printer *p)
{
    lowering *l = p->l;
    for (size_t i = 0; i < l->points.count; i++) {
        struct point *point = l->points.at[i];
        if (point->kind == POINT_CALL)
            declare_callee(p, &point->call);
        for (uint32_t b = 0; b < point->branch_count; b++) {
            if (point->branches[b].call.node != NULL)
                declare_callee(p, &point->branches[b].call);
        }
    }
    for (size_t i = 0; i < l->spawns.count; i++)
        declare_callee(p, &l->spawns.at[i]->call);
}

/* A struct or enum that the function's own result type defines. */
static void print_result_tag(struct printer *p)
{
    ast_node *specifiers = p->l->fn->root->kid[0];
    for (uint32_t i = 0; i < specifiers->kid_count; i++) {
        ast_node *k = specifiers->kid[i];
        if (k != NULL && k->kind == AST_TAG_DEF && ast_tag_has_body(p->l->fn, k)) {
            print_node(p, k);
            print_text(p, ";");
        }
    }
}

static void emit_async(struct printer *p)
{
    lowering *l = p->l;
    print_result_tag(p);
    print_callees(p);
    forms_print_prelude(p);
    if (l->points.count > 0 || l->needs_entry)
        l->signature = print_signature(p);
    find_tail_slot(l);
    const char *child = print_child_needs(p);
    print_frame(p, child);
    print_need(p, child);
    print_states(p);
    print_line(p, "static %s;", poll_head(l));
    if (l->points.count > 0 || l->needs_entry || l->unit->options->traces)
        print_sites(p);
    print_own_name(p);
    print_poll(p);
    if (l->needs_entry)
        print_entry(p);
    if (l->is_main)
        print_main(p);
    else if (l->needs_entry)
        print_alias(p);
}

void emit_region(lowering *l, strbuf *out)
{
    struct printer p = {
        .l = l, .out = strbuf_in(l->mem), .previous = UINT32_MAX, .at_line_start = true};
    for (size_t i = 0; i < l->hidden_types.count; i++)
        print_line(&p, "typedef %s %s;", l->hidden_types.at[i].type, l->hidden_types.at[i].alias);
    if (l->is_async) {
        emit_async(&p);
    } else {
        print_callees(&p);
        forms_print_prelude(&p);
        print_at(&p, l->fn->root->first);
        print_node(&p, l->fn->root);
    }
    if (!p.at_line_start)
        strbuf_char(&p.out, '\n');
    strbuf_sv(out, strbuf_view(&p.out));
    l->is_emitted = true;
}
