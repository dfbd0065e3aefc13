/* SPDX-License-Identifier: MIT */
/*
 * Does the parser of regions survive any bytes, and does a tree that it gives keep its invariants?
 * Names that begin with `t` count as typedef names.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/check.h"
#include "analyzer/syntax/ast_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool starts_with_t(void *context, strview name, uint32_t before_offset)
{
    (void)context;
    (void)before_offset;
    return sv_starts(name, "t");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena *mem = arena_create();
    struct ast_parse_request request = {
        .mem = mem,
        .buffer = {arena_strndup(mem, (const char *)data, size), size},
        .end = (uint32_t)size,
        .is_typedef = starts_with_t,
    };
    struct ast_parse_error error = {0};
    ast_function *fn = ast_parse(&request, &error);
    if (fn != NULL)
        AWC_ASSERT(ast_verify(fn) == NULL);
    else
        AWC_ASSERT(error.text != NULL && error.offset <= size);
    arena_destroy(&mem);
    return 0;
}
