# SPDX-License-Identifier: GPL-3.0-or-later
#
# Modelled times are held to those of an H100: tests/h100/times.txt, measured by tests/gpu/modelled.sh.
# The bounds hold for the kernels to which the model was fitted, for the other half, and for new ones.
# The large sizes take minutes: `make check-modelled` has them too. For kernels by another compiler,
# .ci/run tries the small sizes only.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
. "$top_srcdir/tests/modelled.sh"

test -n "${KERNELS_ONLY:-}" && sizes=S || sizes=SM
sizes=${MODELLED_SIZES:-$sizes}
measured=$top_srcdir/tests/h100/times.txt
modelled_script '' "$sizes" >"$tmp/all.lab"
modelled_names "$sizes" >"$tmp/names"
export XDG_CACHE_HOME="$tmp/cache"
lab --device sim:h100 --json --time-limit 600 "$tmp/all.lab"
json_seconds modelled_s '' <"$out" >"$tmp/seconds"
is "$(wc -l <"$tmp/seconds")" "$(wc -l <"$tmp/names")" 'each command has one object'
paste -d '|' "$tmp/names" "$tmp/seconds" >"$tmp/modelled"

# Both times of each command. A kernel that could not be compiled here, or measured there, is left out.
awk -F'|' '
    /^#/ { next }
    FNR == NR { measured[$1 "|" $2 "|" $3] = $4; next }
    { m = measured[$1 "|" $2 "|" $3] }
    m > 0 && $4 > 0 { printf "%s|%s|%s|%.3f|%.3f\n", $1, $2, $3, m, $4 * 1e6 }' \
    "$measured" "$tmp/modelled" >"$tmp/both"
all=$(wc -l <"$tmp/names") has=$(wc -l <"$tmp/both")
ok "$has of $all commands have both times: at least 95 of a hundred" \
    test $((has * 100)) -ge $((all * 95))

# figures HALF: median error in percent, that of nine in ten, and the pairs whose order is right, of a
# thousand: pairs of commands whose measured times differ by more than 1.3
figures() {
    grep "^$1|" "$tmp/both" | awk -F'|' '
        { n++; m[n] = $4; e = $5 / $4 - 1; e = e < 0 ? -e : e; t[n] = $5; err[n] = e }
        END {
            for (i = 1; i <= n; i++)
                for (k = i + 1; k <= n; k++) {
                    r = m[i] > m[k] ? m[i] / m[k] : m[k] / m[i]
                    if (r <= 1.3) continue
                    pairs++; right += (m[i] > m[k]) == (t[i] > t[k])
                }
            for (i = 2; i <= n; i++) {
                v = err[i]
                for (k = i; k > 1 && err[k - 1] > v; k--) err[k] = err[k - 1]
                err[k] = v
            }
            printf "%.1f %.1f %d %d %d\n", 100 * err[int((n + 1) / 2)],
                100 * err[int(n * 0.9 + 0.5)], 1000 * right / pairs, n, pairs
        }'
}
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }

for half in fit held new; do
    set -- $(figures $half)
    diag "$half: $4 times, median error $1 %, nine in ten under $2 %; of $5 pairs $3 per mille in order"
    ok "$half: the median error $1 % is below 25 %" below "$1" 25
    ok "$half: nine in ten are below 60 %: $2 %" below "$2" 60
    least=970 # small and middle sizes alone are nearer to each other
    case $half$sizes in newSM) least=950 ;; esac
    ok "$half: $3 of a thousand pairs are in the right order, at least $least" test "$3" -ge $least
done
if test -n "${MODELLED_TABLE:-}"; then cp "$tmp/both" "$MODELLED_TABLE"; fi
done_testing
