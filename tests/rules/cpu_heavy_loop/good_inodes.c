#include <awaitc.h>
struct inode { unsigned long nr; int links; };
struct fsck { struct inode *tab; uint64_t ninodes; };
int inode_check(struct fsck *f, struct inode *i);
async int fsck_begin(int fd, struct fsck *f);
async int fsck_run(int fd, struct fsck *f)
{
    int errors = await fsck_begin(fd, f);
    if (errors < 0)
        return errors;
    struct inode *i = f->tab, *end = f->tab + f->ninodes;
    for (; i < end; i++) {
        if (i->links == 0)
            continue;
        errors += inode_check(f, i);
        await aw_yield();
    }
    return errors;
}
