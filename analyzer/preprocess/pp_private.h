/* SPDX-License-Identifier: MIT */
/*
 * What the preprocessor's files share. The way of a token:
 *
 *     pp_lex.c        a file's text -> its tokens, with a table of its directives
 *     pp_source.c     the stack of files being read; directives are done on the way
 *     pp_expand.c     tokens -> tokens: macro calls
 *     pp_print.c      tokens -> lines and markers
 *
 * and beside it
 *
 *     pp_names.c      each identifier once, with the macro that it is now
 *     pp_macro.c      #define
 *     pp_substitute.c a macro's body with its arguments put in
 *     pp_condition.c  #if
 *     pp_ask.c        __has_attribute and its kin
 *     pp_search.c     #include
 *     pp_memo.c       what including a header did last time, done again without reading it
 */
#ifndef AWAITC_PREPROCESS_PP_PRIVATE_H
#define AWAITC_PREPROCESS_PP_PRIVATE_H

#include <stdint.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/base/strbuf.h"
#include "analyzer/base/vec.h"
#include "analyzer/parse/include_search.h"
#include "analyzer/preprocess/preprocessor.h"

/* ---- tokens ---------------------------------------------------------------------------------- */

enum pp_kind {
    PP_END, /* of a file, an argument, a directive's line */
    PP_NAME,
    PP_NUMBER,
    PP_STRING,
    PP_CHAR,
    PP_PUNCT,
    PP_OTHER, /* a character that starts no token */
    PP_BAD    /* what only the compiler may read: an open literal, a raw string */
};

enum pp_flag {
    PP_SPACE = 1,     /* blanks, a comment or a line end before it */
    PP_FIRST = 2,     /* of its line */
    PP_NO_EXPAND = 4, /* met while its macro was being expanded: never again */
    PP_PARAMETER = 8  /* in a macro's body; `code` is its index */
};

/* `code` of a punctuator: its characters, the first in the low byte. */
#define PP2(a, b)    ((uint32_t)(a) | (uint32_t)(b) << 8)
#define PP3(a, b, c) (PP2(a, b) | (uint32_t)(c) << 16)

struct pp_token {
    const char *text;
    union {
        struct pp_name *name; /* PP_NAME */
        uint32_t directive;   /* of a `#` that starts one: its index */
    };
    uint32_t len;
    uint32_t line;
    uint32_t code;
    uint8_t kind, flags;
};

/* ---- names and macros ------------------------------------------------------------------------ */

enum pp_builtin {
    PP_NOT_BUILTIN,
    PP_FILE,
    PP_LINE,
    PP_COUNTER,
    PP_ASKED, /* __has_attribute and its kin: the compiler is asked */
    PP_HAS_INCLUDE,
    PP_HAS_INCLUDE_NEXT,
    PP_HANDED_OVER /* __DATE__ and its kin: the compiler has to do the source */
};

struct pp_macro {
    struct pp_name *name;
    struct pp_name **parameters;
    const struct pp_token *body;
    uint32_t parameter_count, body_count;
    strview text; /* "NAME(a, b) body" */
    bool is_function, is_variadic;
    bool is_plain;     /* neither # nor ## in the body */
    bool is_supported; /* no __VA_OPT__ */
    bool is_disabled;  /* being expanded now */
    enum pp_builtin builtin;
};

enum pp_directive_kind {
    PP_NO_DIRECTIVE,
#define PP_DIRECTIVE(name) PP_DIRECTIVE_##name,
#include "analyzer/preprocess/pp_directives.def"
#undef PP_DIRECTIVE
    PP_DIRECTIVE_empty,
    PP_DIRECTIVE_unknown
};

/* An identifier; one object for all that are spelled alike. */
struct pp_name {
    strview text;
    uint32_t hash;
    uint8_t directive; /* enum pp_directive_kind of a directive of this name */
    struct pp_macro *macro;
    uint64_t changed; /* serial of the last #define or #undef */
    uint64_t asked;   /* serial of the last lookup that a recording took down */
};

struct pp_names {
    arena *mem;
    struct pp_name **slots;
    uint32_t slot_count, count;
    VEC(struct pp_token) scratch; /* of the file that is being cut into tokens */
};

uint32_t pp_hash(strview text);
struct pp_name *pp_names_find(struct pp_names *names, strview text, uint32_t hash);

/* ---- files ----------------------------------------------------------------------------------- */

struct pp_directive {
    uint8_t kind;
    uint32_t hash;          /* its `#` */
    uint32_t operand, end;  /* tokens behind the directive's name, up to the next line's first */
    uint32_t next;          /* of an #if, #elif, #else: the next of its group's */
    struct pp_macro *macro; /* of a #define that was done before */
};

/* A file cut into tokens. */
struct pp_file {
    strview text;            /* line splices taken out */
    struct pp_token *tokens; /* the last is PP_END */
    VEC(struct pp_directive) directives;
    const char *broken;   /* why the compiler has to read it; NULL */
    struct pp_name *once; /* is a macro once the file's #pragma once was met; NULL: has none */
    bool is_kept;         /* lives as long as the preprocessor */
};

/* Cuts `text`, which ends in NUL, into `file`; memory from `mem`. */
void pp_lex_file(struct pp_names *names, arena *mem, strview text, bool has_trigraphs,
                 struct pp_file *file);

/* The one token that `text` is, or PP_BAD. */
struct pp_token pp_lex_one(struct pp_names *names, strview text);

/* A header under the name by which it was found. */
struct pp_header {
    const char *path;
    struct pp_file *file;
    bool is_system;
    int directory;  /* index into the search's directories; -1: beside the including file */
    uint32_t index; /* in the configuration's `found` */
    VEC(struct pp_memo *) memos;
};

/* ---- a run ----------------------------------------------------------------------------------- */

struct pp_definition {
    struct pp_name *name;
    struct pp_macro *macro; /* NULL: none */
};

struct pp_config {
    preprocessor *owner;
    struct pp_setup setup;
    VEC(struct pp_definition) predefined;
    word_set headers; /* key of pp_search.c -> index into `found` */
    VEC(struct pp_header *) found;
    word_set answers; /* question -> index into `answer` */
    VEC(long) answer;
};

struct preprocessor {
    arena *mem;
    struct pp_names names;
    include_search texts;
    word_set file_index; /* absolute path -> index into `files` */
    VEC(struct pp_file *) files;
    VEC(pp_config *) configs;
    strbuf out; /* the text of the last run */
    uint64_t serial;
    struct pp_macro once; /* what a file's `once` is when its #pragma once was met */
};

/* A file being read. */
struct pp_source {
    struct pp_source *includer;
    const struct pp_header *header;
    const struct pp_file *file;
    uint32_t at;         /* the next token */
    const char *name;    /* as #line says */
    uint32_t line_shift; /* added to a token's line, modulo 2^32 */
    bool is_system;
    struct pp_recording *recording; /* of this file; NULL */
};

/* Tokens that are read before those of the file. */
struct pp_context {
    const struct pp_token *at, *end;
    struct pp_macro *macro; /* that they are the body of; NULL */
    uint8_t space;          /* PP_SPACE of the first */
    bool is_first;
};

/* What a name was when a recording's run asked. */
struct pp_question {
    struct pp_definition was;
    uint64_t asked_before, changed; /* the name's serials then */
};

struct pp_run {
    preprocessor *pp;
    pp_config *config;
    arena *mem;
    const char *why; /* this run has to end; all tokens are PP_END then */
    struct pp_source *source;
    uint32_t depth; /* of includes */
    VEC(struct pp_context) contexts;
    size_t base;                   /* contexts below belong to somebody else */
    bool is_isolated;              /* nothing comes behind the contexts */
    bool is_from_file;             /* the last token is the file's own */
    bool is_collecting;            /* a macro's arguments */
    uint32_t file_line;            /* of the last token of the file */
    uint32_t token_line;           /* of the last token, or of the macro call that it comes from */
    uint32_t counter;              /* __COUNTER__ */
    uint32_t call_depth;           /* of macro calls in arguments of macro calls */
    VEC(struct pp_name *) changed; /* names whose macros are this run's */
    struct pp_recording *recording;
    uint64_t recording_start;
    VEC(struct pp_question) questions; /* of open recordings */
    struct pp_line_state {
        uint32_t line; /* of the output's last line, as the file being read counts */
        bool is_at_start;
        char last; /* character of the last token, and its kind */
        uint8_t last_kind;
    } print;
};

/* Ends the run. */
void pp_give_up(struct pp_run *r, const char *why);

/* The next token, macros not expanded, and macros expanded. */
struct pp_token pp_take(struct pp_run *r);
struct pp_token pp_next(struct pp_run *r);

/* Is the next token `(`? */
bool pp_call_follows(struct pp_run *r);

/* Reads [at, end) next, as the body of `macro` (NULL: of none). */
void pp_push_context(struct pp_run *r, const struct pp_token *at, const struct pp_token *end,
                     struct pp_macro *macro, uint8_t space);

/* Only [at, end) are read until pp_leave_line. */
struct pp_outside {
    size_t base;
    bool is_isolated;
};
struct pp_outside pp_enter_line(struct pp_run *r, const struct pp_token *at,
                                const struct pp_token *end);
void pp_leave_line(struct pp_run *r, struct pp_outside outside);

/* Does the directive that starts at the current file's next token. */
void pp_do_directive(struct pp_run *r);
/* Ends the file being read, if another includes it. */
void pp_leave_file(struct pp_run *r);

/* The name that #include or __has_include has as its operand, macros expanded if it starts with
 * none of `"` and `<`; false: malformed. */
bool pp_include_operand(struct pp_run *r, const struct pp_token *at, const struct pp_token *end,
                        strview *name, bool *is_quoted);

/* Reads `header` next; `recording` or NULL is of it. */
void pp_enter_file(struct pp_run *r, const struct pp_header *header, const struct pp_file *file,
                   struct pp_recording *recording);

/* The compiler's answer to `text`, a question by the name `name`; false: it has none. */
bool pp_ask(struct pp_run *r, const struct pp_name *name, const char *text, long *answer);

bool pp_condition(struct pp_run *r, const struct pp_token *at, const struct pp_token *end);

/* The macro that [at, end) define: what stands behind `#define`. NULL after pp_give_up. */
struct pp_macro *pp_macro_read(struct pp_run *r, const struct pp_token *at,
                               const struct pp_token *end);
/* What the preprocessor itself knows, for pp_config. */
struct pp_macro *pp_macro_builtin(preprocessor *pp, const char *name, enum pp_builtin builtin);
void pp_macro_set(struct pp_run *r, struct pp_name *name, struct pp_macro *macro);

struct pp_argument {
    const struct pp_token *raw, *full;
    uint32_t raw_count, full_count;
    bool is_expanded, is_omitted;
};
/* The body with its arguments, as tokens in r->mem. */
const struct pp_token *pp_substitute(struct pp_run *r, struct pp_macro *m,
                                     struct pp_argument *arguments, uint32_t *count);
/* All tokens of the argument with macros expanded. */
void pp_expand_argument(struct pp_run *r, struct pp_argument *argument);

/* The header that a name finds, or NULL. */
struct pp_header *pp_search(struct pp_run *r, strview name, bool is_quoted, bool is_next);

/* ---- memos ----------------------------------------------------------------------------------- */

void pp_note_lookup_slowly(struct pp_run *r, struct pp_name *name);

/* The run now depends on what this name is. */
static inline void pp_note_lookup(struct pp_run *r, struct pp_name *name)
{
    if (name->asked <= r->recording_start)
        pp_note_lookup_slowly(r, name);
}

/* Does what including the header did before, if it would be the same; else false. */
bool pp_memo_replay(struct pp_run *r, struct pp_header *header);
struct pp_recording *pp_recording_begin(struct pp_run *r, struct pp_header *header);
void pp_recording_end(struct pp_run *r, struct pp_recording *recording);
/* The run depends on more than macros. */
void pp_recording_spoil(struct pp_run *r);

/* ---- output ---------------------------------------------------------------------------------- */

void pp_print_token(struct pp_run *r, const struct pp_token *t);
/* `# line "file" reason`; the line of a file's token. */
void pp_print_marker(struct pp_run *r, uint32_t line, char reason);
/* A directive on a line of its own. */
void pp_print_directive(struct pp_run *r, uint32_t line, const char *word, strview text);
/* Ends the line that the output is in, if it has begun. */
void pp_print_end_line(struct pp_run *r);

/* A file's name as a string literal. */
void pp_quote(strbuf *out, const char *name);

/* The tokens spelled, blanks as one space. */
void pp_spell(strbuf *out, const struct pp_token *at, const struct pp_token *end);

#endif
