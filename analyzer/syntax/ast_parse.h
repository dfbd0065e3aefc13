/* SPDX-License-Identifier: MIT */
/*
 * How does a region become a tree? A recursive-descent parser for GNU C11/C2x function definitions
 * over preprocessed text. It knows no types: a callback tells which file-scope names are typedefs,
 * its own scopes know the function's.
 */
#ifndef AWAITC_SYNTAX_AST_PARSE_H
#define AWAITC_SYNTAX_AST_PARSE_H

#include "analyzer/syntax/ast.h"

struct ast_parse_request {
    arena *mem;
    strview buffer;
    uint32_t begin, end; /* the region: one function definition, maybe preceded by attributes */
    const struct token *tokens; /* of the region, to be copied; NULL: it is lexed */
    uint32_t token_count;
    bool (*is_typedef)(void *context, strview name, uint32_t before_offset);
    void *context;
};

struct ast_parse_error {
    uint32_t offset;  /* in the buffer */
    const char *text; /* "expected ';' after expression" */
    bool is_block;    /* a block literal, `^(int a) { ... }`, stands there */
};

/* The function, or NULL with *error. Never crashes on any bytes; nesting deeper than 2000 levels
 * is an error. */
ast_function *ast_parse(const struct ast_parse_request *request, struct ast_parse_error *error);

/*
 * A single declaration that is no function definition, or the head of one without its body; the
 * final `;` may be missing. The result's root is a COMPOUND with a DECL_STMT in it; it has no name.
 */
ast_function *ast_parse_declaration(const struct ast_parse_request *request,
                                    struct ast_parse_error *error);

/* Checks the invariants of ast.h; NULL, or what is wrong. */
const char *ast_verify(const ast_function *fn);

#endif
