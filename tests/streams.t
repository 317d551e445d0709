# SPDX-License-Identifier: GPL-3.0-or-later
#
# streams: the same sum by programs that differ in their streams and waits; what runs at the same
# time, in the order that streams and events give; and what comes of a missing wait. The driver of
# tests/fake stands for a GPU.
#
# Each variant and option, as tests/data/labs.txt explains:
#: streams                                      | right
#: streams --variant all                        | right
#: streams --variant streams                    | right
#: streams --variant breadth                    | right
#: streams --variant synced                     | right
#: streams --variant pageable                   | right
#: streams --variant frames                     | right
#: streams --variant once                       | right
#: streams --variant pipeline                   | right
#: streams --variant concurrent                 | right
#: streams --variant onestream                  | right
#: streams --variant nosync                     | wrong | luck the streams may be ready before the host reads
#: streams --variant onewait                    | wrong | luck the other streams may be ready too
#: streams --variant noevent                    | wrong | luck the copies may be over before the kernels
#: streams -n 1 --streams 1 --frames 1          | right
#: streams --variant pipeline -n 997 --frames 13 --threads 33 --seed 5 | right
#: streams --variant breadth -n 10007 --streams 3 --frames 7 --rounds 5 | right
#: streams --variant concurrent --streams 32 --frames 64 | right
#: streams --variant pageable --host-rate 100 --link 12.5 --call 0 | right
#: streams --variant all -n 3 --frames 2 --streams 2 | right
#: streams --variant pipeline --frames 2 --calls | told
#
# What it refuses, as tests/data/refused.txt explains:
#! streams -n 0                              | at least 1
#! streams -n 1e9                            | at most 16777216
#! streams --streams 0                       | at least 1
#! streams --streams 33                      | at most 32
#! streams --frames 0                        | at least 1
#! streams --frames 257                      | at most 256
#! streams --rounds -1                       | at least 0
#! streams -n 1M --rounds 1000               | at most --rounds 63
#! streams --link 1e9                        | or 0 for this card's own
#! streams --threads 1025                    | at most 1024
#! streams --variant onewait --streams 1     | at least --streams 2
#! streams --variant stream                  | did you mean streams
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# right VARIANT 'OPTIONS' COPIES LAUNCHES WAITS
right() {
    say_json "streams --variant $1 $2"
    json_is .status ok "$1 $2: ok"
    json_is .result.ok true "$1 $2: checked itself"
    json_is .result.races 0 "$1 $2: everything is in order"
    json_is .result.copies "$3" "$1 $2: copies"
    json_is .result.launches "$4" "$1 $2: launches"
    json_is .result.waits "$5" "$1 $2: waits of the host"
}
right streams '' 24 8 1
right breadth '' 24 8 1
right synced '' 24 8 9
right pageable '' 24 8 25
right frames '' 24 8 24
right once '' 3 1 3
right pipeline '' 24 8 1
right concurrent '' 3 8 4
right onestream '' 3 8 4
right streams '-n 10 --frames 4' 12 4 1
right streams '-n 3 --frames 200' 9 3 1

# time COMMAND: whole microseconds
time_of() {
    say_json "streams $1"
    json .result.whole_us | cut -d. -f1
}
streams=$(time_of '--variant streams') once=$(time_of '--variant once')
frames=$(time_of '--variant frames') synced=$(time_of '--variant synced')
pageable=$(time_of '--variant pageable')
ok 'streams before synced' test "$streams" -lt "$synced"
ok 'synced before once' test "$synced" -lt "$once"
ok 'once before frames' test "$once" -lt "$frames"
ok 'frames before streams from pageable memory' test "$frames" -lt "$pageable"
ok 'with many small frames once is faster, as in the notes' test "$once" -lt \
    "$(time_of '--variant synced --frames 128')"
ok 'one copy engine overlaps less' test "$streams" -lt \
    "$(say_json 'streams --link 63.015 --call 1' --device sim:gk20a; json .result.whole_us | cut -d. -f1)"
ok 'small kernels run at once in streams' test "$(time_of '--variant concurrent')" -lt \
    $(($(time_of '--variant onestream') / 2))
ok 'large ones do not' test "$(time_of '--variant concurrent -n 2^22 --rounds 3 --threads 1024')" -gt \
    "$(($(time_of '--variant onestream -n 2^22 --rounds 3 --threads 1024') * 9 / 10))"

# What is drawn is in order: within a stream, within an engine, after its call.
say_json 'streams --variant pipeline --streams 3 --frames 5'
json .result.timeline | tr '{' '\n' | sed -n 's/.*"what":"\([a-z ]*\)".*"stream":\([0-9]*\),"called_us":\([0-9.e+-]*\),.*"begin_us":\([0-9.e+-]*\),"end_us":\([0-9.e+-]*\).*/\1,\2,\3,\4,\5/p' >"$tmp/spans"
ok 'the timeline has all of its operations' test "$(wc -l <"$tmp/spans")" -gt 30
is "$(awk -F, '$1 ~ /copy|kernel/ { if ($4 < $3 || $4 < stream[$2] || ($1 in engine && $4 < engine[$1])) print
                 stream[$2] = $5; engine[$1] = $5 }' "$tmp/spans")" '' \
    'nothing begins before its call, its stream or its engine'

# Any timeline is right for the right ones.
for v in streams breadth synced pageable frames once pipeline concurrent onestream; do
    say_json "set schedule random:1..20; streams --variant $v -n 1000 --rounds 1"
    json_is 2:.result.range.ok 20 "$v: right in 20 timelines"
done

# Wrong on purpose: they show themselves at any size.
for v in nosync onewait noevent; do
    say_json "streams --variant $v"
    status_is 1 "$v ends with 1"
    json_is .status error "$v: an error"
    ok "$v: something has no order" test "$(json .result.races)" -gt 0
    for more in '-n 2' '-n 1000 --call 100' '-n 5000 --streams 32 --frames 200'; do
        say "streams --variant $v $more"
        out_has WRONG "$v $more: shows itself under some schedule"
    done
done
say 'streams --variant noevent'
out_like 'nothing makes the kernel from 0 on, in s2, wait' 'noevent: what nothing orders'
err_has '--variant pipeline fixes it' 'noevent: what fixes it'
say 'streams --variant nosync'
err_has '--variant streams fixes it' 'nosync: what fixes it'

# Calls.
say_json 'streams --variant pipeline --frames 2 --calls'
json_like .result.calls[15].call 'cudaMemcpyAsync\(dx, hx, 524288, cudaMemcpyHostToDevice, s1\)' 'a copy'
json_like .result.calls[17].call 'cudaEventRecord\(e0, s1\)' 'an event'
json_like .result.calls[17].waits 'e0 is complete when call 17 is' 'what it marks'
json_like .result.calls[18].waits 'later work in s2 waits for e0 of call 18' 'and who waits for it'
say 'streams --variant pipeline --frames 2 --calls; streams --variant once --calls'
out_lacks WRONG 'nothing is missing'
say 'streams --variant once'
out_has '3 copies, 1 launch, and the host waits 3 times' 'one launch is no launches'
say_json 'streams --variant concurrent; streams --variant concurrent -n 2^20 --rounds 20'
json_like 1:.explain 'Each kernel has 2 blocks.* run at the same time on different' 'small kernels'
json_like 2:.explain 'Each kernel has 512 blocks.* gain little' 'large ones'
say 'streams --variant noevent --frames 2 --calls'
out_like 'wait for call 13$' 'what is missing is said where it is missing'
say 'streams --variant nosync --frames 2 --calls'
out_like 'the host did not wait; WRONG' 'also of the host'

say 'set projector on; streams; streams --variant all; streams --variant nosync; streams --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say 'set plain on; streams'
out_like 'stream 1: copy in from [0-9.]+ to [0-9.]+ us, kernel' 'plain: the timeline in sentences'
say 'streams --variant all'
out_has 'GeForce GTX 970' 'the figures of the notes stand beside'
say 'streams; snap a.svg'
ok 'snap draws it' grep -q 'stream 1' a.svg
say streams --device sim:h100 --charset ascii
same_as golden/streams.txt 'the whole screen is as it was'

# ---- a GPU, by the driver of tests/fake ----------------------------------------------------

fake=$(cd "$top_builddir/tests/fake" 2>/dev/null && pwd)
if test -f "$fake/libcuda.so.1"; then
    LD_LIBRARY_PATH=$fake
    FAKE_PIECES=$tmp/pieces
    export LD_LIBRARY_PATH FAKE_PIECES
    say 'show device' --device gpu
    if test "$status" = 0; then
        for v in streams breadth synced pageable frames once pipeline concurrent onestream; do
            rm -f "$tmp/pieces"
            say_json "streams --variant $v -n 10007 --rounds 2" --device gpu
            json_is .result.ok true "gpu, $v: right"
            json_is .result.modelled true "gpu, $v: no times in a script"
            is "$(tr -cd + <"$tmp/pieces" | wc -c)" "$(tr -cd - <"$tmp/pieces" | wc -c)" \
                "gpu, $v: nothing stays allocated"
        done
        say_json 'set volatile on; streams --repeat 3' --device gpu
        json_is 2:.result.modelled false 'gpu: measured where times may be shown'
        json_is 2:.result.measured_compared.# 3 'gpu: the others too'
        for v in frames once concurrent; do # the fake's default stream has no clock
            say_json "set volatile on; streams --variant $v -n 77" --device gpu --time-limit 10
            json_is 2:.result.ok true "gpu, $v: also where a copy takes no time"
        done
        for v in nosync onewait noevent; do
            say_json "streams --variant $v" --device gpu
            json_is '.result.schedules[0].schedule' 'this GPU' "gpu, $v: tried there first"
            json_is '.result.schedules[0].right' false "gpu, $v: a late device shows it"
        done
        for how in stall trip short; do
            FAKE_CUDA=$how
            export FAKE_CUDA
            say_json 'array x i32 4 iota; streams -n 100; print x' --device gpu --time-limit 1
            status_is 1 "gpu, $how: no answer"
            json_is 3:.result.values '[0,1,2,3]' "gpu, $how: arrays are there"
        done
    else
        skip 'a process of another kind cannot be started under this checker' 'gpu'
    fi
else
    skip 'the libcuda for tests is not built' 'gpu'
fi
unset LD_LIBRARY_PATH FAKE_CUDA FAKE_PIECES
every_try streams
done_testing
