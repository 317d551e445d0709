#include "cc/host.h"
int host_blank(const char *text, size_t n, struct buf *out, struct host_report *r)
{
    r->blanked = false;
    return buf_add(out, text, n);
}
