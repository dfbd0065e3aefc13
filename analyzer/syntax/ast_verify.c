/* SPDX-License-Identifier: MIT */
/*
 * Is the tree what ast.h promises? Three checks: each node lies in its parent, after its elder
 * siblings; it has as many children as its kind has; and each token that stands in a node but in
 * none of its children is one that this kind owns. The last check finds operands that the parser
 * lost: an identifier, literal, await or form must be owned by its own kind of node.
 */
#include "analyzer/base/check.h"
#include "analyzer/syntax/ast_lex.h"

enum { MANY = 1000 };

/* How many children a kind has, entries that may be NULL included. */
static const struct kid_count {
    uint32_t least, most;
} kid_counts[AST_KIND_COUNT] = {
    [AST_PAREN] = {1, 1},         [AST_CALL] = {1, MANY},
    [AST_INDEX] = {2, 2},         [AST_MEMBER] = {1, 1},
    [AST_POSTFIX] = {1, 1},       [AST_PREFIX] = {1, 1},
    [AST_UNARY] = {1, 1},         [AST_AWAIT] = {1, 1},
    [AST_SIZEOF_EXPR] = {1, 1},   [AST_SIZEOF_TYPE] = {1, 1},
    [AST_CAST] = {2, 2},          [AST_COMPOUND_LITERAL] = {2, 2},
    [AST_BINARY] = {2, 2},        [AST_AND_AND] = {2, 2},
    [AST_OR_OR] = {2, 2},         [AST_CONDITIONAL] = {3, 3},
    [AST_ASSIGN] = {2, 2},        [AST_COMMA] = {2, 2},
    [AST_STMT_EXPR] = {1, 1},     [AST_GENERIC] = {1, MANY},
    [AST_GENERIC_ASSOC] = {2, 2}, [AST_VA_ARG] = {2, 2},
    [AST_OFFSETOF] = {1, MANY},   [AST_TYPES_COMPATIBLE] = {2, 2},
    [AST_CHOOSE_EXPR] = {3, 3},   [AST_INIT_LIST] = {0, MANY},
    [AST_DESIGNATED] = {2, MANY}, [AST_DESIG_INDEX] = {2, 2},
    [AST_FORM] = {0, MANY},       [AST_TYPE_NAME] = {2, 2},
    [AST_SPECIFIERS] = {0, MANY}, [AST_TAG_DEF] = {0, MANY},
    [AST_FIELD_DECL] = {1, MANY}, [AST_ENUMERATOR] = {1, 1},
    [AST_TYPEOF] = {1, 1},        [AST_ATOMIC_TYPE] = {1, 1},
    [AST_ALIGNAS] = {1, 1},       [AST_DECLARATOR] = {1, MANY},
    [AST_ARRAY_BOUND] = {1, 1},   [AST_PARAMS] = {0, MANY},
    [AST_PARAM] = {2, 2},         [AST_BIT_WIDTH] = {1, 1},
    [AST_STATIC_ASSERT] = {2, 2}, [AST_FUNCTION] = {3, 3},
    [AST_COMPOUND] = {0, MANY},   [AST_EXPR_STMT] = {1, 1},
    [AST_DECL_STMT] = {1, MANY},  [AST_IF] = {3, 3},
    [AST_WHILE] = {2, 2},         [AST_DO] = {2, 2},
    [AST_FOR] = {4, 4},           [AST_SWITCH] = {2, 2},
    [AST_CASE] = {3, 3},          [AST_DEFAULT] = {1, 1},
    [AST_LABEL] = {1, 1},         [AST_GOTO_COMPUTED] = {1, 1},
    [AST_RETURN] = {1, 1},        [AST_ASM] = {0, MANY},
    [AST_DEFER] = {1, 1},
};

/* Kinds whose own tokens are text that nobody looks into. */
static bool is_opaque(enum ast_kind kind)
{
    return kind == AST_ATTRIBUTE || kind == AST_ASM_LABEL || kind == AST_ASM ||
           kind == AST_PRAGMA || kind == AST_ATTRIBUTE_STMT || kind == AST_NESTED_FUNCTION ||
           kind == AST_LOCAL_LABELS;
}

/* Past the attribute that starts at `token`, or `token` itself. */
static uint32_t skip_attribute(const ast_function *fn, uint32_t token, uint32_t end)
{
    const struct token *t = fn->tokens;
    bool is_gnu = t[token].code == KW_ATTRIBUTE;
    if (!is_gnu && !(t[token].code == P_LBRACKET && t[token + 1].code == P_LBRACKET))
        return token;
    uint32_t open = 0, at = token + is_gnu;
    for (; at < end; at++) {
        uint16_t code = t[at].code;
        if (code == P_LPAREN || code == P_LBRACKET || code == P_LBRACE)
            open++;
        else if ((code == P_RPAREN || code == P_RBRACKET || code == P_RBRACE) && --open == 0)
            return at + 1;
    }
    return end;
}

static const char *check_identifier(const ast_node *n, const struct token *t, uint32_t token)
{
    if (t->code == KW_AWAIT)
        return n->kind == AST_AWAIT && token == n->first ? NULL : "an await without its node";
    if (t->code == KW_DEFER)
        return n->kind == AST_DEFER ? NULL : "a defer without its node";
    if (t->code >= KW_FORM_SPAWN && t->code <= KW_FORM_SCOPE_SPAWN)
        return n->kind == AST_FORM && token == n->first ? NULL : "a form without its node";
    bool is_owned = t->code != 0 || token == n->name_token || n->kind == AST_SPECIFIERS ||
                    n->kind == AST_OFFSETOF;
    return is_owned ? NULL : "an identifier without its node";
}

static const char *check_own_token(const ast_node *n, const struct token *t, uint32_t token)
{
    switch (t->kind) {
    case TOKEN_IDENT:
        return check_identifier(n, t, token);
    case TOKEN_NUMBER:
        return n->kind == AST_NUMBER ? NULL : "a number without its node";
    case TOKEN_CHAR:
        return n->kind == AST_CHAR ? NULL : "a character without its node";
    case TOKEN_STRING:
        return n->kind == AST_STRING ? NULL : "a string without its node";
    case TOKEN_PUNCT:
    case TOKEN_PRAGMA:
        return NULL;
    case TOKEN_END:
        break;
    }
    return "the end inside a node";
}

static const char *check_gap(const ast_function *fn, const ast_node *n, uint32_t from, uint32_t to)
{
    bool is_old_style_part = n->kind == AST_FUNCTION && fn->is_old_style;
    if (is_opaque(n->kind) || is_old_style_part)
        return NULL;
    for (uint32_t t = from; t < to; t++) {
        uint32_t after = skip_attribute(fn, t, to);
        if (after != t) {
            t = after - 1;
            continue;
        }
        const char *wrong = check_own_token(n, &fn->tokens[t], t);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

static const char *check_node(const ast_function *fn, const ast_node *n)
{
    uint32_t at = n->first;
    if (n->kind >= AST_KIND_COUNT)
        return "no such kind";
    if (n->first > n->last || n->last > fn->token_count)
        return "a node's tokens are out of range";
    const struct kid_count *expected = &kid_counts[n->kind];
    if (n->kid_count < expected->least || (n->kid_count > expected->most && expected->most != MANY))
        return "a wrong number of children";
    for (uint32_t i = 0; i < n->kid_count; i++) {
        const ast_node *kid = n->kid[i];
        if (kid == NULL)
            continue;
        if (kid->parent != n)
            return "a child of another parent";
        if (kid->first < at || kid->last > n->last)
            return "a child outside its parent, or out of order";
        const char *wrong = check_gap(fn, n, at, kid->first);
        if (wrong != NULL)
            return wrong;
        at = kid->last;
    }
    return check_gap(fn, n, at, n->last);
}

static const char *check_decls(const ast_function *fn)
{
    for (size_t i = 0; i < fn->decls.count; i++) {
        const ast_decl *d = fn->decls.at[i];
        if (d->id != i)
            return "a declaration with a wrong id";
        if (d->token != UINT32_MAX && d->token >= fn->token_count)
            return "a declaration without its token";
        if (i < fn->params.count && d != fn->params.at[i])
            return "parameters are not the first declarations";
    }
    return NULL;
}

const char *ast_verify(const ast_function *fn)
{
    VEC(const ast_node *) stack = {0};
    if (fn->root == NULL || fn->root->kind != AST_FUNCTION)
        return "the root is no function";
    if (fn->root->first != 0 || fn->root->last != fn->token_count)
        return "the root does not span the region";
    VEC_PUSH(fn->mem, &stack, fn->root);
    while (stack.count != 0) {
        const ast_node *n = stack.at[--stack.count];
        const char *wrong = check_node(fn, n);
        if (wrong != NULL)
            return wrong;
        for (uint32_t i = 0; i < n->kid_count; i++) {
            if (n->kid[i] != NULL)
                VEC_PUSH(fn->mem, &stack, n->kid[i]);
        }
    }
    return check_decls(fn);
}
