/* SPDX-License-Identifier: MIT */
/*
 * What do the files of sema share? The unit with its tables; nobody else includes this.
 *
 *     sema_index.c   tokens of the whole text -> declarations, names, tags; bodies to trees
 *     sema_types.c   specifiers and declarators -> types; layout of records
 *     sema_expr.c    types of expressions; what identifiers and calls name
 *     sema_params.c  promises about parameters
 *     sema_const.c   values of constant expressions and macros
 *     sema_place.c   preprocessed token -> place in the original text
 */
#ifndef AWAITC_SEMA_SEMA_PRIVATE_H
#define AWAITC_SEMA_SEMA_PRIVATE_H

#include "analyzer/base/word_set.h"
#include "analyzer/parse/raw_lex.h"
#include "analyzer/sema/sema.h"
#include "analyzer/syntax/ast_lex.h"
#include "analyzer/syntax/ast_parse.h"

/* A declaration of file scope: tokens [first, last) of the unit. */
struct sema_declaration {
    uint32_t first, last;
    uint32_t body;              /* token of a function's `{`; UINT32_MAX: no definition */
    bool parsed;                /* `tree` is as good as it gets */
    struct sema_function *tree; /* its small tree; a function definition's own one */
};

/* A tag of file scope. */
struct sema_tag {
    strview name;
    uint32_t token; /* of `struct`, `union` or `enum` where it is defined; UINT32_MAX: nowhere */
    uint32_t declaration;
    struct crecord *record; /* made when asked for */
    bool is_filled;
};

/* sema_symbol.lazy */
struct symbol_lazy {
    const ctype *type;
    bool has_type, has_value, value_known, is_busy;
    int64_t value;
    uint32_t declaration; /* index: the one in sema_symbol.first, last */
    VEC(uint32_t) declarations;
};

/* sema_function.lazy; one for each tree */
struct function_lazy {
    const ctype **decl_types; /* [decls]; NULL: not asked yet */
    uint32_t first_token;     /* of the unit: the tree's tokens are a copy from there on */
};

/* A token of the source as it was written. */
struct written {
    uint32_t begin, end, line;
    bool is_word;
};

/* A stretch of tokens from one file. */
struct unit_file {
    const char *name;
    bool is_own; /* the source itself */
    bool is_system;
};

/* Tokens next to each other that stand on one line of one file. */
struct unit_line {
    uint32_t number;
    uint32_t first;  /* token */
    uint32_t file;   /* index in files */
    uint32_t long_1; /* 1 + index in long_lines; 0: not asked for, or short */
};

struct written_line {
    uint32_t first; /* written token on or behind it */
    uint32_t begin; /* offset of its first byte */
};

/* What is looked up on a line of very many tokens (sema_place.c). */
struct long_line;

struct sema_unit {
    arena *mem;
    struct sema_request request;
    strview buffer; /* the preprocessed text, markers and #define lines blanked */
    struct token *tokens;
    uint32_t token_count;
    uint32_t *token_line; /* [token]: index in lines */
    VEC(struct unit_line) lines;
    VEC(struct unit_file) files;
    VEC(struct sema_declaration) declarations;
    bool has_async; /* some symbol or type may be async */
    word_set names; /* value: 1 + index in symbols */
    VEC(sema_symbol *) symbols;
    word_set tag_names; /* value: 1 + index in tags */
    VEC(struct sema_tag) tags;
    VEC(struct sema_function *) functions;
    VEC(struct sema_failure) failures;
    VEC(struct written) written;            /* of the source */
    VEC(struct written_line) written_lines; /* [line] */
    VEC(struct long_line *) long_lines;
    const ctype *unknown, *int_type, *long_type, *char_type, *void_type, *size_type, *double_type,
        *bool_type;
    struct macro_value *macro_values; /* a list of what was asked */
};

/* ---- sema_index.c ---- */
strview sema_unit_text(const sema_unit *u, uint32_t token);
/* The tree of a declaration, parsed now if need be; NULL if it does not parse. */
struct sema_function *sema_declaration_tree(sema_unit *u, uint32_t declaration);
struct symbol_lazy *sema_lazy(sema_symbol *symbol);

/* ---- sema_types.c ---- */
void sema_types_init(sema_unit *u);
const ctype *sema_pointer_to(sema_unit *u, const ctype *elem);
/* The type that specifiers alone mean. */
const ctype *sema_specified_type(sema_unit *u, const struct sema_function *fn,
                                 const ast_node *specifiers);
/* The type of a declarator, or of a PARAM, ENUMERATOR, NESTED_FUNCTION. */
const ctype *sema_declared_type(sema_unit *u, const struct sema_function *fn, const ast_node *n);
const ctype *sema_type_name(sema_unit *u, const struct sema_function *fn, const ast_node *n);
const ctype *sema_decayed(sema_unit *u, const ctype *type);
/* The field of this name, anonymous members searched; NULL. */
const struct cfield *sema_find_field(const struct crecord *record, strview name);

/* ---- sema_place.c ---- */
void sema_place_init(sema_unit *u);
/* The unit's token that begins at this offset of the buffer. */
uint32_t sema_unit_token(const sema_unit *u, uint32_t offset);
/* The file in which a token stands. */
const struct unit_file *sema_unit_file(const sema_unit *u, uint32_t token);
struct diag_place sema_unit_place(sema_unit *u, uint32_t unit_token);

#endif
