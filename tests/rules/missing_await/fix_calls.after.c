#include <awaitc.h>

struct dev {
    int up;
};
async void dev_down(struct dev *d);
async struct dev *find(int id);

async int restart(struct dev *d)
{
    await dev_down(d); // EXPECT: awaitc-missing-await
    int up = (await find(1))->up; // EXPECT: awaitc-missing-await

    return up + (await find(2))->up;
}
