# SPDX-License-Identifier: GPL-3.0-or-later
#
# hostmem: what each kind of host memory moves and who waits, the two ways of timing beside each
# other, and what comes of a buffer that is used again too early and of a missing wait. The driver
# of tests/fake stands for a GPU.
#
# Each variant and option, as tests/data/labs.txt explains:
#: hostmem                                      | right
#: hostmem --variant all                        | right
#: hostmem --variant pageable                   | right
#: hostmem --variant pinned                     | right
#: hostmem --variant mapped                     | right
#: hostmem --variant async                      | right
#: hostmem --variant reuse                      | wrong | luck the copy may be over before the host writes
#: hostmem --variant nosync                     | wrong | luck the kernel may be over before the host reads
#: hostmem -n 1 --batches 1 --passes 1          | right
#: hostmem --variant mapped -n 997 --passes 3 --threads 33 --seed 5 | right
#: hostmem --variant async -n 1000 --batches 7  | right
#: hostmem --variant pinned --link 12.5 --host-rate 20 --call 0 | right
#: hostmem --variant all -n 2 --batches 2       | right
#: hostmem --variant async --calls              | told
#
# What it refuses, as tests/data/refused.txt explains:
#! hostmem -n 0                              | at least 1
#! hostmem -n 1e9                            | at most 4194304
#! hostmem --batches 0                       | at least 1
#! hostmem --batches 257                     | at most 256
#! hostmem --passes 0                        | at least 1
#! hostmem -n 4M --passes 100                | take fewer passes, fewer batches or a smaller n
#! hostmem --link -1                         | or 0 for this card's own
#! hostmem --host-rate 0                     | --host-rate is from 0.001
#! hostmem --call -1                         | --call is from 0
#! hostmem --threads 1025                    | at most 1024
#! hostmem --variant async --batches 1       | at least --batches 2
#! hostmem --variant maped                   | did you mean mapped
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# right VARIANT 'OPTIONS' IN OUT: bytes that are copied
right() {
    say_json "hostmem --variant $1 $2"
    json_is .status ok "$1 $2: ok"
    json_is .result.ok true "$1 $2: checked itself"
    json_is .result.races 0 "$1 $2: everything is in order"
    json_is .result.copied_in "$3" "$1 $2: copied to the device"
    json_is .result.copied_out "$4" "$1 $2: and back"
}
right pageable '' 786432 786432
right pinned '' 786432 786432
right mapped '' 0 0
right async '' 786432 786432
right pinned '-n 1 --batches 1' 4 4
right async '-n 33 --batches 5' 660 660

say_json 'hostmem --variant mapped'
json_is .result.reached_in 6291456 'mapped: each pass reads all of x over the link'
json_is .result.reached_out 786432 'mapped: and z is written once'
say_json 'hostmem --variant mapped --passes 1'
json_is .result.reached_in 786432 'mapped: one pass, one reading'
say_json 'hostmem'
json_is .result.staged 1572864 'pageable: the CPU copies everything once more'

# The table: mapped memory is best as in the notes and with one pass, and worst with many.
say_json 'hostmem --passes 16'
json_is .result.modelled true 'the simulator models'
json_is .result.modelled_table.# 3 'three kinds of memory'
figure() { # figure ROW COLUMN: in hundredths of a microsecond
    json ".result.modelled_table[$1].$2" | awk '{ printf "%d", $1 * 100 }'
}
ok 'notes: mapped before pinned' test "$(figure 2 notes_to_gpu_us)" -lt "$(figure 1 notes_to_gpu_us)"
ok 'notes: pinned before pageable' test "$(figure 1 notes_to_gpu_us)" -lt "$(figure 0 notes_to_gpu_us)"
ok 'fair, one pass: mapped before pinned' test "$(figure 2 once_us)" -lt "$(figure 1 once_us)"
ok 'fair, 16 passes: pinned before mapped' test "$(figure 1 passes_us)" -lt "$(figure 2 passes_us)"
before=$(figure 1 once_us)
say_json 'hostmem --passes 16 --link 31.5'
ok 'half the rate of the link is nearly twice the time' test "$(figure 1 once_us)" -gt $((before * 18 / 10))
say_json 'hostmem' --device sim:titanx
ok 'an older link is slower' test "$(figure 1 once_us)" -gt "$before"
say 'hostmem' --device sim:rtx4060-laptop
out_has 'assumed link' 'a link that is not known is assumed'
say 'hostmem' --device sim:gk20a
status_is 0 'a chip with one memory works too'
say 'hostmem --variant all' --device sim:c2050
status_is 0 'and the oldest card'

# Time: the host's work and the device's at once.
say_json 'hostmem --variant pinned -n 2^18 --passes 1; hostmem --variant async -n 2^18 --passes 1'
ok 'two buffers save time' test "$(json 1:.result.whole_us | cut -d. -f1)" -gt \
    "$(json 2:.result.whole_us | cut -d. -f1)"

# Any timeline is right for the right ones.
for v in pageable pinned mapped async; do
    say_json "set schedule random:1..20; hostmem --variant $v -n 1000"
    json_is 2:.result.range.ok 20 "$v: right in 20 timelines"
done

# Wrong on purpose.
for v in reuse nosync; do
    say_json "hostmem --variant $v"
    status_is 1 "$v ends with 1"
    json_is .status error "$v: an error"
    json_is .result.ok false "$v: wrong"
    ok "$v: something has no order" test "$(json .result.races)" -gt 0
done
json_like .error.message '--variant mapped fixes it' 'nosync: what fixes it'
say 'hostmem --variant reuse'
out_has 'nothing makes the host, which writes hx' 'reuse: what nothing orders'
err_has '--variant async fixes it' 'reuse: what fixes it'
for v in reuse nosync; do
    for n in 1 2 1000; do
        say "hostmem --variant $v -n $n --call 100"
        out_has WRONG "$v -n $n: shows itself under some schedule"
    done
done

# Calls: all numbers are those of the list.
say_json 'hostmem --variant pinned --batches 1 --calls'
json_is .result.calls.# 9 'a batch: nine calls'
json_is .result.calls[5].call 'cudaMemcpy(dx, hx, 262144, cudaMemcpyHostToDevice)' 'a copy in'
json_is .result.calls[5].moves '262,144 bytes to the device' 'its bytes'
json_like .result.calls[5].waits 'the host waits until it is complete' 'who waits'
json_like .result.calls[6].call 'hostmem_work<<<256, 256>>>' 'the launch'
say_json 'hostmem --variant async --batches 2 --calls'
json_like .result.calls[8].waits '^after call 8 in s1; the host does not wait' 'work is in order in its stream'
say 'hostmem --variant nosync --batches 1 --calls'
out_has 'WRONG: nothing makes it wait for call 6' 'what is missing is said where it is missing'
say 'hostmem --variant mapped --batches 1 --calls'
out_lacks WRONG 'and nothing where nothing is'

say 'set projector on; hostmem; hostmem --variant all; hostmem --variant nosync; hostmem --calls'
is "$(awk 'length > 72' "$out")" '' 'all of it in 72 columns'
say 'set plain on; hostmem'
out_like 'default: copy in from [0-9.]+ to [0-9.]+ us' 'plain: the timeline in sentences'
say hostmem --device sim:h100 --charset ascii
same_as golden/hostmem.txt 'the whole screen is as it was'

# ---- a GPU, by the driver of tests/fake ----------------------------------------------------

fake=$(cd "$top_builddir/tests/fake" 2>/dev/null && pwd)
if test -f "$fake/libcuda.so.1"; then
    LD_LIBRARY_PATH=$fake
    FAKE_PIECES=$tmp/pieces
    export LD_LIBRARY_PATH FAKE_PIECES
    say 'show device' --device gpu
    if test "$status" = 0; then
        for v in pageable pinned mapped async; do
            rm -f "$tmp/pieces"
            say_json "hostmem --variant $v" --device gpu
            json_is .result.ok true "gpu, $v: right"
            json_is .result.modelled true "gpu, $v: no times in a script"
            is "$(tr -cd + <"$tmp/pieces" | wc -c)" "$(tr -cd - <"$tmp/pieces" | wc -c)" \
                "gpu, $v: nothing stays allocated"
        done
        say_json 'set volatile on; hostmem --variant pinned --repeat 3' --device gpu
        json_is 2:.result.modelled false 'gpu: measured where times may be shown'
        json_is 2:.result.measured_table.# 3 'gpu: the table too'
        say_json 'hostmem --variant reuse' --device gpu
        json_is '.result.schedules[0].schedule' 'this GPU' 'gpu, reuse: tried there first'
        json_is '.result.schedules[0].right' false 'gpu, reuse: a late device shows it'
        FAKE_CUDA=short
        export FAKE_CUDA
        say_json 'hostmem --variant pinned' --device gpu
        status_is 1 'gpu without memory: no answer'
    else
        skip 'a process of another kind cannot be started under this checker' 'gpu'
    fi
else
    skip 'the libcuda for tests is not built' 'gpu'
fi
unset LD_LIBRARY_PATH FAKE_CUDA FAKE_PIECES
every_try hostmem
done_testing
