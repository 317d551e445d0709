# SPDX-License-Identifier: GPL-3.0-or-later
#
# Flags for the C compiler, and the builds made for looking inside: sanitizers, coverage.

# CUDALAB_GNU_MAKE: the Makefile uses functions of GNU make.
AC_DEFUN([CUDALAB_GNU_MAKE], [
  AC_MSG_CHECKING([for GNU make])
  AS_IF([${MAKE-make} --version 2>/dev/null | $GREP 'GNU Make' >/dev/null],
    [AC_MSG_RESULT([${MAKE-make}])],
    [AS_IF([gmake --version >/dev/null 2>&1],
      [AC_MSG_RESULT([gmake: type gmake for make below])],
      [AC_MSG_RESULT([no])
       AC_MSG_ERROR([GNU make is needed (package: make)])])])
])

# CUDALAB_TRY_FLAG(FLAG, VARIABLE): append FLAG to VARIABLE if the compiler knows it.
AC_DEFUN([CUDALAB_TRY_FLAG], [
  AC_MSG_CHECKING([whether $CC knows $1])
  cudalab_save_cflags=$CFLAGS
  CFLAGS="$CFLAGS -Werror $1"
  AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
    [AC_MSG_RESULT([yes]); cudalab_known=yes; $2="$$2 $1"],
    [AC_MSG_RESULT([no]); cudalab_known=no])
  CFLAGS=$cudalab_save_cflags
])

# CUDALAB_PLAIN_FLOATS: a float is computed as a float. Code for the 387, the default on 32-bit
# PCs, has more bits in its registers, so that results differ: there SSE has to be asked for.
AC_DEFUN([CUDALAB_PLAIN_FLOATS], [
  for cudalab_flags in "" " -msse2 -mfpmath=sse" no; do
    AS_IF([test "$cudalab_flags" = no],
      [AC_MSG_ERROR([$CC computes floats in more bits than they have; use a compiler with FLT_EVAL_METHOD 0])])
    AC_MSG_CHECKING([whether $CC$cudalab_flags computes floats as floats])
    cudalab_save_cflags=$CFLAGS
    CFLAGS="$CFLAGS$cudalab_flags"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <float.h>]],
      [[static char plain@<:@FLT_EVAL_METHOD == 0 ? 1 : -1@:>@; (void)plain;]])],
      [cudalab_known=yes], [cudalab_known=no])
    CFLAGS=$cudalab_save_cflags
    AC_MSG_RESULT([$cudalab_known])
    AS_IF([test $cudalab_known = yes], [LAB_CFLAGS="$LAB_CFLAGS$cudalab_flags"; break])
  done
])

# CUDALAB_C_FLAGS: LAB_CFLAGS for every file, SIM_CFLAGS after the user's for src/sim.
# -ffp-contract=off: a*b+c in our C must round twice, as the PTX it stands for does.
# -fno-math-errno: a square root is one instruction then, not a call into libm.
AC_DEFUN([CUDALAB_C_FLAGS], [
  LAB_CFLAGS=-std=gnu11
  CUDALAB_TRY_FLAG([-ffp-contract=off], [LAB_CFLAGS])
  AS_IF([test $cudalab_known = no],
    [AC_MSG_ERROR([$CC has no -ffp-contract=off, and without it results differ in the last bit; use gcc or clang])])
  CUDALAB_PLAIN_FLOATS
  m4_foreach_w([flag], [-fno-math-errno -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes],
    [CUDALAB_TRY_FLAG(flag, [LAB_CFLAGS])])
  AS_CASE([" $CFLAGS "],
    [*" -ffast-math "*|*" -Ofast "*|*" -funsafe-math-optimizations "*],
    [AC_MSG_ERROR([CFLAGS has an option that changes floating-point results ($CFLAGS); the simulator must give the same bits everywhere])])
  SIM_CFLAGS=-O3
  AS_CASE([" $CFLAGS "], [*" -O0 "*|*" -Og "*|*" -O1 "*], [SIM_CFLAGS=])
  AC_SUBST([LAB_CFLAGS])
])

# CUDALAB_CHECKED_BUILDS: --enable-asan, --enable-ubsan, --enable-coverage, --enable-test-build.
AC_DEFUN([CUDALAB_CHECKED_BUILDS], [
  AC_ARG_ENABLE([asan], [AS_HELP_STRING([--enable-asan], [find wrong memory accesses and leaks while running])],
    [], [enable_asan=no])
  AC_ARG_ENABLE([ubsan], [AS_HELP_STRING([--enable-ubsan], [stop at undefined behaviour])],
    [], [enable_ubsan=no])
  AC_ARG_ENABLE([coverage], [AS_HELP_STRING([--enable-coverage], [count executed lines; see `make coverage'])],
    [], [enable_coverage=no])
  AC_ARG_ENABLE([test-build], [AS_HELP_STRING([--enable-test-build], [end at once at a mistake in the own tables; sanitizers and coverage mean it])],
    [], [enable_test_build=no])
  SANITIZERS_NOTE=
  CHECK_FLAGS=
  AS_IF([test "$enable_asan" != no],
    [CUDALAB_NEED_FLAG([-fsanitize=address], [--enable-asan])
     SANITIZERS_NOTE=" address"])
  AS_IF([test "$enable_ubsan" != no],
    [CUDALAB_NEED_FLAG([-fsanitize=undefined], [--enable-ubsan])
     CHECK_FLAGS="$CHECK_FLAGS -fno-sanitize-recover=undefined"
     SANITIZERS_NOTE="$SANITIZERS_NOTE undefined"])
  AS_IF([test -n "$CHECK_FLAGS"], [CHECK_FLAGS="$CHECK_FLAGS -fno-omit-frame-pointer"; SIM_CFLAGS=])
  AS_IF([test "$enable_coverage" != no],
    [CUDALAB_NEED_FLAG([--coverage], [--enable-coverage])
     SIM_CFLAGS=])
  SANITIZERS_NOTE=${SANITIZERS_NOTE:-none}
  SANITIZERS_NOTE=${SANITIZERS_NOTE# }
  SIM_CFLAGS_NOTE=${SIM_CFLAGS:+; $SIM_CFLAGS for src/sim}
  AS_IF([test "$enable_test_build" != no || test -n "$CHECK_FLAGS"], [TEST_BUILD=-DTEST_BUILD])
  AC_SUBST([TEST_BUILD])
  BUILD_KIND=plain
  AS_IF([test -n "$CHECK_FLAGS"], [BUILD_KIND=checked])
  AC_SUBST([CHECK_FLAGS])
  AC_SUBST([SIM_CFLAGS])
  AC_SUBST([BUILD_KIND])
  AM_CONDITIONAL([COVERAGE], [test "$enable_coverage" != no])
])

# CUDALAB_NEED_FLAG(FLAG, SWITCH): the flag that SWITCH asked for, or an error.
AC_DEFUN([CUDALAB_NEED_FLAG], [
  CUDALAB_TRY_FLAG([$1], [CHECK_FLAGS])
  AS_IF([test $cudalab_known = no], [AC_MSG_ERROR([$2 was given, but $CC cannot build with $1])])
])
