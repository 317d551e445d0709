# SPDX-License-Identifier: GPL-3.0-or-later
#
# Lines of programs that are compiled here, in C and C++, by each compiler that is installed and in
# each version of DWARF. Each function's name tells its line and its file, as in at_2000_there. All
# rows are compared with what readelf shows. tests/unit/host-lines.c asks the reader, and tests it
# with tables made by hand.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

lines=$top_builddir/tests/unit/host-lines
test -x "$lines" || skip_all 'tests/unit/host-lines is not built'
test "$(configured ADDRESS_BITS)" != 32 || skip_all 'programs are read where they have 64 bits'
mkdir "$tmp/work"
cd "$tmp/work" || exit 99

# ---- sources ------------------------------------------------------------------------------

# functions START COUNT [PREFIX]: functions in three files that #line names, as nvcc writes them.
# Each is one line, so that its first instruction is of this line in optimised code too.
functions() {
    awk -v start="$1" -v count="$2" -v prefix="${3-}" 'BEGIN {
        split("here.cu sub/there.h /abs/far.cuh", paths, " ")
        split("here there far", names, " ")
        for (i = 0; i < count; i++) {
            file = i % 3 + 1
            line = start + i * i * 37
            if (file == 3) line += 100000
            printf "#line %d \"%s\"\n", line, paths[file]
            printf "%s int at_%d_%s(int x) { ", prefix, line, names[file]
            printf "if (x > %d) x = next(x * %d); ", i, start + i
            for (k = 0; k < i % 4; k++)
                printf "for (int k = 0; k < x; k++) x += next(k); "
            printf "return x + %d; }\n", i + start
        }
    }'
}
# calls [<T>]: a sum of calls of the functions on stdin
calls() {
    sed -n "s/.* \(at_[0-9]*_[a-z]*\)(int x) {.*/    + \1$1(x)/p"
}
{
    echo 'int next(int);'
    functions 10 30
} >a.c
{
    echo '#pragma once'
    functions 700 9 'inline __attribute__((noinline))'
} >both.h
{
    printf '%s\n' 'extern "C" int next(int);' '#include "both.h"'
    functions 5000 20 'template <class T> __attribute__((noinline))'
    printf '%s\n' '#line 9 "here.cu"' 'int sum(int x) {' 'return x'
    calls '' <both.h
    functions 5000 20 | calls '<char>'
    functions 5000 20 | calls '<long>'
    printf '%s\n' ';' '}' 'int kept = sum(1);'
} >b.cc
{
    printf '%s\n' 'extern "C" int next(int);' '#include "both.h"' '#line 30 "here.cu"'
    echo 'namespace { struct s { int at_31_here(int x); }; }'
    printf '%s\n' 'int s::at_31_here(int x) { return next(x)'
    calls '' <both.h
    printf '%s\n' ';' '}' 'int at_60_here(int x);' '#line 60 "here.cu"'
    echo 'int at_60_here(int x) { return s().at_31_here(x); }'
} >c.cc
cat >d.c <<'END'
#line 1 "here.cu"
int at_1_here(void) { return 1; }
int next(int x)
{
    if (x > 10)
        x /= 2;

    for (int i = 0; i < x; i++)
        x ^= x / 2 * i;
    return x + 1;
}

int main(void)
{
    return at_1_here() - 1;
}
END

# compile COMPILER C++-COMPILER OPTION...: the program is `made`. Options for the linker are -Wl,
# and -fuse-ld, which compiling passes over.
compile() {
    cc=$1 cxx=$2
    shift 2
    rm -f made ./*.o
    # Compilers may come with options of their own.
    # shellcheck disable=SC2086
    {
        $cc "$@" -c a.c -o a.o && $cc "$@" -c d.c -o d.o || return 1
        if test -n "$cxx"; then
            $cxx "$@" -c b.cc -o b.o && $cxx "$@" -c c.cc -o c.o &&
                $cxx "$@" a.o b.o c.o d.o -o made
        else
            $cc "$@" a.o d.o -o made
        fi
    } >"$err" 2>&1
}

# ---- what is compared ---------------------------------------------------------------------

# ask FILE: what the reader says of the addresses of stdin
ask() {
    $CUDALAB_WRAPPER "$lines" "$1" 2>"$err"
}

# wanted_of FILE: of each function its address, and the file and line that its name tells. What
# C++ adds to the name stands around them: _Z12at_5000_herei.
wanted_of() {
    $NM "$1" | sed -n 's/^\([0-9a-f]*\) [tTW] .*at_\([0-9]*\)_\(here\|there\|far\).*/\1 \2 \3/p' |
        sed 's/ \([0-9]*\) here$/ here.cu:\1/; s/ \([0-9]*\) there$/ there.h:\1/
            s/ \([0-9]*\) far$/ far.cuh:\1/'
}

# functions_are_found FILE NAME
functions_are_found() {
    wanted_of "$1" >wanted
    cut -d' ' -f1 wanted | ask "$1" | sed 's|.*/||' >got
    cut -d' ' -f2 wanted | diff got - >"$out"
    verdict $? "$2: $(wc -l <wanted | tr -d ' ') functions" 'stdout is what came, and what should'
    test -s wanted || flunk "$2: it has functions"
}

# rows_are_same FILE NAME: of rows with one address the last one counts. Functions that the linker
# left out have rows from address 0 on. GNU's addr2line is no judge, since with DWARF 5 it takes
# file 0 for file 1.
rows_are_same() {
    LC_ALL=C readelf -W --debug-dump=decodedline "$1" 2>/dev/null | awk '
        $2 !~ /^([0-9]+|-)$/ || $3 !~ /^(0|0x[0-9a-f]+)$/ { next }
        $2 == "-" || / END/ { within = 0; next }
        !within { within = 1; left_out = $3 ~ /^(0x)?0$/ }
        !left_out {
            if (!($3 in row)) order[++n] = $3
            row[$3] = $2 + 0 ? $1 ":" $2 : "?"
        }
        END { for (k = 1; k <= n; k++) print order[k], row[order[k]] }' >rows
    cut -d' ' -f1 rows | ask "$1" | sed 's|.*/||' >got
    cut -d' ' -f2 rows | diff got - >"$out"
    verdict $? "$2: rows as readelf shows them"
    test "$(wc -l <rows)" -ge 30 || flunk "$2: readelf shows rows"
}

has_readelf=
readelf --version >/dev/null 2>&1 && has_readelf=yes

same() { # same FILE NAME
    functions_are_found "$1" "$2"
    if test -n "$has_readelf"; then
        rows_are_same "$1" "$2"
    else
        skip 'there is no readelf' "$2: rows as readelf shows them"
    fi
}

# whole_names_are HERE THERE NAME: the names of files with their folders
whole_names_are() {
    wanted_of made | sed -n 's/^\([0-9a-f]*\) \(here.cu:10\|there.h:47\|far.cuh:100158\)$/\2 \1/p' |
        sort >wanted
    cut -d' ' -f2 wanted | ask made | tr '\n' ' ' >got
    is "$(cat got)" "/abs/far.cuh:100158 $1:10 $2:47 " "$3: names with their folders"
}

# survives FILE NAME: bytes of its line table are changed, 2000 times
survives() {
    $CUDALAB_WRAPPER "$lines" --broken 2000 "$1" >"$out" 2>"$err"
    verdict $? "$2: changed at random"
}

# no_lines FILE WORDS
no_lines() {
    echo 0x1000 | ask "$1" >"$out"
    status=$?
    status_is 1 "$1: no lines"
    out_has "$2" "$1: and why"
}

# program NAME OPTION...: compiles by $cc and $cxx, and compares
program() {
    name=$1
    shift
    if compile "$cc" "$cxx" "$@"; then
        same made "$name"
    else
        skip 'this compiler has no such options' "$name"
    fi
}

# ---- each compiler ------------------------------------------------------------------------

works() { # works COMPILER
    echo 'int main(void) { return 0; }' >works.c
    $1 -g works.c -o works >/dev/null 2>&1
}

compilers=0 seen=
for pair in "$CC:c++" gcc:g++ clang:clang++; do
    cc=${pair%:*} cxx=${pair##*:}
    works "$cc" || continue
    works "$cxx -x c++" || cxx=
    # The same one under two names is tried once.
    version=$($cc --version 2>/dev/null | sed -n '/[0-9]/{s/^[^ ]*//;p;q;}')
    case " $seen" in *"|$version|"*) continue ;; esac
    seen="$seen|$version|" compilers=$((compilers + 1))
    for dwarf in 2 3 4 5; do
        program "$cc, DWARF $dwarf, -O0" -gdwarf-$dwarf -O0
        program "$cc, DWARF $dwarf, -O2" -gdwarf-$dwarf -O2
        survives made "$cc, DWARF $dwarf"
        case $dwarf in
        5) whole_names_are "$PWD/here.cu" "$PWD/sub/there.h" "$cc, DWARF 5" ;;
        *) whole_names_are here.cu sub/there.h "$cc, DWARF $dwarf" ;;
        esac
    done
    program "$cc, -O1 at a fixed address" -g -O1 -fno-pie -no-pie
    program "$cc, -O3, a section for each function" -g -O3 -ffunction-sections -Wl,--gc-sections
    program "$cc, a shared library" -g -O2 -fPIC -shared
    program "$cc, offsets of 8 bytes" -g -gdwarf64 -O2
    program "$cc, names in another file" -g -gsplit-dwarf -O2
    program "$cc, by lld" -g -O2 -ffunction-sections -fuse-ld=lld -Wl,--gc-sections
    program "$cc, for aarch64" -g -O2 --target=aarch64-linux-gnu -ffreestanding -nostdlib \
        -fuse-ld=lld -fno-exceptions
    if compile "$cc" "$cxx" -g -gz && mv made packed; then
        no_lines packed 'Compile it without -gz'
    else
        skip 'nothing here compresses' "$cc -gz"
    fi
done
test $compilers -gt 0 || skip 'there is no compiler' 'programs that are compiled here'

# ---- by nvcc ------------------------------------------------------------------------------

nvcc=$(configured KERNEL_CC)
case $nvcc in *nvcc*) ;; *) nvcc= ;; esac
if test -z "$nvcc"; then
    skip 'no nvcc in this build' 'a program by nvcc'
else
    cat >here.cu <<'END'
#include <cstdio>
__global__ void add(int *x) { *x += 1; }
int at_3_here(int *x) { add<<<1, 1>>>(x); return cudaGetLastError() != cudaSuccess; }
struct array {
    int *x;
    array();
};
__attribute__((noinline)) int at_8_here(cudaError_t e) { return puts(cudaGetErrorString(e)); }
template <class T> __attribute__((noinline)) int at_9_here(T n) { return cudaSetDevice((int)n); }
array::array() { x = nullptr; }
int main() { return at_9_here(0L) + at_8_here(cudaFree(0)) + at_3_here(array().x); }
END
    $nvcc -g -arch=compute_80 -o made here.cu >"$err" 2>&1
    same made 'a program by nvcc'
    survives made 'a program by nvcc'
fi

# ---- what has no lines --------------------------------------------------------------------

if test $compilers -gt 0; then
    $CC -g -c a.c -o a.o 2>"$err"
    no_lines a.o 'it is an object'
    $CC -g -s d.c -o bare 2>"$err"
    no_lines bare 'Compile it with -g'
fi
no_lines a.c 'it is not a program of 64 bits'
done_testing
