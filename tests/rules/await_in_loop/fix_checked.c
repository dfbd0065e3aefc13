#include <awaitc.h>

struct node { struct node *next; int id; };
async int purge(int id);
async int announce(const char *name);
async int fetch(int id, char *to);

async int purge_all(const int *ids, int count)
{
    for (int i = 0; i < count; i++) {
        if (await purge(ids[i]) < 0) // EXPECT: awaitc-await-in-loop
            return -1;
    }
    return 0;
}

async int purge_list(struct node *first)
{
    for (struct node *n = first; n != NULL; n = n->next) {
        if (n->id == 0)
            continue;
        int rc = await purge(n->id); // EXPECT: awaitc-await-in-loop
        if (rc < 0)
            return rc;
    }
    return 0;
}

async int announce_all(const char *const *names, int count)
{
    int done = 0;
    for (int i = 0; i < count; i++)
        if (await announce(names[i]) < 0) // EXPECT: awaitc-await-in-loop
            goto fail;
    done = 1;
fail:
    return done;
}

/* What the round does behind its await would come too early. No fix. */
async int counted(const int *ids, int count)
{
    int good = 0;
    for (int i = 0; i < count; i++) {
        int rc = await purge(ids[i]); // EXPECT: awaitc-await-in-loop
        if (rc < 0)
            return rc;
        good++;
    }
    return good;
}

/* A child would work on what its round has given up. No fix. */
async int scratch(const int *ids, int count)
{
    for (int i = 0; i < count; i++) {
        char text[64];
        if (await fetch(ids[i], text) < 0) // EXPECT: awaitc-await-in-loop
            return -1;
    }
    return 0;
}
