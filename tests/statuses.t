# SPDX-License-Identifier: GPL-3.0-or-later
#
# What went wrong, as a grader asks: the exit status of --grade and the JSON member `cause`. A line of
# a table is a hand-in; all are tried, on their own.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

cd "$tmp" || exit 99
case $top_builddir in /*) ;; *) top_builddir=$OLDPWD/$top_builddir ;; esac
case $CUDALAB in /*) ;; *) CUDALAB=$OLDPWD/$CUDALAB ;; esac

cat >head.ptx <<'END'
.version 7.0
.target sm_70
.address_size 64
END
entry() { # entry NAME: its body is stdin
    cat head.ptx
    printf '.visible .entry %s(.param .u64 x)\n{\n.reg .b64 %%rd<4>;\n.reg .b32 %%r<4>;\n.reg .pred %%p<2>;\n' "$1"
    printf 'ld.param.u64 %%rd1, [x];\ncvta.to.global.u64 %%rd2, %%rd1;\nmov.u32 %%r1, %%tid.x;\n'
    cat
    printf 'ret;\n}\n'
}
entry fine <<'END' >fine.ptx
mul.wide.u32 %rd3, %r1, 4;
add.s64 %rd2, %rd2, %rd3;
st.global.u32 [%rd2], %r1;
END
entry race <<'END' >race.ptx
st.global.u32 [%rd2], %r1;
END
entry spin <<'END' >spin.ptx
L: bra L;
END
entry trap <<'END' >trap.ptx
trap;
END
entry misaligned <<'END' >misaligned.ptx
st.global.u32 [%rd2+1], %r1;
END
entry null <<'END' >null.ptx
mov.u64 %rd2, 0;
st.global.u32 [%rd2], %r1;
END
entry uninit <<'END' >uninit.ptx
ld.global.u32 %r2, [%rd2];
st.global.u32 [%rd2], %r2;
END
entry divergence <<'END' >divergence.ptx
setp.lt.u32 %p1, %r1, 16;
@%p1 bra L;
bar.sync 0;
bra M;
L: bar.sync 0;
M:
END
printf 'no ptx at all\n' >bad.ptx
{ cat head.ptx; echo '.visible .entry k( {'; } >open.ptx
sed 's/st.global.u32/st.nosuch.u32/' fine.ptx >unknown.ptx
: >empty.ptx
head -c 1000 /dev/zero >zeros.ptx
sed 's/%rd2/%rd9/' fine.ptx >register.ptx
before='array x i32 32 zero; array y i32 32; load'

# each CAUSE STATUS <<TABLE: lines of commands
each() {
    while IFS= read -r line; do
        lab --json --grade --step-limit 1000000 -c "$line" </dev/null
        got=$(grep -v '"status":"ok"' "$out" | sed -n '1s/.*"status":"\([a-z]*\)","cause":"\([a-z]*\)".*/\2/p')
        is "$status $got" "$2 $1" "$1: $line"
    done
}

each check 1 <<'END'
expect 1 == 2
trap; expect area ~ 25
banks 4; expect counters.shared_load_conflicts == 0
banks 4; expect counters.shared_load_conflicts == 0; nosuch
array x i32 8 iota; expect x == zero
array x i32 8 iota; array y i32 8; compare x y
array x i32 8 iota; compare x value:1
trap --variant noscale
trap --variant norange
hello 1; expect output contains "nothing of this"
banks 4; expect faults has race-shared
sum -n 4096 --variant all; expect variant atomic faster-than shuffle
testcase "a"; expect 1 == 2; end
testcase "a"; expect 1 == 2; nosuch; end
if 1; expect 1 == 2; end
repeat 3; expect 1 == 2; end
END
each script 2 <<'END'
nosuch
tarp
trap -q 4
trap --variant nosuch
trap -n
trap -n x
banks 1 2
array x
array x f32 8 nosuch
print nosuch
launch nosuch<<<1, 1>>>()
load nosuch.cu
load nosuch.ptx
load head.txt
source nosuch.lab
echo "a
set nosuch 1
set seed x
help nosuch
let n = 1 / 0
let n
echo $nosuch
expect
expect 1 = 1
banks 4; expect degre == 4
banks 4; expect faults has nosuch
if 1
end
else
repeat x; end
if nosuch; end
testcase; end
testcase "a"; nosuch; end
testcase "a"; end; testcase "a"; end
nosuch; expect 1 == 2
array x i32 8; load fine.ptx; launch fine<<<1, 8>>>(y)
array x i32 8; load fine.ptx; launch fine<<<1>>>(x)
array x i32 8; load fine.ptx; launch fine<<<1, 8>>>(x, 1)
END
each compile 3 <<'END'
load bad.ptx
load open.ptx
load empty.ptx
load zeros.ptx
load register.ptx
load bad.ptx; expect 1 == 2
load bad.ptx; launch k<<<1, 1>>>()
testcase "a"; load bad.ptx; end
END
each fault 4 <<END
$before race.ptx; launch race<<<1, 32>>>(x)
$before fine.ptx; launch fine<<<1, 64>>>(x)
$before fine.ptx; launch fine<<<1, 64>>>(x); expect x == iota
$before trap.ptx; launch trap<<<1, 32>>>(x)
$before misaligned.ptx; launch misaligned<<<1, 1>>>(x)
$before null.ptx; launch null<<<1, 1>>>(x)
$before uninit.ptx; launch uninit<<<1, 1>>>(y)
$before fine.ptx; launch fine<<<1, 4096>>>(x)
$before unknown.ptx; launch fine<<<1, 32>>>(x)
trap --variant race
trap --variant nobarrier; nosuch
trap --variant race; expect 1 == 2
trap --variant race; expect area == 24
trap --variant race; expect faults has race-shared
testcase "a"; trap --variant race; end
testcase "a"; trap --variant race; expect area == 24; end
trap --variant race; echo then; expect faults has race-global
END
each limit 5 <<END
$before spin.ptx; launch spin<<<1, 32>>>(x)
$before spin.ptx; launch spin<<<1, 32>>>(x); expect x == iota
testcase "a"; $before spin.ptx; launch spin<<<1, 32>>>(x); end
trap -n 2^22
set time-limit 0.01; set step-limit 2^40; trap -n 2^28
array x f64 2^40
END
lab --json --grade --safe -c 'array x u8 2^29' </dev/null
is "$status $(sed -n 's/.*"cause":"\([a-z]*\)".*/\1/p' "$out")" '5 limit' 'an array that is too large for --safe'
lab --json --grade --output-limit 4K -c 'banks 4; banks 5; banks 6; banks 7; banks 8; banks 9' </dev/null
status_is 5 'the output of a session'
awk 'BEGIN { for (i = 0; i < 2000000; i++) print "echo a" }' >many.lab
lab --grade --session-time 0.3 many.lab </dev/null
status_is 5 'the time of a session'

# What is right is 0, also where a fault is what was expected.
while IFS= read -r line; do
    lab --json --grade -c "$line" </dev/null
    is "$status" 0 "right: $line"
done <<END
echo a

trap; expect area ~ 24 rtol 1e-3; expect faults == none
trap --variant race; expect faults has race-global
trap --variant race; expect faults == race-global
trap --variant race; expect status == fault
trap --variant race; expect cause == fault
nosuch; expect status == error; expect cause == script
nosuch; expect error.message contains "no command"
load bad.ptx; expect cause == compile
$before fine.ptx; launch fine<<<1, 64>>>(x); expect faults has out-of-bounds; launch fine<<<1, 32>>>(x); expect x == iota
testcase "a"; trap --variant race; echo then; expect faults has race-global; end
testcase "a"; nosuch; expect cause == script; end
quit 0
END
lab --grade -c 'quit 7' </dev/null
status_is 7 'quit N gives N where all is right'
lab --grade -c 'expect 1 == 2; quit 0' </dev/null
status_is 1 'but not where something was wrong'
lab --grade nosuch.lab </dev/null
status_is 2 'a script that is not there'
lab --grade --nosuch </dev/null
status_is 2 'a wrong option'
if test -w /dev/full; then
    "$CUDALAB" --no-init --grade -c 'echo a' </dev/null >/dev/full 2>"$err"
    is $? 2 'output that can not be written is nothing that the hand-in did'
fi

# Without --grade the statuses stay what they were.
for line in 'expect 1 == 2' nosuch 'load bad.ptx' 'trap --variant race' \
    'trap --variant race; expect faults has race-global'; do
    say "$line"
    status_is 1 "without --grade: $line"
done

# CUDA C that does not compile, or is too much for a compiler.
if can_load; then
    echo '__global__ void k(int *x) { x[0] = 1 }' >wrong.cu
    echo '__global__ void k(int *x) { y[0] = 1; }' >name.cu
    echo '#include "nosuch.h"' >include.cu
    echo '#error not today' >error.cu
    printf '\177ELF\001\002' >binary.cu
    echo '__global__ void k(int *x) { x[threadIdx.x] = threadIdx.x; }' >right.cu
    each compile 3 <<'END'
load wrong.cu
load name.cu
load include.cu
load error.cu
load wrong.cu; array x i32 8; launch k<<<1, 8>>>(x); expect x == iota
testcase "a"; load wrong.cu; end
END
    lab --grade -c 'load right.cu; array x i32 8; launch k<<<1, 8>>>(x); expect x == iota' </dev/null
    status_is 0 'and one that does'
    lab --grade right.cu wrong.cu -c 'echo a' </dev/null
    status_is 3 'a source of the command line that does not compile'
else
    skip 'no compiler of CUDA C' 'sources that do not compile'
fi

done_testing
