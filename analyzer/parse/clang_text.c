/* SPDX-License-Identifier: MIT */
/*
 * How do libclang's strings and places become the tool's? Strings are copied into the arena at
 * once. Places are taken where they are written (clang_getFileLocation): a macro argument is where
 * the user wrote it, a macro body is at the invocation.
 */
#include <string.h>

#include "analyzer/parse/clang_private.h"

const char *clang_text(clang_unit *u, CXString string)
{
    const char *text = u->api->getCString(string);
    const char *copy = text == NULL ? "" : arena_strndup(u->mem, text, strlen(text));
    u->api->disposeString(string);
    return copy;
}

bool clang_text_is(const clang_unit *u, CXString string, const char *text)
{
    const char *own = u->api->getCString(string);
    bool is = own != NULL && strcmp(own, text) == 0;
    u->api->disposeString(string);
    return is;
}

uint32_t clang_offset(const clang_unit *u, CXSourceLocation at)
{
    CXFile file = NULL;
    unsigned offset = 0;
    u->api->getFileLocation(at, &file, NULL, NULL, &offset);
    return file != NULL && file == u->main_file ? offset : NO_OFFSET;
}

bool clang_extent(const clang_unit *u, CXCursor c, struct clang_range *extent)
{
    CXSourceRange range = u->api->getCursorExtent(c);
    extent->begin = clang_offset(u, u->api->getRangeStart(range));
    if (extent->begin == NO_OFFSET)
        return false;
    extent->end = clang_offset(u, u->api->getRangeEnd(range));
    return extent->end != NO_OFFSET && extent->begin < extent->end;
}
