/* SPDX-License-Identifier: MIT */
/*
 * sequential-await: awaits in a row, none of which needs another: their waits add up, where one
 * aw_all would wait as long as the longest. One finding a group, at its second await; the others
 * are notes. The fix joins statements that follow each other directly.
 */
#include "analyzer/base/strbuf.h"
#include "rules/await_window.h"
#include "rules/loop_awaits.h"

struct group {
    VEC(const struct await_site *) sites;
};

struct groups {
    rule_cx *cx;
    VEC(struct group) all;
};

static void note_await(void *context, const struct await_window *w,
                       const struct window_await *first, const struct window_await *second)
{
    struct groups *g = context;
    (void)w;
    for (size_t i = 0; i < g->all.count; i++) {
        if (g->all.at[i].sites.at[0] == first->site) {
            VEC_PUSH(g->cx->mem, &g->all.at[i].sites, second->site);
            return;
        }
    }
    struct group group = {{NULL, 0, 0}};
    VEC_PUSH(g->cx->mem, &group.sites, first->site);
    VEC_PUSH(g->cx->mem, &group.sites, second->site);
    VEC_PUSH(g->cx->mem, &g->all, group);
}

/* ---- the fix ----------------------------------------------------------------------------------
 */

/* A statement that is nothing but one await, whose result may be assigned. */
struct part {
    const ast_node *statement;
    const ast_node *target;     /* an lvalue; NULL */
    const ast_node *declarator; /* or the only one of a declaration; NULL */
};

static const ast_node *statement_of(const ast_node *n)
{
    while (n != NULL && !ast_is_statement(n->kind))
        n = n->parent;
    return n;
}

static bool is_simple_declaration(const ast_node *statement)
{
    if (statement->kid_count != 2 || statement->kid[1]->kind != AST_DECLARATOR)
        return false;
    const ast_decl *d = statement->kid[1]->ref;
    return d != NULL && d->kind == DECL_VAR && d->storage == STORAGE_AUTO && d->cleanup == NULL &&
           statement->kid[1]->kid_count == 1;
}

static bool read_part(rule_cx *cx, const struct await_site *site, struct part *out)
{
    const ast_node *s = statement_of(site->node), *n = NULL;
    *out = (struct part){.statement = s};
    if (s == NULL || s->parent == NULL || s->parent->kind != AST_COMPOUND || site->is_form)
        return false;
    if (s->kind == AST_DECL_STMT && is_simple_declaration(s)) {
        out->declarator = s->kid[1];
        n = out->declarator->kid[0];
        if (sema_decl_type(cx->sema, cx->fn, s->kid[1]->ref)->is_const)
            return false;
    } else if (s->kind == AST_EXPR_STMT) {
        n = sema_strip_parens(s->kid[0]);
        if (n->kind == AST_ASSIGN && n->op == OP_ASSIGN) {
            out->target = n->kid[0];
            n = n->kid[1];
        } else if (n->kind == AST_CAST) {
            n = n->kid[1];
        }
    }
    return n != NULL && sema_strip_parens(n) == site->node;
}

static strview source_text(rule_cx *cx, uint32_t begin, uint32_t end)
{
    return (strview){sema_unit_source(cx->sema).at + begin, end - begin};
}

static bool is_blank(strview text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] != ' ' && text.at[i] != '\t' && text.at[i] != '\n' && text.at[i] != '\r')
            return false;
    }
    return true;
}

/* The indentation of the line on which an offset stands. */
static strview indentation(rule_cx *cx, uint32_t at)
{
    strview source = sema_unit_source(cx->sema);
    uint32_t begin = at;
    while (begin > 0 && source.at[begin - 1] != '\n')
        begin--;
    uint32_t end = begin;
    while (end < at && (source.at[end] == ' ' || source.at[end] == '\t'))
        end++;
    return (strview){source.at + begin, end - begin};
}

/* The end of a declaration's text without its initialiser: behind the name. */
static bool declaration_text(rule_cx *cx, const struct part *p, strview *out)
{
    uint32_t begin, end, init_begin, init_end;
    if (!sema_source_range(cx->sema, cx->fn, p->statement, &begin, &end) ||
        !sema_source_range(cx->sema, cx->fn, p->declarator->kid[0], &init_begin, &init_end))
        return false;
    while (init_begin > begin && sema_unit_source(cx->sema).at[init_begin - 1] != '=')
        init_begin--;
    if (init_begin == begin)
        return false;
    *out = source_text(cx, begin, init_begin - 1);
    while (out->len > 0 && is_blank((strview){out->at + out->len - 1, 1}))
        out->len--;
    return true;
}

/* Writes one branch of the aw_all, and its declaration in front. */
static bool write_part(rule_cx *cx, const struct await_site *site, const struct part *p,
                       strview indent, strbuf *before, strbuf *branches)
{
    uint32_t begin, end;
    if (!sema_source_range(cx->sema, cx->fn, site->operand, &begin, &end))
        return false;
    strview call = source_text(cx, begin, end), target = {"", 0};
    if (p->declarator != NULL) {
        strview declaration;
        if (!declaration_text(cx, p, &declaration))
            return false;
        strbuf_fmt(before, "%.*s;\n%.*s", SV_ARG(declaration), SV_ARG(indent));
        target = p->declarator->ref->name;
    } else if (p->target != NULL) {
        if (!sema_source_range(cx->sema, cx->fn, p->target, &begin, &end))
            return false;
        target = source_text(cx, begin, end);
    }
    if (branches->len > 0)
        strbuf_str(branches, ", ");
    if (target.len > 0)
        strbuf_fmt(branches, "%.*s = ", SV_ARG(target));
    strbuf_sv(branches, call);
    return true;
}

static void add_fix(rule_cx *cx, struct candidate *c, const struct group *g)
{
    strbuf before = strbuf_in(cx->mem), branches = strbuf_in(cx->mem);
    uint32_t first = 0, last = 0;
    strview indent = {"", 0};
    for (size_t i = 0; i < g->sites.count; i++) {
        struct part p;
        uint32_t begin, end;
        if (!read_part(cx, g->sites.at[i], &p) ||
            !sema_source_range(cx->sema, cx->fn, p.statement, &begin, &end))
            return;
        if (i == 0) {
            first = begin;
            indent = indentation(cx, begin);
        } else if (begin < last || !is_blank(source_text(cx, last, begin))) {
            return;
        }
        last = end;
        if (!write_part(cx, g->sites.at[i], &p, indent, &before, &branches))
            return;
    }
    const char *text =
        arena_printf(cx->mem, "%sawait aw_all(%s);", strbuf_text(&before), strbuf_text(&branches));
    rule_fix(cx, c, "run them at the same time with aw_all");
    rule_fix_bytes(cx, c, first, last, text);
}

/* ---- the report -------------------------------------------------------------------------------
 */

static const char *name_of(rule_cx *cx, const struct await_site *site)
{
    if (!site->is_form && site->calls[0].name.len != 0)
        return arena_printf(cx->mem, "%.*s", SV_ARG(site->calls[0].name));
    return sema_text(cx->sema, cx->fn, site->operand, 40);
}

/* The loop whose rounds could all run at once: then that is the finding. */
static bool is_in_independent_loop(rule_cx *cx, const struct await_site *site)
{
    for (const ast_node *n = site->node->parent; n != NULL; n = n->parent) {
        bool is_loop = n->kind == AST_FOR || n->kind == AST_WHILE || n->kind == AST_DO;
        if (is_loop)
            return loop_awaits_site(cx, n) != NULL;
    }
    return false;
}

/* Is the result of an await dropped, or none? */
static bool gives_nothing(rule_cx *cx, const struct await_site *site)
{
    const ast_node *p = site->node->parent;
    while (p != NULL && (p->kind == AST_PAREN || p->kind == AST_CAST))
        p = p->parent;
    return (p != NULL && p->kind == AST_EXPR_STMT) ||
           sema_type(cx->sema, cx->fn, site->node)->cls == CTYPE_VOID;
}

static bool same_callee(const struct await_site *a, const struct await_site *b)
{
    return !a->is_form && !b->is_form && a->calls[0].name.len != 0 &&
           sv_equal(a->calls[0].name, b->calls[0].name);
}

/* set_state(s, BUSY), work(), set_state(s, IDLE): the first and a third one enclose the second. */
static bool is_enclosed(rule_cx *cx, const struct await_site *first,
                        const struct await_site *second)
{
    const struct await_sites *sites = await_sites_of(cx, cx->fn);
    if (!gives_nothing(cx, first) || same_callee(first, second))
        return false;
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct await_site *third = &sites->at[i];
        if (third->node->first > second->node->first && gives_nothing(cx, third) &&
            same_callee(first, third))
            return true;
    }
    return false;
}

static void report(rule_cx *cx, const struct group *g)
{
    const struct await_site *first = g->sites.at[0], *second = g->sites.at[1];
    if (is_in_independent_loop(cx, second) || is_enclosed(cx, first, second))
        return;
    const char *name = name_of(cx, second), *earlier = name_of(cx, first);
    struct candidate *c =
        strcmp(name, earlier) != 0
            ? rule_report(cx, second->node,
                          "'%s' does not need what '%s' gives, but waits until it is done, so that "
                          "their times add up; run both in one 'await aw_all(...)'",
                          name, earlier)
            : rule_report(cx, second->node,
                          "this call of '%s' does not need what the one before gives, but waits "
                          "until it is done, so that their times add up; run both in one 'await "
                          "aw_all(...)'",
                          name);
    rule_leaf(c, name);
    rule_note(cx, c, first->node, "'%s' is awaited here", earlier);
    for (size_t i = 2; i < g->sites.count; i++)
        rule_note(cx, c, g->sites.at[i]->node, "'%s' could wait with them, too",
                  name_of(cx, g->sites.at[i]));
    add_fix(cx, c, g);
}

static void on_function(rule_cx *cx)
{
    struct groups groups = {.cx = cx};
    await_windows_walk(cx, cx->fn, note_await, &groups);
    for (size_t i = 0; i < groups.all.count; i++)
        report(cx, &groups.all.at[i]);
}

const struct rule_calls rule_sequential_await = {.on_function = on_function};
