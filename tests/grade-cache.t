# SPDX-License-Identifier: GPL-3.0-or-later
#
# What compilers make for hand-ins is kept. The marks and all reports must have the same bytes with
# an empty cache, with a full one and without one. Nothing that a hand-in does, and nothing that
# lies in the cache, may change what another hand-in gets.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/whole.sh"
any_kernels

enter_work
needs_programs nvcc
whole=$top_srcdir/tests/whole
XDG_CACHE_HOME=$tmp/own-cache
TMPDIR=$tmp/tmp
export XDG_CACHE_HOME TMPDIR
mkdir "$TMPDIR"
kept=$XDG_CACHE_HOME/cudalab/graded
forms='tap junit gradescope prairielearn coderunner json csv feedback'

# graded TO EXERCISE WORD...: grades and has the table and the reports of all forms in a folder
graded() {
    to=$1 exercise=$2
    shift 2
    rm -rf "$to"
    mkdir "$to"
    set -- grade "$exercise" "$@"
    for form in $forms; do
        set -- "$@" --report "$form:$to/$form-{}"
    done
    lab --no-init "$@" </dev/null
    cat "$out" "$err" | sed "s,$to,TO,g" >"$to/table"
}

# uncached TO EXERCISE HAND-IN...: the same without a cache
uncached() {
    to=$1 exercise=$2
    shift 2
    rm -rf "$to"
    mkdir "$to"
    line="set build-cache off; grade $exercise $*"
    for form in $forms; do
        line="$line --report $form:$to/$form-{}"
    done
    lab --no-init -c "$line" </dev/null
    cat "$out" "$err" | sed "s,$to,TO,g" >"$to/table"
}

# same ONE OTHER NAME: the folders have the same files with the same bytes
same() {
    diff -r "$1" "$2" >differs 2>&1
    verdict $? "$3" "$(head -n 5 differs)"
}

entries() {
    find "$kept" -type f 2>/dev/null | grep -c .
}

nothing_left() {
    is "$(find "$TMPDIR" -mindepth 1)" '' "$1"
}

# ---- an exercise with kernels, and one with programs ------------------------------------------

cat >twice.exercise <<'END'
exercise twice kernel twice(int n, const int *in, int *out)
input in[n] random:0:9
input out[n]
sizes n 70
launch <<<(n + 31) / 32, 32>>>
reference out kernel reference.cu
devices h100 t4
testcase "right" points 2
  expect out == reference
end
testcase "registers" points 1
  expect registers <= 64
  expect faults == none
end
end
END
args='int n, const int *in, int *out'
body='int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = 2 * in[i];'
printf '//: launch <<<3, 32>>>\n__global__ void twice(%s) { %s }\n' "$args" "$body" >reference.cu
mkdir -p kernels/helper
echo "__global__ void twice($args) { $body }" >kernels/right.cu
echo "__global__ void twice($args) { int unused; $body }" >kernels/warned.cu
echo "__global__ void twice($args) { $body if (i == n) out[i + 99] = 0; }" >kernels/fault.cu
echo "__global__ void twice($args) { $body oops }" >kernels/refused.cu
echo "__global__ void twice($args) { ${body%2 *}3 * in[i]; }" >kernels/wrong.cu
printf '#include "by.h"\n__global__ void twice(%s) { %s }\n' "$args" "${body%2 *}BY * in[i];" \
    >kernels/helper/k.cu
echo '#define BY 2' >kernels/helper/by.h

cat >echo.exercise <<'END'
exercise echo program
testcase "arguments" points 1
  run one two
  expect output contains "one|two|"
  expect exit == 2
end
testcase "input" points 1
  input-text "4\n5\n"
  run sum
  expect output contains "9"
end
testcase "memory" points 1
  run fault
  expect faults == none
  run one
end
end
END
mkdir -p programs/helper
cp "$top_srcdir/tests/data/echo.cu" programs/right.cu
sed 's/<<<1, 4>>>/<<<1, 5>>>/' programs/right.cu >programs/fault.cu
sed 's/int sum/int unused, sum/' programs/right.cu >programs/warned.cu
sed 's/cudaFree(d);/assert(argc < 2);/' programs/right.cu >programs/assert.cu
sed 's/cudaFree(d);/*(volatile int *)0 = 1;/' programs/right.cu >programs/crash.cu
sed 's/return 0/return oops/' programs/right.cu >programs/refused.cu
sed 's/printf("\\n")/printf("%s\\n", __TIME__)/' programs/right.cu >programs/time.cu
sed 's/^__global__.*/#include "put.h"/' programs/right.cu >programs/helper/main.cu
echo '__global__ void put(int *v, int n) { v[threadIdx.x + 1] = n; }' >programs/helper/put.h
in_full || rm programs/warned.cu # a program is compiled for each of its runs

names='twice kernels echo programs'
while test -n "$names"; do
    # shellcheck disable=SC2086
    set -- $names
    exercise=$1.exercise hand_ins=$2
    shift 2
    names=$*
    rm -rf "$XDG_CACHE_HOME"
    uncached none "$exercise" "$hand_ins"
    if grep -q 'program can.t be run here\|compiled here' 'none/csv-{}'; then
        skip_all 'nothing can be compiled under --safe here'
    fi
    is "$(entries)" 0 "$hand_ins: without a cache nothing is kept"
    graded cold "$exercise" "$hand_ins"
    status_is 0 'all are graded'
    test "$(entries)" -ge 5
    verdict $? 'now something is kept' "$(entries) entries"
    same none cold 'an empty cache gives the same as none'
    (cd "$kept" && cksum ./*) >before
    graded warm "$exercise" "$hand_ins"
    same none warm 'a full one too'
    is "$(cd "$kept" && cksum ./*)" "$(cat before)" 'and nothing was kept again'
    # shellcheck disable=SC2046
    graded one "$exercise" $(find "$hand_ins" -mindepth 1 -maxdepth 1 | sort -r) --jobs 1
    same none one 'in another order, one by one'
    nothing_left 'the workers'\'' folders are gone'
done

# Another grading has its hand-ins in another folder. Lines are found there, too.
mkdir -p "$tmp/given" first second
cp programs/fault.cu programs/crash.cu programs/helper/* first
cp first/* second
for file in fault crash main; do
    for place in first second; do
        for with in '' "--cache $tmp/given"; do
            # shellcheck disable=SC2086
            (cd $place && "$CUDALAB" --no-init --safe --json $with --allow . --allow $file.cu \
                -c "run $file.cu" >"../$file.$place.${with%% *}" 2>&1 </dev/null)
        done
    done
done
is "$(cat ./*.first. ./*.second. | cksum) $(cat ./*.first. | wc -c)" \
    "$(cat ./*.first.--cache ./*.second.--cache | cksum) $(cat ./*.second.--cache | wc -c)" \
    'a kept program in another folder gives the same'
for each in fault.cu:6 crash.cu:13 put.h:1; do
    grep -q "\"source\":\"$each\"" ./*.second.--cache
    verdict $? "and it has the line $each"
done
rm -rf "$tmp/given"

# ---- the compilers are not started ------------------------------------------------------------

# A compiler that breaks, and has the same size and times as before: no work of its own is right.
real=$(command -v clang) && real=$(readlink -f "$real")
if test -n "$real" && test -d "${real%/bin/*}/lib"; then
    mkdir -p "$tmp/llvm/bin" "$tmp/kit/bin"
    cp "$real" "$tmp/llvm/bin/clang"
    ln -s "${real%/bin/*}/lib" "$tmp/llvm/lib"
    printf '#!/bin/sh\nexit 1\n' >"$tmp/kit/bin/nvcc"
    chmod +x "$tmp/kit/bin/nvcc"
    old_path=$PATH
    PATH=$tmp/llvm/bin:$PATH CUDA_HOME=$tmp/kit
    export PATH CUDA_HOME
    rm -rf "$XDG_CACHE_HOME"
    graded cold twice.exercise kernels/right.cu
fi
if test -n "$real" && grep -q '"right","",2,1' 'cold/csv-{}'; then
    touch -r "$tmp/llvm/bin/clang" stamp
    size=$(wc -c <"$tmp/llvm/bin/clang")
    dd if=/dev/zero of="$tmp/llvm/bin/clang" bs="$size" count=1 conv=notrunc 2>/dev/null
    touch -r stamp "$tmp/llvm/bin/clang"
    graded warm twice.exercise kernels/right.cu
    same cold warm 'a kernel that was kept needs no compiler'
    echo >>kernels/right.cu
    graded new twice.exercise kernels/right.cu
    ! diff -r cold new >/dev/null 2>&1
    verdict $? 'one more blank line, and it is compiled'
    PATH=$old_path
    unset CUDA_HOME
else
    PATH=${old_path:-$PATH}
    unset CUDA_HOME
    skip 'no clang that can be copied' 'a kernel that was kept needs no compiler'
fi

if command -v strace >/dev/null && strace -f -o trace true 2>/dev/null && test "$BUILD_KIND" = plain; then
    rm -rf "$XDG_CACHE_HOME"
    # compilers NAME WORD...: the steps of compiling a program that these arguments start
    compilers() {
        strace -f -e trace=execve -s 300 -o trace "$CUDALAB" --no-init grade echo.exercise "$@" \
            >"$out" 2>"$err" </dev/null
        grep -c 'execve(.*"[^"]*clang".*"-x", "cuda".*= 0' trace
    }
    is "$(compilers programs/right.cu)" 2 'a program that runs four times is compiled once, for both sides'
    is "$(compilers programs/right.cu)" 0 'and then never again'
    is "$(compilers programs/refused.cu)" 1 'one that is refused is not compiled for each of its runs'
else
    skip 'no strace' 'a program that runs four times is compiled once'
fi

# ---- what lies in the cache -------------------------------------------------------------------

rm -rf "$XDG_CACHE_HOME" two
mkdir two
cp kernels/wrong.cu two/b.cu
echo "/* a */ __global__ void twice($args) { $body }" >two/a.cu
sed '/^devices/d' twice.exercise >one-card.exercise
marks() { # marks NAME: a is right and b is wrong
    lab --no-init grade one-card.exercise two --report csv:all.csv </dev/null
    is "$(cut -d, -f1-4 all.csv | tr -d '\r"' | tail -n 2 | tr '\n' ' ')" 'a,,2,1 b,,0,1 ' "$1"
}
entry_of() { # entry_of SOURCE: the entry that has its text
    grep -lF "$(head -n 1 "$1")" "$kept"/*.made
}
marks 'two hand-ins'
a=$(entry_of two/a.cu) b=$(entry_of two/b.cu)
cp "$a" a.kept
cp "$b" b.kept
back() {
    rm -rf "$a" "$b"
    cp a.kept "$a"
    cp b.kept "$b"
}
ok 'each has an entry' test -f "$a" -a -f "$b"
cp a.kept "$b"
marks 'the entry of a right hand-in under the name of a wrong one is not used'
is "$(entry_of two/b.cu)" "$b" 'and is replaced'
back
for at in 0 30 120 400 900; do
    printf 'XY' | dd of="$a" bs=1 seek=$at conv=notrunc 2>/dev/null
    printf 'XY' | dd of="$b" bs=1 seek=$at conv=notrunc 2>/dev/null
    marks "damaged at byte $at"
    back
done
: >"$a"
head -c 300 b.kept >"$b"
marks 'an empty entry, and half of one'
back
chmod 666 "$a" "$b"
marks 'entries that others can write to'
back
rm "$a" "$b"
ln -s "$PWD/b.kept" "$a"
ln -s "$PWD/a.kept" "$b"
marks 'links to the other'\''s entry'
is "$(find "$kept" -type l)" '' 'the links are replaced'
rm -rf "$a" "$b"
mkdir "$a"
mkfifo "$b"
marks 'a folder and a pipe in their places'
rm -rf "$a" "$b"
if test "$(id -u)" = 0; then
    cp b.kept "$a"
    cp a.kept "$b"
    chown 65534 "$a" "$b"
    marks 'entries of another user'
    back
    chown 65534 "$kept"
    marks 'the folder is another user'\''s'
    chown 0 "$kept"
fi
chmod 777 "$kept"
rm "$a" "$b"
marks 'a folder where all can write'
ok 'is not used' test ! -e "$a" -a ! -e "$b"
rm -rf "$kept"
: >"$kept"
marks 'a file in place of the folder'
rm "$kept"
rm -rf "$XDG_CACHE_HOME"
: >"$XDG_CACHE_HOME"
marks 'a cache that can'\''t be made'
rm "$XDG_CACHE_HOME"
(unset XDG_CACHE_HOME HOME && "$CUDALAB" --no-init grade one-card.exercise two --report csv:all.csv >"$out" 2>"$err")
is "$(cut -d, -f3 all.csv | tail -n 2 | tr '\n' ' ')" '2 0 ' 'no home at all'
err_empty 'and nothing is said of it'
if unshare -m true 2>/dev/null && mkdir -p "$XDG_CACHE_HOME/cudalab" &&
    unshare -m sh -c "mount -t tmpfs -o size=4k,mode=700 none '$XDG_CACHE_HOME/cudalab'" 2>/dev/null; then
    unshare -m sh -c "mount -t tmpfs -o size=4k,mode=700 none '$XDG_CACHE_HOME/cudalab' &&
        '$CUDALAB' --no-init grade one-card.exercise two --report csv:all.csv" >"$out" 2>"$err" </dev/null
    is "$(cut -d, -f3 all.csv | tail -n 2 | tr '\n' ' ')" '2 0 ' 'a full disk'
    err_empty 'and nothing is said of it'
else
    skip 'no small file system can be made' 'a full disk'
fi

# ---- hand-ins that know of it -------------------------------------------------------------------

# The option that names the folder holds for cudalab, and not for what a hand-in starts.
rm -rf "$XDG_CACHE_HOME" "$tmp/given"
cp "$whole/hostile/escapes.cu" .
echo '__global__ void k(int *o) { *o = 2; }' >k.cu
mkdir -m 700 "$tmp/given"
safe() { # safe COMMANDS: with a cache
    say "$1" --safe --cache "$tmp/given" --allow escapes.cu --allow k.cu --allow reads.cu
}
: >reads.cu
safe 'load k.cu'
status_is 0 'under --safe a source is compiled'
entry=$(find "$tmp/given" -name '*.made' | head -n 1)
ok 'and kept in the folder that --cache names' test -f "$entry"
is "$(find "$XDG_CACHE_HOME" -name '*.made' 2>/dev/null)" '' 'and nowhere else'
watched() { (cd "$tmp/given" && ls -l && cksum ./*); }
printf '#include "%s"\n__global__ void r(int *o) { *o = 1; }\n' "$entry" >reads.cu
before=$(watched)
for command in "load $entry" "array x u8 4 file:$entry" "load reads.cu" "source $entry" \
    "fatbin $entry" "transcript $tmp/given/t" "output $tmp/given/o" "load k.cu -I $tmp/given" \
    "array x u8 4 zero; save x $tmp/given/x" "replay $entry"; do
    safe "$command"
    test "$status" != 0 && test "$(watched)" = "$before"
    verdict $? "$(echo "$command" | sed "s,$tmp,,g") is refused"
done
safe "run escapes.cu list:$tmp/given read:$entry write:$tmp/given/new write:$entry list:.."
for try in "list:$tmp/given" "read:$entry" "write:$tmp/given/new" "write:$entry"; do
    grep -Fqx "$try: nothing" "$out"
    verdict $? "a program: $(echo "$try" | sed "s,$tmp,,"): nothing" "$(grep -F "$try:" "$out")"
done
safe "run escapes.cu list:$tmp/given"
grep -Fqx "list:$tmp/given: nothing" "$out"
verdict $? 'nor does one that was kept'
safe 'set build-cache off; load k.cu -D A=1'
status_is 0 'a script may do without'
ln -s "$tmp/given" "$tmp/link"
for cache in "$PWD/k.cu" /proc/1/nosuch ''; do
    say 'load k.cu' --safe --cache "$cache" --allow k.cu
    status_is 0 "--cache $(basename "$cache."): a folder that can't be is no failure"
done
rm -rf "$tmp/given"
say 'load k.cu' --cache "$tmp/given"
ok 'the option makes the folder, and holds without --safe' test -n "$(ls "$tmp/given")"
done_testing
