#include "far.h"
void client_close(struct client *c)
{
    c->job = NULL;
}
void client_init(struct client *c, struct job *j)
{
    c->first = j;
}
