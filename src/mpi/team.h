/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI as an engine for session/team.h. A cudalab that was configured without --with-mpi has nothing
 * of this room.
 */
#ifndef MPI_TEAM_H
#define MPI_TEAM_H

#include "session/team.h"

extern const struct team_ops team_of_mpi;

#endif
