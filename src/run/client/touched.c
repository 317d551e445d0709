/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that host and kernels share. cudalab closes its pages while an operation that uses them
 * has not been waited for. If the host touches such a page, this handler tells cudalab, opens the
 * page and lets the program go on. A page has other bytes too, which the host may use. After such
 * a use the page is closed again: the processor stops behind the instruction.
 */
#define _GNU_SOURCE
#include "run/client/client.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = 4096 };

static struct sigaction before;

/* The page to close behind the instruction; one instruction can touch two. */
static __thread struct { uint64_t page[2]; int how[2]; unsigned count; } open_pages;

#ifdef __x86_64__
enum { TRAP_FLAG = 0x100, WAS_WRITE = 2 };

/* Is it an atomic operation? It has the prefix LOCK, perhaps behind others, or it is XCHG. */
static bool is_atomic(const unsigned char *code)
{
    enum { LOCK = 0xf0, OPERAND_SIZE = 0x66, REX = 0x40, REX_MASK = 0xf0, XCHG = 0x86,
           XCHG_MASK = 0xfe };
    while (*code == OPERAND_SIZE || (*code & REX_MASK) == REX)
        code++;
    return *code == LOCK || (*code & XCHG_MASK) == XCHG;
}

/* A bit of the page fault's code says whether it was a write. */
static enum run_touch how_touched(const ucontext_t *context)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    if (!(registers[REG_ERR] & WAS_WRITE))
        return RUN_TOUCH_READ;
    return is_atomic(pointer_of((uint64_t)registers[REG_RIP])) ? RUN_TOUCH_ATOMIC : RUN_TOUCH_WRITE;
}

/* Does the address lie where a function has its local variables, or saves a register? */
static bool is_stack(const ucontext_t *context, uint64_t at)
{
    enum { NEAR = 16 * PAGE };
    return at + NEAR - (uint64_t)context->uc_mcontext.gregs[REG_RSP] < 2 * NEAR;
}

static bool step(ucontext_t *context, uint64_t page, int how)
{
    if (open_pages.count == 2)
        return false;
    open_pages.page[open_pages.count] = page;
    open_pages.how[open_pages.count++] = how;
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return true;
}

static void stepped(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info;
    for (; open_pages.count; open_pages.count--)
        mprotect(pointer_of(open_pages.page[open_pages.count - 1]), PAGE,
                 open_pages.how[open_pages.count - 1]);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}
#else
static enum run_touch how_touched(const ucontext_t *context)
{
    (void)context;
    return RUN_TOUCH_READ;
}
static bool is_stack(const ucontext_t *context, uint64_t at)
{
    (void)context, (void)at;
    return false;
}
static bool step(ucontext_t *context, uint64_t page, int how)
{
    (void)context, (void)page, (void)how;
    return false;
}
static void stepped(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
}
#endif

/* Whoever had the signal before us gets it. It comes again by itself, if nobody has sent it. */
static void pass_on(int number, bool was_sent)
{
    sigaction(number, &before, NULL);
    if (was_sent)
        raise(number);
}

static enum run_segv kind_of(const siginfo_t *info, const ucontext_t *context)
{
    return info->si_code == SEGV_MAPERR && is_stack(context, number_of(info->si_addr))
                                          ? RUN_SEGV_STACK
           : info->si_code == SEGV_ACCERR ? RUN_SEGV_CLOSED
           : info->si_code == SEGV_MAPERR ? RUN_SEGV_NO_PAGE
                                          : RUN_SEGV_UNKNOWN;
}

static void touched(int number, siginfo_t *info, void *context)
{
    const bool was_sent = info->si_code <= 0;
    if (was_sent || run_is_talking()) {
        pass_on(number, was_sent);
        return;
    }
    uint64_t at = number_of(info->si_addr), page = at / PAGE * PAGE;
    struct run_message m = REQUEST(HOST_TOUCH, at, how_touched(context), kind_of(info, context));
    bool ours = at - RUN_SHARED_BASE < RUN_SHARED_BYTES && info->si_code == SEGV_ACCERR;
    cudaError_t error = run_is_inside() ? run_ask_inside(&m) : run_ask(&m, NULL, 0, NULL, 0);
    if (ours && error == cudaSuccess &&
        mprotect(pointer_of(page), PAGE, PROT_READ | PROT_WRITE) == 0) {
        if (m.number[0])
            step(context, page, (int)m.number[0] - 1);
        return;
    }
    pass_on(number, false);
}

/* A full stack has no room for the handler. It runs on a stack of its own, in the first thread. */
void run_watch_memory(void)
{
    static char own_stack[256 << 10];
    const stack_t stack = {.ss_sp = own_stack, .ss_size = sizeof own_stack};
    struct sigaction now = {.sa_sigaction = touched,
                            .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    sigaltstack(&stack, NULL);
    struct sigaction behind = {.sa_sigaction = stepped, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &now, &before);
    sigaction(SIGTRAP, &behind, NULL);
}
