# SPDX-License-Identifier: GPL-3.0-or-later
#
# CUDALAB_MPI: --with-mpi builds src/mpi, so that the processes that mpirun starts work as one. It
# asks mpicc, or the compiler wrapper that is named (Open MPI's and MPICH's both know -show), what
# a program needs. Without --with-mpi nothing is looked for. Defines WITH_MPI; sets MPI_CFLAGS,
# MPI_LIBS and MPI_NOTE.
AC_DEFUN([CUDALAB_MPI], [
  AC_ARG_WITH([mpi],
    [AS_HELP_STRING([--with-mpi@<:@=MPICC@:>@],
      [the ranks of mpirun work as one (packages: libopenmpi-dev openmpi-bin, or libmpich-dev mpich)])],
    [], [with_mpi=no])
  MPI_CFLAGS=
  MPI_LIBS=
  MPI_NOTE="no (--with-mpi)"
  AS_IF([test "$with_mpi" != no], [
    AS_IF([test "$with_mpi" = yes],
      [AC_CHECK_PROGS([MPICC], [mpicc mpicc.openmpi mpicc.mpich])],
      [MPICC=$with_mpi])
    AS_IF([test -z "$MPICC"],
      [AC_MSG_ERROR([--with-mpi was given, but there is no mpicc (packages: libopenmpi-dev openmpi-bin, or libmpich-dev mpich)])])
    AC_MSG_CHECKING([what $MPICC needs])
    cudalab_words=`$MPICC -show 2>/dev/null`
    for cudalab_word in $cudalab_words; do
      AS_CASE([$cudalab_word],
        [-I* | -D*], [MPI_CFLAGS="$MPI_CFLAGS $cudalab_word"],
        [-L* | -l* | -Wl,-rpath*], [MPI_LIBS="$MPI_LIBS $cudalab_word"])
    done
    AC_MSG_RESULT([$MPI_LIBS])
    cudalab_save_libs=$LIBS
    cudalab_save_cppflags=$CPPFLAGS
    LIBS="$MPI_LIBS $LIBS"
    CPPFLAGS="$CPPFLAGS $MPI_CFLAGS"
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
      [[MPI_Request r; double a = 0, b;
        return MPI_Iallreduce(&a, &b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);]])],
      [], [AC_MSG_ERROR([--with-mpi was given, but no program with MPI 3 can be made by what $MPICC says])])
    LIBS=$cudalab_save_libs
    CPPFLAGS=$cudalab_save_cppflags
    AC_DEFINE([WITH_MPI], [1], [src/mpi is part of it])
    MPI_NOTE="by $MPICC"
  ])
  AC_SUBST([MPI_CFLAGS])
  AC_SUBST([MPI_LIBS])
  AC_SUBST([MPI_NOTE])
  AM_CONDITIONAL([MPI], [test "$with_mpi" != no])
])
