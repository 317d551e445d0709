/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ranks by MPI. This is the only file that calls it. A wait tests and sleeps in turns, so that
 * Ctrl-C and limits of time end it, and so that ranks without a core of their own don't keep the
 * others from working.
 */
#include "mpi/team.h"

#include "base/mem.h"

#include <mpi.h>
#include <time.h>

enum { PAUSE_LEAST = 20000, PAUSE_MOST = 1000000 }; /* nanoseconds */

static int refuse(int status, const char *what, struct err *e)
{
    char why[MPI_MAX_ERROR_STRING] = "";
    int n = 0;
    MPI_Error_string(status, why, &n);
    return fail(e, "MPI can't %s: %.*s", what, n, why);
}

static int finish(MPI_Request *request, const struct go_on *waits, struct err *e)
{
    struct timespec pause = {0, PAUSE_LEAST};
    for (int done = 0;;) {
        int status = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS)
            return refuse(status, "wait for the other ranks", e);
        if (done)
            return 0;
        if (go_on(waits, e) != 0)
            return -1;
        nanosleep(&pause, NULL);
        pause.tv_nsec = pause.tv_nsec * 2 < PAUSE_MOST ? pause.tv_nsec * 2 : PAUSE_MOST;
    }
}

/* Ranks on one computer share memory. The first of them leads: its rank is the name of the node. */
static int find_node(struct team *t)
{
    MPI_Comm node;
    int leader = (int)t->rank, local = 0, locals = 1;
    int *leaders = mem_alloc(&allocator_libc, t->size * sizeof *leaders);
    int failed = !leaders ||
                 MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                                     &node) != MPI_SUCCESS ||
                 MPI_Comm_rank(node, &local) != MPI_SUCCESS ||
                 MPI_Comm_size(node, &locals) != MPI_SUCCESS ||
                 MPI_Bcast(&leader, 1, MPI_INT, 0, node) != MPI_SUCCESS ||
                 MPI_Comm_free(&node) != MPI_SUCCESS ||
                 MPI_Allgather(&leader, 1, MPI_INT, leaders, 1, MPI_INT, MPI_COMM_WORLD) !=
                     MPI_SUCCESS;
    t->local = (unsigned)local;
    t->locals = (unsigned)locals;
    for (unsigned i = 0; i < t->size && !failed; i++) {
        t->nodes += leaders[i] == (int)i;
        t->node += leaders[i] == (int)i && leaders[i] < leader;
    }
    mem_free(&allocator_libc, leaders, leaders ? t->size * sizeof *leaders : 0);
    return failed ? -1 : 0;
}

static int gather(const struct team *t, const struct team_word *mine, struct team_word *all,
                  const struct go_on *waits, struct err *e)
{
    MPI_Request request;
    const int bytes = (int)sizeof *mine;
    (void)t;
    int status = MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD,
                                &request);
    return status == MPI_SUCCESS ? finish(&request, waits, e)
                                 : refuse(status, "gather what the ranks say", e);
}

static int add(double *value, const struct go_on *waits, struct err *e)
{
    MPI_Request request;
    double sum = 0;
    int status = MPI_Iallreduce(value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    if (status != MPI_SUCCESS)
        return refuse(status, "add", e);
    if (finish(&request, waits, e) != 0)
        return -1;
    *value = sum;
    return 0;
}

/* MPI opens what it needs when ranks first talk. Under --safe that would be too late. */
static int meet_once(const struct team *t, struct err *e)
{
    const struct team_word mine = {.status = 0};
    const size_t bytes = t->size * sizeof mine;
    struct team_word *all = mem_alloc(&allocator_libc, bytes);
    double one = 1;
    int failed = all ? gather(t, &mine, all, NULL, e) || add(&one, NULL, e) : fail_memory(e);
    mem_free(&allocator_libc, all, all ? bytes : 0);
    return failed ? -1 : 0;
}

static int join(struct team *t, struct err *e)
{
    int rank = 0, size = 1;
    int status = MPI_Init(NULL, NULL);
    if (status != MPI_SUCCESS)
        return refuse(status, "start", e);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    t->rank = (unsigned)rank;
    t->size = (unsigned)size;
    if (t->size > TEAM_MOST)
        return fail(e, "%u ranks are too many: at most %d work together", t->size, TEAM_MOST);
    if (find_node(t) != 0)
        return fail(e, "MPI doesn't say how many ranks this computer has");
    return meet_once(t, e);
}

static void leave(void)
{
    MPI_Finalize();
}

static void end_all(int status)
{
    MPI_Abort(MPI_COMM_WORLD, status);
}

const struct team_ops team_of_mpi = {
    .join = join, .gather = gather, .add = add, .leave = leave, .end_all = end_all};
