/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies that a program asks to be asynchronous. Here the threads make them at once, each its own
 * part, so that only the wait for the others is left to do later.
 */
#ifndef CUDALAB_COPY_H
#define CUDALAB_COPY_H

namespace cuda {
template <size_t alignment> struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    CUDALAB_MEMBER aligned_size_t(size_t __n) : value(__n) {}
    CUDALAB_MEMBER operator size_t() const { return value; }
};
}

/* A thread that copies alone */
struct cudalab_alone {
    static CUDALAB_MEMBER unsigned thread_rank() { return 0; }
    static CUDALAB_MEMBER unsigned size() { return 1; }
};

template <class Word, class Group>
CUDALAB_FN void cudalab_copy_words(const Group &group, void *to, const void *from, size_t __n)
{
    for (size_t __i = group.thread_rank(); __i < __n / sizeof(Word); __i += group.size())
        ((Word *)to)[__i] = ((const Word *)from)[__i];
}

/* Copies in words of 16, 4 or 1 bytes, the largest that both addresses and the size allow. */
template <class Group>
CUDALAB_FN void cudalab_copy(const Group &group, void *to, const void *from, size_t __n)
{
    const size_t all = (size_t)to | (size_t)from | __n;
    if (all % 16 == 0)
        cudalab_copy_words<uint4>(group, to, from, __n);
    else if (all % 4 == 0)
        cudalab_copy_words<unsigned>(group, to, from, __n);
    else
        cudalab_copy_words<char>(group, to, from, __n);
}

#endif
