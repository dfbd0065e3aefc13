/* SPDX-License-Identifier: MIT */
/* Locks that are tried, not waited for: of threads, files, semaphores. */
#include "../loops.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/file.h>
#include <unistd.h>

struct spool {
    pthread_mutex_t lock;
    sem_t slots;
    int fd, busy;
};

static int lock_record(int fd, short type, int wait)
{
    struct flock l = {.l_type = type, .l_whence = SEEK_SET};
    return fcntl(fd, wait ? F_SETLKW : F_SETLK, &l);
}

static int take(struct spool *s)
{
    if (pthread_mutex_trylock(&s->lock) != 0)
        return -1;
    if (sem_trywait(&s->slots) != 0 || flock(s->fd, LOCK_EX | LOCK_NB) != 0 ||
        lock_record(s->fd, F_WRLCK, 0) != 0 || lockf(s->fd, F_TLOCK, 1) != 0)
        s->busy++;
    flock(s->fd, LOCK_UN);
    pthread_mutex_unlock(&s->lock);
    return s->busy;
}

static gboolean on_retry(gpointer data)
{
    return take(data) != 0;
}

void spool_start(struct spool *s)
{
    lock_record(s->fd, F_RDLCK, 1);
    g_timeout_add(50, on_retry, s);
}
