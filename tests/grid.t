# SPDX-License-Identifier: GPL-3.0-or-later
#
# grid: the index of each thread in one to three dimensions, threads left over, formulas of one's
# own with what they leave out and hit twice, and what can't be read.
#
# Each variant and option, as tests/data/labs.txt explains:
#: grid 4 5                                      | right
#: grid 4 256 -n 997                             | right
#: grid 2x3 4x4                                  | right
#: grid 2x3x4 3x2x2                              | right
#: grid 20 50 --index 'block + thread'           | right
#: grid 20 50 --index 'blockIdx.x * blockDim.x + threadIdx.x' -n 1000 | right
#: grid 2x3 4x4 --calls                          | told
#: grid 3 32 --index 'threadIdx.x * gridDim.x + blockIdx.x' -n 90 | right
#
# What it refuses, as tests/data/refused.txt explains:
#! grid                                       | usage is grid
#! grid 4                                     | usage is grid
#! grid 0 5                                   | at least 1
#! grid -1 5                                  | at least 1
#! grid 4 1025                                | at most 1024
#! grid 1048576 2                             | at most 1048576
#! grid 4 5 -n 0                              | at least 1
#! grid 4 5 -n -3                             | at least 1
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say 'grid 4 5'
status_is 0 'grid 4 5 runs'
out_like '^3 +15 +16 +17 +18 +19$' 'the last row of the table'
out_has 'each has one thread' 'each element has a thread'
out_has 'blockIdx.x * blockDim.x + threadIdx.x' 'by this formula'
say_json 'grid 4 5'
json_is .result.ok true 'the kernel agrees with the host'
json_is .result.exact true 'each once'
json_is .result.all 20 'twenty threads'
json_is .result.values[7] 7 'the eighth has element 7'
json_is .result.n 20 'as many elements as threads'
json_is .counters.global_atomics 20 'it was run'

say_json 'grid 4 256 -n 997'
json_is .result.idle 27 '27 of 1,024 are left over'
json_is .result.exact true 'and each element has one'
say_json 'grid 4 5 -n 40'
json_is .result.never 20 'too few threads'
say 'grid 4 5 -n 40'
out_has 'launch 8 blocks of 5 threads' 'how many would do'

# Two and three dimensions: x runs fastest.
say_json 'grid 2x3 4x4'
json_is .result.exact true '2x3 blocks of 4x4'
json_is .result.values[95] 95 'the last one'
say_json 'grid 2x3x2 3x2x4'
json_is .result.exact true 'three dimensions'
json_is .result.all 288 'of 288 threads'
json_like .result.index 'blockIdx.z \* gridDim.y' 'with blockIdx.z'
say_json "grid 2x2 2x3 --index 'threadIdx.y'"
json_is .result.hits[2] 8 'threadIdx.y is the row in the block'
say_json "grid 2x2 2x3 --index 'blockIdx.y * gridDim.x + blockIdx.x'"
json_is .result.hits[3] 6 'and blockIdx.y that in the grid'

# Formulas of one's own.
say_json "grid 20 50 --index 'block + thread'"
json_is .status ok 'one that does not do is no error'
json_is .result.hit 69 'it hits 69'
json_is .result.never 931 'of 1,000'
json_is .result.shared 67 'most of them more than once'
json_is .result.most 20 'up to 20 times'
json_is .result.exact false 'not each once'
say "grid 20 50 --index 'block + thread'"
out_has '69 of 1,000' 'the screen says so'
out_like '19\*' 'elements with several threads are marked'

# index FORMULA THREAD VALUE: on grid 4 5
index() {
    say_json "grid 4 5 --index '$1'"
    json_is ".result.values[$2]" "$3" "$1: thread $2 has $3"
    json_is .result.ok true "$1: as on the host"
}
index 'blockIdx.x*blockDim.x+threadIdx.x' 19 19
index 'gridDim.x * thread + block' 6 5
index '(block + 1) * 2 - -thread' 6 5
index 'thread / 2' 4 2
index 'thread % 2' 3 1
index '7' 3 7
index 'threadIdx.x - 1' 0 -1
index '(threadIdx.x - 1) / 2' 0 2147483647
index 'blockDim.x * 4294967295' 0 -5
index 'thread * 65536 * 65536 + block' 19 3
index '100 / (thread + 1) % 7' 4 6
index '((((thread))))' 2 2
say_json "grid 4 5 --index 'threadIdx.x - 1'"
json_is .result.negative 4 'what is below 0'
say "grid 4 5 --index 'threadIdx.x - 1'"
out_has 'threads got a negative i. The usual test i < n is true for a negative i' 'and that i < n is true for it'
say "grid 4 5 --index 'thread * 2 + block * 10'"
out_has 'the formula is wrong' 'gaps'
out_has '10 of 20 have a thread' 'as many as there are'

say 'grid 4 5 --trace --counters'
status_is 0 '--trace and --counters'
out_has '%ctaid.x' 'the trace has the formula'
say_json "grid 4 5 --index '3'; grid 4 5"
json_is 2:.result.exact true 'a formula is for its command alone'
say_json 'grid 1024 1024'
json_is .result.exact true 'a million threads'

bad 'grid' 'B'
bad 'grid 4' 'T'
bad 'grid 0 5' '1'
bad 'grid 4 1025' '1,?024'
bad 'grid 1048576 2' 'at most 1048576'
bad 'grid 1 1x1x65' '64'
bad 'grid 4 5 -n 0' '1'
bad "grid 4 5 --index 'threadIdx'" 'threadIdx has parts: write threadIdx.x'
bad "grid 4 5 --index 'threadIdx.w'" 'column 1.*threadIdx'
bad "grid 4 5 --index 'tread'" 'did you mean thread'
bad "grid 4 5 --index 'banana'" 'there are threadIdx'
bad "grid 4 5 --index 'block / 0'" 'column 7.*divided by 0'
bad "grid 4 5 --index '1 / thread'" 'thread .0,0,0. of block .0,0,0. divides by 0'
bad "grid 4 5 --index 'thread ^ 2'" 'not a power'
bad "grid 4 5 --index '1.5 * thread'" 'whole numbers'
bad "grid 4 5 --index '4294967296'" 'whole numbers up to 4294967295'
bad "grid 4 5 --index 'thread +'" 'a name, or'
bad "grid 4 5 --index ''" 'blockIdx.x \* blockDim.x'
bad "grid 4 5 --index '2 thread'" 'write 2\*thread'
bad "grid 4 5 --index '(thread'" 'never closed'
bad "grid 4 5 --index 'sin(thread)'" 'no name sin'

for width in 60 72; do
    say "set width $width; grid 4 256 -n 997; grid 2x3 4x4; grid 20 50 --index 'block + thread'"
    is "$(awk -v most=$width 'length > most' "$out")" '' "all of it in $width columns"
done
say 'help grid'
out_has '--index EXPR' 'help grid is that of the lab'
say 'help grid-stride'
out_has '<<<B, T>>>' 'and other words lead to it'

say 'grid 4 5' --device sim:h100 --charset ascii
same_as golden/grid.txt 'the whole screen is as it was'

every_try grid
done_testing
