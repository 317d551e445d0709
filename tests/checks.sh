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
    awk '/"command":"launch / {
        at = index($0, "\"faults\":[")
        s = at ? substr($0, at + 10) : ""
        sub(/\],"explain.*/, "", s)
        n = split(s, fault, /\{"kind":"/)
        line = ""
        for (i = 2; i <= n; i++)
            line = line (i > 2 ? " " : "") one(fault[i])
        print line == "" ? "none" : line
    }
    function one(s, kind, element, a, b) {
        kind = s; sub(/".*/, "", kind)
        element = "-"; a = b = 0
        if (match(s, /"element":"[^"]*"/)) {
            element = substr(s, RSTART + 11, RLENGTH - 12); gsub(/ /, "", element) }
        if (match(s, /"source":"[^"]*:[0-9]+"/)) {
            a = line_of(substr(s, RSTART, RLENGTH)); s = substr(s, RSTART + RLENGTH) }
        if (match(s, /"source":"[^"]*:[0-9]+"/))
            b = line_of(substr(s, RSTART, RLENGTH))
        return kind ":" a ":" b ":" element
    }
    function line_of(s) { gsub(/.*:|"/, "", s); return s }'
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
