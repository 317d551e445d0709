# SPDX-License-Identifier: GPL-3.0-or-later
#
# CUDALAB_PARTS: what can be left out, so that the rest is C11 and POSIX files, without another
# process: --disable-gpu (src/dev/gpu) and --disable-compile (src/programs). Each part is seen by
# the rest in one table, device.c's and main.c's, which WITH_GPU and WITH_PROGRAMS decide on.
AC_DEFUN([CUDALAB_PARTS], [
  AC_ARG_ENABLE([gpu],
    [AS_HELP_STRING([--disable-gpu], [simulator only: nothing for a real GPU, nor a process for it])],
    [], [enable_gpu=yes])
  AC_ARG_ENABLE([compile],
    [AS_HELP_STRING([--disable-compile], [run no other program: no compilers, ptxas, pager])],
    [], [enable_compile=yes])
  AC_SUBST([enable_gpu])
  AC_SUBST([enable_compile])
  AM_CONDITIONAL([GPU], [test "$enable_gpu" = yes])
  AM_CONDITIONAL([PROGRAMS], [test "$enable_compile" = yes])
  AS_IF([test "$enable_gpu" = yes], [AC_DEFINE([WITH_GPU], [1], [src/dev/gpu is part of it])])
  AS_IF([test "$enable_compile" = yes],
    [AC_DEFINE([WITH_PROGRAMS], [1], [src/programs is part of it])])
])
