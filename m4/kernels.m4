# SPDX-License-Identifier: GPL-3.0-or-later
#
# Who turns kernels/*.cu into PTX. By default the first that works of: nvcc, the PTX that a
# release carries in kernels/shipped, clang. "Works" means that it compiles a small kernel:
# an nvcc without its libraries or its host compiler counts as none, and that is said.
# A compiler that was asked for and doesn't work is an error; one that was only found isn't.

# CUDALAB_KERNELS: sets KERNELS_BY (nvcc, clang or shipped), KERNEL_CC (its program),
# KERNEL_ARCH and KERNEL_COMPILER (one line for people: who, version, architecture).
AC_DEFUN([CUDALAB_KERNELS], [
  AC_ARG_VAR([NVCC], [the CUDA compiler to try first])
  AC_ARG_VAR([CLANG], [the clang to try first for kernels])
  AC_ARG_WITH([cuda],
    [AS_HELP_STRING([--with-cuda=DIR], [compile kernels by DIR/bin/nvcc (default: PATH, then /usr/local/cuda)])
AS_HELP_STRING([--without-cuda], [compile kernels by clang, which needs no CUDA Toolkit])],
    [], [with_cuda=auto])
  AC_ARG_WITH([cuda-archs],
    [AS_HELP_STRING([--with-cuda-archs=LIST], [virtual architectures to try with nvcc, in order (default: 75, then all that it lists)])],
    [], [with_cuda_archs=])
  AC_ARG_WITH([kernels],
    [AS_HELP_STRING([--with-kernels=HOW], [nvcc, clang, shipped (the PTX in a release), or a folder of PTX that another build made: its kernels/ptx; default: the first that works])],
    [], [with_kernels=auto])

  AS_CASE([$with_cuda],
    [auto], [],
    [no], [AS_IF([test "$with_kernels" = auto], [with_kernels=clang])],
    [yes], [with_kernels=nvcc],
    [with_kernels=nvcc
     AS_IF([test -x "$with_cuda/bin/nvcc"], [NVCC=$with_cuda/bin/nvcc],
       [AC_MSG_ERROR([--with-cuda=$with_cuda: there is no bin/nvcc in it; give the folder of a CUDA Toolkit, for example /usr/local/cuda])])])

  KERNELS_BY=none
  KERNEL_FOLDER=$srcdir/kernels/shipped
  AS_CASE([$with_kernels],
    [auto], [CUDALAB_TRY_NVCC
             AS_IF([test $KERNELS_BY = none], [CUDALAB_TRY_SHIPPED])
             AS_IF([test $KERNELS_BY = none], [CUDALAB_TRY_CLANG])],
    [nvcc], [CUDALAB_TRY_NVCC],
    [clang], [CUDALAB_TRY_CLANG],
    [shipped], [CUDALAB_TRY_SHIPPED],
    [*/*], [AS_IF([test -f "$with_kernels/compiler"],
      [KERNEL_FOLDER=`cd "$with_kernels" && pwd`
       CUDALAB_TRY_SHIPPED],
      [AC_MSG_ERROR([--with-kernels=$with_kernels: there is no file compiler in it; give the folder kernels/ptx of another build])])],
    [AC_MSG_ERROR([--with-kernels=$with_kernels: should be nvcc, clang, shipped or a folder])])
  AS_IF([test $KERNELS_BY = none], [CUDALAB_NO_KERNELS])

  AM_CONDITIONAL([PTX_SHIPPED], [test $KERNELS_BY = shipped])
  AC_SUBST([KERNELS_BY])
  AC_SUBST([KERNEL_CC])
  AC_SUBST([KERNEL_FOLDER])
  AC_SUBST([KERNEL_ARCH])
  AC_SUBST([KERNEL_COMPILER])
  CUDALAB_NOTE_COMPILER
])

# CUDALAB_COMPILES(KIND, PROGRAM, ARCH, IF-YES, IF-NO): through the script that make uses.
AC_DEFUN([CUDALAB_COMPILES], [
  cat >conftest.cu <<'CUDALAB_EOF'
extern "C" __global__ void probe(float *x)
{
    x[[threadIdx.x]] = 1.0f;
}
CUDALAB_EOF
  AS_IF([$SHELL "$srcdir/build-aux/cu2ptx" $1 "$2" conftest.cu conftest.ptx $3 >conftest.err 2>&1 &&
         $GREP '\.entry' conftest.ptx >/dev/null 2>&1], [$4],
    [cat conftest.err >&AS_MESSAGE_LOG_FD
     $5])
  rm -f conftest.cu conftest.ptx
])

AC_DEFUN([CUDALAB_TRY_NVCC], [
  cudalab_path_nvcc=`command -v nvcc 2>/dev/null`
  AS_IF([test -n "$NVCC"], [cudalab_candidates=$NVCC],
    [test "$cudalab_path_nvcc" = /usr/local/cuda/bin/nvcc],
    [cudalab_candidates=$cudalab_path_nvcc],
    [cudalab_candidates="$cudalab_path_nvcc /usr/local/cuda/bin/nvcc"])
  for cudalab_nvcc in $cudalab_candidates; do
    test $KERNELS_BY = none || break
    test -x "$cudalab_nvcc" || command -v "$cudalab_nvcc" >/dev/null 2>&1 || continue
    CUDALAB_TRY_ONE_NVCC
  done
  AS_IF([test $KERNELS_BY = none], [AC_MSG_CHECKING([for nvcc]); AC_MSG_RESULT([none that works])])
])

AC_DEFUN([CUDALAB_TRY_ONE_NVCC], [
  AC_MSG_CHECKING([whether $cudalab_nvcc compiles a kernel])
  AS_IF([test -n "$with_cuda_archs"],
    [cudalab_archs=`AS_ECHO(["$with_cuda_archs"]) | tr ',;' '  '`],
    [cudalab_archs="75 `$cudalab_nvcc --list-gpu-arch 2>/dev/null | tr '\n' ' '`"])
  for cudalab_arch in $cudalab_archs; do
    cudalab_arch=compute_`AS_ECHO(["$cudalab_arch"]) | $SED 's/^compute_//; s/^sm_//'`
    CUDALAB_COMPILES([nvcc], [$cudalab_nvcc], [$cudalab_arch],
      [KERNELS_BY=nvcc KERNEL_CC=$cudalab_nvcc KERNEL_ARCH=$cudalab_arch; break])
  done
  AS_IF([test $KERNELS_BY = nvcc],
    [cudalab_version=`$KERNEL_CC --version | $SED -n 's/^.* V\([[0-9.]]*\)$/\1/p'`
     KERNEL_COMPILER="nvcc $cudalab_version, $KERNEL_ARCH"
     AC_MSG_RESULT([yes, for $KERNEL_ARCH])],
    [AC_MSG_RESULT([no])
     cudalab_why=`$SED -n '/./{p;q;}' conftest.err`
     AC_MSG_WARN([$cudalab_nvcc is there but cannot compile a kernel, so it counts as none: $cudalab_why])])
])

AC_DEFUN([CUDALAB_TRY_SHIPPED], [
  AC_MSG_CHECKING([for PTX in $KERNEL_FOLDER])
  AS_IF([test -f "$KERNEL_FOLDER/compiler"],
    [KERNELS_BY=shipped KERNEL_CC=cp KERNEL_ARCH=
     KERNEL_COMPILER=`cat "$KERNEL_FOLDER/compiler"`
     AC_MSG_RESULT([$KERNEL_COMPILER])],
    [AC_MSG_RESULT([no])])
])

AC_DEFUN([CUDALAB_TRY_CLANG], [
  for cudalab_clang in $CLANG clang clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15 clang-14; do
    test $KERNELS_BY = none || break
    command -v "$cudalab_clang" >/dev/null 2>&1 || continue
    AC_MSG_CHECKING([whether $cudalab_clang compiles a kernel])
    CUDALAB_COMPILES([clang], [$cudalab_clang], [],
      [KERNELS_BY=clang KERNEL_CC=$cudalab_clang KERNEL_ARCH=
       AC_MSG_RESULT([yes])],
      [AC_MSG_RESULT([no])
       cudalab_why=`$SED -n '/./{p;q;}' conftest.err`
       AC_MSG_WARN([$cudalab_clang cannot compile a kernel: $cudalab_why])])
  done
  AS_IF([test $KERNELS_BY = clang],
    [cudalab_version=`$KERNEL_CC --version | $SED -n 's/^.*clang version \([[0-9.]]*\).*$/\1/p;q'`
     KERNEL_COMPILER="clang $cudalab_version"])
])

AC_DEFUN([CUDALAB_NO_KERNELS], [
  AS_CASE([$with_kernels],
    [nvcc], [AC_MSG_ERROR([the kernels were to be compiled by nvcc, and none works (config.log has its errors); give --with-cuda=DIR, or --without-cuda for clang])],
    [shipped], [AC_MSG_ERROR([there is no PTX in kernels/shipped: only a release has it; leave --with-kernels out])],
    [clang], [AC_MSG_ERROR([the kernels were to be compiled by clang 14 or newer, and none works (package: clang)])],
    [AC_MSG_ERROR([nothing here compiles the kernels: install clang 14 or newer (package: clang), or the CUDA Toolkit; ./quickstart does the first by itself])])
])

# The note is a prerequisite of all PTX, so it is touched only when it says something new.
AC_DEFUN([CUDALAB_NOTE_COMPILER], [
  AC_CONFIG_COMMANDS([kernels/ptx/compiler], [
    AS_MKDIR_P([kernels/ptx])
    AS_ECHO(["$cudalab_note"]) >kernels/ptx/compiler.new
    AS_IF([cmp -s kernels/ptx/compiler kernels/ptx/compiler.new],
      [rm -f kernels/ptx/compiler.new],
      [mv -f kernels/ptx/compiler.new kernels/ptx/compiler])],
    [cudalab_note='$KERNEL_COMPILER'])
])
