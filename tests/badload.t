# SPDX-License-Identifier: GPL-3.0-or-later
#
# load, launch and watch in the hands of the clumsy, the impatient and the mean: whatever a file,
# a compiler or a folder does, there is one sentence that says what would be right, what was
# there before is still there, and nothing is left lying about.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

mkdir "$tmp/desk" "$tmp/tmp" "$tmp/home" "$tmp/bin" "$tmp/none"
cd "$tmp/desk" || exit 99
case $top_builddir in /*) ;; *) top_builddir=$OLDPWD/$top_builddir ;; esac
case $CUDALAB in /*) ;; *) CUDALAB=$OLDPWD/$CUDALAB ;; esac
case $JSONGET in /*) ;; *) JSONGET=$OLDPWD/$JSONGET ;; esac
export TMPDIR="$tmp/tmp" XDG_CACHE_HOME="$tmp/cache" HOME="$tmp/home"

kernel='__global__ void k(float *x, int n) { if (threadIdx.x < n) x[threadIdx.x] = n; }'
echo "$kernel" >k.cu
cat >k.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry p(.param .u64 x)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<2>;
    ld.param.u64 %rd1, [x];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, 7;
    st.global.u32 [%rd2], %r1;
    ret;
}
.visible .entry print(.param .u32 n)
{
    ret;
}
END

before='load k.ptx; array x i32 4 iota; set schedule independent'
after='print x; launch p<<<1,1>>>(x); show schedule'
refuses() { # refuses COMMAND REGEX NAME
    printf '%s\n' "$before" "$1" "$after" >mean.lab
    lab mean.lab </dev/null
    status_is 1 "$3: status 1"
    err_like "^mean.lab:2: .*($2)" "$3: says what would be right"
    grep -q '  0:  0  1  2  3' "$out" && grep -q '^p<<<' "$out" && grep -q independent "$out"
    verdict $? "$3: nothing is lost, and the next commands work"
}

# ---- files --------------------------------------------------------------------------------

mkdir dir.cu
mkfifo fifo.cu
ln -s /dev/zero zero.cu
: >empty.cu
printf 'a\0b' >binary.cu
awk 'BEGIN { while (i++ < 200000) print "// a line, and nothing but such lines, and more" }' \
    >huge.cu
cp k.cu 'd"q.cu'
echo text >k.txt
refuses 'load nothere.cu' 'cannot read `nothere.cu`: No such file' 'a file that is not there'
refuses 'load hugee.cu' 'No such file or directory; did you mean huge.cu\?' 'a name nearly right'
refuses 'load dir.cu' 'it is a directory' 'a directory'
refuses 'load fifo.cu' 'but a pipe or a device' 'a pipe that nobody writes to'
refuses 'load zero.cu' 'but a pipe or a device' 'a device'
refuses 'load empty.cu' 'is empty; load takes' 'an empty file'
refuses 'load binary.cu' 'is not text' 'a binary file'
refuses 'load huge.cu' 'more than 8 MiB' 'a huge file'
refuses "load 'd\"q.cu'" 'rename the file' 'a name that no compiler takes'
refuses 'load k.txt' 'NAME.cu, or PTX in NAME.ptx' 'another kind of file'
refuses 'load -k.cu' 'no option' 'a name that looks like an option'
refuses 'reload k.cu' 'is not loaded; `load k.cu` loads it' 'a reload of what is not loaded'
echo garbage >garbage.ptx
refuses 'load garbage.ptx' 'line 1: .*\.version' 'PTX that is none'
printf '.version 7.0\n.target sm_70\n.visible .entry k(\n' >cut.ptx
refuses 'load cut.ptx' 'line [34]: the text ends here' 'PTX that ends too soon'

# ---- launches ------------------------------------------------------------------------------

refuses 'launch prnt<<<1,1>>>(1)' 'no kernel `prnt`: did you mean print\?' 'a name nearly right'
refuses 'launch p<<<1>>>(x)' 'the threads of a block are missing' 'no block'
refuses 'launch p<<<1,1>>(x)' 'not closed; >>> must end it' 'a bracket too few'
refuses 'launch p<<<1,1>>>(x' 'not closed; a \) must end it' 'a ) too few'
refuses 'launch p 2 64 x 9' 'write p<<<2, 64>>>\(x, 9\)' 'numbers in a row, as a launch'
refuses 'launch p(x)' 'has no <<<blocks, threads>>>' 'no launch configuration'
refuses 'launch p<<<1,1>>>()' 'takes 1 argument, not 0' 'an argument too few'
refuses 'launch p<<<1,1>>>(x, 1)' 'takes 1 argument, not 2' 'an argument too many'
refuses 'launch p<<<1,1>>>(y)' 'there is no array `y`' 'an array that is not there'
refuses 'launch print<<<1,1>>>("one")' 'is not a number' 'a text as a number'
refuses 'launch print<<<1,1>>>(n)' 'Write the number itself: launch print<<<1,1>>>\(1000\)' \
    'a name as a number'
refuses 'launch print<<<1,1>>>(1.5)' 'not a whole number' 'half a number'
refuses 'launch print<<<1,1>>>(x)' 'needs a number, and `x` is an array' 'an array as a number'
refuses 'launch p<<<-1,1>>>(x)' 'below 0' 'a negative size'
refuses 'launch p<<<2^63,1>>>(x)' 'too big' 'a size of 2^63'
refuses 'launch p<<<1/0,1>>>(x)' 'divided by 0' 'a division by 0'
for size in '(0-2^62-2^62)/-1' '(0-2^62-2^62)%-1' '-(0-2^62-2^62)'; do
    refuses "launch p<<<$size,1>>>(x)" 'more than 2\^63' "the least number: $size"
done
refuses "launch p<<<$(printf '%060d' 0 | tr 0 -)1,1>>>(x)" 'nested too deep' 'sixty signs'
refuses 'launch p<<<0,1>>>(x)' 'bad-launch: .*at least 1' 'no blocks'
refuses 'launch p<<<1,2048>>>(x)' 'bad-launch: .*at most 1024' 'a block too big'
refuses 'launch p<<<(1,2^20),1>>>(x)' 'bad-launch: .*at most 65535' 'a grid too high'
refuses 'launch p<<<2^40,1>>>(x)' 'bad-launch: .*2147483647' '2^40 blocks'
refuses 'launch p<<<1,32,99999999>>>(x)' 'bad-launch: .*at most' 'too much shared memory'
refuses 'launch p<<<1,32,2^32+4>>>(x)' 'bad-launch: 4294967300 bytes' 'more than 32 bits can count'
refuses 'launch p<<<2^30,1024>>>(x)' 'timeout: .*step limit' '2^40 threads, at once'
refuses 'array big f32 2^45' 'the device has' 'an array beyond the device'
refuses 'array y i32 -5' 'at least 1' 'an array of fewer than none'
printf '%s\n' '.version 7.0' '.target sm_70' '.address_size 64' '.visible .entry big()' '{' \
    '    .shared .align 4 .b8 s[4294967312];' '    .reg .b32 %r<2>;' '    st.shared.u32 [s], %r1;' \
    '    ret;' '}' >big.ptx
refuses 'load big.ptx; launch big<<<1,1>>>()' 'bad-launch: 4294967312 bytes of static shared' \
    'a variable bigger than 32 bits can count'
say 'launch k<<<1,1>>>(x)'
err_has '`load FILE.cu` brings' 'a launch before any load says what to do first'
say_json "$before; launch p<<<2^30,1024>>>(x); print x"
json_is 4:.faults[0].kind timeout 'more warps than steps: a timeout'
json_is 5:.result.values[3] 3 'and the array is as it was'

# Kernels that all reach much: that takes long, and the time limit and SIGTERM hold.
awk 'BEGIN { print ".version 7.8\n.target sm_75\n.address_size 64"
    while (i < 30000) print ".func f" i++ "() { ret; }"
    print ".func g()\n{"
    while (k < 30000) print "call f" k++ ";"
    print "ret;\n}"
    while (n < 30000) print ".entry k" n++ "() { call g; ret; }" }' >slow.ptx
say_json 'load slow.ptx' --time-limit 1
json_is .faults[0].kind timeout 'loading ends with the time limit'
"$CUDALAB" --no-init --time-limit 60 -c 'load slow.ptx' >"$out" 2>"$err" </dev/null &
cudalab=$!
sleep 2
kill -TERM "$cudalab"
wait "$cudalab"
is $? 143 'SIGTERM ends it while PTX is loaded'

if ! runs_programs; then
    skip 'this cudalab starts no compiler' 'compilers that fail'
    done_testing
fi

# ---- compilers that fail ---------------------------------------------------------------------

fake() { # fake nvcc|clang: the rest of it is stdin
    mkdir -p "$tmp/kit/bin"
    file=$tmp/bin/clang
    test "$1" = clang || file=$tmp/kit/bin/nvcc
    { echo '#!/bin/sh' && cat; } >"$file"
    chmod +x "$file"
}
with_fakes() { # with_fakes COMPILER REGEX NAME [SECONDS]
    (
        export CUDA_HOME="$tmp/kit" PATH="$tmp/bin:$PATH"
        printf '%s\n' "$before" "set compiler $1; set time-limit ${4-60}; load k.cu" "$after" \
            >mean.lab
        status=0
        "$CUDALAB" --no-init mean.lab >"$out" 2>"$err" </dev/null || status=$?
        echo "$status" >"$tmp/status"
    )
    status=$(cat "$tmp/status")
    last_run="load k.cu by a false $1"
    status_is 1 "$3: status 1"
    err_like "^mean.lab:2: $2" "$3: says what happened"
    grep -q '^p<<<' "$out"
    verdict $? "$3: the next commands work"
    is "$(ls "$TMPDIR")" '' "$3: nothing is left"
}

for which in nvcc clang; do
    fake $which <<'END'
sleep 30
END
    with_fakes $which "$which took more than 2 s and was stopped" "$which hangs" 2
    other=clang
    test $which = nvcc || other='(nvrtc|nvcc)'
    fake $other <<'END'
exit 1
END
    fake $which <<'END'
echo '0.	Program arguments: clang -cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64 -S k.cu' >&2
kill -SEGV $$
END
    with_fakes $which "$which crashed .SIGSEGV. while it compiled .k.cu.; this is not a verdict" \
        "$which crashes"
    err_like "on your code: try .set compiler $other., or a smaller source" "$which crashes: what to try"
    err_like '^0. *Program arguments: clang -cc1' "$which crashes: what it said"
    verdict "$(sed 1d "$err" | awk 'length > 80 { wide = 1 } END { print wide + 0 }')" \
        "$which crashes: what it said keeps to the width"
    fake $which <<'END'
echo "k.cu: error: unable to execute command: Segmentation fault" >&2
exit 139
END
    with_fakes $which "$which crashed .SIGSEGV." "a part of $which crashes"
    fake $which <<'END'
echo "nvcc error   : 'cicc' died due to signal 6" >&2
exit 1
END
    with_fakes $which "$which crashed .SIGABRT." "a part of $which is aborted"
    fake $which <<'END'
kill -KILL $$
END
    with_fakes $which "$which was killed .SIGKILL." "$which is killed"
    fake $which <<'END'
head -c 80000000 /dev/zero | tr '\0' x >&2
exit 1
END
    with_fakes $which "$which printed more than 64 MiB" "$which floods"
    fake $which <<'END'
while test $# -gt 1 && test "$1" != -o; do shift; done
case ${2:--} in -) echo garbage ;; *) echo garbage >"$2" ;; esac
END
    with_fakes $which "$which made no PTX" "$which makes garbage"
    fake $which <<'END'
exit 1
END
    with_fakes $which "$which can't compile here: it said nothing" "$which just fails"
    fake $which <<'END'
echo 'k.cu(1): error: cudaThreadSynchronize is no more' >&2
exit 1
END
    echo "$kernel int main() { cudaThreadSynchronize(); }" >old.cu
    mv k.cu kept.cu
    mv old.cu k.cu
    with_fakes $which "$which refuses .k.cu.:" "$which refuses"
    err_like '^k.cu\(1\): error' "$which refuses: what it said"
    err_like 'k.cu:1: CUDA has no `cudaThreadSynchronize` any more' "$which refuses: what is old"
    err_has 'cudaDeviceSynchronize' "$which refuses: what to write now"
    mv kept.cu k.cu
    printf '\177ELF' >"$tmp/bin/clang"
    cp "$tmp/bin/clang" "$tmp/kit/bin/nvcc"
    chmod +x "$tmp/bin/clang" "$tmp/kit/bin/nvcc"
    with_fakes $which "$which can't compile here" "$which is no program"
done
rm -f "$tmp/bin/clang"

# An NVRTC that crashes: a library of ours with its functions.
cat >"$tmp/nvrtc.c" <<'END'
#include <signal.h>
int nvrtcCompileProgram(void *program) { (void)program; return raise(SIGSEGV); }
#define OTHER(name) int name(void) { return 0; }
OTHER(nvrtcCreateProgram) OTHER(nvrtcGetPTXSize) OTHER(nvrtcGetPTX) OTHER(nvrtcGetProgramLogSize)
OTHER(nvrtcGetProgramLog) OTHER(nvrtcAddNameExpression) OTHER(nvrtcGetLoweredName) OTHER(nvrtcVersion)
END
mkdir "$tmp/kit/lib64"
if $CC -shared -fPIC -o "$tmp/kit/lib64/libnvrtc.so.13" "$tmp/nvrtc.c" 2>"$err"; then
    with_fakes nvrtc 'NVRTC crashed .SIGSEGV. while it compiled .k.cu.' 'NVRTC crashes'
    err_like 'not a verdict on your code: try .set compiler nvcc.' 'NVRTC crashes: what to try'
    echo 'echo "k.cu(1): error: nvcc was asked" >&2; exit 1' | fake nvcc
    with_fakes auto 'nvcc refuses .k.cu.' 'NVRTC crashes: another compiler takes over'
else
    skip 'a library of ours in the place of NVRTC can not be made' 'NVRTC crashes'
fi
rm -r "$tmp/kit/lib64"

(PATH=$tmp/none "$CUDALAB" --no-init -c 'set compiler clang; load k.cu; load k.ptx') \
    >"$out" 2>"$err"
last_run='load with an empty PATH'
err_has 'there is no clang here' 'without clang: says so'
out_has 'k.ptx: 2 kernels' 'without a compiler PTX loads'

# A signal that ends us while a compiler runs leaves neither it nor its folder.
fake nvcc <<END
echo \$\$ >"$tmp/pid"
sleep 30
END
started() { # a cudalab in the background, whose compiler has begun
    rm -f "$tmp/pid"
    CUDA_HOME=$tmp/kit "$CUDALAB" --no-init -c 'set compiler nvcc; load k.cu' >"$out" 2>"$err" &
    cudalab=$!
    until_true test -s "$tmp/pid"
}
gone() { # gone NAME: no process of the compiler is left, within 5 s
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        kill -0 "$(cat "$tmp/pid")" 2>/dev/null || break
        sleep 0.5
    done
    ! kill -0 "$(cat "$tmp/pid")" 2>/dev/null
    verdict $? "$1"
}
last_run='cudalab, ended while it compiles'
started
kill -TERM "$cudalab"
wait "$cudalab"
is $? 143 'SIGTERM ends it while a compiler runs'
is "$(ls "$TMPDIR")" '' 'and its temporary folder goes'
gone 'and so does the compiler'
fake nvcc <<END
sh -c 'echo \$\$ >"$tmp/pid"; sleep 60; true'
END
started
kill -KILL "$cudalab"
wait "$cudalab"
gone 'kill -9: what a compiler has started goes as well'
echo 'exit 1' | fake nvcc
(CUDA_HOME=$tmp/kit "$CUDALAB" --no-init -c 'set compiler nvcc; load k.cu') >"$out" 2>"$err"
is "$(ls "$TMPDIR")" '' 'the next cudalab removes the folder that was left'

# ---- with a compiler ------------------------------------------------------------------------

say 'load k.cu'
if test "$status" != 0; then
    skip 'there is no compiler of CUDA C' 'sources with mistakes'
    done_testing
fi
out_like 'by (NVRTC|nvcc|clang)' 'a plain file loads'
say 'load k.cu'
ok 'and is remembered' test -n "$(ls "$XDG_CACHE_HOME/cudalab")"

printf '\357\273\277%s' "$kernel" | sed 's/$/\r/' >bom.cu
say 'load bom.cu; array x f32 4; launch k<<<1,32>>>(x, 4); print x'
out_has '4  4  4  4' 'a byte order mark, CRLF and no newline at the end'
cp ./k.cu ./-x.cu
say 'load -- -x.cu'
status_is 0 'a file called -x.cu, as it is'
for name in 'a b' "it's" 's;c' -x 'é'; do
    cp ./k.cu "./$name.cu"
    say "load \"./$name.cu\""
    status_is 0 "a file called $name.cu"
done
seq 1000 | sed 's/.*/    x[0] = wrong&;/; 1s/^/__global__ void k(int *x) {\
/; $s/$/ }/' >wrong.cu
refuses 'load wrong.cu' 'refuses `wrong.cu`:' 'a thousand errors'
err_like '^wrong.cu[(:]2.*error' 'the first of them, at the start of a line'
echo '__global__ void k(int *x) { x[0] = y; }' >y.cu
for compiler in nvrtc nvcc clang; do
    can_load $compiler || continue
    say "set compiler $compiler; load y.cu"
    is "$(grep -c 'error:' "$err")" 1 "$compiler: what it says is there once"
    err_has '{ x[0] = y; }' "$compiler: with the line"
    err_like '^ +\^$' "$compiler: and the place in it"
done
refuses 'load missing.cu' 'cannot read' 'no such file'
echo '#include "not-there.h"' | cat - k.cu >missing.cu
refuses 'load missing.cu' 'refuses `missing.cu`:' 'an include that is not there'
err_like '^missing.cu[(:]1.*error.*not-there.h' 'which, and where'
echo '#include "self.cu"' | cat - k.cu >self.cu
refuses 'load self.cu' 'self.cu' 'a file that includes itself'
echo 'int main() { return 0; }' >host.cu
refuses 'load host.cu' 'has no kernel: a function with __global__' 'a file without a kernel'
cat >never.cu <<'END'
template <class A, class B> struct P { };
template <int N, class U>
struct Z { static const int v = Z<N - 1, P<U, int>>::v + Z<N - 1, P<int, U>>::v; };
template <class U> struct Z<0, U> { static const int v = 1; };
__global__ void k(int *x) { x[0] = Z<40, int>::v; }
END
refuses 'set time-limit 2; load never.cu; set time-limit 0' 'took more than 2 s' \
    'a template without end'
is "$(ls "$TMPDIR")" '' 'nothing is left in TMPDIR'

# A broken save keeps what was there under that path.
cp k.cu mine.cu
printf '%s\n' 'load mine.cu' 'array x f32 4' 'launch k<<<1,32>>>(x, 3)' 'watch --times 3 mine.cu' \
    'launch' 'print x' >watch.lab
: >"$out"
(
    "$CUDALAB" --no-init --json watch.lab >"$out" 2>"$err" </dev/null
    echo $? >"$tmp/status"
) &
has_lines() {
    test "$(wc -l <"$out")" -ge "$1"
}
objects() { # objects N: until so many commands have ended
    until_true has_lines "$1"
}
objects 5
cp wrong.cu new.cu
mv new.cu mine.cu
objects 6
rm mine.cu
sed 's/= n/= 2 * n/' k.cu >mine.cu
wait
status=$(cat "$tmp/status")
last_run='watch'
status_is 1 'watch: a broken save counts as a failure'
json_count 10 'watch: one object for each load and launch'
json_is 6:.status error 'watch: the broken save is an error'
json_is 7:.status ok 'watch: the next one loads'
json_is 10:.result.values[0] 6 'watch: and runs'

# The cache may be anything.
for way in file damaged folder; do
    rm -rf "$XDG_CACHE_HOME"
    say 'load k.cu'
    for entry in "$XDG_CACHE_HOME"/cudalab/*; do
        case $way in
        damaged) head -c 100 "$entry" >cut && cp cut "$entry" ;;
        folder) rm "$entry" && mkdir "$entry" ;;
        esac
    done
    test $way != file || { rm -rf "$XDG_CACHE_HOME" && echo none >"$XDG_CACHE_HOME"; }
    say 'load k.cu; array x f32 4; launch k<<<1,32>>>(x, 4)'
    status_is 0 "the cache is a $way: load does without"
done
rm -rf "$XDG_CACHE_HOME"
(unset HOME XDG_CACHE_HOME && "$CUDALAB" --no-init -c 'load k.cu' >"$out" 2>"$err")
is $? 0 'no HOME: load does without'
for header in '#include <stdio.h>' '#include "cuda_runtime.h"' '// #include "mine.h"'; do
    { echo "$header"; echo "$kernel"; } >s.cu
    say 'load s.cu' --safe --allow s.cu
    status_is 0 "--safe takes $header"
done
ok '--safe leaves no cache' test ! -e "$XDG_CACHE_HOME"
is "$(ls "$TMPDIR")" '' 'and nothing in TMPDIR'

# ---- -I and -D ------------------------------------------------------------------------------

mkdir inc early share
echo '#define W 3' >inc/w.h
printf '#include "w.h"\n__global__ void w(int *o) { *o = W * N; }\n' >w.cu
runs() { # runs NUMBER NAME OPTION...: what the kernel w computes
    wanted=$1 name=$2
    shift 2
    say_json "set compiler $compiler; load w.cu $*; array o int 1; launch w<<<1,1>>>(o); print o"
    json_is 5:.result.values[0] "$wanted" "$compiler: $name"
}
for compiler in nvrtc nvcc clang; do
    can_load $compiler || continue
    runs 21 '-I and -D' -I inc -D N=7
    runs 24 '-I and -D in one word' -Iinc -DN=8
    runs 12 'a value in parentheses' -I inc "-D 'N=(1<<2)'"
    runs 21 'two folders' -I early -I inc -D N=7
    echo '#define W 5' >early/w.h
    runs 35 'a header that appears in an earlier folder' -I early -I inc -D N=7
    rm early/w.h
    runs 21 'and goes again' -I early -I inc -D N=7
    echo '#define W 4' >inc/w.h
    runs 28 'a header that has changed' -I early -I inc -D N=7
    echo '#define W 3' >inc/w.h
done
json_is 2:.result.options[0] -Iearly 'JSON has the options'
say 'load w.cu -I inc -D N=2; reload; kernels'
is "$(grep -c -e '-I inc -D N=2' "$out")" 3 'reload keeps them, and kernels shows them'
runs_set() { # runs_set WANTED NAME COMMANDS
    say "$3; array o int 1; launch w<<<1,1>>>(o); print o"
    out_like "0: +$1\$" "$2"
}
runs_set 21 'set include and set define' 'set include inc; set define N=7; load w.cu'
runs_set 12 'another value is another kernel' 'set include inc; set define N=4; load w.cu'
runs_set 27 "the command's -D wins" 'set include inc; set define DEBUG,N=7; load w.cu -DN=9'
echo '#define W 5' >early/w.h
runs_set 35 'of two folders the first wins' 'set include early:inc; set define N=7; load w.cu'
runs_set 21 "the command's -I comes first" 'set include early; set define N=7; load w.cu -I inc'
rm early/w.h
runs_set 21 'reload keeps them' \
    'set include inc; set define N=7; load w.cu; set include none; set define none; reload'
say 'set include inc; set define none; show include; show define'
out_like 'include +inc' 'show has them'
out_lacks 'N=7' 'and none ends it'
refuses 'set include inc:nowhere' 'takes a folder' 'set include of no folder'
refuses 'set define 7' 'not a name' 'set define of no name'
refuses "set define 'N=\$(id)'" 'can.t use' 'set define with a shell in it'
say 'complete "set incl"'
is "$(cat "$out")" include 'completion knows it'
refuses 'load w.cu -I nowhere' 'takes a folder' '-I of no folder'
refuses 'load w.cu -D 3=4' 'not a name' '-D of a number'
refuses "load w.cu -I inc -D 'N=\$(id)'" 'can.t use' '-D with a shell in it'
refuses 'load w.cu -D' 'needs a value' '-D of nothing'
if can_load clang; then
    mkdir e1 e2
    echo '#define W 1' >e1/w.h
    echo '#define W 2' >e2/w.h
    for n in 1 2; do
        compiler=clang
        export CPATH="$PWD/e$n"
        runs $n "another CPATH: $n" -DN=1
        unset CPATH
    done
fi

# A cache that others can write to might hold anything.
rm -rf "$XDG_CACHE_HOME"
say 'load k.cu'
chmod 777 "$XDG_CACHE_HOME/cudalab"
entries=$(ls "$XDG_CACHE_HOME/cudalab" | wc -l)
say 'load k.cu; load w.cu -I inc -DN=9'
status_is 0 'a cache that others can write to: load does without'
out_has 'note: nothing is kept in' 'and says so'
is "$(ls "$XDG_CACHE_HOME/cudalab" | wc -l)" "$entries" 'nothing is put there'
chmod 700 "$XDG_CACHE_HOME/cudalab"

# Old names, by whichever compiler.
echo '__global__ void k(int *x) { x[0] = __shfl_down(x[1], 1); }' >old.cu
refuses 'load old.cu' 'refuses `old.cu`' 'an old name'
err_has 'old.cu:1: CUDA has no `__shfl_down` any more' 'the modern one is offered beside the error'

# Many kernels, in a time that a lecture has.
seq 500 | sed 's/.*/__global__ void k&(float *x, int n) { x[n] = &; }/' >many.cu
say 'load many.cu; array x f32 4; launch k499<<<1,1>>>(x, 2); print x'
out_has '499' 'five hundred kernels in one file'
# ---- many options -----------------------------------------------------------------------------

# 32 -D and 30 of `set define`: each must arrive, and none may get lost without a word.
printf '__global__ void k(int *o) { *o = D39 + L0; }\n' >many.cu
options=$(awk 'BEGIN { while (i < 32) printf " -D D%d=%d", 8 + i++, i }')
defines() { awk -v n="$1" 'BEGIN { while (i < n) printf "%sL%d=5", i ? "," : "", i++ }'; }
for compiler in nvrtc nvcc clang; do
    can_load $compiler || continue
    say "set compiler $compiler; set define $(defines 30); load many.cu$options
array o i32 1; launch k<<<1,1>>>(o); print o"
    out_like '0: +37' "$compiler: 62 macros arrive"
done

done_testing
