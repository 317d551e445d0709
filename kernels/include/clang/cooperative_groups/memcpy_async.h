/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies by a group. Here each thread copies its part at once, so that only the wait for the
 * others is left to do later.
 */
#ifndef CUDALAB_GROUPS_MEMCPY_ASYNC_H
#define CUDALAB_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cuda {
template <size_t alignment> struct aligned_size_t {
    size_t value;
    CUDALAB_MEMBER aligned_size_t(size_t n) : value(n) {}
    CUDALAB_MEMBER operator size_t() const { return value; }
};
}

namespace cooperative_groups {

template <class Word, class Group>
static CUDALAB_MEMBER void cudalab_copy_words(const Group &group, void *to, const void *from,
                                              size_t n)
{
    for (size_t i = group.thread_rank(); i < n / sizeof(Word); i += group.size())
        ((Word *)to)[i] = ((const Word *)from)[i];
}

/* Copies in words of 16, 4 or 1 bytes, the largest that both addresses and the size allow. */
template <class Group>
static CUDALAB_MEMBER void cudalab_copy(const Group &group, void *to, const void *from, size_t n)
{
    const size_t all = (size_t)to | (size_t)from | n;
    if (all % 16 == 0)
        cudalab_copy_words<uint4>(group, to, from, n);
    else if (all % 4 == 0)
        cudalab_copy_words<unsigned>(group, to, from, n);
    else
        cudalab_copy_words<char>(group, to, from, n);
}

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
