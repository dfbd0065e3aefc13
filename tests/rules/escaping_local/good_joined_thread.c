#include <pthread.h>
#include <stdbool.h>

struct job { int in, out; };

static void *work(void *arg)
{
    struct job *j = arg;

    j->out = j->in * 2;
    return NULL;
}

/* The join depends on a flag; without a thread the work is done here. */
int twice(int n)
{
    struct job j = { n, 0 };
    pthread_attr_t attr;
    pthread_t thread;
    bool has_thread = pthread_attr_init(&attr) == 0 &&
                      pthread_create(&thread, &attr, work, &j) == 0;

    if (has_thread)
        pthread_join(thread, NULL);
    else
        work(&j);
    return j.out;
}
