#include <awaitc.h>

struct q { aw_chan *ch; aw_mutex *mu; };

/* The header of the channels is not there; that a send can fail is known. */
async int stop(struct q *q)
{
    int bye = -1;
    await aw_chan_send(q->ch, &bye); // EXPECT: awaitc-unchecked-result
    await aw_mutex_lock(q->mu);
    bye = (int)await aw_read(0, &bye, sizeof bye);
    aw_mutex_unlock(q->mu);
    return bye;
}
