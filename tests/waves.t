# SPDX-License-Identifier: GPL-3.0-or-later
#
# waves: each block runs once, the model is a greedy queue, and the arithmetic of --warps holds.
#
# Each variant and option, as tests/data/labs.txt explains:
#: waves                                         | right
#: waves 131 256                                 | right
#: waves 132 256                                 | right
#: waves 133 256                                 | right
#: waves 1 1                                     | right
#: waves 1000 512 --uneven                       | right
#: waves 100 256 --smem 40000 --rows 3           | right
#: waves 7 1024 --work 3 --seed 5                | right
#: waves --warps                                 | right
#: waves --warps --work 1 --latency 800          | right
#: waves 131 256 --warps                         | right
#: waves --calls                                 | told
#
# What it refuses, as tests/data/refused.txt explains:
#! waves 0                                    | at least 1
#! waves -1                                   | at least 1
#! waves 65537                                | at most 65536
#! waves 4 0                                  | at least 1
#! waves 4 1025                               | at most 1024
#! waves 4 256 --smem 300K                    | --threads 256 --smem 307200` shows why
#! waves 4 256 --work 0                       | at least 1
#! waves --rows 0                             | at least 1
#! waves --latency -1 --warps                 | at least 0
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

say_json 'waves' --device sim:h100
json_is .status ok 'waves runs'
json_is .result.blocks 1057 'one block more than fit at once'
json_is .result.ok true 'each ran once, with right numbers'
json_is .result.places 8 'eight places an SM'
json_is .result.waves 2 'two waves'
json_is .result.last_wave 1 'one block in the last'
json_is .result.modelled true 'the simulator says that it is modelled'
json_is '.result.sm[131]' 131 'block 131 on SM 131'
json_is '.result.sm[132]' 0 'block 132 on SM 0 again'
json_is '.result.begin[1055]' 0 'the last that fits begins at once'
json_is '.result.begin[1056]' 1 'the next one when a place is free'
json_is .result.span 2 'so it takes two block times'
json_near .result.busy 0.500473 1e-5 'and half of the places stand empty'
json_absent .time.measured_s 'no measured time is told'

# idle BLOCKS IDLE WAVES
idle() {
    say_json "waves $1 256" --device sim:t4
    json_is .result.idle_sms "$2" "waves $1 on 40 SMs: $2 idle"
    json_is .result.waves "$3" "waves $1: $3 waves"
    json_is .result.ok true "waves $1: checked"
}
idle 39 1 1
idle 40 0 1
idle 41 0 1
idle 160 0 1
idle 161 0 2
idle 1 39 1
say_json 'waves 41 256' --device sim:t4
json_is .result.around.# 5 'the table has SMs - 1, SMs, SMs + 1, all places, one more'
json_is '.result.around[0].blocks' 39 'SMs - 1'
json_is '.result.around[0].idle_sms' 1 'leaves one idle'
json_is '.result.around[3].busy' 1 'all places taken'
json_is '.result.around[4].blocks' 161 'one more'
json_is '.result.around[4].modelled_span' 2 'takes twice as long'
say_json 'waves 41 256 --smem 33K' --device sim:t4
json_is .result.places 1 'shared memory takes places'
json_is .result.waves 2 'so that one waits'

say_json 'waves 1000 512 --uneven' --device sim:h100
json_is .result.ok true 'uneven: checked'
first=$(json .result.span)
say_json 'waves 1000 512 --uneven --seed 2' --device sim:h100
second=$(json .result.span)
ok 'uneven: another seed, another end' test "$first" != "$second"
json_like '.result.end[0]' '^(0\.[5-9]|1(\.[0-4]|$)|1\.5)' 'half to one and a half times as long'
# Who waits begins when somebody ends, and no SM ever has more than its places.
say_json 'waves 50 512 --uneven --work 100' --device sim:quadro600
"$JSONGET" .result.sm <"$out" | tr -d '[]' | tr ',' '\n' >"$tmp/sm"
"$JSONGET" .result.begin <"$out" | tr -d '[]' | tr ',' '\n' >"$tmp/begin"
"$JSONGET" .result.end <"$out" | tr -d '[]' | tr ',' '\n' >"$tmp/end"
paste "$tmp/sm" "$tmp/begin" "$tmp/end" >"$tmp/all"
bad=$(awk '{ sm[NR] = $1; b[NR] = $2; e[NR] = $3; ends[$3] = 1 }
    END { for (i = 1; i <= NR; i++) {
              n = 0
              for (k = 1; k <= NR; k++) if (sm[k] == sm[i] && b[k] <= b[i] && b[i] < e[k]) n++
              if (n > 3 || (b[i] > 0 && !(b[i] in ends)) || e[i] <= b[i]) print i
          } }' "$tmp/all")
is "$(wc -l <"$tmp/all" | tr -d ' ')" 50 'fifty blocks are told'
is "$bad" '' 'three places an SM at most, each taken when one is left'

say 'waves' --device sim:h100
out_has '2; 1 block in the last wave' 'the answer comes first'
out_has 'modelled: blocks do not slow each other down' 'the picture says that it is modelled'
out_has '660 792 924 1056, 9 in all' 'all are there, so no dots stand for some'
out_like '^SM 0 \(9\) +A+B+$' 'a row an SM'
out_like '^SM 1-131 \(8\) +A+\.+$' 'those that are alike together'
out_has '1 block in the last wave; each SM had a block' 'no SM is without work for the whole run'
out_like 'SM 0 +blocks 0 132 264' 'and which blocks they had'
say 'waves 1189 256' --device sim:h100
out_has '660 792 924 ... 1188, 10 in all' 'dots stand for those that are left out'
say 'waves --long' --device sim:h100
out_like '^  > 1057 +0 +2 +1 +2 +50\.0' 'its own row is marked'
say 'waves 131 256' --device sim:h100
out_has '1 SM had no block' 'an idle SM'
out_like '^SM 131 \(0\) +\.+$' 'has an empty row'
say 'waves 500 512 --uneven --rows 3' --device sim:h100
is "$(grep -c '^SM [0-9]* ([0-9]*) *[A-Z]' "$out")" 3 '--rows'
out_has 'more SMs' 'and how many are left out'
say 'waves --calls'
out_has 'waves_blocks<<<1057, 256>>>' '--calls'
out_has 'The launch only puts the grid into the queue' 'and why'
say 'waves 2 64 --counters --trace --work 2'
out_has 'warp instructions' '--counters'
out_has 'globaltimer' '--trace'

for profile in $(cards); do
    say_json 'waves; waves --warps' --device "sim:$profile"
    json_is 1:.result.ok true "waves on $profile"
    json_is 2:.result.ok true "and its warps"
done
say_json 'waves' --device sim:gk20a
json_is '.result.around[0].blocks' 1 'one SM: there is no SMs - 1'

# --warps: by the rule, from what was counted.
say_json 'waves --warps' --device sim:h100
json_is .status ok '--warps runs'
json_is .result.ok true 'the warps came out right'
json_is .result.latency 400 'the assumption is told'
json_is .result.schedulers 4 'four schedulers'
json_is .result.by_warps.# 8 '1 to 64 warps'
json_is '.result.by_warps[7].warps' 64 'to 64'
json_absent '.result.by_warps[0].measured_clocks' 'no clocks of the simulator'
c=$(json .result.instructions)
json_like .result.instructions '^[1-9][0-9]$' 'what a round is made of was counted'
json_near '.result.by_warps[0].modelled_use' "$(awk "BEGIN { print $c / (4 * ($c + 400)) }")" 1e-6 \
    'one warp: its work over its work and wait, on one of four schedulers'
json_is .result.warps_needed "$(awk "BEGIN { print 4 * int(($c + 400 + $c - 1) / $c) }")" \
    'as many warps as fill a wait'
say_json 'waves --warps --work 40' --device sim:h100
json_like .result.instructions '^[0-9]{3}$' 'more work between two loads is counted'
say_json 'waves --warps --latency 0' --device sim:h100
json_is .result.warps_needed 4 'no wait: one warp a scheduler'
json_is '.result.by_warps[2].modelled_use' 1 'fills it'
say_json 'waves --warps --work 1 --latency 2000' --device sim:t4
json_is .result.max_warps 32 'a T4 has 32 warps an SM'
json_is .result.by_warps.# 6 'and no more are shown'
say_json 'waves 20 64 --warps' --device sim:t4
json_is .result.warps_brought 2 '20 blocks on 40 SMs bring two warps to one'
say_json 'waves 1000 128 --warps' --device sim:t4
json_is .result.warps_brought 32 'many bring all that fit'
say 'waves --warps'
out_has 'modelled' '--warps says that it is modelled'
out_has '(--latency)' 'and what it assumes'
out_like '^warp 3 +\.+A+B+' 'a timeline of four'
say 'waves --warps --work 100 --latency 10'
out_has 'waits for its turn' 'where work is plenty warps wait for their turn'

for bad in 'waves 0' 'waves -1' 'waves 65537' 'waves 1 0' 'waves 1 1025' 'waves 65536 1024' \
    'waves 1 2 3' 'waves x' 'waves 4 256 --smem 228K' 'waves 4 256 --work 0' \
    'waves 4 256 --rows 0' 'waves 4 256 --rows 65' 'waves --warps --work 4097' \
    'waves --warps --latency -1' 'waves --smem 1M' 'waves --nosuch'; do
    say "$bad"
    status_is 1 "$bad: refused"
    err_like '[a-z]' "$bad: and told why"
done
say 'waves 65536 1024'
err_has '4096 such blocks' 'how many would do is told'

for width in 60 72; do
    say "set width $width; waves; waves 300 512 --uneven; waves --warps; waves --calls"
    is "$(awk -v w=$width 'length > w' "$out")" '' "fits $width columns"
done
say 'set plain on; waves 41 256 --rows 2; waves --warps' --device sim:t4
out_has 'SM 0 (2): wave 1 from 0 to 1 block times' 'plain: rows are told'
out_has 'warp 0: works' 'and warps'

every_try waves
done_testing
