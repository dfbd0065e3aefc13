/* SPDX-License-Identifier: MIT */
/*
 * Where does a token of the text as it was written end? A lexer over source that no preprocessor
 * has seen: line splices, digraphs, trigraphs (where the language has them), comments, raw strings
 * and unterminated literals are all possible, and any bytes at all must be survived.
 *
 * A whole preprocessing directive, from its '#' to the end of its logical line, is one token, so
 * that callers see ordinary text between directives.
 */
#ifndef AWAITC_PARSE_RAW_LEX_H
#define AWAITC_PARSE_RAW_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/base/strview.h"
#include "analyzer/base/vec.h"

enum raw_kind { RAW_END, RAW_WORD, RAW_NUMBER, RAW_STRING, RAW_CHAR, RAW_PUNCT, RAW_DIRECTIVE };

struct raw_range {
    uint32_t begin, end;
};

typedef VEC(struct raw_range) raw_ranges;

struct raw_token {
    enum raw_kind kind;
    uint32_t begin, end;
    char punct;   /* RAW_PUNCT: one character; digraphs and trigraphs as what they mean */
    bool spliced; /* holds a line splice */
};

struct raw_lexer {
    const char *text;
    uint32_t len, at;
    bool line_start; /* nothing but blanks and comments since the last line end */
    bool trigraphs;
    arena *mem;           /* for comments; may be NULL if those are not wanted */
    raw_ranges *comments; /* gets every comment outside directives; NULL: not wanted */
};

/* A lexer at the start of `text`. */
struct raw_lexer raw_lexer_on(strview text, bool trigraphs);

/* The next token; at the end of the text RAW_END, any number of times. */
struct raw_token raw_next(struct raw_lexer *x);

/* The token's text without line splices; in `mem` only if it had any. */
strview raw_spelling(arena *mem, const struct raw_lexer *x, const struct raw_token *token);

/* A lexer over what follows the '#' of a directive; its first word is the directive's name. */
struct raw_lexer raw_directive(const struct raw_lexer *x, const struct raw_token *directive);

/* May this byte start, or go on with, an identifier? */
bool raw_is_word_start(unsigned char c);
bool raw_is_word(unsigned char c);

#endif
