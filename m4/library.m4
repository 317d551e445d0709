# SPDX-License-Identifier: GPL-3.0-or-later
#
# CUDALAB_LIBRARY: can this toolchain make libcudasim, static and shared, so that only the symbols
# of its public headers can be seen? Sets LIBRARY_NOTE, OBJCOPY and the conditional LIBRARY. Where
# it can't, cudalab is built as ever: it links the library's objects.
AC_DEFUN([CUDALAB_LIBRARY], [
  AC_CHECK_TOOL([OBJCOPY], [objcopy], [no])
  AC_MSG_CHECKING([whether libcudasim can be made as a library])
  cat >conftest.c <<'CUDALAB_EOF'
__attribute__((visibility("default"))) int sim_seen(void);
int hidden(void);
int hidden(void) { return 1; }
int sim_seen(void) { return hidden(); }
CUDALAB_EOF
  LIBRARY_NOTE=no
  # Code for 32-bit PCs has groups of sections that each object brings, and the linker keeps one of
  # them. A symbol that is made local can't be found in another's: the groups are dissolved.
  LIBRARY_GROUPS=-Wl,--force-group-allocation
  $CC -fPIC -c conftest.c -o conftest.o >&AS_MESSAGE_LOG_FD 2>&1
  AS_IF([$CC -r -nostdlib $LIBRARY_GROUPS -o conftest2.o conftest.o >&AS_MESSAGE_LOG_FD 2>&1],
    [], [LIBRARY_GROUPS=])
  AS_IF([{ $CC -fPIC -fvisibility=hidden -c conftest.c -o conftest.o &&
           $CC -r -nostdlib $LIBRARY_GROUPS -o conftest2.o conftest.o &&
           $OBJCOPY --localize-hidden conftest2.o &&
           $NM -g conftest2.o | $GREP sim_seen &&
           test -z "`$NM -g conftest2.o | $GREP hidden`" &&
           $CC -shared -Wl,-soname,conftest.so.0 -o conftest.so conftest.o; } \
         >&AS_MESSAGE_LOG_FD 2>&1],
    [LIBRARY_NOTE="libcudasim, static and shared"])
  rm -f conftest.c conftest.o conftest2.o conftest.so
  AC_MSG_RESULT([$LIBRARY_NOTE])
  AC_SUBST([LIBRARY_GROUPS])
  AM_CONDITIONAL([LIBRARY], [test "$LIBRARY_NOTE" != no])
])
