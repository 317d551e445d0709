#ifndef CC_HOST_H
#define CC_HOST_H
#include "base/buf.h"
struct host_report { bool blanked; };
int host_blank(const char *text, size_t n, struct buf *out, struct host_report *);
#endif
