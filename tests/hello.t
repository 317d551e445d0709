# SPDX-License-Identifier: GPL-3.0-or-later
#
# hello: every thread once, blocks in an order drawn from the seed, and the forgotten wait.
#
# Each variant and option, as tests/data/labs.txt explains:
#: hello 2 4                                     | right
#: hello 1                                       | right
#: hello 64                                      | right
#: hello 2x3 4x4                                 | right
#: hello 2x3 4x4x4                               | right
#: hello 2x2x2 1x3                               | right
#: hello 300 7                                   | right
#: hello 2 4 --seed 9                            | right
#: hello 4 --nosync                              | right
#: hello 2 4 --calls                             | told
#: hello 2 4 --nosync --calls                    | told
#
# What it refuses, as tests/data/refused.txt explains:
#! hello -1                                   | at least 1
#! hello 1 0                                  | at least 1
#! hello 1 1025                               | at most 1024
#! hello 1 32x33                              | at most 1024
#! hello 1 1x1x65                             | at most 64
#! hello 1x65536 1                            | at most 65535
#! hello 2147483648 1                         | at most 65536
#! hello 2147483647 1024                      | at most 65536
#! hello 100000 1024                          | at most 65536
#! hello 65536 1                              | at most 65535 | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'hello 2 4'
status_is 0 'hello 2 4 runs'
out_has 'Hello from thread 3 of block 1' 'the last thread is there'
is "$(grep -c '^Hello' "$out")" 8 'eight threads, eight lines'
err_empty 'and nothing on stderr'

say_json 'hello 2 4'
json_is .status ok 'JSON: ok'
json_is .result.blocks 2 'blocks'
json_is .result.threads 4 'threads in a block'
json_is .result.lines 8 'lines'
json_is .result.ok true 'each thread printed its own line once'
json_is .output.# 8 'the lines themselves'

say_json 'hello 4'
json_is .result.blocks 1 'one number alone is threads of one block'
json_is .result.threads 4 'namely so many'

say_json 'hello 2x3 4x4x4'
json_is .result.blocks 6 'six blocks of a 2x3 grid'
json_is .result.threads 64 'of 64 threads'
json_is .result.ok true 'with their coordinates'
say 'hello 2x3 4x4x4'
out_has 'Hello from thread (3,3,3) of block (1,2,0)' 'the last of them'

say 'hello 8 1 --seed 1' && cp "$out" "$tmp/one"
say 'hello 8 1 --seed 1'
cmp -s "$out" "$tmp/one"
verdict $? 'the same seed, the same order'
say 'hello 8 1 --seed 2'
! cmp -s "$out" "$tmp/one"
verdict $? 'another seed, another order'
out_has 'also possible' 'another legal order is named'

say 'hello 2 4 --nosync'
status_is 0 '--nosync is no error'
out_lacks 'Hello from' 'but nothing is printed'
out_has 'lost 8 lines' 'and eight lines are lost'

say 'hello 2 4 --calls'
out_has 'cudaDeviceSynchronize' '--calls names the call that waits'
say_json 'hello 2 4 --nosync --calls'
json_is .result.calls.# 2 '--nosync --calls: two calls'
json_is .result.calls[1].call 'return 0' 'of which none waits'

for bad in 'hello' 'hello 0' 'hello 2 0' 'hello -1' 'hello 1 1025' 'hello 1 1x1x65' \
    'hello 65536 2' 'hello 2x2x2x2' 'hello two'; do
    say "$bad"
    status_is 1 "$bad: refused"
    err_like '[a-z]' "$bad: and told why"
done
say 'hello 1 1025'
err_like '1,?024' 'the limit of a block is named'

say 'hello 2 4' --device sim:h100 --charset ascii
same_as golden/hello.txt 'the whole screen is as it was'

every_try hello
# What the screen says to try gives what its remark says: another order of the blocks.
for grid in '2 4' '2 1' '3 8' '40 2'; do
    say "hello $grid"
    before=$(sed -n 's/.*blocks ran in the order *//p' "$out")
    try=$(grep -o "hello $grid --seed [0-9]*" "$out")
    like "$try" 'seed' "hello $grid: a seed to try"
    say "$try"
    after=$(sed -n 's/.*blocks ran in the order *//p' "$out")
    ok "hello $grid: that seed gives another order: $before, $after" \
        test -n "$after" -a "$before" != "$after"
done
done_testing
