/* SPDX-License-Identifier: MIT */
/*
 * What do the names and expressions of a whole translation unit mean? For the linter, which reads
 * every function of a file and must be quick, so no compiler library is asked: the preprocessed
 * text is indexed by a scan of its declarations, function bodies of the source and of the user's
 * own headers are parsed to trees (analyzer/syntax), and types, constants and references are worked
 * out only where somebody asks, once.
 *
 *     text -> tokens -> index of file-scope names -> trees of bodies
 *                               |                        |
 *                               +--- types, constants ---+--- places in the original text
 *
 * All answers are "not known" (NULL, false, CTYPE_UNKNOWN) rather than wrong: nothing here reports.
 * Everything lives in the request's arena. One thread per unit.
 */
#ifndef AWAITC_SEMA_SEMA_H
#define AWAITC_SEMA_SEMA_H

#include "analyzer/base/vec.h"
#include "analyzer/diag/diag.h"
#include "analyzer/parse/cpp_output.h"
#include "analyzer/syntax/ast.h"

typedef struct sema_unit sema_unit;
typedef struct sema_symbol sema_symbol;
typedef struct ctype ctype;

/* ---- types ---------------------------------------------------------------------------------- */

enum ctype_class {
    CTYPE_UNKNOWN,
    CTYPE_VOID,
    CTYPE_BOOL,
    CTYPE_INT, /* characters too */
    CTYPE_ENUM,
    CTYPE_FLOAT,
    CTYPE_POINTER,
    CTYPE_ARRAY,
    CTYPE_FUNCTION,
    CTYPE_RECORD
};

struct cfield {
    strview name; /* empty: an anonymous member, or an unnamed bit-field */
    const ctype *type;
    uint64_t offset_bytes; /* 0 in unions and behind members of unknown size */
};

/* A struct or union. */
struct crecord {
    strview tag;          /* empty: none */
    strview typedef_name; /* the first typedef that names it; empty: none */
    bool is_union;
    bool is_complete;
    VEC(struct cfield) fields;
};

struct ctype {
    enum ctype_class cls;
    bool is_const, is_volatile, is_atomic; /* top level */
    bool is_unsigned;
    bool is_async;                    /* a function, or pointer(s) to one, that is async */
    bool is_variadic;                 /* functions */
    uint64_t size_bytes, align_bytes; /* 0: not known, incomplete, or variable */
    uint64_t count;                   /* elements of an array; 0: not known */
    const ctype *elem;                /* pointee, element, result */
    const ctype **params;             /* functions: adjusted; [param_count] */
    uint32_t param_count;
    const struct crecord *record; /* CTYPE_RECORD; the same pointer for the same type */
    strview name; /* the typedef, tag or keyword that it was written with, innermost last; empty */
};

/* ---- file scope ------------------------------------------------------------------------------ */

enum sema_symbol_kind { SYMBOL_FUNCTION, SYMBOL_VARIABLE, SYMBOL_TYPEDEF, SYMBOL_ENUMERATOR };

/* What the source states of a function: AW_BLOCKS and so on, clang's blocking and nonblocking. */
enum sema_stated {
    STATED_BLOCKS = 1,
    STATED_NONBLOCKING = 2,
    STATED_CPU_HEAVY = 4,
    STATED_NOT_IN_ASYNC = 8,
    STATED_NORETURN = 16
};

struct sema_symbol {
    enum sema_symbol_kind kind;
    strview name;
    bool is_static, is_defined, is_thread_local;
    bool is_async;           /* some declaration is async, by keyword or by an annotation */
    bool is_async_keyword;   /* by keyword */
    bool is_system;          /* first declared in a system header */
    unsigned stated;         /* enum sema_stated bits, of all declarations together */
    uint32_t first, last;    /* tokens of the first declaration, of a definition if there is one */
    uint32_t name_token;     /* in that declaration */
    struct diag_place place; /* of the name there, with column in the source itself */
    const struct sema_function *function; /* its parsed definition, or NULL */
    void *lazy;
};

/* A function definition whose body was parsed. */
struct sema_function {
    ast_function *tree;
    sema_symbol *symbol;
    bool in_source;                     /* in the source itself, not in a header */
    const char *file;                   /* as the compiler spells it */
    struct diag_place place, end_place; /* of its name; of its closing brace */
    uint32_t index;                     /* in sema_unit_functions */
    void *lazy;                         /* sema's own */
    void *facts;                        /* for the linter's analyses; NULL at first */
    struct local_uses *uses;            /* what locals are given (value_of.h); NULL at first */
    struct function_memo *memo;         /* the checks' own; NULL at first */
};

struct sema_request {
    arena *mem;
    const struct cpp_output *cpp;     /* of `CC -E -dD -D__AWAITC_EXPAND__`; outlives the unit */
    const char *path;                 /* the source as the compiler spells it */
    strview source;                   /* its text, for columns and edits */
    const strview *async_annotations; /* annotate("...") texts that mark a function async, too */
    uint32_t async_annotation_count;
    uint32_t pointer_bytes; /* 4 or 8; 0 means 8 */
};

/* What could not be parsed. */
struct sema_failure {
    struct diag_place place;
    const char *text;
    strview function; /* empty: the text as a whole */
};

/* Indexes and parses. NULL, with one failure, if the text is no sequence of tokens. */
sema_unit *sema_unit_read(const struct sema_request *request, struct sema_failure *failure);

/* The functions with bodies, in the order of the text; [*count]. */
struct sema_function *const *sema_unit_functions(const sema_unit *u, uint32_t *count);
/* Functions that did not parse. */
const struct sema_failure *sema_unit_failures(const sema_unit *u, uint32_t *count);
arena *sema_unit_arena(const sema_unit *u);
const char *sema_unit_path(const sema_unit *u);
strview sema_unit_source(const sema_unit *u);

/* The file-scope meaning of a name, or NULL. */
sema_symbol *sema_find(const sema_unit *u, strview name);
/* Calls `visit` for all file-scope symbols of a kind, in the order of their first declaration. */
void sema_each_symbol(const sema_unit *u, enum sema_symbol_kind kind,
                      void (*visit)(void *context, sema_symbol *symbol), void *context);
const ctype *sema_symbol_type(sema_unit *u, sema_symbol *symbol);
/* What a function's definition, or else a declaration, calls its i-th parameter; empty: nothing. */
strview sema_param_name(sema_unit *u, sema_symbol *function, uint32_t i);
/* A variable's initialiser, with the small tree (`*fn`) that it belongs to; NULL if it has none. */
ast_node *sema_symbol_initialiser(sema_unit *u, sema_symbol *symbol, struct sema_function **fn);

/* ---- inside functions -------------------------------------------------------------------------
 */

/* The file-scope symbol of an AST_IDENT; NULL: a local, or not known. */
sema_symbol *sema_ident_symbol(sema_unit *u, const struct sema_function *fn, const ast_node *n);
/* The type of an expression, a DECLARATOR or a TYPE_NAME; never NULL. Arrays do not decay. */
const ctype *sema_type(sema_unit *u, const struct sema_function *fn, const ast_node *n);
const ctype *sema_decl_type(sema_unit *u, const struct sema_function *fn, const ast_decl *d);
/* The function that a call names, through parentheses, & and *; NULL: an indirect call. */
sema_symbol *sema_callee(sema_unit *u, const struct sema_function *fn, const ast_node *call);
/* The name that a call names as text: a function's, known or not; empty: an indirect call. */
strview sema_callee_name(sema_unit *u, const struct sema_function *fn, const ast_node *call);
/* Is anything async declared or written in the unit? */
bool sema_unit_has_async(const sema_unit *u);
/* Does this call (or this callee expression's type) start an async function? */
bool sema_call_is_async(sema_unit *u, const struct sema_function *fn, const ast_node *call);
/* Can a call of this symbol come back? */
bool sema_call_is_noreturn(sema_unit *u, const struct sema_function *fn, const ast_node *call);

/* Does the function's declaration promise (AW_NOESCAPE) to keep no copy of this parameter? */
bool sema_param_is_noescape(const sema_unit *u, const sema_symbol *symbol, uint32_t index);

/* The expression without parentheses and casts around it. */
const ast_node *sema_strip(const ast_node *n);
/* The same, but casts stay. */
const ast_node *sema_strip_parens(const ast_node *n);
uint32_t sema_arg_count(const ast_node *call);
const ast_node *sema_arg(const ast_node *call, uint32_t i);
/* "record.field" of a MEMBER, by the record's tag or typedef name ("?.field" if not known). */
const char *sema_member_key(sema_unit *u, const struct sema_function *fn, const ast_node *member);

/* The value of an integer constant expression; also of `static const int` variables with one. */
bool sema_constant(sema_unit *u, const struct sema_function *fn, const ast_node *n, int64_t *value);
/* The value of an object-like macro or an enumerator of this name ("O_NONBLOCK"). */
bool sema_named_constant(sema_unit *u, strview name, int64_t *value);
/* Is it NULL, 0, (void *)0, nullptr? */
bool sema_is_null(sema_unit *u, const struct sema_function *fn, const ast_node *n);

/* ---- places ------------------------------------------------------------------------------------
 */

/* Where a token or node stands in the original text, as well as can be told: what a macro made
 * stands where the macro is used. */
struct diag_place sema_token_place(sema_unit *u, const struct sema_function *fn, uint32_t token);
struct diag_place sema_place(sema_unit *u, const struct sema_function *fn, const ast_node *n);
/* Column behind the node's last byte if it ends on the line on which it starts, else 0. */
uint32_t sema_end_column(sema_unit *u, const struct sema_function *fn, const ast_node *n);
/* The bytes of the source that a node was written as: false if it is not in the source itself, or a
 * macro made part of it. For edits. */
bool sema_source_range(sema_unit *u, const struct sema_function *fn, const ast_node *n,
                       uint32_t *begin, uint32_t *end);
/* The same of one token: the last one of a node, say, whatever made the others. */
bool sema_source_token(sema_unit *u, const struct sema_function *fn, uint32_t token,
                       uint32_t *begin, uint32_t *end);
/* The node as it was written, on one line, shortened to `max` bytes: for messages. */
const char *sema_text(sema_unit *u, const struct sema_function *fn, const ast_node *n,
                      uint32_t max);

#endif
