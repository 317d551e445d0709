/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that is linked statically has NVIDIA's runtime in it. This library is loaded before it,
 * finds the runtime's functions by the program's own symbols, and writes over the beginning of each
 * a jump to the function of the same name here. This happens before any code of the program runs.
 * A function that this library lacks is led to the answer that says so.
 *
 * The jump has 5 bytes and reaches 2 GiB. So it leads to a page close by, which has the long jumps.
 */
#define _GNU_SOURCE
#include "run/client/symbols.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Each has a version that programs ask for: the file `versions`. */
API extern const char cudalab_runtime_11, cudalab_runtime_12, cudalab_runtime_13;
API extern const char cudalab_nvrtc_11, cudalab_nvrtc_12, cudalab_nvrtc_13;

/* The i-th symbol's name, where it is a function whose name may be the runtime's; else NULL. */
static const char *runtime_name(const struct symbols *s, size_t i)
{
    const Elf64_Sym *symbol = &s->all[i];
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
        symbol->st_name >= s->names_size)
        return NULL;
    const char *name = s->names + symbol->st_name;
    return strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0 ? name : NULL;
}

/* ---- jumps ----------------------------------------------------------------------------- */

#ifdef __x86_64__
enum { ALIGNED = 16, NEAR_JUMP = 5, LONG_JUMP = 14, LACKING_JUMP = 10 + LONG_JUMP };

struct jumps {
    unsigned char *page, *next;
    size_t size;
    void *own;           /* this library */
    uint64_t low, high;  /* where the runtime lies in the program */
    uintptr_t text, end; /* the pages that are written */
};

/* jmp *0(%rip), and the address */
static unsigned char *put_long_jump(unsigned char *at, const void *to)
{
    static const unsigned char jump[] = {0xff, 0x25, 0, 0, 0, 0};
    memcpy(at, jump, sizeof jump);
    memcpy(at + sizeof jump, &to, sizeof to);
    return at + LONG_JUMP;
}

/* mov $name, %rdi; then the jump */
static unsigned char *put_lacking(unsigned char *at, const char *name)
{
    static const unsigned char move[] = {0x48, 0xbf};
    void *to;
    cudaError_t (*lacking)(const char *) = run_lacking;
    memcpy(&to, &lacking, sizeof to);
    memcpy(at, move, sizeof move);
    memcpy(at + sizeof move, &name, sizeof name);
    return put_long_jump(at + LACKING_JUMP - LONG_JUMP, to);
}

static bool get_page_at(struct jumps *j, uintptr_t at)
{
    j->page = mmap(pointer_of(at), j->size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (j->page == pointer_of(at))
        return true;
    if (j->page != MAP_FAILED) /* an old kernel takes the address for a wish */
        munmap(j->page, j->size);
    return false;
}

/* Memory within reach of a near jump from all of [text, end). The heap grows above the program, so
 * it is below, or else far above. */
static bool get_page(struct jumps *j)
{
    const uintptr_t step = 1 << 20, most = 1800, far = 1000;
    for (uintptr_t i = 1; i <= most && j->text > (i + 1) * step; i++)
        if (get_page_at(j, (j->text - i * step) & ~(step - 1)))
            return true;
    for (uintptr_t i = far; i <= most; i++)
        if (get_page_at(j, (j->end + i * step) & ~(step - 1)))
            return true;
    return false;
}

/* The form of the function that the program's toolkit has: see `versions`. NULL: it is not here. */
static void *ours_named(const struct jumps *j, const char *name)
{
    const unsigned toolkit = run_toolkit();
    const char *version = toolkit == 11 ? "libcudart.so.11.0" : toolkit == 12 ? "libcudart.so.12"
                                                                             : NULL;
    void *own = version ? dlvsym(j->own, name, version) : NULL;
    return own ? own : dlsym(j->own, name);
}

static void lead(struct jumps *j, const struct symbols *s, const Elf64_Sym *symbol,
                 const char *name)
{
    unsigned char *entry = pointer_of(s->base + symbol->st_value);
    const void *ours = ours_named(j, name);
    if (symbol->st_value < j->low || symbol->st_value > j->high)
        return; /* the student's own function, or the compiler's */
    if (symbol->st_size < NEAR_JUMP && symbol->st_value % ALIGNED)
        return; /* the jump would reach into what follows */
    unsigned char *through = j->next;
    j->next = ours ? put_long_jump(through, ours) : put_lacking(through, name);
    const int32_t distance = (int32_t)(through - (entry + NEAR_JUMP));
    entry[0] = 0xe9;
    memcpy(entry + 1, &distance, sizeof distance);
}

/* Finds where the runtime lies: from the first to the last function that both have. */
static void measure(struct jumps *j, const struct symbols *s)
{
    const char *name;
    j->low = UINT64_MAX;
    for (size_t i = 0; i < s->count; i++) {
        if (!(name = runtime_name(s, i)))
            continue;
        j->size += LACKING_JUMP;
        if (!dlsym(j->own, name))
            continue;
        j->low = s->all[i].st_value < j->low ? s->all[i].st_value : j->low;
        j->high = s->all[i].st_value > j->high ? s->all[i].st_value : j->high;
    }
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    j->text = (s->base + j->low) & ~(page - 1);
    j->end = (s->base + j->high + NEAR_JUMP + page - 1) & ~(page - 1);
    j->size = (j->size + page - 1) & ~(page - 1);
}

static bool lead_all(const struct symbols *s)
{
    struct jumps j = {0};
    Dl_info self;
    const char *name;
    if (!dladdr(&cudalab_runtime_13, &self) ||
        !(j.own = dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD)))
        return false;
    measure(&j, s);
    if (!get_page(&j) ||
        mprotect(pointer_of(j.text), j.end - j.text, PROT_READ | PROT_WRITE) != 0)
        return false;
    j.next = j.page;
    for (size_t i = 0; i < s->count; i++)
        if ((name = runtime_name(s, i)))
            lead(&j, s, &s->all[i], name);
    return mprotect(pointer_of(j.text), j.end - j.text, PROT_READ | PROT_EXEC) == 0 &&
           mprotect(j.page, j.size, PROT_READ | PROT_EXEC) == 0;
}
#else
static bool lead_all(const struct symbols *s)
{
    (void)s;
    return false;
}
#endif

void run_lead(void)
{
    struct symbols s;
    if (run_open_symbols(&s) && lead_all(&s))
        return;
    fprintf(stderr, "cudalab: the runtime in this program cannot be replaced. Link the program "
                    "with `-cudart shared`\n");
    _exit(1);
}

const char cudalab_runtime_11, cudalab_runtime_12, cudalab_runtime_13;
const char cudalab_nvrtc_11, cudalab_nvrtc_12, cudalab_nvrtc_13;
