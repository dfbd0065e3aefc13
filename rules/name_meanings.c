/* SPDX-License-Identifier: MIT */
/* The lists lean to silence: a word that may mean it is in. */
#include "rules/name_meanings.h"

#include "rules/name_words.h"

const char *const name_words_of_releasing[] = {
    "free",    "close", "closed", "destroy",  "unref",   "release",  "delete", "dispose",
    "cleanup", "drop",  "finish", "fini",     "discard", "teardown", "freep",  "closep",
    "kill",    "clear", "reset",  "finalize", "deinit",  "put",      NULL};
const char *const name_words_of_keeping[] = {
    "add",      "push",    "append",   "insert",  "register", "enqueue", "attach", "store",
    "set",      "adopt",   "give",     "own",     "submit",   "start",   "spawn",  "watch",
    "steal",    "link",    "queue",    "post",    "track",    "put",     "save",   "replace",
    "take",     "prepend", "assign",   "install", "bind",     "init",    "new",    "create",
    "wrap",     "open",    "fdopen",   "join",    "transfer", "handoff", "accept", "offer",
    "dispatch", "launch",  "schedule", "return",  NULL};
const char *const name_words_of_holding[] = {"ref",     "get",    "hold",   "retain", "pin",
                                             "acquire", "addref", "incref", "keep",   NULL};
const char *const name_words_of_making[] = {"new",  "init",  "create", "setup",
                                            "make", "alloc", NULL};
const char *const name_words_of_removing[] = {
    "del",     "delete", "remove",  "unlink", "stop",     "cancel",     "unregister", "close",
    "dequeue", "detach", "destroy", "pop",    "clear",    "deregister", "unwatch",    "free",
    "wait",    "join",   "drop",    "erase",  "finish",   "unset",      "fini",       "unsubscribe",
    "unhook",  "unhash", "leave",   "forget", "withdraw", NULL};
const char *const name_words_of_waiting[] = {"join",     "wait",    "run",   "loop",
                                             "dispatch", "iterate", "flush", NULL};

bool name_tells(strview name, const char *const *words)
{
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    return name_has_any(name, words, count);
}
