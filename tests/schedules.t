# SPDX-License-Identifier: GPL-3.0-or-later
#
# Each lab under another schedule than the usual one: its default, the first row `#:` of its test,
# is right there too.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

for lab in $(lab_names); do
    command=$(sed -n 's/^#: *\([^|]*[^| ]\) *|.*/\1/p' "$top_srcdir/tests/$lab.t" | sed 1q)
    for schedule in independent:7 random:3; do
        say_json "set schedule $schedule; $command"
        is "$(json 2:.status) $(json 2:.result.ok)" "ok $(json 2:.result.ok | sed s/false/true/)" \
            "$command under $schedule"
    done
done

say 'set schedule independent:7; banks 4'
out_has 'the lanes of a warp run together' 'banks says that its one access is of a whole warp'
say 'set schedule independent:7; memory; memory --variant spill'
out_has 'the lanes of a warp run together' 'and memory, which counts requests'
say 'set schedule independent:1..3; memory --variant spill'
status_is 0 'several schedules: memory is right under each'

done_testing
