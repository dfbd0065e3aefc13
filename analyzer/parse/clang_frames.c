/* SPDX-License-Identifier: MIT */
/*
 * One walk over the declarations at file scope: each struct whose name ends in __frame, and the
 * enumerators whose names end in __need, which follow them.
 */
#include "analyzer/parse/clang_frames.h"

#include "analyzer/parse/clang_private.h"

enum { BITS_PER_BYTE = 8 };

struct frame_walk {
    clang_unit *u;
    clang_frame_list *out;
    struct clang_frame *frame; /* whose fields are visited */
};

/* The text in front of the suffix, or an empty one. */
static strview without_suffix(const char *name, const char *suffix)
{
    size_t len = strlen(name), end = strlen(suffix);
    bool fits = len > end && strcmp(name + len - end, suffix) == 0;
    return (strview){name, fits ? len - end : 0};
}

static enum CXVisitorResult add_field(CXCursor cursor, CXClientData data)
{
    struct frame_walk *walk = data;
    const struct clang_api *api = walk->u->api;
    long long bits = api->Cursor_getOffsetOfField(cursor);
    long long size = api->Type_getSizeOf(api->getCursorType(cursor));
    if (bits < 0 || size < 0)
        return CXVisit_Break;
    VEC_PUSH(walk->u->mem, &walk->frame->fields,
             (struct clang_frame_field){(uint64_t)bits / BITS_PER_BYTE, (uint64_t)size});
    return CXVisit_Continue;
}

static void add_frame(struct frame_walk *walk, CXCursor cursor)
{
    const struct clang_api *api = walk->u->api;
    const char *name = clang_text(walk->u, api->getCursorSpelling(cursor));
    struct clang_frame frame = {.name = without_suffix(name, "__frame")};
    CXType type = api->getCursorType(cursor);
    long long size = api->Type_getSizeOf(type), align = api->Type_getAlignOf(type);
    if (frame.name.len == 0 || size < 0 || align <= 0 || !api->isCursorDefinition(cursor))
        return;
    frame.size_bytes = (uint64_t)size;
    frame.align_bytes = (uint64_t)align;
    walk->frame = &frame;
    api->Type_visitFields(type, add_field, walk);
    walk->frame = NULL;
    VEC_PUSH(walk->u->mem, &walk->out->all, frame);
}

static enum CXChildVisitResult visit_enumerator(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct frame_walk *walk = data;
    const char *name = clang_text(walk->u, walk->u->api->getCursorSpelling(cursor));
    strview of = without_suffix(name, "__need");
    (void)parent;
    for (size_t i = walk->out->all.count; i-- > 0 && of.len > 0;) {
        if (sv_equal(walk->out->all.at[i].name, of)) {
            long long value = walk->u->api->getEnumConstantDeclValue(cursor);
            walk->out->all.at[i].need_bytes = value > 0 ? (uint64_t)value : 0;
            break;
        }
    }
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    struct frame_walk *walk = data;
    const struct clang_api *api = walk->u->api;
    (void)parent;
    if (api->Location_isInSystemHeader(api->getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (api->getCursorKind(cursor) == CXCursor_StructDecl)
        add_frame(walk, cursor);
    else if (api->getCursorKind(cursor) == CXCursor_EnumDecl)
        api->visitChildren(cursor, visit_enumerator, walk);
    return CXChildVisit_Continue;
}

clang_frame_list clang_frames(clang_unit *u)
{
    clang_frame_list out = {0};
    struct frame_walk walk = {.u = u, .out = &out};
    u->api->visitChildren(u->api->getTranslationUnitCursor(u->tu), visit_declaration, &walk);
    return out;
}
