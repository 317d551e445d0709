/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Landlock decides which files can be opened; seccomp denies the system calls that Landlock does
 * not see: sockets, other processes, namespaces, a file's mode and owner. Both are raw system
 * calls with numbers of our own, since a C library or a header may be older than the kernel.
 */
#define _GNU_SOURCE
#include "programs/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/syscall.h>

/* ---- Landlock ------------------------------------------------------------------------- */

enum {
    CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, /* the same on every processor */
    RULE_PATH_BENEATH = 1, ASK_VERSION = 1, VERSIONS = 6
};

enum {
    FS_EXECUTE = 1 << 0, FS_WRITE_FILE = 1 << 1, FS_READ_FILE = 1 << 2, FS_READ_DIR = 1 << 3,
    FS_REMOVE_DIR = 1 << 4, FS_REMOVE_FILE = 1 << 5, FS_MAKE_DIR = 1 << 7, FS_MAKE_REG = 1 << 8,
    FS_TRUNCATE = 1 << 14, FS_IOCTL_DEV = 1 << 15,
    FS_OF_FILES = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV
};

struct ruleset {
    uint64_t files, net, scoped;
};

struct __attribute__((packed)) beneath {
    uint64_t files;
    int32_t parent;
};

/* All that a version can forbid. */
static struct ruleset forbidden_by(int version)
{
    static const int file_rights[] = {0, 13, 14, 15, 15, 16, 16};
    int known = version > VERSIONS ? VERSIONS : version;
    return (struct ruleset){.files = (1U << file_rights[known]) - 1,
                            .net = version >= 4 ? 3 : 0,     /* TCP */
                            .scoped = version >= 6 ? 3 : 0}; /* abstract sockets, signals */
}

static uint64_t rights_of(unsigned may)
{
    uint64_t r = 0;
    r |= may & CONFINE_READ ? FS_READ_FILE | FS_READ_DIR : 0;
    r |= may & CONFINE_RUN ? FS_READ_FILE | FS_EXECUTE : 0;
    r |= may & CONFINE_WRITE ? FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_DIR | FS_MAKE_REG |
                                   FS_REMOVE_DIR | FS_REMOVE_FILE
                             : 0;
    r |= may & CONFINE_DEVICE ? FS_WRITE_FILE | FS_IOCTL_DEV : 0;
    return r;
}

static int add_rule(int set, uint64_t known, const struct confine_rule *rule, bool plain)
{
    struct stat info;
    struct beneath b = {.files = rights_of(rule->may) & known};
    b.parent = open(rule->path, O_PATH | O_CLOEXEC | (plain ? O_NOFOLLOW : 0));
    if (b.parent < 0)
        return 0;
    if (fstat(b.parent, &info) != 0 || (plain && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)))
        b.files = 0;
    else if (!S_ISDIR(info.st_mode))
        b.files &= FS_OF_FILES;
    long rc = b.files ? syscall(ADD_RULE, set, RULE_PATH_BENEATH, &b, 0) : 0;
    close(b.parent);
    return rc == 0 ? 0 : -1;
}

static int restrict_files(const struct confinement *c)
{
    struct ruleset forbidden = forbidden_by(confine_version());
    size_t size = forbidden.scoped ? 24 : forbidden.net ? 16 : 8; /* older kernels know less */
    int set = (int)syscall(CREATE_RULESET, &forbidden, size, 0);
    if (set < 0)
        return -1;
    /* A program among them is started by a child, which is confined once more. */
    const unsigned may = CONFINE_READ | (c->kind == CONFINE_PARENT ? CONFINE_RUN : 0);
    long rc = 0;
    for (unsigned i = 0; rc == 0 && i < c->count; i++)
        rc = add_rule(set, forbidden.files, &c->rules[i], false);
    for (const char *const *file = c->plain; rc == 0 && file && *file; file++)
        rc = add_rule(set, forbidden.files, &(struct confine_rule){*file, may}, true);
    if (rc == 0)
        rc = syscall(RESTRICT_SELF, set, 0);
    close(set);
    return rc == 0 ? 0 : -1;
}

/* ---- seccomp -------------------------------------------------------------------------- */

#ifdef __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

enum { OTHER_ABI = 0x40000000, FILTER_MOST = 400, CLONE_NEW_ANY = 0x7e020080 };
/* Numbers that old headers lack; like all since 424 the same on every processor. */
enum { NR_PIDFD_SIGNAL = 424, NR_IO_URING = 425, NR_OPEN_TREE = 428, NR_FSPICK = 433,
       NR_PIDFD_OPEN = 434, NR_CLONE3 = 435, NR_OPENAT2 = 437, NR_PIDFD_GETFD = 438,
       NR_PROCESS_MADVISE = 440, NR_MOUNT_SETATTR = 442, NR_MEMFD_SECRET = 447,
       NR_MRELEASE = 448, NR_FCHMODAT2 = 452,
       NR_SETXATTR_AT = 463, NR_REMOVEXATTR_AT = 466, NR_LAST = 1000 };

/* What no confined process may do. */
static const short never[] = {
    /* the network, and sockets that other processes have */
    SYS_socket,
    /* other processes */
#ifndef CONFINE_SANITIZED /* a sanitizer looks for leaks by it */
    SYS_ptrace,
#endif
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, NR_PIDFD_GETFD,
    NR_PROCESS_MADVISE, NR_MRELEASE, SYS_migrate_pages, SYS_move_pages, SYS_setpriority,
    SYS_sched_setscheduler, SYS_sched_setparam, SYS_sched_setattr, SYS_ioprio_set,
    /* memory and queues that have a number, not a file */
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget,
    SYS_semop, SYS_semctl, SYS_semtimedop, SYS_mq_open, SYS_mq_unlink, SYS_add_key,
    SYS_request_key, SYS_keyctl,
    /* another view of the machine */
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, NR_MOUNT_SETATTR,
    SYS_open_by_handle_at, SYS_name_to_handle_at,
    /* a file's mode, owner, times and length, by its name */
    SYS_fchmod, SYS_fchmodat, NR_FCHMODAT2, SYS_fchown, SYS_fchownat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_truncate,
    SYS_utimensat, SYS_mknodat, NR_SETXATTR_AT, NR_REMOVEXATTR_AT,
    /* the machine itself */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_init_module, SYS_finit_module,
    SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct,
    SYS_quotactl, SYS_syslog, SYS_sethostname, SYS_setdomainname, SYS_settimeofday,
    SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_vhangup, SYS_fanotify_init,
#ifdef __x86_64__
    SYS_chmod, SYS_chown, SYS_lchown, SYS_mknod, SYS_utime, SYS_utimes, SYS_futimesat, SYS_iopl,
    SYS_ioperm, SYS_modify_ldt,
#endif
};

/* What a process that starts and signals no other has no use for. */
static const short never_alone[] = {
    SYS_tkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, NR_PIDFD_OPEN, NR_PIDFD_SIGNAL,
    SYS_memfd_create, NR_MEMFD_SECRET, SYS_setpgid, SYS_setsid, SYS_socketpair,
    SYS_sched_setaffinity,
#ifdef __x86_64__
    SYS_fork, SYS_vfork,
#endif
};

struct filter {
    struct sock_filter at[FILTER_MOST];
    unsigned count;
};

#define ARGUMENT(i) ((uint32_t)offsetof(struct seccomp_data, args) + 8 * (i))
#define DENIED(error) (SECCOMP_RET_ERRNO | (error))

static void add(struct filter *f, unsigned code, uint32_t k, unsigned yes, unsigned no)
{
    if (f->count < FILTER_MOST)
        f->at[f->count++] = (struct sock_filter){(uint16_t)code, (uint8_t)yes, (uint8_t)no, k};
}

static void load(struct filter *f, size_t offset)
{
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The number of the call is loaded; where the test holds, what then. */
static void when(struct filter *f, unsigned test, uint32_t k, uint32_t then)
{
    add(f, BPF_JMP | test | BPF_K, k, 0, 1);
    add(f, BPF_RET | BPF_K, then, 0, 0);
}

static void deny_all(struct filter *f, const short *calls, size_t n)
{
    for (size_t i = 0; i < n; i++)
        when(f, BPF_JEQ, (uint32_t)calls[i], DENIED(EPERM));
}

/* Denies a call where (argument & mask) is `value`, or where it is not. */
static void deny_argument(struct filter *f, long call, unsigned argument, uint32_t mask,
                          uint32_t value, bool equal)
{
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 5);
    load(f, ARGUMENT(argument));
    add(f, BPF_ALU | BPF_AND | BPF_K, mask, 0, 0);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, value, equal ? 0 : 1, equal ? 1 : 0);
    add(f, BPF_RET | BPF_K, DENIED(EPERM), 0, 0);
    load(f, offsetof(struct seccomp_data, nr));
}

static void deny_signals(struct filter *f, enum confine_kind kind)
{
    enum { ALL = -1 };
    static const short calls[] = {SYS_kill, SYS_tgkill};
    if (kind == CONFINE_ALONE)
        deny_all(f, calls, sizeof calls / sizeof *calls);
    for (unsigned i = 0; kind == CONFINE_STRANGER && i < sizeof calls / sizeof *calls; i++)
        deny_argument(f, calls[i], 0, (uint32_t)ALL, (uint32_t)getpid(), false);
}

/* RLIMIT_DATA counts neither shared memory without a file nor what grows downwards, as stacks do.
 * mremap() could make the stack larger. */
static void deny_memory(struct filter *f)
{
    static const short calls[] = {SYS_mremap};
    deny_argument(f, SYS_mmap, 3, MAP_ANONYMOUS | MAP_SHARED, MAP_ANONYMOUS | MAP_SHARED, true);
    deny_argument(f, SYS_mmap, 3, MAP_GROWSDOWN, 0, false);
    deny_all(f, calls, 1);
}

static void deny_by_arguments(struct filter *f, enum confine_kind kind)
{
    enum { PUSH_INPUT = 0x5412, CONSOLE = 0x541c, SOCKET_OWNER = 0x8901, SOCKET_GROUP = 0x8902,
           SET_OWNER = 8, SET_OWNER_EX = 15, ALL = -1 };
    deny_argument(f, SYS_ioctl, 1, (uint32_t)ALL, PUSH_INPUT, true); /* type at the terminal */
    deny_argument(f, SYS_ioctl, 1, (uint32_t)ALL, CONSOLE, true);
    deny_argument(f, SYS_prlimit64, 0, (uint32_t)ALL, 0, false); /* another process's limits */
    /* Landlock's first versions let a file be cut by opening it only to read. */
    deny_argument(f, SYS_openat, 2, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY, true);
#ifdef __x86_64__
    deny_argument(f, SYS_open, 1, O_TRUNC | O_ACCMODE, O_TRUNC | O_RDONLY, true);
#endif
    deny_argument(f, SYS_clone, 0, CLONE_NEW_ANY, 0, false); /* new namespaces */
    if (kind == CONFINE_PARENT)
        return;
    deny_signals(f, kind);
    if (kind == CONFINE_STRANGER)
        deny_memory(f);
    deny_argument(f, SYS_clone, 0, CLONE_THREAD, 0, true);
    deny_argument(f, SYS_fcntl, 1, (uint32_t)ALL, SET_OWNER, true); /* whom signals go to */
    deny_argument(f, SYS_fcntl, 1, (uint32_t)ALL, SET_OWNER_EX, true);
    deny_argument(f, SYS_ioctl, 1, (uint32_t)ALL, SOCKET_OWNER, true);
    deny_argument(f, SYS_ioctl, 1, (uint32_t)ALL, SOCKET_GROUP, true);
    deny_argument(f, SYS_prctl, 0, (uint32_t)ALL, PR_SET_PDEATHSIG, true); /* to outlive us */
}

static void write_filter(struct filter *f, enum confine_kind kind)
{
    load(f, offsetof(struct seccomp_data, arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0);
    add(f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    load(f, offsetof(struct seccomp_data, nr));
    when(f, BPF_JGE, OTHER_ABI, DENIED(ENOSYS));
    when(f, BPF_JGE, NR_LAST, DENIED(ENOSYS));
    /* clone3 has its flags in memory, where no filter sees them; the C library falls back. */
    when(f, BPF_JEQ, NR_CLONE3, DENIED(ENOSYS));
    when(f, BPF_JEQ, NR_OPENAT2, DENIED(ENOSYS));
    for (unsigned i = 0; i < 3; i++)
        when(f, BPF_JEQ, NR_IO_URING + i, DENIED(ENOSYS));
    for (unsigned nr = NR_OPEN_TREE; nr <= NR_FSPICK; nr++) /* the new calls of mount */
        when(f, BPF_JEQ, nr, DENIED(EPERM));
    deny_all(f, never, sizeof never / sizeof *never);
    if (kind != CONFINE_PARENT)
        deny_all(f, never_alone, sizeof never_alone / sizeof *never_alone);
    deny_by_arguments(f, kind);
    add(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static int restrict_calls(enum confine_kind kind)
{
    struct filter f = {.count = 0};
    write_filter(&f, kind);
    struct sock_fprog program = {.len = (unsigned short)f.count, .filter = f.at};
    return f.count < FILTER_MOST && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0
                                                                                              : -1;
}

/* ---- both ----------------------------------------------------------------------------- */

int confine_version(void)
{
    int version = (int)syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    return version > 0 && prctl(PR_GET_SECCOMP) >= 0 ? version : 0;
}

int confine_self(const struct confinement *c, struct err *e)
{
    if (!confine_version())
        return fail(e, "this kernel has no Landlock");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || restrict_files(c) != 0 ||
        restrict_calls(c->kind) != 0)
        return fail(e, "the kernel does not confine this process: %s", strerror(errno));
    return 0;
}

#else /* no Landlock, or a processor whose calls are not listed here */

int confine_version(void)
{
    return 0;
}

int confine_self(const struct confinement *c, struct err *e)
{
    (void)c;
    return fail(e, "this system has no Landlock");
}

#endif
