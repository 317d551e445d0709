# SPDX-License-Identifier: GPL-3.0-or-later
#
# step: a launch is taken from the command that makes it, and moved forwards and backwards. What is
# shown must be what the launch has at that place, whichever way it came there.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

cd "$tmp" || exit 99
cat >sum.cu <<'CU'
#include <stdio.h>

__device__ __noinline__ float half(float v)
{
    return v * 0.5f;
}

extern "C" __global__ void sum(float *x, float *out, int n)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    s[i] = i < n ? half(x[i]) : 0;
    for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (i < d)
            s[i] += s[i + d];
    }
    if (i == 0) {
        printf("block %d: %g\n", blockIdx.x, s[0]);
        out[blockIdx.x] = s[0];
    }
}

extern "C" __global__ void rev(float *x, int n)
{
    __shared__ float s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    x[i] = s[n - 1 - i];
}

extern "C" __global__ void shift(int *x)
{
    __shared__ int t[64];
    int i = threadIdx.x;
    t[i] = x[i];
    x[i] = t[(i + 63) % 64];
}

extern "C" __global__ void beyond(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        x[i] = i;
}

extern "C" __global__ void endless(volatile int *x)
{
    while (x[0] == 0)
        x[1] = x[1] + 1;
}
CU
begin='load sum.cu; array x f32 64 iota; array o f32 2'
line() { # line TEXT: its number in the source
    grep -nF "$1" sum.cu | head -1 | cut -d: -f1
}

# ---- a launch is taken ----------------------------------------------------------------------------

say_json "$begin; step launch sum<<<2,64>>>(x, o, 60)"
status_is 0 'a launch can be stepped'
json_is 4:.result.place 0 'it stands at its begin'
json_is 4:.result.ended false 'it has not ended'
json_is 4:.result.existing 0xffffffff 'the lanes of the first warp are there'
json_is '4:.result.warps[1].warp' 1 'the other warp is told, too'
json_is '4:.result.shared[0].name' s 'shared arrays have the names of the source'
json_is '4:.result.shared[0].type' f32 'and its types'
say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); continue; print o; quit; print o"
json_is 5:.result.stop end 'continue goes to the end'
json_is 5:.result.output '["block 0: 885","block 1: 885"]' 'what the kernel printed is told'
json_is 6:.result.values '[885,885]' 'there the arrays have the results'
json_is 8:.result.values '[0,0]' 'quit gives them their values back'
say_json 'step trap -n 64 --variant shuffle; continue; quit; trap -n 64 --variant shuffle'
json_is 2:.result.ended true 'a lab is stepped to its end'
json_is 4:.status ok 'and runs afterwards as always'

say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); launch sum<<<2,64>>>(x, o, 60); array y f32 4
    fill x zero; load sum.cu; set device sim:a100; print x[3]; quit; launch sum<<<2,64>>>(x, o, 60)
    print o"
for n in 5 6 7 8 9; do
    json_is $n:.status error "command $n is refused while a launch is stepped"
    json_like $n:.error.message 'quit. ends that' "command $n says how to end it"
done
json_is '10:.result.values[7]' 3 'arrays can be read'
json_is 12:.status ok 'after quit a launch runs'
json_is 13:.result.values '[885,885]' 'with its results'
say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); step launch sum<<<2,64>>>(x, o, 60); step trap
    free x; continue; quit; print x; print o"
json_like 5:.error.message 'quit. ends' 'stepping does not nest'
json_like 6:.error.message 'quit. ends' 'with a lab neither'
json_is 8:.result.stop end 'the launch goes on with an array that was freed'
json_is 10:.status error 'which is gone afterwards'
json_is 11:.result.values '[0,0]' 'the others are not'
for lab in barrier diverge sumtree matmul streams 'trap --variant all -n 4096'; do
    say "step $lab; stepi 5; to end; back; rstep; to begin; next; to race; quit; $lab"
    status_is 0 "$lab can be stepped"
done
say_json "$begin; step launch sum<<<1,2000>>>(x, o, 60); print o"
json_like 4:.error.message 'bad-launch' 'a launch that is refused'
json_is 5:.status ok 'is not stepped'
for bad in 'step arrays' 'step launch nope<<<1,1>>>()' 'step nope' step; do
    say "$bad"
    status_is 1 "$bad is refused"
done

# ---- the same place has the same state, whichever way -----------------------------------------------

# state FILE: places with all that is told of them, but not how the launch came there
state() {
    sed -n 's/.*"result":{"place":\([0-9]*\),/\1 /p' "$1" |
        sed -E 's/"last":[0-9]*,//; s/"stop":"[a-z-]*",//; s/"point":[0-9]+,//; s/,"output":\[[^]]*\]//
            s/"block":[0-9]*,"warp":[0-9]*,"lane":[0-9]*,//'
}
moves='stepi;stepi 7;step;next;step 3;back;back 3;rstep;to barrier;to divergence;step;rnext;next;next 4'
moves="$moves;rstep 2;stepi 5;back 9;to 30;back;to 100;rcontinue;to 30;continue;back;rstep;to begin"
for schedule in lockstep random:3 independent:5; do
    say_json "$begin; step launch sum<<<2,64>>>(x, o, 60) --schedule $schedule; $moves; $moves"
    status_is 0 "$schedule: all moves are possible"
    cp "$out" walk
    places=$(sed -n 's/.*"result":{"place":\([0-9]*\),.*/\1/p' walk | sort -nu)
    say_json "$begin; step launch sum<<<2,64>>>(x, o, 60) --schedule $schedule
        $(for p in $places; do echo "to $p"; done)"
    state walk | grep -o '^[0-9]*\|"warps":.*"registers"' | paste - - | sort -n | uniq >walked
    state "$out" | grep -o '^[0-9]*\|"warps":.*"registers"' | paste - - | sort -n | uniq >straight
    is "$(diff walked straight | head -3)" '' "$schedule: at each place the lanes are where they were"
    ok "$schedule: there were places" test "$(wc -l <straight)" -gt 10
done

# ---- where moves lead -----------------------------------------------------------------------------

say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); to barrier; step; until $(line 's[i] += ')
    to divergence; rstep; until $(line 's[i] = x[i]'); until 1"
json_is '5:.result.shared[0].values[3]' 1.5 'shared memory has what was written'
json_is 5:.result.line "$(line __syncthreads)" 'to barrier stops before the barrier'
json_is 7:.result.line "$(line 's[i] += ')" 'until stops at the line'
json_is '8:.result.groups[1].lanes' 0xffff0000 'to divergence stops where lanes part'
json_is 10:.result.stop not-there 'a line that never comes'
json_like 11:.error.message 'line 1 has no instruction; line [0-9]* has' 'a line without instructions'
json_is 10:.result.place "$("$JSONGET" 9:.result.place <"$out")" 'and the launch has not moved'
# A barrier may be the only instruction of its line.
say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); until $(line __syncthreads); step; rstep
    break $(line __syncthreads); continue; rcontinue"
json_is 5:.result.line "$(line __syncthreads)" 'until stops at the line of a barrier'
json_is 7:.result.place "$("$JSONGET" 5:.result.place <"$out")" 'rstep comes back to it'
json_is 9:.result.warp 1 'a breakpoint there stops the other warp as well'
json_is 10:.result.place "$("$JSONGET" 5:.result.place <"$out")" 'and it is found backwards'

say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); break $(line 's[i] += ') if lane == 3 && s[lane] > 8
    continue; print s[lane]; watch s[5]; continue; rcontinue; delete 1; delete 2; delete 2; continue"
json_is 5:.result.point 1 'a breakpoint gets a number'
json_is 6:.result.stop break 'continue stops there'
json_is 6:.result.lane 3 'for the lane that meets the condition'
json_is '7:.result.values[3]' 19 'which holds'
json_is 9:.result.stop watch 'a watched element stops it'
json_is 9:.result.access.kind read 'at its next access'
json_is 10:.result.stop break 'backwards a breakpoint stops it as well'
json_is 13:.status error 'a point can be deleted once'
json_is 14:.result.stop end 'without points it goes to the end'

say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); break 1; break 12 lane; break 12 if lan == 1
    watch nope[1]; watch s[64]; print nope; print 1 +; print s; warp 2; lane 32; block 1; to nowhere
    schedule sideways; step 0"
for n in 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do
    json_is $n:.status error "command $n is refused"
done

# ---- values -----------------------------------------------------------------------------------------

say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); warp 1; print threadIdx.x; print x[threadIdx.x] / 2
    print n - lane * 2; print 7 / 2 + 7 % 4; print !(lane < 3) && lane != 5 || 0; print blockDim.x * gridDim.x
    print 1 / (lane - 4)"
json_is '6:.result.values[0]' 32 'threadIdx.x in the second warp'
json_is '7:.result.values[3]' 17.5 'an element that a parameter points to'
json_is '8:.result.values[31]' -2 'a parameter'
json_is '9:.result.values[0]' 6 'whole numbers divide as in C'
json_is '10:.result.values[5]' 0 '&& and || and !'
json_is '10:.result.values[6]' 1 'in each lane'
json_is '11:.result.values[0]' 128 'the launch has its size'
json_is '12:.result.values[4]' null 'a lane without a value has none'
json_is '12:.result.values[5]' 1 'others have theirs'
say "$begin; step launch sum<<<2,64>>>(x, o, 60); print s[lane][1]"
err_has 'write one index for' 'two indices are refused, and it says what to write'

say_json "$begin; step launch sum<<<2,64>>>(x, o, 60); to end; print x[lane]; print n + lane; print %r1
    print s[lane]; print x[0..2]"
json_is '6:.result.values[5]' 5 'at the end lanes can still be asked for an element of an array'
json_is '7:.result.values[5]' 65 'and for a parameter'
json_like 8:.error.message 'the lanes have ended' 'but for no register'
json_like 9:.error.message 'is not running' 'and for no shared memory'
json_is 10:.result.values '[0,1,2]' 'a range of an array is shown'

# ---- conditions with mistakes -----------------------------------------------------------------------

# A condition that can never hold is an error where it is written.
# mistakes LOAD: rows of a condition, and a part of what is said
mistakes() {
    while IFS=';' read -r condition says; do
        say_json "$1; array x f32 64 iota; array o f32 2; step launch sum<<<2,64>>>(x, o, 60)
            break $(line 's[i] += ') if $condition; continue"
        json_is 5:.status error "$1: if $condition is refused"
        json_like 5:.error.message "$says" "$1: and it says why"
        json_is 6:.result.stop end "$1: and nothing stops there"
    done
}
mistakes 'load sum.cu' <<'ROWS'
lnae == 3;did you mean `lane`
threadidx.x == 1;did you mean `threadIdx.x`
lane == 3 && zork > 4;there is no name `zork`
lane == 3 || zork;there is no name `zork`
i == 3;load --debug
s[zork] == 3;there is no name `zork`
nope[3] == 3;there is no array `nope`
s == 3;is an array: write which element
%r9999 == 1;sum has no register `%r9999`
lane % 2.5 == 0;% is for whole numbers
s[1.5] == 0;an index is a whole number
lane = 3;write == to compare
lane ==;a value is missing at the end
ROWS
if can_load nvcc || can_load nvrtc; then
    mistakes 'load --debug sum.cu' <<'ROWS'
lnae == 3;did you mean `lane`
lane == 3 && v > 1;no variable `v` is in scope at line
zork == 1;no variable `zork` is in scope
ROWS
    say_json "load --debug sum.cu; array x f32 64 iota; array o f32 2; step launch sum<<<2,64>>>(x, o, 60)
        break $(line 'int i = threadIdx') if d == 4; break $(line 'int d = 32') if d == 32
        delete 1; break $(line 's[i] += ') if d == 4; continue; print d"
    json_like 5:.error.message "\`d\`.* at line $(line 'int i = threadIdx')" 'a variable of another scope is told'
    json_is 8:.status ok 'one of this scope is taken'
    json_is 10:.result.values[0] 4 'and stops where it has the value'
fi

# ---- who goes first ---------------------------------------------------------------------------------

cat >race.cu <<'CU'
__device__ __noinline__ int twice(int v)
{
    return v * 2;
}

__device__ __forceinline__ int outer(int a)
{
    int b = a + 1;
    return twice(b) + b;
}

extern "C" __global__ void last(int *x)
{
    if (threadIdx.x % 32 == 0)
        x[0] = outer(threadIdx.x / 32 + 10 * blockIdx.x);
    __syncthreads();
    x[1 + threadIdx.x / 32] = x[0];
}
CU
raced() { # raced TEXT: its number in the source
    grep -nF "$1" race.cu | head -1 | cut -d: -f1
}
chooses='load race.cu; array r i32 4; step launch last<<<1,64>>>(r)'
say_json "$chooses; to end; print r[0]; to begin; schedule warp 1; to end; print r[0]; to 3; back; stepi
    to begin; continue; print r[0]; schedule lockstep; to end; print r[0]"
first=$("$JSONGET" '5:.result.values[0]' <"$out") second=$("$JSONGET" '9:.result.values[0]' <"$out")
is "$first $second" '6 3' 'the result of a race depends on the warp that goes first'
json_is 8:.result.choices '[{"place":0,"block":0,"warp":1}]' 'a choice is told'
json_is 15:.result.values[0] "$second" 'it is made again after a walk'
json_is 16:.result.choices '[]' 'another schedule is without choices'
json_is 18:.result.values[0] "$first" 'and has its own result'
for schedule in lockstep random:3 independent:5; do
    for n in 5 17 40; do
        say_json "$chooses --schedule $schedule; to $n; schedule warp 1; schedule warp 0; to end; print r[0]
            back 3; rstep; to begin; continue; print r[0]; to $n; back; to end; print r[0]"
        is "$("$JSONGET" '8:.result.values[0]' <"$out") $("$JSONGET" '17:.result.values[0]' <"$out")" \
            "$("$JSONGET" '13:.result.values[0]' <"$out") $("$JSONGET" '13:.result.values[0]' <"$out")" \
            "$schedule: a choice at place $n is kept by all moves"
    done
done
say_json "load race.cu; array r i32 4; step launch last<<<3,64>>>(r); to end; print r[0]; to begin
    schedule block 2; stepi; to begin; to end; print r[0]; quit; print r"
is "$("$JSONGET" '5:.result.values[0]' <"$out")" 66 'blocks run in their order'
json_is 7:.result.choices '[{"place":0,"block":2}]' 'a block that has not begun can go first'
json_is 11:.result.values[0] 36 'then another one is last'
json_is 13:.result.values '[0,0,0,0]' 'quit gives the array its values back'
say_json "$chooses; schedule warp 2; schedule block 1; schedule warp; schedule random 3; to end; schedule warp 0
    to begin; to barrier; stepi; schedule warp 0"
for n in 4 5 6 7 9 13; do
    json_is $n:.status error "command $n chooses nobody who can go first"
done
say "$chooses; schedule warp 1"
out_has 'From place 0 on, warp 1 of block 0 goes first.' 'the view shows the choice'

# ---- frames -----------------------------------------------------------------------------------------

say_json "$chooses; until $(raced 'return v * 2'); break $(raced 'return v * 2'); continue; where; up; print lane
    down; up 9; frame 7; down"
json_is 6:.result.line "$(raced 'return v * 2')" 'a breakpoint in a function'
json_is '7:.result.frames[0].function' 'twice(int)' 'where has the innermost function'
json_is '7:.result.frames[1].function' last 'and the kernel that called it'
json_is 8:.result.frame 1 'up takes the caller'
json_is 10:.result.frame 0 'down goes back'
for n in 11 12 13; do
    json_is $n:.status error "there is no such frame: command $n"
done
if can_load nvcc || can_load nvrtc; then
    say_json "load --debug race.cu; array r i32 4; step launch last<<<1,64>>>(r); break $(raced 'return v * 2')
        continue; where; print v; print b; up; print b; print v; print a; frame 0; print v; stepi; where"
    json_is '6:.result.frames[0].line' "$(raced 'return v * 2')" 'names: the chain begins where the lane is'
    json_is '6:.result.frames[1].function' outer 'names: an inlined function is a frame'
    json_is '6:.result.frames[1].inlined' true 'names: which is told'
    json_is '6:.result.frames[2].line' "$(raced 'x[0] = outer')" 'names: the kernel is at its call'
    json_is '7:.result.values[0]' 1 'names: a variable of the function'
    json_is 8:.status error 'names: none of the caller'
    json_is '10:.result.values[0]' 1 'names: up, and it is there'
    json_is 11:.status error 'names: and that of the function is not'
    json_is '12:.result.values[0]' 0 'names: another one of the caller'
    json_is '14:.result.values[0]' 1 'names: back again'
    json_is 16:.result.frame 0 'names: a move takes the innermost frame'
fi

# ---- from a finding ---------------------------------------------------------------------------------

say_json "$begin; launch rev<<<1,64>>>(x, 64); step; back; quit; array i i32 64
    launch beyond<<<3,32>>>(i, 64); step; stepi; back"
json_is 5:.result.finding.kind race-shared 'step alone goes to the finding'
json_is 5:.result.finding.thread.line "$(line 's[i] = x[i]')" 'one thread is at its line'
json_is 5:.result.line "$(line 's[i] = x[i]')" 'which is in focus'
json_is 5:.result.finding.other.line "$(line 's[n - 1 - i]')" 'the other one was at its line'
json_is 6:.status ok 'from there it goes back'
json_is 10:.result.line "$(line 'x[i] = i;')" 'before a fault, at its line'
json_is 10:.result.block 2 'in its block'
json_is 11:.result.fault out-of-bounds 'one more instruction has the fault'
json_is 12:.result.ended false 'and back leads before it'
# Lanes of one warp race first. The case that is told is between two warps.
say_json "$begin; array i i32 64 iota; launch shift<<<1,64>>>(i); step"
json_is 6:.result.finding.thread.warp 1 'a race is told between two warps'
json_is 6:.result.warp 1 'one of them is in focus'
json_is 6:.result.line "$(line '(i + 63)')" 'and is at its line'
say_json "$begin; step launch rev<<<1,64>>>(x, 64); to race; to race; step launch rev<<<1,64>>>(x, 64)
    quit; print x[0..2]; step launch sum<<<2,64>>>(x, o, 60); stepi; to race"
json_is 5:.result.finding.kind race-shared 'to race finds one'
json_is 5:.result.finding.thread.line "$(line 's[i] = x[i]')" 'with one thread at its line'
json_is 5:.result.finding.other.line "$(line 's[n - 1 - i]')" 'and the line of the other one'
json_is 6:.result.stop not-there 'there is no second one'
json_is 6:.result.place "$("$JSONGET" 5:.result.place <"$out")" 'and the launch has not moved'
json_is 9:.result.values '[0,1,2]' 'memory is as before the launch'
json_is 12:.result.stop not-there 'a launch without a race has none'
json_is 12:.result.place 2 'and stays where it was'
say_json "$begin; launch sum<<<2,64>>>(x, o, 60); step"
json_is 5:.status error 'where nothing was found, step says so'

# ---- limits -------------------------------------------------------------------------------------------

say_json 'load sum.cu; array i i32 2; set step-limit 5000; step launch endless<<<1,32>>>(i); continue; back
    step 1000000'
json_is 5:.result.fault timeout 'a launch without end has its limit'
json_is 6:.result.ended false 'and can go back from it'
json_is 7:.result.ended true 'a million steps end there, too'
say_json 'load sum.cu; array i i32 2; set time-limit 1; step launch endless<<<1,32>>>(i); continue; back'
json_is 5:.result.stop stopped 'a limit of time stops a move where it is'
say_json 'load sum.cu; array i i32 2; set time-limit 1; step launch endless<<<1,32>>>(i); to end; back'
json_is 5:.result.stop stopped 'also one to a place that is far away'
json_like 6:.result.place '^[0-9]{6,}$' 'which goes on from there'
json_is 6:.result.stop there 'and the launch can still move'

# ---- the screen ----------------------------------------------------------------------------------------

for width in 60 80; do
    say "set width $width; $begin; step launch sum<<<2,64>>>(x, o, 60); to divergence; continue; back"
    is "$(awk -v w=$width 'length($0) > w' "$out")" '' "$width columns suffice"
    out_like '^lanes  \*{16}a{16}$' "$width: lanes by their groups"
    out_like "^> +$(line 's[i] += ')  " "$width: the line in focus has a mark"
done
say "$begin; set plain on; step launch sum<<<2,64>>>(x, o, 60); to divergence"
out_has "It is at line $(line 's[i] += ')" 'plain: the line in a sentence'
out_lacks '****' 'plain: no picture'
# Local variables, in code that was loaded with --debug.
if can_load nvcc || can_load nvrtc; then
    debugged='load --debug sum.cu; array x f32 64 iota; array o f32 2; step launch sum<<<1,64>>>(x, o, 60)'
    say "$debugged; until $(line 's[i] += '); print i * 10 + d; print nosuch"
    out_like '^i +0 to 31 in steps of 1$' 'names: a variable by lane'
    out_like '^d +32 in all lanes$' 'names: one of an inner scope'
    out_has 'i * 10 + d  32 to 342 in steps of 10' 'names: an expression'
    err_has 'no variable `nosuch` is in scope here' 'names: one that is not there'
    say_json "$debugged; until $(line 's[i] += '); break $(line 's[i] += ') if i == 3 && d == 8; continue; print d"
    json_is 5:.result.variables.i[31] 31 'names: in JSON'
    json_is 7:.result.stop break 'names: in a condition'
    json_is 7:.result.variables.d[3] 8 'names: which is met'
    json_is 7:.result.variables.d[9] null 'names: lanes elsewhere have none'
fi
say_json 'step trap -n 64; complete "rc"; complete "un"'
json_like 2:.result 'rcontinue' 'words of stepping are completed'
# Last, since it takes another home.
if has_terminal; then
    at_home
    at_terminal "exec '$CUDALAB' --quiet --no-init" <<END
proc caret {command word} {
    key "\$command\r"
    set n [expr {[string length {step> }] + [string first \$word \$command]}]
    expect {
        -re "\[\r\n\] {\$n}\\\\^" {}
        timeout { puts "\nno caret behind \$n blanks"; exit 99 }
    }
    see "step> "
}
foreach typed {"load sum.cu" "array x f32 64" "step launch sum<<<1,64>>>(x, x, 60)"} {
    see "> "
    key "\$typed\r"
    see "\$typed"
}
see "step> "
caret "break 16 if lane == 3 && lnae" lnae
caret "break 16 if zork + zork" zork
caret "b 16 if s\[zork\] == 2" zork
caret "print lane + * 2" "* 2"
caret "print lane % 2.5" "% 2.5"
key "quit\r"
see "cudalab> "
key "quit\r"
END
    status_is 0 'a caret is below the mistake'
else
    skip 'there is no terminal' 'a caret is below the mistake'
fi
done_testing
