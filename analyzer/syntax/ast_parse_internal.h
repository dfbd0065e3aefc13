/* SPDX-License-Identifier: MIT */
/*
 * What do the parser's files share? The cursor over the tokens, the stack on which children wait
 * for their parent, and the scopes.
 *
 *     ast_parse.c            entry, cursor, building of nodes, the function itself
 *     ast_scope.c            scopes and names
 *     ast_parse_expr.c       expressions from assignment to cast; ast_parse_primary.c the rest
 *     ast_parse_type.c       declaration specifiers, type names, attributes, tags
 *     ast_parse_declarator.c declarators, parameters, initialisers
 *     ast_parse_stmt.c       statements and block-scope declarations
 *
 * A failure is recorded once; it moves the cursor to the end, where no token matches anything, so
 * that every loop ends and callers need not test. Each function returns a node even then; the tree
 * is thrown away.
 *
 * `#pragma` tokens are passed over by the cursor: they belong to the node that they stand in, or
 * become AST_PRAGMA between the statements of a block.
 */
#ifndef AWAITC_SYNTAX_AST_PARSE_INTERNAL_H
#define AWAITC_SYNTAX_AST_PARSE_INTERNAL_H

#include "analyzer/syntax/ast_lex.h"
#include "analyzer/syntax/ast_parse.h"

enum { AST_MAX_DEPTH = 2000 };
#define NO_TOKEN UINT32_MAX

enum name_space { NAMES_ORDINARY, NAMES_TAG, NAMES_LABEL, NAME_SPACE_COUNT };

/* A name in scope; `outer` is what it hides. */
struct binding {
    ast_decl *decl;
    struct binding *outer;
};

/* An identifier's text, once per region. */
struct symbol {
    struct symbol *next; /* in its bucket */
    uint32_t hash;
    strview name;
    struct binding *bound[NAME_SPACE_COUNT];
    ast_decl *label;                     /* function-wide label; made by its first use */
    bool is_file_typedef, is_file_known; /* the callback's answer */
};

struct bound_name {
    struct symbol *symbol;
    enum name_space space;
};

struct parser {
    arena *mem;
    const struct ast_parse_request *request;
    struct ast_parse_error *error;
    bool failed;
    bool is_lone_declaration; /* ast_parse_declaration: the final `;` may be missing */
    ast_function *fn;
    struct token *tokens;
    uint32_t count;       /* of tokens, without TOKEN_END */
    uint32_t pos;         /* the current token, never a pragma */
    uint32_t prev_end;    /* one past the last token that was consumed */
    uint32_t depth;       /* of nesting */
    uint32_t unevaluated; /* > 0: inside operands that are not evaluated */
    VEC(ast_node *) stack;
    ast_scope *scope;
    VEC(struct bound_name) bound; /* names in scope, innermost last */
    VEC(size_t) scope_marks;      /* bound.count at the opening of each open scope */
    VEC(ast_node *) label_uses;   /* GOTO, LABEL_ADDR */
    struct symbol **buckets;
    uint32_t bucket_count, symbol_count; /* bucket_count: a power of two */
};

/* ---- cursor (ast_parse.c) ------------------------------------------------------------------ */

/* Records the first failure, at the current token. */
void parser_fail(struct parser *p, const char *text);
void parser_fail_at(struct parser *p, uint32_t token, const char *text);
void parser_advance(struct parser *p);
/* The token after `token`, pragmas left out. */
uint32_t parser_next(const struct parser *p, uint32_t token);
/* A token's code; 0 also for keywords that a declaration in scope made ordinary names. */
uint16_t parser_code_at(struct parser *p, uint32_t token);
uint16_t parser_code(struct parser *p);
bool parser_at(struct parser *p, uint16_t code);
bool parser_accept(struct parser *p, uint16_t code);
/* Consumes `code` or fails with `text`. */
void parser_expect(struct parser *p, uint16_t code, const char *text);
bool parser_at_end(const struct parser *p);
/* Is the token an identifier that is no keyword here? */
bool parser_is_name(struct parser *p, uint32_t token);
/* May the token be a name where the grammar allows nothing else? */
bool parser_may_name(struct parser *p, uint32_t token);
/* Consumes such a token and returns it, or fails with `text`. */
uint32_t parser_take_name(struct parser *p, const char *text);
/* Consumes (, [ or { and all to its partner. */
void parser_skip_balanced(struct parser *p);
/* The token after the balanced group that starts at `token`. */
uint32_t parser_after_balanced(const struct parser *p, uint32_t token);

/* Counts a level of nesting; false: too deep, and the parser failed. parser_leave follows in both
 * cases. */
bool parser_enter(struct parser *p);
void parser_leave(struct parser *p);

/* ---- building nodes ------------------------------------------------------------------------- */

/* A node without children that starts at `first`; its end is the current token. */
ast_node *parser_node(struct parser *p, enum ast_kind kind, uint32_t first);
/* Turns out to be another kind than it was made as. */
void parser_become(struct parser *p, ast_node *n, enum ast_kind kind);
/* Where the stack stands: children pushed from now on go to the parser_finish with this mark. */
size_t parser_mark(const struct parser *p);
void parser_push(struct parser *p, ast_node *kid);
/* Gives `n` the children from `mark` on, and ends it after the last token that was consumed. */
ast_node *parser_finish(struct parser *p, ast_node *n, size_t mark);
/* A node over one or two children, from the first child's start or `first`. */
ast_node *parser_node1(struct parser *p, enum ast_kind kind, uint32_t first, ast_node *kid);
ast_node *parser_node2(struct parser *p, enum ast_kind kind, ast_node *left, ast_node *right);

/* ---- scopes (ast_scope.c) ------------------------------------------------------------------- */

struct scope_checkpoint {
    size_t decls, scope_decls, bound;
};

void scope_open(struct parser *p, ast_node *node);
void scope_close(struct parser *p);
/* Opens a scope that was closed, for `node` now. */
void scope_reopen(struct parser *p, ast_scope *scope, ast_node *node);
struct scope_checkpoint scope_save(const struct parser *p);
/* Forgets what the current scope declared since. */
void scope_restore(struct parser *p, struct scope_checkpoint saved);

struct symbol *symbol_of(struct parser *p, uint32_t token);
/* A new declaration in the current scope; name_token NO_TOKEN: without a name. */
ast_decl *scope_declare(struct parser *p, enum ast_decl_kind kind, uint32_t name_token,
                        ast_node *declarator);
/* What a name means here among the function's own declarations; NULL: something else. */
ast_decl *scope_find(struct parser *p, enum name_space space, uint32_t name_token);
/* The label that a goto or a label statement names. */
ast_decl *scope_label(struct parser *p, uint32_t name_token);
/* Is the token a name that stands for a type here? */
bool scope_is_typedef(struct parser *p, uint32_t token);

/* ---- types and declarations ------------------------------------------------------------------ */

struct specifiers {
    ast_node *node; /* AST_SPECIFIERS */
    enum ast_storage storage;
    bool is_typedef, is_thread_local, is_async, is_inline, is_noreturn, is_auto;
    bool has_type; /* a type specifier was seen */
    ast_node *cleanup;
    strview cleanup_function;
};

enum declarator_mode { DECLARATOR_NAMED, DECLARATOR_ABSTRACT, DECLARATOR_EITHER };
/* What is applied to the name first: `f` is a FUNCTION in f(int), a POINTER in (*f)(int). */
enum derivation { DERIVED_NOTHING, DERIVED_POINTER, DERIVED_ARRAY, DERIVED_FUNCTION };

struct declarator {
    ast_node *node; /* AST_DECLARATOR; its children are on the stack until parser_finish */
    size_t mark;
    enum derivation derivation;
    ast_node *own_params; /* AST_PARAMS of the name, if derivation is FUNCTION */
    bool is_async, has_asm, is_noreturn;
    ast_node *cleanup;
    strview cleanup_function;
};

bool parse_starts_type(struct parser *p, uint32_t token);
bool parse_starts_specifiers(struct parser *p, uint32_t token);
void parse_specifiers(struct parser *p, struct specifiers *out);
ast_node *parse_type_name(struct parser *p);
/* Is the token `__attribute__`, or the first of `[[`? */
bool parse_at_attribute(struct parser *p, uint32_t token);
ast_node *parse_attribute(struct parser *p);
uint32_t parse_after_attributes(struct parser *p, uint32_t token);
/* The function name in an attribute `cleanup(name)`; empty: another attribute. */
strview parse_cleanup_of(const struct parser *p, const ast_node *attribute);
bool parse_is_noreturn(const struct parser *p, const ast_node *attribute);
bool parse_at_static_assert(struct parser *p);
ast_node *parse_static_assert(struct parser *p);

/* Begins a declarator: pointers, name, suffixes, attributes, asm label. parser_finish(node, mark)
 * ends it after the initialiser slot was pushed. */
void parse_declarator(struct parser *p, enum declarator_mode mode, struct declarator *out);
/* A field's declarator with its bit width, complete. */
ast_node *parse_field_declarator(struct parser *p, const struct specifiers *specs);
/* The declaration of a declarator that was begun. */
ast_decl *parse_declare(struct parser *p, enum ast_decl_kind kind, const struct specifiers *specs,
                        const struct declarator *d);
ast_node *parse_params(struct parser *p);
/* Are the parameters names without types, as in an old-style definition? */
bool parse_is_identifier_list(const ast_node *params);
ast_node *parse_initializer(struct parser *p);

/* ---- expressions ------------------------------------------------------------------------------
 */

ast_node *parse_expression(struct parser *p); /* with commas */
ast_node *parse_assignment(struct parser *p);
ast_node *parse_conditional(struct parser *p); /* also constant expressions */
ast_node *parse_cast(struct parser *p);
ast_node *parse_unary(struct parser *p);
ast_node *parse_postfix(struct parser *p);
/* The postfix operators after `base`. */
ast_node *parse_postfix_tail(struct parser *p, ast_node *base);
ast_node *parse_primary(struct parser *p);
/* `{...}` after a type name in parentheses that starts at `first`. */
ast_node *parse_compound_literal(struct parser *p, uint32_t first, ast_node *type_name);
ast_node *parse_string(struct parser *p);

/* ---- statements --------------------------------------------------------------------------------
 */

ast_node *parse_compound(struct parser *p);
ast_node *parse_declaration(struct parser *p);

#endif
