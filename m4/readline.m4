# SPDX-License-Identifier: GPL-3.0-or-later
#
# CUDALAB_READLINE: GNU readline with history and completion for the prompt. Without its
# headers, or where libedit only pretends to be readline, the plain line reader is built.
# Defines HAVE_READLINE; sets READLINE_LIBS and READLINE_NOTE.
AC_DEFUN([CUDALAB_READLINE], [
  AC_ARG_WITH([readline], [AS_HELP_STRING([--without-readline], [build with the plain line reader])],
    [], [with_readline=auto])
  READLINE_LIBS=
  READLINE_NOTE="plain line reader (--without-readline)"
  AS_IF([test "$with_readline" != no], [
    cudalab_save_libs=$LIBS
    LIBS=-lreadline
    AC_MSG_CHECKING([for GNU readline])
    AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#include <stdio.h>
#include <readline/readline.h>
#include <readline/history.h>]],
      [[rl_attempted_completion_over = 1;
        rl_signal_event_hook = 0;
        return append_history(0, "x") + (rl_completion_matches("x", 0) != 0);]])],
      [cudalab_found=yes], [cudalab_found=no])
    LIBS=$cudalab_save_libs
    AC_MSG_RESULT([$cudalab_found])
    AS_IF([test $cudalab_found = yes],
      [READLINE_LIBS=-lreadline
       READLINE_NOTE="readline, with history and completion"
       AC_DEFINE([HAVE_READLINE], [1], [GNU readline is here])],
      [AS_IF([test "$with_readline" != auto],
        [AC_MSG_ERROR([--with-readline was given, but its headers are missing (package: libreadline-dev or readline-devel)])])
       READLINE_NOTE="plain line reader (no readline headers; package: libreadline-dev or readline-devel)"])
  ])
  AC_SUBST([READLINE_LIBS])
])
