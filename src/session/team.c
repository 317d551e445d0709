/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the ranks of mpirun meet and part; see team.h.
 */
#include "session/team.h"

#include "base/mem.h"
#include "dev/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned team_started(void)
{
    /* Open MPI, and what starts the processes of MPICH. */
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *size = getenv(names[i]);
        if (size && atoi(size) > 1)
            return (unsigned)atoi(size);
    }
    return 1;
}

static const char *place(const struct team_word *w)
{
    return w->at[0] ? w->at : "its end";
}

int team_meet(struct team *t, const struct team_word *mine, struct team_word *all,
              const struct go_on *waits, struct err *e)
{
    if (t->apart || t->given_up)
        return fail(e, "the ranks of mpirun do not work together any more");
    if (t->ops->gather(t, mine, all, waits, e) != 0) {
        t->given_up = true;
        return -1;
    }
    for (unsigned i = 0; i < t->size; i++)
        if (strncmp(all[i].at, all[0].at, sizeof all[i].at) != 0) {
            t->apart = true;
            return fail(e, "the ranks of mpirun must run the same commands: rank 0 is at `%.60s`, "
                           "and rank %u at `%.60s`%s%.240s",
                        place(&all[0]), i, place(&all[i]), all[i].text[0] ? ": " : "",
                        all[i].text);
        }
    return 0;
}

void team_note(struct team *t, const char *complaint)
{
    if (t && !t->complaint[0])
        snprintf(t->complaint, sizeof t->complaint, "%s", complaint);
}

const char *team_device(const struct team *t, const char *spec, char chosen[16])
{
    struct device_cards cards = {0};
    struct err ignored;
    bool open = strcmp(spec, "auto") == 0 || strcmp(spec, "gpu") == 0;
    if (!t || !open || device_list_cards(&cards, NULL, &ignored) != 0 || cards.count < 1)
        return spec;
    snprintf(chosen, 16, "gpu:%u", t->local % (unsigned)cards.count);
    return chosen;
}

/* Only rank 0 ends with a status that is not 0: mpirun ends the others as soon as one does so, and
 * it takes the status for its own. */
int team_end(struct team *t, int status, const struct go_on *waits, char says[TEAM_TEXT + 40])
{
    struct team_word mine = {.status = status};
    struct err e;
    const size_t bytes = t->size * sizeof mine;
    struct team_word *all = mem_alloc(&allocator_libc, bytes);
    says[0] = '\0';
    snprintf(mine.text, sizeof mine.text, "%s", t->complaint);
    bool alone = !all || t->given_up;
    if (!alone && !t->apart)
        alone = team_meet(t, &mine, all, waits, &e) != 0 && !t->apart;
    if (alone) {
        mem_free(&allocator_libc, all, all ? bytes : 0);
        t->ops->end_all(status ? status : 1);
        return status ? status : 1;
    }
    for (unsigned i = 0; i < t->size && !t->apart && !status && t->rank == 0; i++)
        if (all[i].status) {
            status = all[i].status;
            snprintf(says, TEAM_TEXT + 40, "rank %u failed%s%s", i, all[i].text[0] ? ": " : "",
                     all[i].text);
        }
    if (t->apart)
        status = status ? status : 1;
    mem_free(&allocator_libc, all, bytes);
    t->ops->leave();
    return t->rank == 0 ? status : 0;
}
