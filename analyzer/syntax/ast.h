/* SPDX-License-Identifier: MIT */
/*
 * What does the tool's own syntax tree of a region look like? A region is the preprocessed text of
 * one function, so there are no macros (but protected ones, which look like calls). The parser
 * (ast_parse) keeps every token: printing a node means copying its tokens' text, with replaced
 * children printed in their place. Types and references to file-scope names are filled in later
 * from libclang (annotate).
 *
 *     function:  `async` [specifiers] declarator { body }
 *     node:      kind, op, token range, children in a fixed order per kind (ast_kinds.def)
 *     scope:     one per block, if, switch, loop, function prototype and function; declarations in
 *                order. The function's parameters are in the scope of AST_FUNCTION, whose own
 *                AST_PARAMS has none; what its result's type declares is in a scope without a node
 *
 * Invariants (ast_verify): children lie inside their parent's token range and in ascending order
 * unless ast_kinds.def says otherwise; each identifier token of an expression belongs to exactly
 * one AST_IDENT; each await token to exactly one AST_AWAIT.
 */
#ifndef AWAITC_SYNTAX_AST_H
#define AWAITC_SYNTAX_AST_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/strbuf.h"
#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"
#include "analyzer/ir/types.h"

/* ---- tokens ------------------------------------------------------------------------------- */

enum token_kind {
    TOKEN_END,
    TOKEN_IDENT, /* keywords, too; `keyword` tells */
    TOKEN_NUMBER,
    TOKEN_CHAR,
    TOKEN_STRING, /* with prefix */
    TOKEN_PUNCT,
    TOKEN_PRAGMA /* a whole `#pragma ...` line, or `_Pragma(...)` */
};

struct token {
    uint16_t kind;       /* enum token_kind */
    uint16_t code;       /* a keyword's KW_..., a punctuator's P_... (ast_lex.h); 0 */
    uint32_t begin, end; /* byte offsets in the unit's buffer */
};

/* ---- nodes -------------------------------------------------------------------------------- */

enum ast_kind {
#define AST(kind, children) AST_##kind,
#include "analyzer/syntax/ast_kinds.def"
#undef AST
    AST_KIND_COUNT
};

/* Operators of AST_UNARY, AST_BINARY, AST_ASSIGN, AST_PREFIX, AST_POSTFIX, AST_MEMBER, as written.
 */
enum ast_op {
    OP_NONE,
    OP_ADDR,
    OP_DEREF,
    OP_PLUS,
    OP_MINUS,
    OP_BITNOT,
    OP_NOT,
    OP_REAL,
    OP_IMAG,
    OP_EXTENSION, /* __extension__ that is not an await */
    OP_MUL,
    OP_DIV,
    OP_MOD,
    OP_ADD,
    OP_SUB,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_GT,
    OP_LE,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_AND,
    OP_XOR,
    OP_OR,
    OP_ASSIGN, /* plain =; a compound assignment has the op of its operator (OP_ADD for +=) */
    OP_INC,
    OP_DEC,
    OP_DOT,
    OP_ARROW
};

/* Forms of language.md section 4 that are syntax: AST_FORM's op. */
enum ast_form {
    FORM_SPAWN,
    FORM_SPAWN_ON,
    FORM_ALL,
    FORM_TRY_ALL,
    FORM_RACE,
    FORM_TIMEOUT,
    FORM_BLOCKING,
    FORM_COMPUTE,
    FORM_BLOCK_ON,
    FORM_RUNTIME_BLOCK_ON,
    FORM_SCOPE_SPAWN
};

typedef struct ast_node ast_node;
typedef struct ast_decl ast_decl;
typedef struct ast_scope ast_scope;

enum ast_decl_kind {
    DECL_VAR,
    DECL_PARAM,
    DECL_FUNCTION /* block-scope prototype */,
    DECL_TYPEDEF,
    DECL_TAG,
    DECL_ENUMERATOR,
    DECL_LABEL,
    DECL_FIELD
};

enum ast_storage {
    STORAGE_AUTO,
    STORAGE_STATIC,
    STORAGE_EXTERN,
    STORAGE_REGISTER,
    STORAGE_CONSTEXPR
};

/* A name that the function declares. */
struct ast_decl {
    enum ast_decl_kind kind;
    enum ast_storage storage;
    strview name;
    uint32_t token; /* of the name */
    ast_scope *scope;
    ast_node
        *declarator; /* AST_DECLARATOR (VAR, PARAM, FUNCTION, TYPEDEF, FIELD), AST_PARAM (without
                        declarator), AST_TAG_DEF, AST_ENUMERATOR, AST_LABEL, AST_NESTED_FUNCTION */
    uint32_t visible_from; /* token index from which the name is in scope */
    bool is_thread_local;
    bool is_async;         /* `async` among its specifiers, or (annotate) its type is async */
    bool is_complete_tag;  /* DECL_TAG with a member or enumerator list */
    bool has_asm_register; /* register asm("...") */
    ast_node *cleanup;     /* AST_ATTRIBUTE cleanup(fn): the attribute; NULL */
    strview cleanup_function;
    type_id type;   /* filled by annotate; parameters decayed */
    uint32_t id;    /* index in ast_function.decls */
    uint32_t local; /* used by later passes: AIR local number; UINT32_MAX: none */
};

struct ast_scope {
    ast_scope *parent;
    ast_node *node; /* AST_COMPOUND, AST_FOR, AST_FUNCTION, AST_PARAMS, ... that opens it */
    VEC(ast_decl *) decls;
};

struct ast_node {
    enum ast_kind kind;
    uint8_t op;                /* enum ast_op, or enum ast_form for AST_FORM */
    bool is_unevaluated;       /* in sizeof, typeof, _Alignof, unchosen arms */
    bool is_file_callee_async; /* AST_CALL: annotate: the callee is an async function or pointer */
    bool is_lvalue_bitfield;   /* AST_MEMBER of a bit-field: annotate */
    uint8_t bitfield_bits;
    bool is_const_expr;   /* literal, enumerator, function name, sizeof: needs no spill */
    uint32_t first, last; /* tokens: half-open range [first, last) */
    ast_node *parent;
    ast_node **kid; /* entries may be NULL where ast_kinds.def says "or none" */
    uint32_t kid_count;
    uint32_t name_token; /* IDENT, MEMBER (the member), LABEL, GOTO, LABEL_ADDR, DECLARATOR (name or
                            UINT32_MAX), DESIG_FIELD, TAG_DEF, ENUMERATOR */
    ast_decl *ref;       /* IDENT, GOTO, LABEL_ADDR: what it names, if the function declares it;
                            DECLARATOR, LABEL, TAG_DEF, ENUMERATOR: what it declares */
    ast_scope *scope;    /* the scope that this node opens, or NULL */
    type_id type; /* expressions: own type (before implicit conversions); DECLARATOR, TYPE_NAME: the
                     type */
    type_id converted; /* expressions: type after the implicit conversions at this place */
    uint64_t bits;     /* passes' own marks */
    void *data;        /* passes' own data */
};

/* One region, parsed. */
typedef struct ast_function {
    arena *mem;
    strview buffer;       /* the whole half-expanded unit; offsets point into it */
    struct token *tokens; /* of this region, ended by TOKEN_END */
    uint32_t token_count; /* without TOKEN_END */
    ast_node *root;       /* AST_FUNCTION */
    strview name;
    uint64_t kinds[2]; /* bit of each enum ast_kind that the tree holds; maybe of others */
    bool is_async, is_static, is_inline, is_noreturn;
    bool is_variadic, is_old_style; /* K&R definition */
    VEC(ast_decl *) params;         /* in order; unnamed ones have an empty name */
    VEC(ast_decl *) decls;          /* all declarations of the function, parameters first */
    VEC(ast_decl *) labels;
    type_id type; /* the function's type: annotate */
} ast_function;

/* May the tree hold nodes of this kind? */
static inline bool ast_may_have(const ast_function *fn, enum ast_kind kind)
{
    return (fn->kinds[kind / 64] >> kind % 64 & 1) != 0;
}

/* Text of a token range, without what surrounds it. */
strview ast_text(const ast_function *fn, uint32_t first, uint32_t last);
strview ast_node_text(const ast_function *fn, const ast_node *n);
strview ast_token_text(const ast_function *fn, uint32_t token);
/* Makes loops (AST_DO, AST_FOR) of labels and the gotos that jump back to them, where these are
 * nothing else. For reading only: what is printed from such a tree is not C. */
void ast_find_goto_loops(ast_function *fn);
/* Where a node begins and ends in the buffer. */
static inline uint32_t ast_begin(const ast_function *fn, const ast_node *n)
{
    return fn->tokens[n->first].begin;
}
static inline uint32_t ast_end(const ast_function *fn, const ast_node *n)
{
    return fn->tokens[n->last - 1].end;
}
/* The children that are not NULL, in the order of their tokens (a few kinds keep another): *out, in
 * `mem`; their number. */
uint32_t ast_sorted_kids(arena *mem, const ast_node *n, ast_node ***out);
/* Does the AST_TAG_DEF list its members or enumerators? */
bool ast_tag_has_body(const ast_function *fn, const ast_node *tag);
/* The token in front of which the tag of such a list stands, or would stand. */
uint32_t ast_tag_behind_name(const ast_function *fn, const ast_node *tag);
/* The declaration of the function that an ordinary name means at a token; NULL: none. */
const ast_decl *ast_visible_decl(const ast_function *fn, strview name, uint32_t token);
/* "CALL", "IF", ...: for dumps and assertions. */
const char *ast_kind_name(enum ast_kind kind);
/* The tree as indented text, one node a line (kind, op, first token, type), for tests. */
void ast_dump(const ast_function *fn, const ast_node *n, strbuf *out);
/* Is n, or anything below it, a call? */
bool ast_has_call(const ast_node *n);
bool ast_is_expression(enum ast_kind kind);
bool ast_is_statement(enum ast_kind kind);

#endif
