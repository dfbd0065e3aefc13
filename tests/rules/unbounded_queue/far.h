#include <awaitc.h>
struct evt { struct evt *next; char t[100]; };
struct bus { struct evt *head, *tail; unsigned depth, max; };
int bus_add(struct bus *b, const char *text);
int bus_offer(struct bus *b, struct evt *e);
int bus_show(struct bus *b, const char *text);
async int ws_recv(int fd, char *p, size_t n);
