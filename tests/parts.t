# SPDX-License-Identifier: GPL-3.0-or-later
#
# Long work of the host is made in parts, on all cores that may be used. The bytes are those of one
# core. tests/unit/parts.c has the parts alone; here ThreadSanitizer watches it, and commands are
# compared with what one core computed before there were parts.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

# ---- no thread meets another ---------------------------------------------------------------

sources=tests/unit/parts.c
for name in parts threads philox mem err room utf8; do
    sources="$sources src/base/$name.c"
done
# The suite may be built without threads, or by a compiler without this sanitizer.
compile_watched() (
    cd "$top_srcdir" || exit 99
    # shellcheck disable=SC2086
    $CC -std=gnu11 -O1 -g -fsanitize=thread -DHAVE_THREADS -ffp-contract=off -Isrc $sources \
        -o "$tmp/watched" -lpthread
)
if test "$BUILD_KIND" = plain && compile_watched 2>"$err"; then
    "$tmp/watched" >"$out" 2>&1
    is "$? $(grep -c '^ok' "$out") $(grep '^not ok' "$out")" "0 $(sed -n 's/^1\.\.//p' "$out") " \
        'ThreadSanitizer sees no race in work in parts'
else
    skip 'ThreadSanitizer sees no race in work in parts' 'no ThreadSanitizer for this compiler'
fi

# ---- arrays -------------------------------------------------------------------------------

# saved TYPE FILL: fills an array of several parts, from some element on, on 1, 2 and 7 cores.
saved() {
    for threads in 1 2 7; do
        (cd "$tmp" && say "array a $1 300007; fill a[3..] $2; save a a.bin" --threads $threads)
        cksum <"$tmp/a.bin"
    done | uniq
}
while read -r type fill sum; do
    is "$(saved "$type" "$fill")" "$sum" "$type $fill: the bytes of one core"
done <<'END'
f32 random 1320409765 1200028
f32 random:-3:5 1781410009 1200028
f32 random:1:1.0000002 2619941471 1200028
f64 random 3887383529 2400056
f64 random:-1e300:1e300 1023789668 2400056
f16 random 473211964 600014
bf16 random:-2:2 2937630578 600014
i8 random 3076303865 300007
i16 random:-300:300 583069134 600014
u16 random:0:65535 338896159 600014
i32 random 1594592219 1200028
u32 random:0:4294967295 2048290043 1200028
i64 random:-9e18:9e18 1207916068 2400056
u64 random:0:18446744073709551615 2499967404 2400056
f32 iota 2301181767 1200028
f64 iota 3961372597 2400056
i64 iota 3277656676 2400056
u8 iota 1952670200 300007
f32 value:2.5 3813836536 1200028
f64 list:1,2,3,4,5 706974294 2400056
u16 list:7,9 2661806654 600014
f32 expr:i*0.5+sin(i) 2577867523 1200028
i64 expr:i*i-n 85345984 2400056
u8 zero 2829983822 300007
END

# The first element that fails is the one that is named, whichever thread is first.
for threads in 1 2 7; do
    say 'array a i64 1000000 expr:1/((i-600000)*(i-600001)*(i-900000))' --threads $threads
    err_has 'element 600000 would be divided by 0' "$threads: the first element that fails"
    status_is 1 "$threads: and the array is not made"
done

# ---- answers of the host ------------------------------------------------------------------

# As one loop on one core computed them; the last digits depend on the order of the additions.
for threads in 1 2 7; do
    say_json 'sum -n 1e6 --fill random --variant serial; dot -n 1e6 --variant serial
trap -n 1e6 --variant serial; trap -n 300001 -f sin(x)/x -a -7 -b 11 --variant serial' \
        --threads $threads
    is "$(json 1:.result.exact) $(json 1:.result.in_order) $(json 1:.result.bound)" \
        '500256.19035208225 500254.47 30115.798563620767' "$threads: sum"
    is "$(json 2:.result.exact) $(json 2:.result.in_order) $(json 2:.result.bound)" \
        '250048.30908572918 250009.5 15053.11115230148' "$threads: dot"
    is "$(json 3:.result.in_double) $(json 3:.result.area) $(json 3:.result.bound)" \
        '24.00000000003584 23.992838 1.4448217282985356' "$threads: trap"
    is "$(json 4:.result.in_double) $(json 4:.result.area) $(json 4:.result.bound)" \
        '3.0329035461609 3.0333061 0.08959675933327683' "$threads: trap with a function"
done

# ---- limits -------------------------------------------------------------------------------

for command in 'array a f32 2^27 random' 'sum -n 2^27 --fill random --variant serial' \
    'trap -n 2^27 -f sin(x)*cos(x)/x --variant serial'; do
    say_json "$command" --time-limit 0.05
    json_is .status fault "$command: the time limit holds"
    json_is ".faults[0].kind" timeout "$command: and is called a timeout"
done
done_testing
