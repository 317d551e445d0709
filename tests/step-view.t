# SPDX-License-Identifier: GPL-3.0-or-later
#
# What step shows: the view at every size of a screen and in sentences, which warp runs next, where
# a function returns to, the element of a race; and the words that gdb has for it.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler

cd "$tmp" || exit 99
cat >view.cu <<'CU'
__device__ __noinline__ int product(int n)
{
    if (n < 2)
        return 1;
    int below = product(n - 1);
    return n * below;
}

__device__ __noinline__ int twice(int v)
{
    return 2 * v;
}

extern "C" __global__ void calls(int *x)
{
    int i = threadIdx.x;
    if (i % 2)
        x[i] = product(i % 5);
    else
        x[i] = twice(i) + 1;
    x[i] += twice(x[i]);
}

extern "C" __global__ void parts(int *x)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    switch (i % 7) {
    case 0: s[i] = 1 + x[i]; break;
    case 1: s[i] = 2 * x[i] + x[0]; break;
    case 2: for (int k = 0; k < x[i]; k++) s[i] = k * x[k]; break;
    case 3: s[i] = x[i] / 3; break;
    default: for (int k = 0; k < i; k++) s[i] = k - x[k];
    }
    __syncthreads();
    x[i] = s[63 - i];
}

extern "C" __global__ void shift(int *x)
{
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = x[i];
    x[i] = s[(i + 63) % 64];
}

__global__ void reals(float *f)
{
    __shared__ float s[32];
    s[threadIdx.x] = f[threadIdx.x] + 1;
    __syncthreads();
    f[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void wholes(int *x)
{
    __shared__ int s[32];
    s[threadIdx.x] = x[threadIdx.x] + 2;
    __syncthreads();
    x[threadIdx.x] = s[31 - threadIdx.x];
}
CU
begin='load view.cu; array x i32 64 iota; array f f32 32 iota'
line() { # line TEXT: its number in the source
    grep -nF "$1" view.cu | head -1 | cut -d: -f1
}

# ---- functions that return ------------------------------------------------------------------------

# Right after the `ret` of a function the lanes are in its caller. Each line that the view shows for
# a function of the PTX must be one of its own lines, at every place of the launch.
say_json "$begin; step launch calls<<<1,64>>>(x)"
last=$("$JSONGET" 4:.result.last <"$out")
say_json "$begin; step launch calls<<<1,64>>>(x); lane 1; $(n=0
    while test $n -lt "$last"; do printf 'to %s; ' $n; n=$((n + 1)); done)"
sed -n 's/.*"line":\([0-9]*\),"file".*"function":"\([A-Za-z0-9_]*\)","existing".*/\2 \1/p' "$out" |
    sort | uniq -c >seen
ok 'all functions are seen' test "$(awk '{ print $2 }' seen | sort -u | wc -l)" -eq 3
is "$(awk -v product="$(line 'int product')" -v twice="$(line 'int twice')" -v calls="$(line 'void calls')" \
    -v after="$(line 'void parts')" '
    $2 ~ /product/ && ($3 < product || $3 >= twice) || $2 ~ /twice/ && ($3 < twice || $3 >= calls) ||
    $2 ~ /calls/ && ($3 < calls || $3 >= after)' seen)" '' 'each is at its own lines, also where one returns'
say_json "$begin; step launch calls<<<1,64>>>(x); until $(line 'return 2 * v'); step; where; finish"
json_is 5:.result.stop there 'a lane is in a function'
json_is 6:.result.stop there 'step leaves the function, and no thread has ended'
json_is 6:.result.line "$(line 'twice(i) + 1')" 'it is at the line of the call'
json_is 6:.result.groups[0].depth 0 'and in the kernel'
json_like 8:.error.message 'in no function that the kernel calls' 'finish is for functions'
say_json "$begin; step launch calls<<<1,64>>>(x); until $(line 'return n * below'); finish; finish; finish
    finish; finish; to end; print x[0..6]; quit; launch calls<<<1,64>>>(x); print x[0..6]"
json_is 6:.status ok 'finish leaves one call of a function that calls itself'
is "$("$JSONGET" '12:.result.values' <"$out")" "$("$JSONGET" '15:.result.values' <"$out")" \
    'and the launch ends with its results'

# ---- who runs next ----------------------------------------------------------------------------------

# What is said to be next is what the next place has executed: that warp alone has moved, or another
# one whose barrier it has opened.
for schedule in lockstep random:5 independent:2; do
    say_json "$begin; step launch parts<<<1,64>>>(x) --schedule $schedule
        $(n=0; while test $n -lt 120; do printf 'to %s; ' $n; n=$((n + 1)); done)"
    sed -n 's/.*"result":{"place":\([0-9]*\),.*"warps":\[\(.*\)\],"registers".*"next":{"block":0,"warp":\([0-9]*\).*/\1|\3|\2/p' \
        "$out" | awk -F'|' '
        { split($3, w, /\{"warp":/); sub(/,$/, "", w[2])
          if (had && $1 == place + 1 && w[said + 2] == before[said + 2] && w[3 - said] != before[3 - said])
              print place, "warp", said
          for (i = 2; i <= 3; i++) before[i] = w[i]
          place = $1; said = $2; had = 1; n++ }
        END { print n " places" }' >wrong
    is "$(cat wrong)" '121 places' "$schedule: the warp that is said to be next is the next"
done
barrier=$(line __syncthreads)
say "$begin; step launch parts<<<1,64>>>(x); to barrier; stepi; warp 1; to barrier; stepi"
out_has "Warp 1 runs next. Warp 0 waits at a barrier at line $barrier." 'a warp that waits: why, and who runs'
out_has 'All threads that the barrier waits for have come. They can go on.' 'and the last warp opens the barrier'
say "$begin; step launch parts<<<1,64>>>(x); to divergence; lane 2"
out_like '^The lanes marked [a-z] run next. A warp executes one group of lanes at a time.$' \
    'lanes of the same warp have letters'
say "$begin; step launch shift<<<2,64>>>(x); warp 1"
out_has 'Warp 0 runs next. Warp 1 could run, too.' 'or it is the turn of another warp'

# ---- in sentences -----------------------------------------------------------------------------------

say "$begin; set plain on; step launch parts<<<2,64>>>(x); to divergence; to divergence; to barrier
    stepi; print lane % 2; print lane * lane; print lane + 1; print 7; info threads; info registers
    to race; back; to end"
status_is 0 'plain: all of it can be said'
is "$(grep -n '^lanes  \|^s  \|  [0-9]*: \|[*a-z.]\{16\}$' "$out" | grep -v ' [a-z]* ' | head -3)" '' \
    'plain: no rows of letters or of columns'
out_like '^Lanes [0-9 .-]* are at line [0-9]+( and wait for other lanes of the warp)?\.$' 'plain: where lanes are'
out_has 'lane % 2 is 0 in lanes 0 2 ... 30 and 1 in lanes 1 3 ... 31.' 'plain: few values by their lanes'
out_has 'lane * lane has these values in lanes 0-31: 0, 1, 4, 9, 16,' 'plain: many values in the order of lanes'
out_has 'lane + 1 is 1 to 32 in steps of 1 in lanes 0-31.' 'plain: values in equal steps'
out_has '7 is 7 in lanes 0-31.' 'plain: one value'
out_like '^s\[0\] to s\[15\] are ' 'plain: elements of shared memory'
out_has 'Warp 1 is at line' 'plain: the other warps'
out_has 'Of 2 blocks, 0 have ended, 1 is running, and 1 has not begun.' 'plain: the blocks'
out_has 'The launch has ended.' 'plain: the end'

say "$begin; set plain on; step launch wholes<<<1,32>>>(x); to barrier"
out_has 'Of these, s[0] to s[15] were just written.' 'plain: elements that were just accessed'
out_has 'Warp 0 did this in lanes 0-31.' 'plain: and by which lanes'

# ---- every size of a screen ---------------------------------------------------------------------------

for width in 40 60 72 80 100; do
    say "set width $width; $begin; step launch parts<<<2,64>>>(x); to divergence; to divergence
        to divergence; to divergence; to barrier; step; to race; info threads; to end"
    is "$(awk -v w=$width 'length($0) > w' "$out")" '' "$width columns suffice"
done
if has_terminal; then
    at_terminal "stty rows 24 columns 80; exec env TERM=xterm NO_COLOR=1 '$CUDALAB' --quiet --no-init" <<END
see "cudalab> "
key "load view.cu; array x i32 64 iota\r"
see "64 elements"
see "cudalab> "
key "launch shift<<<1,64>>>(x)\r"
see "goes to the moment before it"
see "cudalab> "
key "step launch parts<<<2,64>>>(x)\r"
see "step> "
key "to divergence; to divergence; to divergence\r"
see "step> "
foreach {rows columns} {40 100  30 80  24 72  20 60  12 40  12 80  24 80} {
    stty rows \$rows columns \$columns < \$spawn_out(slave,name)
    key "echo size \$rows \$columns; list; echo done\r"
    see "\r\ndone\r\n"
}
key "quit\r"
see "The launch is left."
key "quit\r"
END
    status_is 0 'a terminal changes its size while a launch is stepped'
    tr -d '\r' <"$out" | sed 's/\x1b\[[0-9?;]*[a-zA-Z]//g' >typed
    is "$(awk '
        /^size / { rows = $2; columns = $3; n = 0 }
        /^done$/ { if (n > rows) print rows, columns, n; views++; rows = 0 }
        rows { n++; if (length($0) > columns) print rows, columns, $0 }
        END { if (views != 7) print views + 0 " views" }' typed)" '' \
        'each view fits, with its command'
    lines() { # lines ROWS COLUMNS: how many lines of the source that size has
        awk -v size="size $1 $2" '/^size / { here = $0 == size } here && /^[> ] *[0-9]+  /' typed | wc -l
    }
    ok 'a tall terminal shows more of the source' test "$(lines 40 100)" -gt "$(lines 24 80)"
    ok 'a low one shows the line in focus' test "$(lines 12 40)" -ge 1
    is "$(grep -c 'Space: more' typed)" 0 'and none needs a pager'
else
    for what in 'a terminal changes its size while a launch is stepped' 'each view fits, with its command' \
        'a tall terminal shows more of the source' 'a low one shows the line in focus' \
        'and none needs a pager'; do
        skip 'no terminal' "$what"
    done
fi

# ---- the element of a race ----------------------------------------------------------------------------

say_json "$begin; launch shift<<<1,64>>>(x); fill x iota; step; print s[31]; quit
    step launch shift<<<1,64>>>(x); to race"
json_is 6:.result.finding.cell.name 's[31]' 'a finding names the element'
json_is 6:.result.finding.cell.index 31 'its index'
is "$("$JSONGET" 6:.result.finding.cell.value <"$out")" "$("$JSONGET" '7:.result.values[0]' <"$out")" \
    'and its value at this place'
json_is 6:.result.finding.thread.access read 'one thread reads it'
json_is 6:.result.finding.other.access write 'the other one writes it'
json_is 10:.result.finding.cell.name 's[31]' 'to race does so, too'
say "$begin; launch shift<<<1,64>>>(x); fill x iota; step"
out_has 'is about to read s[31]:' 'on the screen: who reads'
out_has 'has ended, and has written s[31]:' 'who has written'
out_has 's[31] is 31 now, in shared memory.' 'and the value'
out_like '^s .* 31 ' 'the row of shared memory has the element'

# ---- words of gdb -------------------------------------------------------------------------------------

say_json "$begin; step launch calls<<<1,64>>>(x); until $(line 'return 2 * v'); backtrace; reverse-step
    reverse-stepi; reverse-next; advance $(line 'return 2 * v'); start; break $(line 'return 2 * v'); run
    info break; reverse-continue; info threads; info registers; info args; info locals; info nothing
    display lane * 2; display nope; stepi; info display; undisplay 1; undisplay 1; stepi; set var i = 3
    run view.cu; info"
json_is 6:.status ok 'backtrace'
for n in 7 8 9; do
    ok "command $n goes back" test "$("$JSONGET" $n:.result.place <"$out")" -lt \
        "$("$JSONGET" $((n - 1)):.result.place <"$out")"
done
json_is 10:.result.line "$(line 'return 2 * v')" 'advance'
json_is 11:.result.place 0 'start goes to the begin'
json_is 13:.result.stop break 'run goes to a breakpoint'
json_is '14:.result.points[0].line' "$(line 'return 2 * v')" 'info break has its line'
json_is 15:.result.stop begin 'reverse-continue'
json_is '16:.result.warps[1].warp' 1 'info threads'
json_is 17:.status ok 'info registers'
json_is '18:.result.parameters[0].elements' i32 'info args'
json_like 19:.error.message 'load --debug' 'info locals says what it needs'
json_like 20:.error.message 'registers, locals, args, threads, break, display' 'info of something else'
json_is '21:.result.displays[0].values[3]' 6 'display shows its value at once'
json_is 22:.status error 'and not one of an unknown name'
json_is '23:.result.displays[0].values[31]' 62 'and at each stop'
json_is '24:.result.displays[0].expression' 'lane * 2' 'info display'
json_is 25:.status ok 'undisplay'
json_is 26:.status error 'is possible once'
json_is 27:.result.displays '(absent)' 'after it nothing more is shown'
json_like 28:.error.message 'no variable of a kernel can be changed' 'set var'
json_like 29:.error.message 'quit. ends that' 'run FILE'
json_like 30:.error.message 'info registers' 'info alone'

say "$begin; step launch calls<<<1,64>>>(x); help"
ok 'help lists the words of stepping, in at most 50 lines' \
    test "$(sed -n '/^The launch that is stepped/,$p' "$out" | wc -l)" -le 50
out_like '^  finish  ' 'help: finish'
out_like '^  info  ' 'help: info'
out_lacks '  reverse-step  ' 'help: other names of a word are not listed again'
say_json "$begin; step launch calls<<<1,64>>>(x); complete 'rev'; complete 'info '"
json_like 5:.result 'reverse-continue.*reverse-stepi' 'other names are completed'
json_like 6:.result 'args.*registers' 'and what info shows'

# ---- arrays of one name -------------------------------------------------------------------------------

for how in '' --debug; do
    say_json "load $how view.cu; array x i32 64 iota; array f f32 32 iota; step launch reals<<<1,32>>>(f)
        to barrier; print s[lane]; quit; step launch wholes<<<1,32>>>(x); to barrier; print s[lane]"
    json_is '5:.result.shared[0].type' f32 "load $how: a shared array has the type of its kernel"
    json_is '6:.result.values[3]' 4 "load $how: and its values"
    json_is '9:.result.shared[0].type' i32 "load $how: also where another kernel has one of this name"
    json_is '10:.result.values[3]' 5 "load $how: and other values"
done

# ---- kept and played ------------------------------------------------------------------------------------

say "$begin; transcript step.txt; step launch parts<<<2,64>>>(x); to divergence; to barrier; stepi; quit
    transcript off; replay step.txt"
status_is 0 'a transcript of stepping is kept'
out_lacks '^-\|^+' 'and replay shows no difference'
say "$begin; step launch parts<<<2,64>>>(x); to divergence; snap view.svg"
ok 'snap draws the view' grep -q 'lanes' view.svg
if command -v xmllint >/dev/null; then
    ok 'as SVG' xmllint --noout view.svg
else
    skip 'no xmllint' 'as SVG'
fi
done_testing
