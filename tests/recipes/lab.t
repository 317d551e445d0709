# SPDX-License-Identifier: GPL-3.0-or-later
#
# twice: the lab of tests/recipes.t.
#
#: twice                                         | right
#: twice -n 32                                   | right
#: twice --calls                                 | told
#
#! twice -n 0                                    | at least 1
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
say 'twice -n 32'
status_is 0 'twice runs'
out_has '2 x 32 is in its place' 'it says what it found'
say 'twice -n 32 --calls'
out_has 'twice<<<1, 1024>>>(x, y, 32)' 'it says what a program calls'
say_json 'twice'
json_is .result.ok true 'it checked itself'
json_is .result.n 100 'the fact is said in JSON too'
done_testing
