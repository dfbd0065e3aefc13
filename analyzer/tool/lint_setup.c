/* SPDX-License-Identifier: MIT */
/*
 * Configurations are compared by identity: lint_configs gives the same one for all sources below a
 * folder.
 */
#include "analyzer/tool/lint_setup.h"

#include <unistd.h>

#include "analyzer/config/checks_filter.h"
#include "analyzer/parse/include_search.h"
#include "analyzer/program/known_callbacks.h"
#include "analyzer/tool/lint_cache.h"
#include "analyzer/tool/toolchain.h"
#include "rules/rule.h"

struct lint_setups {
    arena *mem;
    const options *opts;
    diag_sink *sink;
    lint_configs *configs;
    const char *awaitc_dir;
    VEC(struct lint_setup *) made;
    include_search files;
};

lint_setups *lint_setups_new(arena *mem, const options *opts, diag_sink *sink)
{
    lint_setups *s = ARENA_NEW(mem, lint_setups);
    s->mem = mem;
    s->opts = opts;
    s->sink = sink;
    s->configs = lint_configs_new(mem, opts->value[OPTION_CONFIG], sink);
    s->awaitc_dir = toolchain_awaitc_dir(mem);
    s->files = include_search_in(mem);
    return s;
}

static void add_callbacks(lint_setups *s, known_facts *known, const struct lint_callback *rows,
                          size_t count, enum callback_kind kind)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = rows[i].function != NULL
                               ? rows[i].function
                               : arena_printf(s->mem, "%s.%s", rows[i].field_of, rows[i].field);
        known_callbacks_add(known, sv_from(name), (int)rows[i].argument, kind);
    }
}

/* The tables with what the configuration adds; NULL after errors. */
static const known_facts *facts_of(lint_setups *s, const lint_config *config)
{
    known_facts *known = known_facts_new(s->mem);
    bool is_sound = true;
    for (size_t i = 0; i < config->facts.count; i++)
        is_sound &= known_facts_add_file(known, config->facts.at[i].path, s->sink);
    add_callbacks(s, known, config->loop_callbacks.at, config->loop_callbacks.count, CALLBACK_LOOP);
    add_callbacks(s, known, config->work_callbacks.at, config->work_callbacks.count, CALLBACK_WORK);
    return is_sound ? known : NULL;
}

static query_rules *queries_of(lint_setups *s, const lint_config *config)
{
    const char **folders = ARENA_ARRAY(s->mem, const char *, config->rules.count + 1);
    for (size_t i = 0; i < config->rules.count; i++)
        folders[i] = config->rules.at[i].path;
    struct query_options wanted = {.built_in = true,
                                   .folders = folders,
                                   .folder_count = config->rules.count,
                                   .annotations = config->async_annotations.at,
                                   .annotation_count = config->async_annotations.count};
    return query_rules_load(&wanted, s->sink);
}

bool lint_setup_enables(const lint_setups *setups, const struct lint_setup *setup, const char *rule,
                        bool on_by_default)
{
    struct checks_filter filter = {setup->config->checks, setups->opts->value[OPTION_CHECKS]};
    return checks_filter_enables(&filter, rule, on_by_default);
}

/* ---- what can change facts ------------------------------------------------------------------- */

static uint64_t hash_word(uint64_t hash, const char *text)
{
    return text == NULL ? lint_cache_hash(hash, "", 1)
                        : lint_cache_hash(hash, text, strlen(text) + 1);
}

static uint64_t hash_file(lint_setups *s, uint64_t hash, const char *path)
{
    strview text = path == NULL ? SV("") : include_text(&s->files, path);
    return text.at == NULL ? hash : lint_cache_hash(hash, text.at, text.len + 1);
}

static uint64_t hash_of(lint_setups *s, const struct lint_setup *setup)
{
    char exe[4096];
    ssize_t len = readlink("/proc/self/exe", exe, sizeof exe);
    uint64_t hash = len > 0 ? lint_cache_hash(0, exe, (size_t)len) : 0;
    hash = hash_word(hash, lint_cache_tool_stamp(s->mem));
    hash = hash_file(s, hash, setup->config->file);
    for (size_t i = 0; i < setup->config->facts.count; i++)
        hash = hash_file(s, hash, setup->config->facts.at[i].path);
    size_t count = query_rules_count(setup->queries);
    for (size_t i = 0; i < count; i++) {
        const struct query_rule *rule = query_rules_at(setup->queries, i);
        hash = hash_word(hash, rule->id);
        if (!rule->built_in)
            hash = hash_file(s, hash, rule->file);
    }
    hash = hash_word(hash, s->opts->value[OPTION_CHECKS]);
    return hash_word(hash, setup->settings.strict ? "strict" : "");
}

/* ---- the set-up ------------------------------------------------------------------------------ */

static struct lint_setup *make_setup(lint_setups *s, const lint_config *config)
{
    struct lint_setup *setup = ARENA_NEW(s->mem, struct lint_setup);
    setup->config = config;
    setup->settings.config = config;
    setup->settings.known = facts_of(s, config);
    setup->settings.strict = config->strict || s->opts->value[OPTION_STRICT] != NULL;
    setup->settings.audit = s->opts->value[OPTION_AUDIT] != NULL;
    if (setup->settings.known == NULL)
        return NULL;
    setup->queries = queries_of(s, config);
    uint32_t count;
    const struct rule *rules = rules_all(&count);
    setup->enabled = ARENA_ARRAY(s->mem, bool, count + 1);
    for (uint32_t i = 0; i < count; i++)
        setup->enabled[i] = lint_setup_enables(s, setup, rules[i].id, rules[i].is_on);
    setup->work = (struct lint_work){.settings = &setup->settings,
                                     .queries = setup->queries,
                                     .enabled = setup->enabled,
                                     .awaitc_dir = s->awaitc_dir};
    setup->hash = hash_of(s, setup);
    return setup;
}

const struct lint_setup *lint_setup_of(lint_setups *s, const char *source)
{
    const lint_config *config = lint_config_of(s->configs, source);
    if (config == NULL)
        return NULL;
    for (size_t i = 0; i < s->made.count; i++) {
        if (s->made.at[i]->config == config)
            return s->made.at[i];
    }
    struct lint_setup *setup = make_setup(s, config);
    if (setup != NULL)
        VEC_PUSH(s->mem, &s->made, setup);
    return setup;
}

/* ---- a program of several set-ups ------------------------------------------------------------ */

typedef VEC(const struct lint_setup *) setup_list;

static bool lists(const setup_list *all, const struct lint_setup *setup)
{
    for (size_t i = 0; i < all->count; i++) {
        if (all->at[i] == setup)
            return true;
    }
    return false;
}

static void add_config(lint_setups *s, lint_config *to, const lint_config *from)
{
    for (size_t i = 0; i < from->facts.count; i++)
        VEC_PUSH(s->mem, &to->facts, from->facts.at[i]);
    for (size_t i = 0; i < from->loop_callbacks.count; i++)
        VEC_PUSH(s->mem, &to->loop_callbacks, from->loop_callbacks.at[i]);
    for (size_t i = 0; i < from->work_callbacks.count; i++)
        VEC_PUSH(s->mem, &to->work_callbacks, from->work_callbacks.at[i]);
}

static const struct lint_setup *join_setups(lint_setups *s, const setup_list *all)
{
    lint_config *config = lint_config_default(s->mem);
    struct lint_setup *joined = ARENA_NEW(s->mem, struct lint_setup);
    uint32_t rule_count;
    (void)rules_all(&rule_count);
    *joined = *all->at[0];
    *config = *all->at[0]->config;
    memset(&config->facts, 0, sizeof config->facts);
    memset(&config->loop_callbacks, 0, sizeof config->loop_callbacks);
    memset(&config->work_callbacks, 0, sizeof config->work_callbacks);
    joined->enabled = ARENA_ARRAY(s->mem, bool, rule_count + 1);
    for (size_t i = 0; i < all->count; i++) {
        add_config(s, config, all->at[i]->config);
        for (uint32_t k = 0; k < rule_count; k++)
            joined->enabled[k] = joined->enabled[k] || all->at[i]->enabled[k];
    }
    joined->config = joined->settings.config = config;
    joined->settings.known = facts_of(s, config);
    return joined->settings.known == NULL ? NULL : joined;
}

const struct lint_setup *lint_setup_joined(lint_setups *s, struct unit_facts *const *units,
                                           size_t count)
{
    setup_list all = {0};
    for (size_t i = 0; i < count; i++) {
        const struct lint_setup *setup = lint_setup_of(s, units[i]->path);
        if (setup == NULL)
            return NULL;
        units[i]->is_strict = setup->settings.strict;
        if (!lists(&all, setup))
            VEC_PUSH(s->mem, &all, setup);
    }
    if (all.count == 0)
        return lint_setup_of(s, ".");
    return all.count == 1 ? all.at[0] : join_setups(s, &all);
}
