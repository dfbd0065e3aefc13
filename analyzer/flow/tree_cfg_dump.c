/* SPDX-License-Identifier: MIT */
/*
 * Prints a tree_cfg as text for tests, one block a line:
 *
 *     1: f; p; f(p) -> 2 if f(p), 3 if not f(p)
 */
#include "analyzer/flow/tree_cfg.h"

static void print_name(const tree_cfg *g, const ast_node *n, strbuf *out)
{
    if (n->name_token != UINT32_MAX)
        strbuf_sv(out, ast_token_text(g->fn, n->name_token));
}

static void print_item(const tree_cfg *g, const struct tree_item *item, strbuf *out)
{
    static const char *const words[TREE_ITEM_KIND_COUNT] = {
        [TREE_EXPR] = "",         [TREE_DECL] = "decl ",       [TREE_ASM] = "asm",
        [TREE_RETURN] = "return", [TREE_CLEANUP] = "cleanup ", [TREE_SCOPE_END] = "end",
    };
    strbuf_str(out, words[item->kind]);
    if (item->node->kind == AST_DECLARATOR)
        print_name(g, item->node, out);
    else if (item->node->kind == AST_STMT_EXPR)
        strbuf_str(out, "({})");
    else if (item->kind == TREE_EXPR)
        strbuf_sv(out, ast_node_text(g->fn, item->node));
    else if (item->kind == TREE_SCOPE_END)
        strbuf_str(out, item->node->kind == AST_FOR ? " for" : " {");
}

static void print_case(const tree_cfg *g, const ast_node *label, strbuf *out)
{
    strbuf_str(out, " case ");
    strbuf_sv(out, ast_node_text(g->fn, label->kid[0]));
    if (label->kid[1] == NULL)
        return;
    strbuf_str(out, " ... ");
    strbuf_sv(out, ast_node_text(g->fn, label->kid[1]));
}

static const char *jump_word(const struct tree_edge *e)
{
    if (e->kind == TREE_NORETURN)
        return " noreturn";
    if (e->kind == TREE_CANCEL)
        return " cancel";
    if (e->jump == NULL)
        return "";
    switch (e->jump->kind) {
    case AST_BREAK:
        return " break";
    case AST_CONTINUE:
        return " continue";
    case AST_RETURN:
        return " return";
    default:
        return " goto";
    }
}

static void print_edge(const tree_cfg *g, const struct tree_edge *e, strbuf *out)
{
    strbuf_fmt(out, "%u", e->to);
    if (e->kind == TREE_TRUE || e->kind == TREE_FALSE) {
        strbuf_str(out, e->kind == TREE_TRUE ? " if " : " if not ");
        strbuf_sv(out, ast_node_text(g->fn, e->cond));
    } else if (e->kind == TREE_CASE) {
        print_case(g, e->label, out);
    } else if (e->kind == TREE_DEFAULT) {
        strbuf_str(out, e->label != NULL ? " default" : " no case");
    } else if (e->kind == TREE_COMPUTED) {
        strbuf_str(out, " at ");
        print_name(g, e->label, out);
    }
    strbuf_str(out, jump_word(e));
    if (e->is_back)
        strbuf_char(out, '^');
}

static bool is_minor(const struct tree_item *item)
{
    enum ast_kind kind = item->node->kind;
    return item->kind == TREE_EXPR &&
           (kind == AST_IDENT || kind == AST_NUMBER || kind == AST_CHAR || kind == AST_STRING);
}

static bool is_condition(const tree_cfg *g, const struct tree_item *item)
{
    const struct tree_block *b = &g->blocks[item->block];
    for (uint32_t i = 0; i < b->succ_count; i++) {
        if (g->edges[b->first_succ + i].cond == item->node)
            return true;
    }
    return false;
}

static void print_block(const tree_cfg *g, uint32_t block, bool is_brief, strbuf *out)
{
    const struct tree_block *b = &g->blocks[block];
    strbuf_fmt(out, "%s%u:", tree_cfg_is_reachable(g, block) ? "" : "!", block);
    const char *before = " ";
    for (uint32_t i = b->first_item; i < b->first_item + b->item_count; i++) {
        const struct tree_item *item = &g->items[i];
        if (is_brief && is_minor(item) && !is_condition(g, item))
            continue;
        strbuf_str(out, before);
        print_item(g, item, out);
        before = "; ";
    }
    before = " -> ";
    for (uint32_t i = 0; i < b->succ_count; i++) {
        strbuf_str(out, before);
        print_edge(g, &g->edges[b->first_succ + i], out);
        before = ", ";
    }
    strbuf_char(out, '\n');
}

void tree_cfg_dump(const tree_cfg *g, bool is_brief, strbuf *out)
{
    for (uint32_t block = 0; block < g->block_count; block++)
        print_block(g, block, is_brief, out);
}
