# SPDX-License-Identifier: GPL-3.0-or-later
#
# --enable-web, for --host=wasm32-unknown-emscripten: the program is then a module of WebAssembly,
# for a page and for node. It has no processes, so the parts that need them are left out.

# CUDALAB_WEB_COMPILER: emcc, before the compiler is looked for.
AC_DEFUN([CUDALAB_WEB_COMPILER], [
  AC_REQUIRE([AC_CANONICAL_HOST])
  AC_ARG_ENABLE([web],
    [AS_HELP_STRING([--enable-web], [a page for browsers; needs --host=wasm32-unknown-emscripten])],
    [], [enable_web=no])
  AS_CASE([$enable_web/$host_os],
    [no/*emscripten*], [AC_MSG_ERROR([for WebAssembly, add --enable-web])],
    [no/*], [],
    [*/*emscripten*],
      [: ${CC=emcc} ${AR=emar} ${RANLIB=emranlib} ${NM=emnm} ${CFLAGS=-Oz}
       # Debian keeps the modules of node there that emcc uses; not every node looks there.
       : ${NODE_PATH=/usr/share/nodejs}
       export NODE_PATH],
    [AC_MSG_ERROR([--enable-web needs --host=wasm32-unknown-emscripten, too])])
  AC_SUBST([NODE_PATH])
  # What links. emcc takes half a second to start clang, so make starts clang itself.
  LINKING_CC='$(CC)'
  AC_SUBST([LINKING_CC])
  AM_CONDITIONAL([WEB], [test "$enable_web" != no])
])

# CUDALAB_WEB: what a page can't have.
AC_DEFUN([CUDALAB_WEB], [
  AS_IF([test "$enable_web" != no],
    [enable_gpu=no enable_compile=no enable_library=no
     LAB_CFLAGS="$LAB_CFLAGS -msimd128 -mbulk-memory -msign-ext -mnontrapping-fptoint -Wno-pass-failed"
     AC_DEFINE([WITH_WEB], [1], [a page edits the lines, and there are no processes])])
])

# CUDALAB_WEB_CLANG: emcc's clang compiles, if it can be called with the flags that emcc tells.
AC_DEFUN([CUDALAB_WEB_CLANG], [
  AS_IF([test "$enable_web" != no && test "$CC" = emcc], [
    cudalab_clang="`em-config LLVM_ROOT 2>/dev/null`/clang `emcc --cflags 2>/dev/null`"
    AC_MSG_CHECKING([whether clang compiles as emcc does])
    echo '#include <emscripten.h>' >conftest.c
    AS_IF([$cudalab_clang $LAB_CFLAGS -c conftest.c -o conftest.o >/dev/null 2>&1],
      [AC_MSG_RESULT([yes])
       LINKING_CC=$CC
       CC=$cudalab_clang],
      [AC_MSG_RESULT([no: by emcc])])
    rm -f conftest.c conftest.o
  ])
])
