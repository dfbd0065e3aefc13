/* SPDX-License-Identifier: MIT */
/*
 * How does a region's text become tokens? Maximal munch over preprocessed GNU C11/C2x. Comments and
 * white space vanish, a `#pragma` line or `_Pragma(...)` is one token, adjacent string literals
 * stay apart. A token's code is a keyword's KW_... or a punctuator's P_...; digraphs and the
 * alternative spellings of a keyword have the code of the plain one. Identifiers and literals have
 * code 0.
 */
#ifndef AWAITC_SYNTAX_AST_LEX_H
#define AWAITC_SYNTAX_AST_LEX_H

#include "analyzer/syntax/ast_parse.h"

enum punctuator_code {
    P_NONE,
#define PUNCTUATOR(text, code) code,
#define DIGRAPH(text, code)
#include "analyzer/syntax/ast_punctuators.def"
#undef DIGRAPH
#undef PUNCTUATOR
    P_CODE_COUNT
};

/* Ordered by role: the parser tests ranges. */
enum keyword_code {
    /* a type specifier of one token */
    KW_VOID = 100,
    KW_CHAR,
    KW_SHORT,
    KW_INT,
    KW_LONG,
    KW_FLOAT,
    KW_DOUBLE,
    KW_SIGNED,
    KW_UNSIGNED,
    KW_BOOL,
    KW_COMPLEX,
    KW_IMAGINARY,
    KW_INT128,
    KW_FLOAT_N,
    KW_BUILTIN_TYPE,
    KW_AUTO_TYPE,
    /* other type specifiers */
    KW_BITINT,
    KW_STRUCT,
    KW_UNION,
    KW_ENUM,
    KW_TYPEOF,
    KW_ATOMIC, /* specifier or qualifier */
    /* qualifiers */
    KW_CONST,
    KW_VOLATILE,
    KW_RESTRICT,
    KW_NULLABILITY,
    KW_ADDRESS_SPACE,
    /* what else may stand among declaration specifiers */
    KW_TYPEDEF,
    KW_EXTERN,
    KW_STATIC,
    KW_AUTO,
    KW_REGISTER,
    KW_THREAD_LOCAL,
    KW_CONSTEXPR,
    KW_INLINE,
    KW_NORETURN,
    KW_ALIGNAS,
    KW_ASYNC,
    KW_ATTRIBUTE,
    KW_EXTENSION,
    /* expressions */
    KW_SIZEOF,
    KW_ALIGNOF,
    KW_GENERIC,
    KW_REAL,
    KW_IMAG,
    KW_TRUE,
    KW_FALSE,
    KW_NULLPTR,
    KW_FUNC_NAME,
    KW_VA_ARG,
    KW_OFFSETOF,
    KW_TYPES_COMPATIBLE,
    KW_CHOOSE_EXPR,
    KW_AWAIT,
    /* in the order of enum ast_form */
    KW_FORM_SPAWN,
    KW_FORM_SPAWN_ON,
    KW_FORM_ALL,
    KW_FORM_TRY_ALL,
    KW_FORM_RACE,
    KW_FORM_TIMEOUT,
    KW_FORM_BLOCKING,
    KW_FORM_COMPUTE,
    KW_FORM_BLOCK_ON,
    KW_FORM_RUNTIME_BLOCK_ON,
    KW_FORM_SCOPE_SPAWN,
    /* statements */
    KW_IF,
    KW_ELSE,
    KW_WHILE,
    KW_DO,
    KW_FOR,
    KW_SWITCH,
    KW_CASE,
    KW_DEFAULT,
    KW_GOTO,
    KW_CONTINUE,
    KW_BREAK,
    KW_RETURN,
    KW_ASM,
    KW_DEFER,
    KW_LABEL,
    KW_STATIC_ASSERT
};

/* Bytes [begin, end) of a buffer that hold nothing but blanks and line ends. */
struct blank_run {
    uint32_t begin, end;
};

/*
 * The tokens of buffer[begin, end), in `mem`, ended by a TOKEN_END.
 *
 * count  receives their number without TOKEN_END.
 *
 * NULL with *error where the text is no sequence of C tokens.
 */
struct token *ast_lex(arena *mem, strview buffer, uint32_t begin, uint32_t end, uint32_t *count,
                      struct ast_parse_error *error);

/* The same for a whole buffer of which blank runs are known, in ascending order, each the start of
 * a line to the start of a line: they need not be looked at. */
struct token *ast_lex_around(arena *mem, strview buffer, const struct blank_run *runs,
                             size_t run_count, uint32_t *count, struct ast_parse_error *error);

/* May a token of this code and text be an ordinary name in some dialect (`bool`, `alignas`)? */
bool ast_lex_may_be_name(uint16_t code, strview text);

/* An identifier's text as names compare: itself, or without splices and with UCNs as UTF-8. */
strview ast_lex_name(arena *mem, strview text);

#endif
