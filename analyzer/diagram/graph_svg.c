/* SPDX-License-Identifier: MIT */
/*
 * The only file that knows Graphviz. Functions are looked up in a table, as for libclang. For SVG
 * the plug-ins are loaded one by one from Graphviz's own directory and handed over, which keeps its
 * search for others, pango's text measure among them, out of the way. Layouts are not freed: the
 * process is short, and Graphviz 2.43 frees an edge twice that it has merged with its neighbour.
 */
#include "analyzer/diagram/graph_svg.h"

#ifdef AWAITC_HAS_GRAPHVIZ

#include <dlfcn.h>
#include <graphviz/gvc.h>
#include <graphviz/gvplugin.h>
#include <link.h>
#include <stdlib.h>

#include "analyzer/base/check.h"
#include "analyzer/base/vec.h"
#include "analyzer/diagram/svg_titles.h"

struct api {
    GVC_t *(*context_plain)(const lt_symlist_t *builtins, int demand_loading);
    GVC_t *(*context)(void);
    void (*add_library)(GVC_t *gvc, gvplugin_library_t *library);
    int (*layout)(GVC_t *gvc, graph_t *g, const char *engine);
    int (*render)(GVC_t *gvc, graph_t *g, const char *format, char **result, unsigned *length);
    void (*free_render)(char *data);
    Agraph_t *(*read)(void *channel, Agdisc_t *disc);
    agerrlevel_t (*set_errors)(agerrlevel_t level);
    char *(*last_error)(void);
};

struct picture_maker {
    arena *mem;
    enum picture_format format;
    struct api api;
    GVC_t *gvc;
};

/* ---- reading a graph: the text, and numbers for its names --------------------------------- */

/* Graphviz orders subgraphs by their ids, and its own ids are addresses, which differ from run to
 * run; so names get numbers here, in the order in which they come. */
struct reading {
    arena *mem;
    const char *rest;
    VEC(const char *) names; /* id: 2 * (index + 1); those without a name are odd */
    IDTYPE anonymous;
    Agdisc_t disc;
    Agiddisc_t ids;
    Agiodisc_t io;
};

static int read_text(void *channel, char *buffer, int size)
{
    struct reading *r = channel;
    size_t len = strlen(r->rest);
    len = len < (size_t)size ? len : (size_t)size;
    memcpy(buffer, r->rest, len);
    r->rest += len;
    return (int)len;
}

static void *ids_open(Agraph_t *g, Agdisc_t *disc)
{
    (void)g;
    return (char *)disc - offsetof(struct reading, disc);
}

static long ids_map(void *state, int kind, char *name, IDTYPE *id, int create)
{
    struct reading *r = state;
    (void)kind;
    if (name == NULL) {
        *id = create != 0 ? 2 * r->anonymous++ + 1 : 0;
        return create;
    }
    for (size_t i = 0; i < r->names.count; i++) {
        if (strcmp(r->names.at[i], name) == 0) {
            *id = 2 * (i + 1);
            return 1;
        }
    }
    *id = 0;
    if (create == 0)
        return 0;
    VEC_PUSH(r->mem, &r->names, arena_strndup(r->mem, name, strlen(name)));
    *id = 2 * r->names.count;
    return 1;
}

static long ids_alloc(void *state, int kind, IDTYPE id)
{
    (void)state;
    (void)kind;
    (void)id;
    return 0; /* nobody asks for an id of his own */
}

static void ids_free(void *state, int kind, IDTYPE id)
{
    (void)state;
    (void)kind;
    (void)id;
}

static char *ids_print(void *state, int kind, IDTYPE id)
{
    struct reading *r = state;
    (void)kind;
    if (id % 2 != 0 || id == 0)
        return NULL;
    return (char *)(uintptr_t)r->names.at[id / 2 - 1];
}

static void ids_close(void *state)
{
    (void)state;
}

static void ids_register(void *state, int kind, void *object)
{
    (void)state;
    (void)kind;
    (void)object;
}

static Agraph_t *read_graph(picture_maker *p, const char *dot)
{
    struct reading *r = ARENA_NEW(p->mem, struct reading); /* the graph refers to it */
    r->mem = p->mem;
    r->rest = dot;
    r->io.afread = read_text;
    r->ids =
        (Agiddisc_t){ids_open, ids_map, ids_alloc, ids_free, ids_print, ids_close, ids_register};
    r->disc.id = &r->ids;
    r->disc.io = &r->io;
    return p->api.read(r, &r->disc);
}

/* ---- loading ------------------------------------------------------------------------------- */

static const struct api_line {
    const char *name;
    size_t offset;
} lines[] = {{"gvContextPlugins", offsetof(struct api, context_plain)},
             {"gvContext", offsetof(struct api, context)},
             {"gvAddLibrary", offsetof(struct api, add_library)},
             {"gvLayout", offsetof(struct api, layout)},
             {"gvRenderData", offsetof(struct api, render)},
             {"gvFreeRenderData", offsetof(struct api, free_render)},
             {"agread", offsetof(struct api, read)},
             {"agseterr", offsetof(struct api, set_errors)},
             {"aglasterr", offsetof(struct api, last_error)}};

static void *open_library(arena *mem, const char **failure)
{
    const char *wanted = getenv("AWAITC_LIBGVC");
    if (wanted != NULL && wanted[0] != '\0') {
        void *library = dlopen(wanted, RTLD_LAZY | RTLD_GLOBAL);
        if (library == NULL)
            *failure =
                arena_printf(mem, "cannot load Graphviz named by AWAITC_LIBGVC: %s", dlerror());
        return library;
    }
    static const char *const names[] = {"libgvc.so.6", "libgvc.so.7", "libgvc.so"};
    for (size_t i = 0; i < COUNTOF(names); i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_GLOBAL);
        if (library != NULL)
            return library;
    }
    *failure = "cannot load Graphviz's library (libgvc.so.6): install it (package graphviz), or "
               "write --format=dot, mermaid, json or text";
    return NULL;
}

static bool find_functions(picture_maker *p, void *library, const char **failure)
{
    for (size_t i = 0; i < COUNTOF(lines); i++) {
        void *symbol = dlsym(library, lines[i].name);
        if (symbol == NULL) {
            *failure = arena_printf(p->mem, "the Graphviz library found lacks %s: it is too old",
                                    lines[i].name);
            return false;
        }
        memcpy((char *)&p->api + lines[i].offset, &symbol, sizeof symbol);
    }
    return true;
}

/* The directory of Graphviz's plug-ins: GVBINDIR, or "graphviz" beside its library. */
static const char *plugin_dir(arena *mem, void *library)
{
    const char *named = getenv("GVBINDIR");
    if (named != NULL && named[0] != '\0')
        return named;
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == NULL)
        return "graphviz";
    const char *slash = strrchr(map->l_name, '/');
    int len = slash == NULL ? 0 : (int)(slash - map->l_name) + 1;
    return arena_printf(mem, "%.*sgraphviz", len, map->l_name);
}

static bool add_plugin(picture_maker *p, const char *dir, const char *name, const char **failure)
{
    void *plugin = NULL;
    for (int version = 6; version <= 8 && plugin == NULL; version++)
        plugin = dlopen(arena_printf(p->mem, "%s/libgvplugin_%s.so.%d", dir, name, version),
                        RTLD_NOW | RTLD_GLOBAL);
    gvplugin_library_t *library = NULL;
    if (plugin != NULL)
        library = dlsym(plugin, arena_printf(p->mem, "gvplugin_%s_LTX_library", name));
    if (library == NULL) {
        *failure =
            arena_printf(p->mem,
                         "Graphviz's plug-in '%s' is not in %s: install it (package graphviz; "
                         "on Debian, libgvc6), or write --format=dot, mermaid, json or text",
                         name, dir);
        return false;
    }
    p->api.add_library(p->gvc, library);
    return true;
}

picture_maker *picture_maker_new(arena *mem, enum picture_format format, const char **failure)
{
    picture_maker *p = ARENA_NEW(mem, picture_maker);
    p->mem = mem;
    p->format = format;
    void *library = open_library(mem, failure);
    if (library == NULL || !find_functions(p, library, failure))
        return NULL;
    p->api.set_errors(AGMAX); /* they are asked for, not printed */
    if (format != PICTURE_SVG) {
        p->gvc = p->api.context();
        return p;
    }
    const char *dir = plugin_dir(mem, library);
    p->gvc = p->api.context_plain(NULL, 0);
    if (!add_plugin(p, dir, "core", failure) || !add_plugin(p, dir, "dot_layout", failure))
        return NULL;
    return p;
}

static const char *last_error(picture_maker *p, const char *what)
{
    const char *text = p->api.last_error();
    size_t len = text == NULL ? 0 : strcspn(text, "\n");
    if (len == 0)
        return what;
    bool is_missing = memmem(text, len, "not recognized", 14) != NULL;
    return arena_printf(p->mem, "%s: %.*s%s", what, (int)len, text,
                        is_missing ? "; a plug-in is missing (on Debian, package libgvc6)" : "");
}

/* PDF says when it was made; the same input shall give the same bytes. */
static void blank_date(char *pdf, size_t len)
{
    static const char key[] = "/CreationDate (D:", date[] = "20000101000000";
    size_t digit = 0;
    char *at = memmem(pdf, len, key, sizeof key - 1);
    for (at = at == NULL ? NULL : at + sizeof key - 1; at != NULL && *at != ')'; at++) {
        if (*at >= '0' && *at <= '9')
            *at = digit + 1 < sizeof date ? date[digit++] : '0';
        if (at + 1 == pdf + len)
            break;
    }
}

bool picture_render(picture_maker *p, const char *dot, strview *picture, const char **failure)
{
    static const char *const formats[] = {"svg", "png", "pdf"};
    char *data = NULL;
    unsigned length = 0;
    Agraph_t *g = read_graph(p, dot);
    if (g == NULL) {
        *failure = last_error(p, "Graphviz cannot read the graph");
        return false;
    }
    bool done = p->api.layout(p->gvc, g, "dot") == 0;
    if (!done)
        *failure = last_error(p, "Graphviz cannot lay out the graph");
    if (done && (p->api.render(p->gvc, g, formats[p->format], &data, &length) != 0 ||
                 data == NULL || length == 0)) {
        *failure = last_error(
            p, arena_printf(p->mem,
                            "Graphviz cannot write %s: its plug-in for it is missing (on Debian, "
                            "package libgvc6)",
                            formats[p->format]));
        done = false;
    }
    if (done && p->format == PICTURE_PDF)
        blank_date(data, length);
    if (done)
        *picture = (strview){arena_strndup(p->mem, data, length), length};
    if (done && p->format == PICTURE_SVG)
        *picture = svg_clear_titles(p->mem, *picture);
    if (data != NULL)
        p->api.free_render(data);
    return done;
}

#else

picture_maker *picture_maker_new(arena *mem, enum picture_format format, const char **failure)
{
    (void)mem;
    (void)format;
    *failure = "this awaitc was built without Graphviz (package libgraphviz-dev); write "
               "--format=dot, mermaid, json or text";
    return NULL;
}

bool picture_render(picture_maker *maker, const char *dot, strview *picture, const char **failure)
{
    (void)maker;
    (void)dot;
    (void)picture;
    *failure = "built without Graphviz";
    return false;
}

#endif
