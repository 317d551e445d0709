# SPDX-License-Identifier: GPL-3.0-or-later
#
# Programs that `run` compiled before are taken from the cache, if all that went into them is the
# same. A script in the compiler's place counts how often it is asked.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc
XDG_CACHE_HOME=$tmp/own-cache
real=$nvcc
mkdir -p "$tmp/kit/bin" inc other
cat >"$tmp/kit/bin/nvcc" <<END
#!/bin/sh
echo asked >>$tmp/asked
exec $real "\$@"
END
chmod +x "$tmp/kit/bin/nvcc"
CUDA_HOME=$tmp/kit
export CUDA_HOME XDG_CACHE_HOME

# compiles N NAME: so often was a compiler asked since the last time
compiles() {
    is "$(grep -c . "$tmp/asked" 2>/dev/null)" "$1" "$2"
    : >"$tmp/asked"
}

# prints TEXT NAME: the program's output begins with this line
prints() {
    is "$(head -n 1 "$out")" "$1" "$2"
}

: >"$tmp/asked"
echo '#define N 3' >inc/n.h
cat >n.cu <<'END'
#include <cstdio>
#include "n.h"
#ifndef MORE
#define MORE 0
#endif
__global__ void put(int *v) { int unused; *v = N + MORE; }
int main()
{
    int *d, n = 0;
    cudaMalloc(&d, 4);
    put<<<1, 1>>>(d);
    cudaMemcpy(&n, d, 4, cudaMemcpyDeviceToHost);
    printf("n is %d\n", n);
    cudaFree(d);
}
END
say 'run -I inc n.cu'
can_run
prints 'n is 3' 'a program is compiled and runs'
compiles 1 'by one call of the compiler'
cp "$out" first
out_has 'n.cu(6): warning' "the compiler's warning is shown"
touch n.cu inc/n.h
say 'run -I inc n.cu'
cmp -s first "$out"
verdict $? 'the second run prints the same, the warning too'
say_json 'run -I inc n.cu'
json_like '.result.log[0]' 'n.cu\(6\): warning' 'and in JSON'
compiles 0 'and compiles nothing, though times of files have changed'

# ---- what goes into a program ---------------------------------------------------------------

echo '#define N 4' >inc/n.h
say 'run -I inc n.cu'
prints 'n is 4' 'a header has changed'
compiles 1 'it is compiled again'
echo '#define N 3' >inc/n.h
say 'run -I inc n.cu'
prints 'n is 3' 'the header is as before'
compiles 0 'the first program is taken'
echo '#define N 5' >n.h
say 'run -I inc n.cu'
prints 'n is 5' 'a new header would be found before the other'
compiles 1 'it is compiled again'
rm n.h
say 'run -D MORE=10 -I inc n.cu'
prints 'n is 13' 'another option'
compiles 1 'it is compiled'
sed 's/n is/N is/' n.cu >changed.cu
mv changed.cu n.cu
say 'run -I inc n.cu'
prints 'N is 3' 'the source has changed'
compiles 1 'it is compiled again'
CPATH=$tmp/other-headers
export CPATH
say 'run -I inc n.cu'
prints 'N is 3' 'another environment'
compiles 1 'it is compiled again'
unset CPATH
echo '# changed' >>"$tmp/kit/bin/nvcc"
say 'run -I inc n.cu'
compiles 1 'another compiler: it is compiled again'

cat >parts.cu <<'END'
#include <cstdio>
int twice(int n);
int main() { printf("twice is %d\n", twice(4)); }
END
echo 'int twice(int n) { return 2 * n; }' >part.cpp
say 'run parts.cu part.cpp'
say 'run parts.cu part.cpp'
prints 'twice is 8' 'two sources'
compiles 1 'are compiled once'
echo 'int twice(int n) { return 3 * n; }' >part.cpp
say 'run parts.cu part.cpp'
prints 'twice is 12' 'the second source has changed'
compiles 1 'it is compiled again'
for by in 5 6; do
    echo "int twice(int n) { return $by * n; }" >lib.cpp
    c++ -c lib.cpp && rm -f libpart.a && ar rc libpart.a lib.o
    say 'run -L . -l part parts.cu; run -L . -l part parts.cu'
    prints "twice is $((4 * by))" 'a library of the program'
    compiles 1 'counts by its bytes'
done
echo '#include <cstdio>
int main() { printf("%s\n", __TIME__); }' >time.cu
say 'run time.cu'
say 'run time.cu'
compiles 2 'a program that asks for the time is compiled each time'

# ---- where it is kept -----------------------------------------------------------------------

: >"$tmp/asked"
say 'set build-cache off; run -I inc n.cu'
prints 'N is 3' 'without the cache'
compiles 1 'it is compiled'
for entry in "$XDG_CACHE_HOME"/cudalab/*; do
    printf 'X' | dd of="$entry" bs=1 seek=200 conv=notrunc 2>/dev/null
done
say 'run -I inc n.cu'
prints 'N is 3' 'damaged entries'
compiles 1 'are not used'
chmod 666 "$XDG_CACHE_HOME"/cudalab/*
say 'run -I inc n.cu'
prints 'N is 3' 'entries that others can write to'
compiles 1 'are not used'
rm -rf "$XDG_CACHE_HOME"
(unset HOME XDG_CACHE_HOME && "$CUDALAB" --no-init -c 'run -I inc n.cu' >"$out" 2>"$err")
prints 'N is 3' 'no home: it runs'
err_empty 'and says nothing of it'
: >"$tmp/asked"
for i in 1 2 3; do
    "$CUDALAB" --no-init -c 'run -I inc n.cu' >"$tmp/at-once.$i" 2>&1 &
done
wait
is "$(head -qn 1 "$tmp"/at-once.* | sort -u)" 'N is 3' 'three at once'
: >"$tmp/asked"
say 'run -I inc n.cu'
compiles 0 'and the next one compiles nothing'

# ---- by clang -------------------------------------------------------------------------------

if say 'set compiler clang; run -I inc n.cu' && test "$status" = 0; then
    prints 'N is 3' 'by clang'
    before=$(ls "$XDG_CACHE_HOME/cudalab" | wc -l)
    say 'set compiler clang; run -I inc n.cu'
    prints 'N is 3' 'by clang again'
    is "$(ls "$XDG_CACHE_HOME/cudalab" | wc -l)" "$before" 'nothing new is kept'
    echo '#define N 8' >inc/n.h
    say 'set compiler clang; run -I inc n.cu'
    prints 'N is 8' 'a header has changed'
else
    skip 'clang compiles no program here' 'by clang'
fi
done_testing
