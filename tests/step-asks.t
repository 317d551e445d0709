# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a student asks while stepping: who reaches an element, races and what came before them, names
# of cells, whole arrays, and which warp goes first.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
needs_compiler

cd "$tmp" || exit 99
cat >asks.cu <<'CU'
extern "C" __global__ void cells(int *x, int *out, int n)
{
    __shared__ int s[64];
    __shared__ int extra[8];
    __shared__ float tile[4][8];
    __shared__ int last[64];
    __shared__ int pivot;
    int i = threadIdx.x;
    s[i] = x[i];
    if (i < 8)
        extra[i] = i;
    if (i < 32)
        tile[i / 8][i % 8] = i + 0.5f;
    if (i == 0)
        pivot = x[n / 2];
    last[63 - i] = 2 * i;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (i < d)
            s[i] += s[i + d];
        __syncthreads();
    }
    if (i == 0)
        out[0] = s[0] + pivot + extra[3] + (int)tile[1][2] + last[1];
    if (i == 33)
        atomicAdd(&out[1], 4);
    s[7] = pivot;
}
CU
line() { # line TEXT: its number in the source
    grep -nF "$1" asks.cu | head -1 | cut -d: -f1
}
begin='load asks.cu; array x i32 64 iota; array out i32 4; step launch cells<<<1,64>>>(x, out, 64)'

# ---- who reaches a watched element ------------------------------------------------------------------

writes=$(line 's[i] = x[i]')
adds=$(line 's[i] += s[i + d]')
say_json "$begin; watch s[5]; continue; continue; continue; rcontinue; list; delete 1; watch out[1]; continue
    start; delete 2; watch s[7]; break $(line 's[7] = pivot'); continue; to end; rcontinue"
json_is 6:.result.watched.access write 'a watched element: it is written'
json_is 6:.result.watched.line "$writes" 'at this line'
json_is 6:.result.watched.lanes 0x20 'by this lane'
json_is "6:.result.watched.now" 5 'with the value that it has now'
json_is "6:.result.watched.before" 0 'and the one that it had'
json_is 6:.result.watched.element 's[5]' 'under its name'
json_is 7:.result.watched.access read 'then it is read'
json_is 7:.result.watched.line "$adds" 'at another line'
json_is 7:.result.watched.before '(absent)' 'which changes nothing'
json_is 8:.result.watched.now 42 'and is written again'
json_is 8:.result.watched.before 5 'over the first value'
json_is 9:.result.watched.access read 'backwards the same access is told'
json_is 10:.result.watched.access read 'also when the place is shown again'
json_is 13:.result.watched.access update 'an atomic updates'
json_is 13:.result.watched.line "$(line 'atomicAdd')" 'at its line'
json_is 13:.result.watched.now 4 'the new value in global memory'
json_is 13:.result.watched.before 0 'the old one'
json_is 20:.result.watched.lanes 0xffffffff 'all lanes that write one element'
say "$begin; watch s[5]; continue; continue; delete 1; watch out[1]; continue; delete 2; watch s[7]; to end
    rcontinue; delete 3; watch last; start; continue"
out_has "Watchpoint 1: lane 5 of warp 0 wrote s[5] at line $writes: 5, before 0." 'the screen: a write'
out_has "Watchpoint 1: lane 5 of warp 0 read s[5] at line $adds: 5." 'the screen: a read'
out_has 'Watchpoint 2: lane 1 of warp 1 updated out[1] at line' 'the screen: an atomic'
out_has "Watchpoint 3: lanes 0-31 of warp 0 wrote s[7] at line $(line 's[7] = pivot'): 32, before 32." \
    'the screen: all lanes write one element'
out_like '^out +0: +0 +4' 'a row of global memory has the watched element'
out_has 'of warp 0 wrote last[63] and other elements at line' 'the screen: several elements of an array'

# Each access that stops it: between the place before and this place the element changes from the
# value before to the value now, and only writes change it.
say_json "$begin; watch s[3]; watch tile[0][3]; $(n=0; while test $n -lt 14; do
    printf 'continue; print s[3]; print tile[3]; '; n=$((n + 1)); done)"
"$JSONGET" 9:.result.stop <"$out" >/dev/null
is "$(awk '
    /"command":"continue"/ && /"stop":"watch"/ {
        match($0, /"watched":\{[^}]*\}/); w = substr($0, RSTART, RLENGTH)
        element = w ~ /s\[3\]/ ? "s" : "t"
        match(w, /"now":[0-9.]*/); now = substr(w, RSTART + 6, RLENGTH - 6)
        before = ""
        if (match(w, /"before":[0-9.]*/)) before = substr(w, RSTART + 9, RLENGTH - 9)
        n++
        if (element in had) {
            if (before != "" && before != had[element]) print "before", w, had[element]
            if (before == "" && now != had[element]) print "read", w, had[element]
        }
        had[element] = now
    }
    END { print (n >= 5 ? "many" : n) " accesses" }' "$out")" 'many accesses' \
    'each access goes on from the value that the last one has left'

# ---- the watched element is in a row ----------------------------------------------------------------

say "$begin; watch last[40]; until $(line '__syncthreads()'); continue; delete 1; to begin; list"
out_like '^last +(32|33):' 'a watched element is in the row of its array, which is shown'
say_json "$begin; watch s[8] if threadIdx.x == 8 && lane == 8; continue; start; watch s[9] if nope == 3; info break
    watch s[9] if x[0] == 1; continue; delete 1; continue; watch s[1] if"
json_is 6:.result.lane 8 'a watchpoint with a condition'
json_is 6:.result.watched.lanes 0x100 'and the lane that meets it'
json_is 8:.status error 'a condition that can never hold'
json_like 8:.error.message 'no name `nope`' 'says why'
json_is '9:.result.points[0].watches' 's[8]' 'info break has what is watched'
json_is '9:.result.points[0].condition' 'threadIdx.x == 8 && lane == 8' 'and its condition'
json_is 11:.result.watched.element 's[8]' 'the first one stops it'
json_is 13:.result.stop end 'a condition that does not hold does not'
json_is 14:.status error 'a condition is missing'
say "$begin; break $adds if lane == 3; watch tile[1][2]; watch last if lane > 4; info break"
out_has "Breakpoint 1 is at line $adds, if lane == 3." 'info break: a breakpoint and its condition'
out_has 'Watchpoint 2 watches tile[1][2].' 'info break: an element'
out_has 'Watchpoint 3 watches last, if lane > 4.' 'info break: an array'

# ---- one name for one element -----------------------------------------------------------------------

say_json "$begin; to barrier; print tile[1][2]; print tile[10]; print tile[lane / 8][lane % 8] == tile[lane]
    print tile[4][0]; print tile[0][8]; print tile[1][2][3]; print s[1][2]; print x[1][2]; print pivot
    print s[lane] < pivot; print pivot[0]; print tile[1.5][2]; break $adds if tile[1][2] > 10; continue
    print tile[1][2; watch tile[3][8]; watch tile[3][7]; watch pivot"
json_is '6:.result.values[0]' 10.5 'an index for each dimension'
json_is '7:.result.values[0]' 10.5 'or one for all'
is "$("$JSONGET" 8:.result.values <"$out" | tr -d '[]' | tr , '\n' | sort -u)" 1 'both name the same elements'
json_like 9:.error.message 'no such element' 'a row that is not there'
json_like 10:.error.message 'no such element' 'a column that is not there'
json_like 11:.error.message 'write one index for `tile`, or 2' 'too many of them'
json_like 12:.error.message 'it has one dimension' 'an array of one dimension'
json_like 13:.error.message 'its row \* the length of a row' 'and one whose rows are not known'
json_is '14:.result.values[3]' 32 'a shared variable is a value'
json_is '15:.result.values[31]' 1 'and can be compared'
json_is '16:.result.values[0]' 32 'with an index, too'
json_like 17:.error.message 'whole number' 'an index is a whole number in each dimension'
json_is 19:.result.stop break 'a condition takes both indices'
json_is 20:.status error 'a ] is missing'
json_like 21:.error.message 'no such element' 'watch: no such column'
json_is 22:.status ok 'watch: an element by row and column'
json_is 23:.status ok 'watch: a shared variable'
# ---- arrays, and messages ---------------------------------------------------------------------------

say_json "$begin; to barrier; print s[16..20]; print extra; print tile[30..]; print out[1..2]; print s[60..64]
    print s[3..2]; print s[1..x]; print pivot; print x[0..1]; thread (33,0,0); thread (64,0,0); thread (5); thread 40
    thread (1,1); thread ( 2, 0, 0 ); thread x; load asks.cu; print i"
json_is 6:.result.values '[16,17,18,19,20]' 'a range of shared memory'
json_is 6:.result.first 16 'and where it begins'
json_is 7:.result.values '[0,1,2,3,4,5,6,7]' 'a whole array'
json_is 8:.result.values '[30.5,31.5]' 'to its end'
json_is 9:.result.values '[0,0]' 'a range of what a parameter points to'
for n in 10 11 12; do
    json_is $n:.status error "command $n is no range of the array"
done
json_is '13:.result.values[0]' 32 'a shared variable is a row by lane'
json_is 14:.result.values '[0,1]' 'own arrays are shown as always'
is "$("$JSONGET" 15:.result.warp <"$out") $("$JSONGET" 15:.result.lane <"$out")" '1 1' 'a thread as reports write it'
json_like 16:.error.message 'a block has no thread .64,0,0.' 'one that is not there'
json_is 17:.result.lane 5 'one number in parentheses'
is "$("$JSONGET" 18:.result.warp <"$out") $("$JSONGET" 18:.result.lane <"$out")" '1 8' 'or without them'
json_is 19:.status error 'no thread in the second dimension'
json_is 20:.result.lane 2 'blanks between the numbers'
json_is 21:.status error 'no number'
json_is 22:.error.message 'a launch is being stepped: `quit` ends that' 'load says what is in its way'
json_like 23:.error.message '`load --debug asks.cu`' 'how to get the names of variables is told in full'
say "$begin; to barrier; print s[16..20]; set plain on; print extra"
out_like '^s +16: 16 17 18 19 20$' 'the screen shows the cells'
out_has 'extra[0] to extra[7] are 0, 1, 2, 3, 4, 5, 6, 7.' 'or says them'

# ---- who goes first ---------------------------------------------------------------------------------

# A choice holds until the place before which another warp runs: places before it have "goes".
say_json "$begin; schedule warp 1; to barrier; list; $(n=0; while test $n -lt 60; do
    printf 'to %s; ' $n; n=$((n + 1)); done)"
is "$(awk '
    /"command":"to [0-9]/ {
        match($0, /"place":[0-9]*/); place = substr($0, RSTART + 8, RLENGTH - 8) + 0
        until = match($0, /"until":[0-9]*/) ? substr($0, RSTART + 8, RLENGTH - 8) + 0 : -1
        match($0, /"next":\{"block":0,"warp":[0-9]/); next_warp = substr($0, RSTART + RLENGTH - 1, 1)
        if (ended == "" && next_warp == 0) ended = place
        if (ended == "" && until != -1) print "too early", $0
        if (ended != "" && place > ended && until != ended) print "not", ended, until
        n++
    }
    END { print n, (ended > 5 ? "ends" : "no end") }' "$out")" '60 ends' 'a choice says until where it held'
say "$begin; schedule warp 1; to barrier"
out_like '^From place 0 on, warp 1 of block 0 goes first.$' 'at first it goes first'
out_like '^From place 0 to [0-9]+, warp 1 of block 0 went first.$' 'later it went first'
say_json "$begin; schedule lane 16; schedule thread 3; schedule warp 7; schedule block 3; to barrier; stepi
    schedule warp 0; to end; schedule warp 0; start; schedule warp 1; start; to 12; start; to begin"
json_like 5:.error.message 'lanes of a warp can.t be scheduled' 'lanes'
json_like 6:.error.message 'lanes of a warp can.t be scheduled' 'threads'
json_like 7:.error.message 'there is no warp 7: a block has 2' 'a number that is no warp'
json_like 8:.error.message 'there is no block 3: the launch has 1' 'a number that is no block'
json_like 11:.error.message 'it waits at a barrier' 'a warp that waits'
json_like 13:.error.message 'the launch has ended' 'the end'
json_is 16:.result.warp 1 'start looks at the warp that runs first'
json_is 19:.result.warp 1 'so does to begin'
for schedule in lockstep random:1 random:2 random:3 random:4 random:5; do
    say_json "$begin; quit; step launch cells<<<1,64>>>(x, out, 64) --schedule $schedule; to 30; start; schedule $schedule"
    for n in 6 8 9; do
        json_is $n:.result.warp "$("$JSONGET" $n:.result.next.warp <"$out")" "$schedule: command $n looks at the next warp"
    done
done

# ---- races ------------------------------------------------------------------------------------------

cat >races.cu <<'CU'
__global__ void tiles(const int *a, int *c, int n)
{
    __shared__ int as[8][8];
    __shared__ int bs[8][8];
    int x = threadIdx.x, y = threadIdx.y, sum = 0;
    for (int t = 0; t < n / 8; t++) {
        as[y][x] = a[y * n + 8 * t + x];
        bs[y][x] = a[(8 * t + y) * n + x];
        __syncthreads();
        for (int k = 0; k < 8; k++)
            sum += as[y][k] * bs[k][x];
    }
    c[y * n + x] = sum;
}

__global__ void once(int *x)
{
    __shared__ int s[32];
    s[threadIdx.x / 2] = threadIdx.x;
    x[threadIdx.x] = s[31 - threadIdx.x];
}

__global__ void fine(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}
CU
in_races() { # in_races TEXT: its number in the source
    grep -nF "$1" races.cu | head -1 | cut -d: -f1
}
races='array a i32 16x16 iota; array c i32 16x16; step launch tiles<<<1,(8,8)>>>(a, c, 16)'
say_json "load races.cu; $races; to race; to race; to race; to begin; to race; quit; step launch fine<<<1,64>>>(c)
    to race"
json_is 5:.result.finding.has_earlier false 'the first race has none before it'
json_is 5:.result.finding.other.access read 'the other thread has read'
json_is 5:.result.finding.other.line "$(in_races 'sum +=')" 'in the loop'
json_is 5:.result.finding.thread.access write 'this one is about to write'
json_is 6:.result.finding.has_earlier true 'the second one may be a consequence'
ok 'it is further on' test "$("$JSONGET" 6:.result.place <"$out")" -gt "$("$JSONGET" 5:.result.place <"$out")"
json_is 7:.result.stop not-there 'there is no third one'
json_is 7:.result.races 2 'it is told how many there are'
json_is 7:.result.place "$("$JSONGET" 6:.result.place <"$out")" 'the launch has not moved'
json_is 9:.result.place "$("$JSONGET" 5:.result.place <"$out")" 'from the begin the first one is found again'
json_is 12:.result.races 0 'a launch without races'
cp "$out" races.json
for n in 5 6; do
    is "$("$JSONGET" $n:.result.finding.thread.place <races.json)" "$("$JSONGET" $n:.result.place <races.json)" \
        "race $n: the access of this thread is the next"
    other=$("$JSONGET" $n:.result.finding.other.place <races.json)
    element=$("$JSONGET" $n:.result.finding.cell.name <races.json)
    say_json "load races.cu; $races; to $other; warp $("$JSONGET" $n:.result.finding.other.warp <races.json)
        lane $("$JSONGET" $n:.result.finding.other.lane <races.json); watch $element; stepi"
    json_is 7:.result.line "$("$JSONGET" $n:.result.finding.other.line <races.json)" \
        "race $n: at its place the other thread is at its line"
    json_is 9:.result.access.kind read "race $n: and the next instruction is its access"
    say_json "load races.cu; $races; to $other; watch $element; continue"
    json_is 7:.result.place $((other + 1)) "race $n: which reaches the element that the report names"
done
say "load races.cu; $races; to race; to race; to race; quit; step launch once<<<1,32>>>(c); to race; to race"
out_like '^First, at place [0-9]+: block 0, warp 1, lane 24 has read as.7..7.. It is at line$' 'who was first'
out_like '^Then, at place [0-9]+: .* is about to write as.7..7.:$' 'and who comes then'
out_like '^as +48:' 'the row of the element'
is "$(grep -c '^An earlier race may be the cause.$' "$out")" 2 'a race that another one may have caused'
out_has 'No further race is ahead. Each pair of lines is reported once, and this launch' 'no further one'
is "$(sed -n '/^No further race/,/^The launch is left/p' "$out" | grep -c '^lanes')" 0 'the race stays on the screen'
out_like '^At the same time, at place [0-9]+: ' 'two lanes that write at once'
if can_load nvcc || can_load nvrtc; then
    say_json "load --debug races.cu; $races; to race; print t; print k"
    json_is 5:.result.finding.other.locals.t 0 'names: the round of the other thread'
    json_is 5:.result.finding.other.locals.k 7 'names: and of its inner loop'
    json_is 5:.result.finding.thread.locals.t 1 'names: this one is a round ahead'
    json_is 5:.result.finding.thread.locals.k '(absent)' 'names: and in no inner loop'
    json_is "6:.result.values[$("$JSONGET" 5:.result.lane <"$out")]" 1 'names: the launch is at its place again'
    say "load --debug races.cu; $races; to race"
    out_like '^ +k = 7, t = 0, ' 'names: the screen shows the round'
fi

done_testing
