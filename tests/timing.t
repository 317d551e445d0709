# SPDX-License-Identifier: GPL-3.0-or-later
#
# timing: which clock holds the kernel follows from what comes before what; seconds are shown of a
# GPU alone, and only where they may change from run to run.
#
# Each variant and option, as tests/data/labs.txt explains:
#: timing                                        | right
#: timing --variant all                          | right
#: timing --variant events                       | right
#: timing --variant wall-sync                    | right
#: timing --variant wall                         | wrong
#: timing --variant clock                        | wrong
#: timing -n 1                                   | right
#: timing -n 5003 --rounds 3 --threads 1024      | right
#: timing --variant events --calls               | told
#
# What it refuses, as tests/data/refused.txt explains:
#! timing -n 0                                | at least 1
#! timing -n -1                               | at least 1
#! timing -n 1e12                             | at most 4194304
#! timing --rounds 0                          | at least 1
#! timing --threads 1025                      | at most 1024
#! timing --variant wal                       | did you mean wall
#! timing -n 70000 --threads 1                | at most 65535 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'timing'
status_is 0 'timing runs'
out_like '^events +yes +in part' 'events hold the kernel, and on an idle stream some of the launching'
out_like '^wall-sync +yes +yes' 'a waiting clock holds both'
out_like '^wall +not for sure +yes' 'one that does not wait holds no kernel for sure'
out_like '^clock +if the host does not sleep +yes' 'clock() depends on how the host waits'
out_like '^device +\.+C+\.+$' 'the kernel, drawn'
out_like '^wall +D+\.+$' 'a clock that stops early'
out_has 'One possible order, which was not measured.' 'and said to be drawn'
ok 'no time that anyone measured here' test "$(grep -c ' ms$' "$out")" -eq 0

say_json 'timing --variant all'
json_is .status ok 'all: ok'
json_is .result.ok true 'the work was right'
json_is .variants.# 4 'four ways'
# clock N NAME HOLDS-KERNEL HOLDS-CALL WRONG
clock() {
    json_is ".variants[$1].variant" "$2" "$2"
    json_is ".variants[$1].holds_kernel" "$3" "$2: holds the kernel"
    json_is ".variants[$1].holds_launch_call" "$4" "$2: holds the call"
    json_is ".variants[$1].wrong_on_purpose" "$5" "$2: wrong on purpose"
    json_absent ".variants[$1].seconds" "$2: no seconds on the simulator"
}
clock 0 events true false false
clock 1 wall-sync true true false
clock 2 wall false true true
clock 3 clock true true true
json_is '.variants[3].cpu_time' true 'clock counts processor time'
say_json 'set volatile on; timing'
json_absent '2:.variants[0].seconds' 'volatile or not'

for v in events wall-sync; do
    say_json "timing --variant $v"
    json_is .status ok "$v alone: ok"
    json_is .result.holds_kernel true "$v: holds the kernel"
done
for v in wall clock; do
    say_json "timing --variant $v"
    status_is 1 "$v alone ends with 1"
    json_is .status error "$v: an error"
    json_is .result.ok false "$v: not right"
    json_like .error.message '--variant wall-sync fixes it' "$v: what fixes it"
done
for more in '-n 1 --rounds 1' '-n 33 --threads 7' '-n 5000 --rounds 3 --threads 1024'; do
    say_json "timing $more"
    json_is .result.ok true "timing $more"
done
say_json 'timing' --device sim:gk20a
json_is .result.ok true 'on an older card'

bad 'timing -n 0' 'at least 1'
bad 'timing --rounds 0' 'at least 1'
bad 'timing -n 4000000 --rounds 1000000' 'at most --rounds 268'
bad 'timing --threads 2000' 'at most 1024'
bad 'timing --variant wal' 'wall'
bad 'timing --calls' 'one clock'

say 'timing --variant wall --calls'
out_lacks cudaDeviceSynchronize '--calls: wall does not wait'
say 'timing --variant events --calls'
out_has 'cudaEventElapsedTime(&ms, a, b)' '--calls: events'
say 'timing --counters'
out_has 'warp instructions' '--counters'
for width in 60 72 80; do
    say "set width $width; timing; timing --variant wall"
    ok "$width columns" test "$(awk -v w=$width 'length > w' "$out" | wc -l)" -eq 0
done
say 'set plain on; timing'
out_has 'device: the kernel runs from 4 to 11 steps' 'plain: the picture in words'
out_has 'host: the host launches from 1 to 3 steps' 'the launch takes some steps'
out_has 'events: this clock runs from 2 to 11 steps' 'and the first event comes during the launch'
say timing --device sim:h100 --charset ascii
same_as golden/timing.txt 'the whole screen is as it was'

every_try timing

# A driver that only seems one has clocks all the same, and what they show is volatile.
fake=$top_builddir/tests/fake
if test "$BUILD_KIND" = plain && test -z "${CUDALAB_WRAPPER-}" && test -r "$fake/libcuda.so.1"; then
    LD_LIBRARY_PATH=$fake
    export LD_LIBRARY_PATH
    say_json 'timing; set volatile on; timing' --device gpu
    json_absent '1:.variants[0].seconds' 'gpu: no seconds where they are hidden'
    for i in 0 1 2 3; do
        json_like "3:.variants[$i].seconds" '^[0-9]' "gpu: seconds of clock $i"
    done
    json_is 3:.result.ok true 'gpu: and the work is right'
    call=$(json '3:.variants[2].seconds') whole=$(json '3:.variants[1].seconds')
    ok 'gpu: the call is over before the wait' awk "BEGIN { exit !($call <= $whole) }"
else
    skip 'no driver to be had here' 'gpu: seconds'
fi
done_testing
