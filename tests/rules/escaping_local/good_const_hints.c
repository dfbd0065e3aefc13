/* SPDX-License-Identifier: MIT */
/* What is passed as const is read at once. */
#include <netdb.h>
#include <string.h>

struct connection;
typedef void (*answer_fn)(int status, struct addrinfo *answer, void *arg);

void resolve_async(const char *host, const char *port, const struct addrinfo *hints, answer_fn fn,
                   void *arg);
void on_answer(int status, struct addrinfo *answer, void *arg);

void look_up(struct connection *c, const char *host, const char *port)
{
    struct addrinfo hints;
    memset(&hints, 0, sizeof hints);
    hints.ai_family = AF_UNSPEC;
    resolve_async(host, port, &hints, on_answer, c);
}
