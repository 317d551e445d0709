# SPDX-License-Identifier: GPL-3.0-or-later
#
# throughput: each result is that of plain C, a turn of the loop is made of the instructions that
# it should be, and all rates are the guide's. The simulator must show no clocks of its own.
#
# Each variant and option, as tests/data/labs.txt explains:
#: throughput                                    | right
#: throughput --variant all                      | right
#: throughput --variant f32                      | right
#: throughput --variant f64                      | right
#: throughput --variant promoted                 | right
#: throughput --variant f16                      | right
#: throughput --variant int-add                  | right
#: throughput --variant int-mul                  | right
#: throughput --variant special                  | right
#: throughput --variant special --function rsqrt | right
#: throughput --variant special --function lg2   | right
#: throughput --variant special --function ex2   | right
#: throughput --variant special --function sin   | right
#: throughput --variant special --function cos   | right
#: throughput --variant f32 --steps 64 --threads 32 | right
#: throughput --table                            | told
#: throughput --variant f32 --calls              | told
#
# What it refuses, as tests/data/refused.txt explains:
#! throughput --steps 31                      | at least 32
#! throughput --steps 33                      | a multiple of 8
#! throughput --steps -8                      | at least 32
#! throughput --function tan                  | it takes rcp
#! throughput --threads 0                     | at least 1
#! throughput --threads 1025                  | at most 1024
#! throughput --variant f8                    | it takes f32
#! throughput --variant f16                   | f32 runs everywhere | c2050
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"

# kind VARIANT INSTRUCTION RATE LEAST-CLOCKS: on an H100
kind() {
    say_json "throughput --variant $1"
    json_is .status ok "$1 runs"
    json_is .result.ok true "$1: every result is right"
    turn=$(json .result.turn)
    like "$turn" "\"$2\":32[,}]" "$1: 32 $2 a turn"
    json_is .result.table_results_per_clock "$3" "$1: $3 a clock by the table"
    json_is .result.least_clocks "$4" "$1: so at least $4 clocks"
    json_absent .result.clocks "$1: no clocks from the simulator"
    json_absent .result.results_per_clock "$1: none a result"
}
kind f32 fma.rn.f32 128 32768
lacks=$(json .result.turn)
like "$lacks" '^[^6]*f32[^6]*$' 'f32: nothing in double'
kind f64 fma.rn.f64 64 65536
kind promoted 'cvt.rn.f32.f64' 64 65536
kind f16 fma.rn.f16x2 256 32768
json_is .result.results 8388608 'f16: two results an instruction'
kind int-add add.u32 64 65536
kind int-mul mad.lo.u32 64 65536
for f in rcp rsqrt lg2 ex2 sin cos; do
    say_json "throughput --variant special --function $f"
    json_is .result.ok true "$f: comes to where it must"
    json_is .result.function "$f" "$f: is named"
    like "$(json .result.turn)" "\"$f.approx.ftz.f32\":32[,}]" "$f: 32 a turn"
done

# What it counts is made of such turns: 8 steps each, by 32 warps.
say_json 'throughput --variant f32 --steps 64'
few=$(json .result.warp_instructions)
say_json 'throughput --variant f32 --steps 128'
more=$(json .result.warp_instructions)
json=$(json .result.turn)
each=$(printf '%s\n' "$json" | tr ',' '\n' | sed 's/.*:\([0-9]*\).*/\1/' |
    awk '{ n += $1 } END { print n }')
is "$((more - few))" "$((each * 8 * 32))" 'eight turns more are their instructions'

for more in '--threads 1' '--threads 33' '--threads 1000' '--steps 32' '--steps 2048'; do
    for v in f32 f64 f16 int-add int-mul promoted; do
        say_json "throughput --variant $v $more"
        json_is .result.ok true "$v $more"
    done
done

say_json 'throughput'
json_is .status ok 'all kinds'
json_is .variants.# 7 'seven'
json_is .variants[0].variant special 'the fewest a clock first'
json_is .result.table_floats_per_double 2 'floats a double on an H100'
say_json 'throughput --variant all' --device sim:rtx3090
json_is .variants[0].variant f64 'a card for games has doubles last'
json_is .result.table_floats_per_double 64 'one for 64'
say_json 'throughput' --device sim:gtx970
json_is .variants.# 6 'no halves before 5.3'
json_is .result.ok true 'the rest is right'
json_absent .variants[5].least_clocks 'no number for multiplications that take several'
for profile in $(cards); do
    say_json 'throughput --steps 32' --device "sim:$profile"
    json_is .result.ok true "$profile: all"
done
# The guides' column has the floats and doubles of each card in it.
say_json 'devquery --list'
cp "$out" "$tmp/list"
i=0
while profile=$("$JSONGET" ".result.profiles[$i].profile" <"$tmp/list") &&
    test "$profile" != '(absent)'; do
    cores=$("$JSONGET" ".result.profiles[$i].cores_per_sm" <"$tmp/list")
    say_json 'throughput --variant f32 --steps 32' --device "sim:$profile"
    json_is .result.table_results_per_clock "$cores" "$profile: a float a core and clock"
    doubles=$("$JSONGET" ".result.profiles[$i].f64_per_sm" <"$tmp/list")
    say_json 'throughput --variant f64 --steps 32' --device "sim:$profile"
    json_is .result.table_results_per_clock "$doubles" "$profile: and its doubles"
    i=$((i + 1))
done

say_json 'throughput --table'
json_is .result.rates.# 15 'the table'
json_is .result.rates[3].compute_capability 3.5 'begins where the slides do'
json_is .result.rates[3].f64 64 'with theirs'
json_is .result.rates[11].f16 256 '8.0'
json_is .result.rates[10].f64 2 '7.5 has few doubles'
json_absent .result.rates[4].int_mul '5.0 takes several'
say 'throughput --table' --device sim:t4
out_like '^ +7\.5 \*' "this device's row is marked"
say 'throughput --calls; throughput --variant f64 --calls'
status_is 0 'calls'
out_has 'run_f64<<<1, threads>>>' 'of the variant'
say 'throughput --variant promoted --steps 32 --trace'
out_has 'cvt.f64.f32' 'the trace has the conversions'
say 'set volatile on; throughput; throughput --variant f32'
out_lacks 'clocks here' 'no clocks even where times may be shown'
out_has 'measures no time' 'and it says why'
say 'set width 72; throughput; throughput --table; throughput --variant promoted'
ok 'within 72 columns' test "$(awk 'length > 72' "$out" | wc -l)" -eq 0

for bad in '--steps 33' '--steps 33 --variant f32' '--steps 0' '--steps 16392' '--threads 0' \
    '--threads 1025' '--variant f8' '--function tan' '--variant special --function si' 'x'; do
    say "throughput $bad"
    status_is 1 "throughput $bad: refused"
    err_like 'multiple|at most|at least|did you mean|it takes|usage' "throughput $bad: told why"
done
say 'throughput --variant f16' --device sim:titanx
status_is 1 'no halves on a Titan X'
err_has '5.3' 'and since when there are'

every_try throughput
done_testing
