/* SPDX-License-Identifier: MIT */
/*
 * How does a buffer become a unit? libclang is loaded, parses the buffer once under the original
 * file's name, and is visited once; what matters stays in tables. Errors that can't matter are
 * dropped: text outside the regions passes through to the target compiler, which judges it.
 */
#include "analyzer/parse/clang_unit.h"

#include "analyzer/parse/clang_private.h"
#include "analyzer/parse/clang_types.h"

/* What gcc only warns of must not be an error here: the target compiler sees the text again. */
static const char *const own_args[] = {
    "-fno-spell-checking",
    "-ferror-limit=0",
    "-w",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-type",
    "-Wno-error=return-mismatch",
};

enum { OWN_ARG_COUNT = sizeof own_args / sizeof own_args[0] };

/* ---- parsing ------------------------------------------------------------------------------ */

static const char **all_args(arena *mem, const struct clang_api *api,
                             const struct clang_unit_request *request, uint32_t *count)
{
    const char **args = ARENA_ARRAY(mem, const char *, request->arg_count + OWN_ARG_COUNT + 2);
    bool has_resource_dir = false;
    uint32_t n = 0;
    for (uint32_t i = 0; i < request->arg_count; i++) {
        args[n++] = request->args[i];
        has_resource_dir |= sv_starts(sv_from(request->args[i]), "-resource-dir");
    }
    for (uint32_t i = 0; i < OWN_ARG_COUNT; i++)
        args[n++] = own_args[i];
    if (!has_resource_dir && api->resource_dir != NULL)
        args[n++] = arena_printf(mem, "-resource-dir=%s", api->resource_dir);
    *count = n;
    return args;
}

static const char *error_name(enum CXErrorCode code)
{
    switch (code) {
    case CXError_Crashed:
        return "it crashed";
    case CXError_InvalidArguments:
        return "invalid arguments";
    case CXError_ASTReadError:
        return "it read no syntax tree";
    case CXError_Success:
    case CXError_Failure:
        break;
    }
    return "it gives no reason";
}

static bool parse(clang_unit *u, const struct clang_unit_request *request, const char **failure)
{
    uint32_t arg_count;
    const char **args = all_args(u->mem, u->api, request, &arg_count);
    struct CXUnsavedFile file = {request->path, request->buffer.at, request->buffer.len};
    u->index = u->api->createIndex(0, 0);
    unsigned options = CXTranslationUnit_IncludeAttributedTypes;
    enum CXErrorCode code = u->api->parseTranslationUnit2(
        u->index, request->path, args, (int)arg_count, &file, 1, options, &u->tu);
    if (code != CXError_Success || u->tu == NULL) {
        *failure =
            arena_printf(u->mem, "libclang cannot parse %s: %s", request->path, error_name(code));
        return false;
    }
    u->main_file = u->api->getFile(u->tu, request->path);
    if (u->main_file == NULL)
        *failure = arena_printf(u->mem, "libclang has no file %s", request->path);
    return u->main_file != NULL;
}

/* ---- errors ------------------------------------------------------------------------------- */

void clang_unit_error(clang_unit *u, uint32_t offset, const char *text)
{
    struct clang_error e = {.offset = offset, .file = "", .text = text};
    VEC_PUSH(u->mem, &u->errors, e);
}

static void keep_error(clang_unit *u, CXDiagnostic diagnostic)
{
    const struct clang_api *api = u->api;
    enum CXDiagnosticSeverity severity = api->getDiagnosticSeverity(diagnostic);
    if (severity < CXDiagnostic_Error)
        return;
    struct clang_error e = {.offset = NO_OFFSET, .file = ""};
    CXFile file = NULL;
    unsigned offset = 0;
    api->getFileLocation(api->getDiagnosticLocation(diagnostic), &file, &e.line, &e.column,
                         &offset);
    if (file != NULL && file == u->main_file)
        e.offset = offset;
    bool is_in_region = e.offset != NO_OFFSET && clang_index_region(u, e.offset) < u->region_count;
    bool is_kept = severity == CXDiagnostic_Fatal || is_in_region;
    if (!is_kept && u->dropped.text != NULL)
        return;
    if (file != NULL)
        e.file = clang_text(u, api->getFileName(file));
    e.text = clang_text(u, api->getDiagnosticSpelling(diagnostic));
    if (is_kept)
        VEC_PUSH(u->mem, &u->errors, e);
    else
        u->dropped = e;
}

static void keep_errors(clang_unit *u)
{
    unsigned count = u->api->getNumDiagnostics(u->tu);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = u->api->getDiagnostic(u->tu, i);
        keep_error(u, diagnostic);
        u->api->disposeDiagnostic(diagnostic);
    }
}

/* ---- the interface ------------------------------------------------------------------------ */

clang_unit *clang_unit_parse(arena *mem, const struct clang_unit_request *request,
                             const char **failure)
{
    clang_unit *u = ARENA_NEW(mem, clang_unit);
    u->self = u;
    u->mem = mem;
    u->buffer = request->buffer;
    u->api = clang_load(mem, failure);
    if (u->api == NULL)
        return NULL;
    if (!parse(u, request, failure)) {
        clang_unit_close(u);
        return NULL;
    }
    u->region_count = request->region_count;
    u->regions = ARENA_ARRAY(mem, struct clang_region, request->region_count + 1);
    for (uint32_t i = 0; i < request->region_count; i++)
        u->regions[i].range = request->regions[i];
    u->types = clang_types_new(u);
    keep_errors(u);
    clang_index_unit(u);
    return u;
}

void clang_unit_close(clang_unit *u)
{
    if (u->tu != NULL)
        u->api->disposeTranslationUnit(u->tu);
    if (u->index != NULL)
        u->api->disposeIndex(u->index);
    u->tu = NULL;
    u->index = NULL;
}

type_table *clang_unit_types(clang_unit *u)
{
    return clang_types_table(u->types);
}

uint64_t clang_unit_pointer_bytes(const clang_unit *u)
{
    return clang_types_pointer_bytes(u->types);
}

const struct clang_error *clang_unit_errors(const clang_unit *u, uint32_t *count)
{
    *count = (uint32_t)u->errors.count;
    return u->errors.at;
}
