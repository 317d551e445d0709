/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies by a group. */
#ifndef CUDALAB_GROUPS_MEMCPY_ASYNC_H
#define CUDALAB_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"
#include "../cudalab_copy.h"

namespace cooperative_groups {

/* The size is in bytes. */
template <class Group, class T, class Size>
static CUDALAB_MEMBER void memcpy_async(const Group &group, T *to, const T *from, const Size &n)
{
    cudalab_copy(group, to, from, (size_t)n);
}
template <class Group, class Size>
static CUDALAB_MEMBER void memcpy_async(const Group &group, void *to, const void *from,
                                        const Size &n)
{
    cudalab_copy(group, to, from, (size_t)n);
}

/* The sizes are counts of elements; the smaller one is copied. */
template <class Group, class T, class To, class From>
static CUDALAB_MEMBER void memcpy_async(const Group &group, T *to, const To &to_count,
                                        const T *from, const From &count)
{
    const size_t a = (size_t)to_count, b = (size_t)count;
    cudalab_copy(group, to, from, (a < b ? a : b) * sizeof(T));
}

template <class Group> static CUDALAB_MEMBER void wait(const Group &group) { group.sync(); }
template <unsigned left, class Group>
static CUDALAB_MEMBER void wait_prior(const Group &group)
{
    group.sync();
}

} // namespace cooperative_groups

#endif
