# SPDX-License-Identifier: GPL-3.0-or-later
#
# A student's own file. cudalab is started with it, and it changes after it was loaded. A launch
# takes the file as it is on the disk now. When the student stops the kernel, the error names the
# line.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

cd "$tmp" || exit 99
cat >mine.cu <<'END'
// first
#include <stdio.h>

__global__ void k(int *x)
{
    x[threadIdx.x] = 1;
}

int main(void) { return 0; }
END
cat >mine.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.visible .entry p() { ret; }
END

# ---- C is no script -------------------------------------------------------------------------

# not_run KIND NAME: there is one error, the status is 2, and no line ran
not_run() {
    status_is 2 "$2: status 2"
    err_has "is $1, not a script of commands" 'it says what it is'
    is "$(wc -l <"$err" | tr -d ' ')" 1 'once'
    is "$(cat "$out")" '' 'and nothing runs'
}
lab <mine.cu
not_run 'CUDA C' 'C on stdin'
err_has '<stdin>:1: this is' 'the place is stdin'
cat mine.cu | lab
not_run 'CUDA C' 'C through a pipe'
cp mine.cu hw.lab
lab hw.lab </dev/null
not_run 'CUDA C' 'C in a file named hw.lab'
err_has 'name it NAME.cu, and `cudalab NAME.cu` loads its kernels' 'what would be right'
cp mine.ptx p.lab
lab p.lab </dev/null
not_run PTX 'PTX in a file named p.lab'
for text in '/* all\n * of it\n */\nvoid f();\n' '\n# note\n  __global__ void k() { }\nreturn 0;\n' \
    'template <class T> T f();\n' '#define N 4\n# include "x.h"\n' '// nothing else\n' '/*'; do
    printf "$text" >hw.lab
    lab hw.lab </dev/null
    status_is 2 "C that begins with $(printf '%s' "$text" | cut -c1-12)"
done
printf '#include the labs of today\n\n# int x;\necho fine; echo int x\n' | script
is "$(cat "$out")" "fine
int x" 'comments and commands are no C'
printf 'int 3\nint 4\n' >hw.lab
lab -c 'alias int echo' -c 'source hw.lab' </dev/null
is "$(cat "$out")" "3
4" 'nor is an alias'
say 'source mine.cu; return'
err_has '`mine.cu` is CUDA C, not a script of commands; `load` loads its kernels' 'source: refused'
is "$(wc -l <"$err" | tr -d ' ')" 1 'as one error'
out_like '^return' 'and the session goes on'

# ---- cudalab mine.ptx -----------------------------------------------------------------------

lab mine.ptx </dev/null
status_is 0 'cudalab mine.ptx'
out_like '^mine\.ptx: 1 kernel' 'loads it'
printf 'kernels\nlaunch p<<<1, 1>>>()\n' >run.lab
lab mine.ptx <run.lab
status_is 0 'then runs the script on stdin'
is "$(grep -c '^mine\.ptx: 1 kernel' "$out")" 2 'with its kernel'
lab mine.ptx run.lab -c 'echo last' </dev/null
is "$(tail -n 1 "$out")" last 'or scripts and -c, in order'
lab mine.ptx --json -c 'echo a' </dev/null
json_count 2 '--json: an object for it too'
json_is 1:.command 'load mine.ptx' 'which names the command'
cp mine.ptx 'my own "x.ptx'
cp mine.ptx ./-x.ptx
lab 'my own "x.ptx' -- -x.ptx </dev/null
is "$(grep -c ': 1 kernel' "$out")" 2 'names with blanks, quotes and a dash'
rm ./-x.ptx
lab none.cu -c 'echo no' </dev/null
status_is 2 'a source that is not there'
err_has 'cannot read `none.cu`: No such file' 'is named'
is "$(cat "$out")" '' 'and nothing runs'
lab --safe mine.ptx </dev/null
status_is 2 '--safe: a source needs --allow'
err_has '--allow FILE' 'as it says'
lab --safe --allow mine.ptx mine.ptx run.lab </dev/null
status_is 0 'and then is loaded'
echo nonsense >bad.ptx
lab bad.ptx -c 'echo goes on' </dev/null
status_is 1 'one that does not load is a command that failed'
out_has 'goes on' 'the next one runs'
lab --bail bad.ptx -c 'echo goes on' </dev/null
out_lacks 'goes on' 'but not under --bail'
if has_terminal; then
    at_home
    at_terminal "exec '$CUDALAB' --device sim mine.ptx" <<'END'
see "cudalab 0"
see "mine.ptx: 1 kernel"
see "cudalab> "
key "launch p<<<1,1>>>()\r"
see "instructions"
see "cudalab> "
key "\004"
END
    status_is 0 'at a terminal the prompt follows'
    at_terminal "exec '$CUDALAB' --quiet --device sim bad.ptx" <<'END'
see "cudalab: the PTX of"
see "cudalab> "
key "\004"
END
    status_is 0 'also after one that did not load'
else
    skip 'no readline, no expect, or no terminal here' 'at a terminal the prompt follows'
fi

# ---- a file that changes --------------------------------------------------------------------

# The script comes through a fifo. Each part is written after the part before it has run.
mkfifo fifo
begins() { # begins [ARGUMENT...]: cudalab reads the fifo, which is descriptor 9
    last_run="cudalab $* <fifo"
    : >"$out" # what the session before said must not count as an answer
    "$CUDALAB" --no-init "$@" <fifo >"$out" 2>"$err" &
    job=$!
    exec 9>fifo
    part=0
}
part() { # part COMMANDS: they run, and have run when this returns
    part=$((part + 1))
    printf '%s\necho part %s\n' "$1" $part >&9
    until_true grep -q "part $part" "$out"
}
ends() {
    exec 9>&-
    status=0
    wait $job || status=$?
}

begins
part 'load mine.ptx; launch p<<<1, 1>>>(); launch'
sed 's/p() { ret; }/p() { ret; }\n.visible .entry q() { ret; }/' mine.ptx >new.ptx
mv new.ptx mine.ptx
part 'launch q<<<1, 1>>>(); launch'
cp mine.ptx same.ptx
mv same.ptx mine.ptx
part 'launch'
rm mine.ptx
part 'launch'
ends
status_is 0 'PTX with a kernel more: it is launched'
is "$(grep -c '^mine.ptx has changed: loaded again$' "$out")" 1 'which is said, once'

if can_load; then
    echo '#define V 1' >v.h
    cat >mine.cu <<'END'
#include "v.h"
__device__ int seen = 5;
__global__ void k(int *x) { x[threadIdx.x] += V; }
END
    begins --json
    part 'load mine.cu; array x i32 2 iota; launch k<<<1, 2>>>(x); print x'
    echo '#define V 10' >v.h
    part 'launch k<<<1, 2>>>(x); print x; launch'
    sed 's/V; }/V }/' mine.cu >bad.cu
    cp mine.cu good.cu
    mv bad.cu mine.cu
    part 'launch; print x; launch k<<<1, 2>>>(x)'
    mv good.cu mine.cu
    part 'launch; print x'
    echo '#define V 100' >v.h
    part 'load mine.cu; load mine.cu'
    ends
    values() { grep '"command":"print x"' "$out" | sed 's/.*"values":\[\([^]]*\)\].*/\1/' | tr '\n' ' '; }
    is "$(values)" '1,2 11,12 21,22 31,32 ' 'a header has changed: the new kernel runs on the old arrays'
    is "$(grep -c '"loaded_again":\["mine.cu"\]' "$out")" 1 '--json: it was loaded again'
    is "$(grep '"status":"error"' "$out" | grep -c 'has changed and was not loaded')" 2 \
        'what does not compile is not launched'
    is "$(grep '"status":"error"' "$out" | grep -c '"log":\[.*error')" 2 'and its errors are shown'
    is "$(grep '"command":"load' "$out" | grep -c '"changed":true')" 1 'load says so too'

    cat >uses.cu <<'END'
__device__ int value();
__global__ void of_other(int *x) { x[0] = value(); }
END
    echo '__device__ int value() { return 1; }' >value.cu
    begins --json
    part 'load uses.cu value.cu; array x i32 1; launch of_other<<<1, 1>>>(x); print x'
    echo '__device__ int value() { return 2; }' >value.cu
    part 'launch of_other<<<1, 1>>>(x); print x'
    ends
    is "$(values)" '1 2 ' 'a launch takes the change of a file that was linked'

    begins --safe --allow mine.cu
    cat >mine.cu <<'END'
__global__ void k(int *x) { x[threadIdx.x] = 7; }
END
    part 'load mine.cu; array x i32 2 iota; launch k<<<1, 2>>>(x); print x'
    sed 's/7/8/' mine.cu >next.cu
    cat next.cu >mine.cu
    part 'launch k<<<1, 2>>>(x); print x'
    ends
    is "$(grep -c '7 *7$' "$out")" 2 '--safe: a script keeps what it has loaded'
else
    skip 'no compiler of CUDA C' 'a header has changed'
fi

# ---- stopped --------------------------------------------------------------------------------

cat >spin.ptx <<'END'
.version 6.4
.target sm_70
.address_size 64
.file 1 "spin.cu"
.visible .entry spin()
{
    .loc 1 3 1
L:  bra L;
}
.visible .entry short(.param .u64 x)
{
    .reg .u32 %r<3>;
    .reg .pred %p;
    .loc 1 7 1
    mov.u32 %r1, 0;
M:  add.u32 %r1, %r1, 1;
    setp.lt.u32 %p, %r1, 100;
    @%p bra M;
    ret;
}
END
say_json 'load spin.ptx; launch spin<<<2, (8, 4)>>>()' --step-limit 1000
json_is '2:.faults[0].kind' timeout 'the step limit is a timeout'
json_is '2:.faults[0].source' spin.cu:3 'with the line that was running'
say_json 'load spin.ptx; launch spin<<<2, 64>>>()' --time-limit 0.3
json_is '2:.faults[0].source' spin.cu:3 'so has the time limit'
err_has '(spin.cu:3)' 'stderr names it'
say_json 'load spin.ptx; launch short<<<2^30, 32>>>(0)' --time-limit 0.3
json_is '2:.faults[0].source' spin.cu:7 'also of blocks that end at once'
say_json 'trap --variant all' --time-limit 0.3
json_is '.faults[0].kind' timeout 'a lab comes to its limit'
say_json 'banks 2' --step-limit 20
json_like '.faults[0].source' 'banks.cu:[0-9]+$' 'a lab tells its line'
stopped() { # stopped COMMANDS: Ctrl-C after a while
    status=0
    last_run="cudalab $1, and Ctrl-C"
    env --default-signal=INT "$CUDALAB" --no-init --json -c "$1" >"$out" 2>"$err" </dev/null &
    job=$!
    sleep 1
    kill -INT $job
    wait $job || status=$?
}
if command -v env >/dev/null && env --default-signal=INT true 2>/dev/null; then
    stopped 'load spin.ptx; launch spin<<<2, (8, 4)>>>()'
    status_is 130 'Ctrl-C'
    json_is 2:.error.source spin.cu:3 '--json: the line that was running'
    err_like '^-c:1: interrupted: block 0, thread 0 was at spin\.cu:3' 'and on stderr'
    stopped 'vecadd -n 2^26' # on a slow machine it is stopped on the host
    json_like .error.message '^(interrupted: block .* was at .*vecadd.cu:[0-9]+|stopped)' \
        'in a lab too'
else
    skip 'env has no --default-signal' 'Ctrl-C'
fi

done_testing
