#include <awaitc.h>
typedef struct { void *opaque[4]; } aw_mutex;
async void aw_mutex_lock(aw_mutex *m);
void aw_mutex_unlock(aw_mutex *m);
struct client { int fd; aw_mutex wide, narrow; long n; };
async int save(int fd);
