# SPDX-License-Identifier: GPL-3.0-or-later
# Files of kernels that say in comments how they are launched and what is to be found, as those in
# tests/checks: run_file runs one under all three schedules and compares. For tests, after lib.sh.

compiler=auto
test "$KERNELS_BY" != clang || compiler=clang

# script FILE: what is typed at the prompt
script() {
    echo "set compiler $compiler"
    sed -n 's|^//@first ||p' "$1"
    echo "load $1"
    sed -n 's|^//@ ||p' "$1"
}

# One line a launch of a file: KERNEL, then KIND LINES ELEMENT (or none - -), then kinds that may
# come too (or:KIND: instead), and `missed` where it is known that the finding does not come.
wanted() {
    awk 'NR == FNR { if (match($0, /\/\/ [a-z0-9-]+$/)) { m = substr($0, RSTART + 3)
                     at[m] = at[m] (m in at ? "," : "") FNR } next }
         /^\/\/@ launch / { end(); k = $3; sub(/<.*/, "", k); kind = "none"; may = lines = ""; element = "-" }
         /^\/\/@found / { kind = $2; lines = NF > 2 ? at[$3] : "any" }
         /^\/\/@element / { element = $2 }
         /^\/\/@missed/ { may = may " missed" }
         /^\/\/@or / { may = may " or:" $2 " " $2 }
         /^\/\/@nvcc$/ { may = may " nvcc" }
         /^\/\/@may / { may = may " " $2 }
         function end() { if (k != "") print k, kind, (lines == "" ? "-" : lines), element, may }
         END { end() }' "$1" "$1"
}

# One line a launch: its findings as KIND:LINE:LINE of the other:ELEMENT
found() {
    grep '"command":"launch ' | while IFS= read -r object; do
        printf '%s\n' "$object" | sed 's/.*"faults":\[//; s/\],"explain.*//' |
            sed 's/{"kind":/\
&/g' | awk '/^{"kind"/ { k = $0; sub(/^{"kind":"/, "", k); sub(/".*/, "", k)
                a = b = 0; s = $0; e = "-"
                if (match(s, /"element":"[^"]*"/)) {
                    e = substr(s, RSTART + 11, RLENGTH - 12); gsub(/ /, "", e) }
                if (match(s, /"source":"[^"]*:[0-9]+"/)) {
                    a = substr(s, RSTART, RLENGTH); gsub(/.*:|"/, "", a)
                    s = substr(s, RSTART + RLENGTH) }
                if (match(s, /"source":"[^"]*:[0-9]+"/)) {
                    b = substr(s, RSTART, RLENGTH); gsub(/.*:|"/, "", b) }
                printf "%s%s:%s:%s:%s", n++ ? " " : "", k, a, b, e }
            END { print n ? "" : "none" }'
    done
}

# judge WANTED FOUND: TAP for each launch
judge() {
    paste -d '|' "$1" "$2" | awk -F '|' -v what="$3" '
        { split($1, w, " "); n = split($2, f, " "); good = bad = ""
          for (i = 1; i <= n; i++) {
              split(f[i], p, ":")
              hit = w[3] == "any" || index("," w[3] ",", "," p[2] ",") ||
                    index("," w[3] ",", "," p[3] ",")
              hit = hit && (w[4] == "-" || w[4] == p[4])
              if ((p[1] == w[2] || index($1 " ", " or:" p[1] " ")) && (hit || w[2] == "none")) good = 1
              else if (p[1] != w[2] && !index($1 " ", " " p[1] " ")) bad = 1 }
          if (what ~ /clang/ && index($1 " ", " nvcc "))
              print "ok", w[1] ": clang 14 makes other accesses of it,", what
          else if (good && !bad) print "ok", w[1], w[2] "," , what
          else if ($2 == "none" && index($1 " ", " missed ")) print "missed", w[1], w[2] ",", what
          else print "no", w[1], w[2] " of " w[4] ", at line " w[3] ", not " $2 ",", what }'
}

run_file() {
    wanted "$1" > "$tmp/wanted"
    for schedule in lockstep random independent; do
        script "$1" | $CUDALAB --no-init --json --device sim --schedule "$schedule" \
            > "$tmp/json" 2> "$tmp/said"
        found < "$tmp/json" > "$tmp/found"
        is "$(wc -l < "$tmp/found")" "$(wc -l < "$tmp/wanted")" "$2, $schedule: every launch ran"
        judge "$tmp/wanted" "$tmp/found" "$2, $schedule" > "$tmp/verdict"
        while read -r good text; do
            case $good in
            ok) pass "$text" ;;
            missed) skip 'it is known that this is not found' "$text" ;;
            *) flunk "$text" ;;
            esac
        done < "$tmp/verdict"
    done
}
