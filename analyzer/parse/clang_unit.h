/* SPDX-License-Identifier: MIT */
/*
 * What does libclang know of a unit? One parse of the half-expanded buffer, boiled down to tables
 * that show no libclang handle: types, file-scope names, and for each place in a region the type
 * of the expression there and what an identifier refers to. This is the only door to libclang for
 * the lowering; it is loaded on first use only (dlopen), since a file without async needs none.
 */
#ifndef AWAITC_PARSE_CLANG_UNIT_H
#define AWAITC_PARSE_CLANG_UNIT_H

#include "analyzer/ir/types.h"
#include "analyzer/syntax/ast.h"

typedef struct clang_unit clang_unit;

struct clang_range {
    uint32_t begin, end; /* bytes of the buffer */
};

struct clang_unit_request {
    const char *path; /* the name under which the buffer is parsed */
    strview buffer;
    const char *const *args; /* flags for libclang, without the file */
    uint32_t arg_count;
    const struct clang_range *regions; /* ascending */
    uint32_t region_count;
};

/* An error of libclang's that matters: inside a region, or fatal for all. */
struct clang_error {
    uint32_t offset; /* in the buffer; UINT32_MAX: not in it, then file and line say where */
    const char *file;
    uint32_t line, column;
    const char *text;
};

/* What is known of a file-scope function, all its declarations together. */
struct clang_function {
    strview name;
    bool is_async;     /* annotate("awaitc::async") on any declaration */
    bool is_plain_too; /* some declaration, the definition too, is written without it; those in
                          awaitc's own headers do not count */
    bool is_static, is_inline, is_defined;
    bool is_noreturn;
    bool in_system_header_only;
    uint32_t definition_offset; /* of the name, in the buffer; UINT32_MAX if not in it */
    uint32_t first_offset;      /* of the first declaration in the buffer; UINT32_MAX */
    uint32_t leaf_need_bytes;   /* annotate("awaitc::need=N"); 0: none */
    uint64_t noescape_params;   /* bit i: parameter i is AW_NOESCAPE or noescape, or known to keep
                                   no copy; bits past the last one are for variadic arguments */
    bool returns_first_param;   /* as memcpy: the first one escapes if the result does */
    const char *asm_name;       /* explicit asm label, or NULL */
    const char *section;        /* attribute section("..."): what is in the quotes, or NULL */
    const char *bad_attribute;  /* "const", "pure", "alias", "ifunc", "constructor", ...; NULL */
    type_id type;
};

/*
 * Parses. The unit is in `mem`, with its type table; the libclang unit itself is dropped (not
 * disposed: the process is short). NULL with *failure (a message) if libclang cannot be loaded or
 * gives no unit at all.
 */
clang_unit *clang_unit_parse(arena *mem, const struct clang_unit_request *request,
                             const char **failure);

/*
 * Frees what libclang holds of the unit (tens of megabytes). Types, functions and annotated trees
 * that were handed out stay valid, but the unit answers no more. For a process that handles many
 * files; one that ends soon need not.
 */
void clang_unit_close(clang_unit *u);

type_table *clang_unit_types(clang_unit *u);

/* Of the target. */
uint64_t clang_unit_pointer_bytes(const clang_unit *u);

const struct clang_error *clang_unit_errors(const clang_unit *u, uint32_t *count);

/* Is `name` a typedef name at file scope, declared before this offset of the buffer (headers
 * included)? */
bool clang_unit_is_typedef(const clang_unit *u, strview name, uint32_t before_offset);

/* The file-scope function of this name, or NULL. */
const struct clang_function *clang_unit_function(const clang_unit *u, strview name);

/* Every file-scope function that is async, in order of first declaration. */
const struct clang_function *const *clang_unit_async_functions(const clang_unit *u,
                                                               uint32_t *count);

/*
 * Fills in types, references' async marks, bit-fields and constants of a parsed region, and checks
 * (the two sweeps) that both parsers agree: every identifier of an expression that libclang saw as
 * a reference to a local refers to the same declaration in the tree, and every await token is one
 * AST_AWAIT and one node of libclang's. Returns NULL, or a message with the offset of the
 * disagreement in *offset.
 */
const char *clang_unit_annotate(clang_unit *u, ast_function *fn, uint32_t *offset);

/* How a callee is called: the function if the callee expression names a file-scope function
 * directly, else NULL with *is_async_pointer telling whether it is an async pointer. */
const struct clang_function *clang_unit_callee(const clang_unit *u, const ast_function *fn,
                                               const ast_node *callee, bool *is_async_pointer);

/* What a name in a region refers to: an identifier of an expression, a member, a typedef or tag. */
struct clang_reference {
    uint32_t declared_offset; /* of the declaration's name in the buffer; UINT32_MAX */
    bool is_local;            /* declared in a region */
    bool is_async;
    bool is_function, is_enumerator, is_thread_local;
    type_id type; /* of the declaration; parameters decayed */
};

/* Where a function, or a pointer to one, of the wrong kind goes. */
enum clang_finding_place {
    FINDING_INITIALISER,
    FINDING_ASSIGNMENT,
    FINDING_ARGUMENT,
    FINDING_RETURN,
    FINDING_CAST
};

enum clang_finding_kind {
    FINDING_PLAIN_TO_ASYNC,
    FINDING_ASYNC_TO_PLAIN,
    FINDING_ARMS,    /* the arms of a ?: are of both kinds */
    FINDING_CALL,    /* plain code calls an async function, or through an async pointer */
    FINDING_CLEANUP, /* an async function is to clean a variable up */
    FINDING_ALIAS,   /* a plain function is an alias of an async one */
    FINDING_RESULT,  /* `async int (*(*p)(void))(int)`: of which function is it the mark? */
    FINDING_OBJECT   /* `async` on a variable that leads to no function */
};

struct clang_finding {
    enum clang_finding_kind kind;
    enum clang_finding_place place; /* of PLAIN_TO_ASYNC and ASYNC_TO_PLAIN */
    uint32_t offset;                /* in the buffer; UINT32_MAX: in a header, then this tells: */
    const char *file;
    uint32_t line, column;
    strview name;     /* of the value, callee or function, as written; empty: too long to show */
    strview function; /* FINDING_CALL: in which function; empty: in none */
};

/*
 * Does the unit (system headers aside) keep async and plain functions apart? Looks at the bodies of
 * all functions, in regions and outside, and at initialisers of file scope; async calls are looked
 * for outside the regions only, where no await can stand. Regions with errors are left out. In
 * order of declaration.
 */
const struct clang_finding *clang_unit_contract(clang_unit *u, uint32_t *count);

/* The reference at this offset of the buffer; false if libclang saw none. */
bool clang_unit_reference(const clang_unit *u, uint32_t offset, struct clang_reference *reference);

#endif
