/* SPDX-License-Identifier: MIT */
/*
 * Text of nodes, names of kinds, and the dump of a tree. The dump walks with a stack of its own: a
 * chain of binary operators is as deep as it is long. Its indentation stops growing at 40 levels.
 */
#include "analyzer/syntax/ast.h"

#include "analyzer/base/check.h"

enum { DUMP_MAX_INDENT = 40 };

strview ast_text(const ast_function *fn, uint32_t first, uint32_t last)
{
    if (first >= last || last > fn->token_count)
        return (strview){"", 0};
    uint32_t begin = fn->tokens[first].begin;
    return (strview){fn->buffer.at + begin, fn->tokens[last - 1].end - begin};
}

strview ast_node_text(const ast_function *fn, const ast_node *n)
{
    return ast_text(fn, n->first, n->last);
}

strview ast_token_text(const ast_function *fn, uint32_t token)
{
    const struct token *t = &fn->tokens[token];
    return (strview){fn->buffer.at + t->begin, t->end - t->begin};
}

static const char *const kind_names[] = {
#define AST(kind, children) #kind,
#include "analyzer/syntax/ast_kinds.def"
#undef AST
};

static const char *const op_names[] = {
    [OP_NONE] = "",         [OP_ADDR] = "&",
    [OP_DEREF] = "*",       [OP_PLUS] = "+",
    [OP_MINUS] = "-",       [OP_BITNOT] = "~",
    [OP_NOT] = "!",         [OP_REAL] = "__real__",
    [OP_IMAG] = "__imag__", [OP_EXTENSION] = "__extension__",
    [OP_MUL] = "*",         [OP_DIV] = "/",
    [OP_MOD] = "%",         [OP_ADD] = "+",
    [OP_SUB] = "-",         [OP_SHL] = "<<",
    [OP_SHR] = ">>",        [OP_LT] = "<",
    [OP_GT] = ">",          [OP_LE] = "<=",
    [OP_GE] = ">=",         [OP_EQ] = "==",
    [OP_NE] = "!=",         [OP_AND] = "&",
    [OP_XOR] = "^",         [OP_OR] = "|",
    [OP_ASSIGN] = "=",      [OP_INC] = "++",
    [OP_DEC] = "--",        [OP_DOT] = ".",
    [OP_ARROW] = "->",
};

static const char *const form_names[] = {
    [FORM_SPAWN] = "spawn",
    [FORM_SPAWN_ON] = "spawn_on",
    [FORM_ALL] = "all",
    [FORM_TRY_ALL] = "try_all",
    [FORM_RACE] = "race",
    [FORM_TIMEOUT] = "timeout",
    [FORM_BLOCKING] = "blocking",
    [FORM_COMPUTE] = "compute",
    [FORM_BLOCK_ON] = "block_on",
    [FORM_RUNTIME_BLOCK_ON] = "runtime_block_on",
    [FORM_SCOPE_SPAWN] = "scope_spawn",
};

const char *ast_kind_name(enum ast_kind kind)
{
    AWC_ASSERT((size_t)kind < COUNTOF(kind_names));
    return kind_names[kind];
}

bool ast_is_expression(enum ast_kind kind)
{
    return kind <= AST_FORM;
}

bool ast_is_statement(enum ast_kind kind)
{
    return (kind >= AST_COMPOUND && kind < AST_KIND_COUNT) || kind == AST_STATIC_ASSERT;
}

static void dump_node(const ast_function *fn, const ast_node *n, uint32_t depth, strbuf *out)
{
    for (uint32_t i = 0; i < depth && i < DUMP_MAX_INDENT; i++)
        strbuf_str(out, "  ");
    if (n == NULL) {
        strbuf_str(out, "-\n");
        return;
    }
    strbuf_str(out, ast_kind_name(n->kind));
    if (n->kind == AST_FORM)
        strbuf_fmt(out, " %s", form_names[n->op]);
    else if (n->op != OP_NONE)
        strbuf_fmt(out, " %s", op_names[n->op]);
    uint32_t shown = n->name_token != UINT32_MAX ? n->name_token : n->first;
    if (n->first < n->last && shown < fn->token_count) {
        strbuf_str(out, " `");
        strbuf_sv(out, ast_token_text(fn, shown));
        strbuf_char(out, '`');
    }
    if (n->type != TYPE_NONE)
        strbuf_fmt(out, " type=%u", (unsigned)n->type);
    if (n->converted != TYPE_NONE)
        strbuf_fmt(out, " converted=%u", (unsigned)n->converted);
    strbuf_char(out, '\n');
}

void ast_dump(const ast_function *fn, const ast_node *n, strbuf *out)
{
    struct pending {
        const ast_node *node;
        uint32_t depth;
    };
    VEC(struct pending) stack = {0};
    VEC_PUSH(out->mem, &stack, (struct pending){n, 0});
    while (stack.count != 0) {
        struct pending next = stack.at[--stack.count];
        dump_node(fn, next.node, next.depth, out);
        if (next.node == NULL)
            continue;
        for (uint32_t i = next.node->kid_count; i-- > 0;)
            VEC_PUSH(out->mem, &stack, (struct pending){next.node->kid[i], next.depth + 1});
    }
}

bool ast_has_call(const ast_node *n)
{
    if (n->kind == AST_CALL)
        return true;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] != NULL && ast_has_call(n->kid[i]))
            return true;
    }
    return false;
}

uint32_t ast_sorted_kids(arena *mem, const ast_node *n, ast_node ***out)
{
    ast_node **kids = ARENA_ARRAY(mem, ast_node *, n->kid_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < n->kid_count; i++) {
        if (n->kid[i] == NULL)
            continue;
        uint32_t k = count++;
        for (; k > 0 && kids[k - 1]->first > n->kid[i]->first; k--)
            kids[k] = kids[k - 1];
        kids[k] = n->kid[i];
    }
    *out = kids;
    return count;
}

/* The first of these tokens that stands in no attribute; UINT32_MAX: none. */
static uint32_t find_in_tag(const ast_function *fn, const ast_node *tag, const char *a,
                            const char *b)
{
    uint32_t depth = 0; /* attributes hold braces and colons, too */
    for (uint32_t t = tag->first; t < tag->last; t++) {
        strview text = ast_token_text(fn, t);
        depth += sv_is(text, "(") || sv_is(text, "[");
        depth -= sv_is(text, ")") || sv_is(text, "]");
        if (depth == 0 && (sv_is(text, a) || sv_is(text, b)))
            return t;
    }
    return UINT32_MAX;
}

bool ast_tag_has_body(const ast_function *fn, const ast_node *tag)
{
    return find_in_tag(fn, tag, "{", "<%") != UINT32_MAX;
}

uint32_t ast_tag_behind_name(const ast_function *fn, const ast_node *tag)
{
    uint32_t body = find_in_tag(fn, tag, "{", "<%"), colon = find_in_tag(fn, tag, ":", ":");
    return colon < body ? colon : body; /* enum : long { ... } */
}

const ast_decl *ast_visible_decl(const ast_function *fn, strview name, uint32_t token)
{
    const ast_decl *found = NULL;
    for (size_t i = 0; i < fn->decls.count; i++) {
        const ast_decl *d = fn->decls.at[i];
        bool is_ordinary = d->kind != DECL_TAG && d->kind != DECL_LABEL && d->kind != DECL_FIELD;
        const ast_node *scope = d->scope == NULL ? NULL : d->scope->node;
        if (is_ordinary && scope != NULL && d->visible_from <= token && token < scope->last &&
            sv_equal(d->name, name) && (found == NULL || d->visible_from >= found->visible_from))
            found = d;
    }
    return found;
}
