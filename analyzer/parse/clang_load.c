/* SPDX-License-Identifier: MIT */
/*
 * Where is libclang, and where are the headers that belong to it? The library is tried under its
 * names in the order of a table, then every function of clang_api.def is looked up; a library that
 * lacks one is too old. libclang finds its own headers beside itself as a rule; where the library
 * was moved alone, the usual places are tried.
 */
#include "analyzer/parse/clang_load.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/check.h"

static const char *const library_names[] = {
    "libclang-19.so.19",
    "libclang-19.so.1",
    "libclang.so.19",
    "libclang.so.19.1",
    "/usr/lib/llvm-19/lib/libclang-19.so.19",
    "/usr/lib/llvm-19/lib/libclang-19.so.1",
    "/usr/lib/llvm-19/lib/libclang.so.19",
    "/usr/lib/llvm-19/lib/libclang.so.19.1",
};

static const char *const resource_dirs[] = {
    "/usr/lib/llvm-19/lib/clang/19",
    "/usr/lib/clang/19",
    "/usr/lib64/clang/19",
    "/usr/local/lib/clang/19",
};

static void *open_library(arena *mem, const char **failure)
{
    const char *wanted = getenv("AWAITC_LIBCLANG");
    if (wanted != NULL && wanted[0] != '\0') {
        void *library = dlopen(wanted, RTLD_LAZY | RTLD_LOCAL);
        if (library == NULL)
            *failure =
                arena_printf(mem, "cannot load libclang named by AWAITC_LIBCLANG: %s", dlerror());
        return library;
    }
    for (size_t i = 0; i < COUNTOF(library_names); i++) {
        void *library = dlopen(library_names[i], RTLD_LAZY | RTLD_LOCAL);
        if (library != NULL)
            return library;
    }
    *failure = "cannot load libclang 19 (libclang-19.so.19): install it (package libclang1-19), or "
               "let AWAITC_LIBCLANG name the file";
    return NULL;
}

/* Looks one function up; false with a message if the library has none of that name. */
static bool find_function(arena *mem, void *library, const char *name, void *pointer,
                          const char **failure)
{
    void *symbol = dlsym(library, name);
    if (symbol == NULL) {
        *failure = arena_printf(
            mem, "the libclang found is too old, it lacks %s: version 19 is needed", name);
        return false;
    }
    memcpy(pointer, &symbol, sizeof symbol);
    return true;
}

static bool has_headers(arena *mem, const char *dir)
{
    return access(arena_printf(mem, "%s/include/stddef.h", dir), R_OK) == 0;
}

static const char *find_resource_dir(arena *mem, void *symbol)
{
    Dl_info info;
    char real[PATH_MAX];
    if (dladdr(symbol, &info) != 0 && info.dli_fname != NULL &&
        realpath(info.dli_fname, real) != NULL) {
        char *slash = strrchr(real, '/');
        if (slash != NULL)
            *slash = '\0';
        const char *beside = arena_printf(mem, "%s/clang/19", real);
        if (has_headers(mem, beside))
            return beside;
    }
    for (size_t i = 0; i < COUNTOF(resource_dirs); i++) {
        if (has_headers(mem, resource_dirs[i]))
            return resource_dirs[i];
    }
    return NULL;
}

const struct clang_api *clang_load(arena *mem, const char **failure)
{
    void *library = open_library(mem, failure);
    if (library == NULL)
        return NULL;
    struct clang_api *api = ARENA_NEW(mem, struct clang_api);
#define CLANG_FUNCTION(name)                                                                       \
    if (!find_function(mem, library, "clang_" #name, &api->name, failure))                         \
        return NULL;
#include "analyzer/parse/clang_api.def"
#undef CLANG_FUNCTION
    api->resource_dir = find_resource_dir(mem, dlsym(library, "clang_createIndex"));
    return api;
}
