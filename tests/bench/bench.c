/* SPDX-License-Identifier: MIT */
/*
 * How fast is the project's own code, measured as its peers are? A program to the convention of
 * peer programs: `awaitc-bench list`, `awaitc-bench SCENARIO [key=value ...]`; one JSON object a
 * line.
 *
 * Exit status: 0 measured and checked, 1 a check failed, 2 wrong use, 3 no such scenario or
 * parameter.
 */
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include <awaitc.h>

#include "common.h"

enum { WRONG_USE = 2, UNSUPPORTED = 3, PROBE_NS = 300 * 1000 * 1000 };

#ifdef __clang__
#define PEER "awaitc-clang"
#else
#define PEER "awaitc-gcc"
#endif
#define VERSION "0.1.0"

static const struct scenario {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    {"call-ready", bench_call_ready},
    {"depth", bench_depth},
    {"frame", bench_frame},
    {"hot", bench_hot},
    {"join", bench_join},
    {"spawn", bench_spawn},
    {"yield", bench_yield},
};
#define SCENARIO_COUNT (sizeof scenarios / sizeof scenarios[0])

static int arg_count;
static char **args;

/* ---- command line -------------------------------------------------------------------------- */

const char *arg_text(const char *key, const char *otherwise)
{
    size_t len = strlen(key);
    for (int i = 2; i < arg_count; i++) {
        if (strncmp(args[i], key, len) == 0 && args[i][len] == '=')
            return args[i] + len + 1;
    }
    return otherwise;
}

uint64_t arg_num(const char *key, uint64_t otherwise)
{
    const char *text = arg_text(key, NULL);
    if (text == NULL)
        return otherwise;
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    CHECK(*text != '\0' && *end == '\0', "%s is not a number: %s", key, text);
    return value;
}

bool arg_is(const char *key, const char *value, const char *otherwise)
{
    return strcmp(arg_text(key, otherwise), value) == 0;
}

void unsupported(void)
{
    exit(UNSUPPORTED);
}

/* ---- output -------------------------------------------------------------------------------- */

static bool is_number(const char *text)
{
    char *end;
    (void)strtoll(text, &end, 10);
    return *text != '\0' && *end == '\0';
}

void emit_row(const char *fn, const char *metric, double value)
{
    const char *comma = "";
    printf("{\"peer\":\"%s\",\"version\":\"%s\",\"scenario\":\"%s\",\"params\":{", PEER, VERSION,
           args[1]);
    for (int i = 2; i < arg_count; i++) {
        const char *value_at = strchr(args[i], '=');
        if (value_at == NULL)
            continue;
        const char *quote = is_number(value_at + 1) ? "" : "\"";
        printf("%s\"%.*s\":%s%s%s", comma, (int)(value_at - args[i]), args[i], quote, value_at + 1,
               quote);
        comma = ",";
    }
    if (fn != NULL)
        printf("%s\"fn\":\"%s\"", comma, fn);
    printf("},\"metric\":\"%s\",\"value\":%.4f}\n", metric, value);
    fflush(stdout);
}

void emit(const char *metric, double value)
{
    emit_row(NULL, metric, value);
}

uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void list(void)
{
    printf("{\"peer\":\"%s\",\"version\":\"%s\",\"scenarios\":[", PEER, VERSION);
    for (size_t i = 0; i < SCENARIO_COUNT; i++)
        printf("%s\"%s\"", i == 0 ? "" : ",", scenarios[i].name);
    printf("]}\n");
}

/* ---- runtimes ------------------------------------------------------------------------------ */

static atomic_uint arrived;

/* True if `count` of these ran at once: each holds its worker until all are there. */
static async int meet(unsigned count)
{
    uint64_t end = now_ns() + PROBE_NS;
    atomic_fetch_add(&arrived, 1);
    while (atomic_load(&arrived) < count) {
        if (now_ns() > end)
            return 0;
    }
    return 1;
}

static async int all_meet(unsigned count)
{
    aw_task *others[64];
    int met, all = 1;
    for (unsigned i = 1; i < count; i++)
        others[i] = spawn(meet(count));
    all = await meet(count);
    for (unsigned i = 1; i < count; i++) {
        int rc = await aw_join(others[i], &met);
        all &= rc == 0 && met;
    }
    return all;
}

aw_runtime *bench_runtime(void)
{
    aw_config config = AW_CONFIG_DEFAULT;
    config.workers = (unsigned)arg_num("workers", 1);
    if (config.workers == 0 || config.workers > 64)
        unsupported();
    aw_runtime *rt = aw_runtime_new(&config);
    CHECK(rt != NULL, "no runtime");
    if (config.workers > 1 && !aw_runtime_block_on(rt, all_meet(config.workers)))
        unsupported();
    return rt;
}

int main(int argc, char **argv)
{
    arg_count = argc;
    args = argv;
    if (argc < 2) {
        fprintf(stderr, "usage: %s list | SCENARIO [key=value ...]\n", argv[0]);
        return WRONG_USE;
    }
    if (strcmp(argv[1], "list") == 0) {
        list();
        return 0;
    }
    for (size_t i = 0; i < SCENARIO_COUNT; i++) {
        if (strcmp(argv[1], scenarios[i].name) == 0) {
            scenarios[i].run();
            return 0;
        }
    }
    return UNSUPPORTED;
}
