#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What compute-sanitizer says, on a machine with a GPU, of each kernel of tests/checks: from the top
# of the tree, with the cudalab to run as $1 and a folder as $2. Into it go
#
#   verdicts.txt    a line a kernel: what each tool reported first, or - ; and, as `alone`, how its
#                   launch ended without any tool
#   *.log           what the tools said, file by file
#
# FILES: these alone, not all of tests/checks.
#
# The first goes to tests/h100.
set -u
cudalab=$1 out=$2
mkdir -p "$out"

script() { # script FILE LOADED: what is typed at the prompt
    echo "set compiler nvcc"
    sed -n "s|^//@first ||p" "$1"
    echo "load $2"
    sed -n 's|^//@ ||p' "$1"
}

look() { # look TOOL FILE
    name=$(basename "$2" .cu)
    script "$2" "$out/$name.ptx" | compute-sanitizer --tool "$1" --target-processes all \
        --log-file "$out/$name.$1.%p" "$cudalab" --no-init --json --device gpu --time-limit 5 \
        >"$out/$name.$1.json" 2>"$out/$name.$1.err"
    cat "$out/$name.$1".[0-9]* >"$out/$name.$1.log" 2>/dev/null
    rm -f "$out/$name.$1".[0-9]*
}

# A compiler can't run under the sanitizer: the tools are given PTX.
compile() {
    arch=$(sed -n "s|^//@first set arch ||p" "$1")
    nvcc -ptx -arch="compute_${arch:-75}" -lineinfo -o "$out/$(basename "$1" .cu).ptx" "$1"
}

alone() {
    name=$(basename "$1" .cu)
    script "$1" "$out/$name.ptx" | "$cudalab" --no-init --json --device gpu --time-limit 2 \
        >"$out/$name.alone.json" 2>/dev/null
}

running=0
for file in ${FILES:-tests/checks/*.cu}; do
    compile "$file"
    alone "$file"
    for tool in memcheck racecheck synccheck initcheck; do
        look $tool "$file" &
        running=$((running + 1))
        test $((running % 8)) != 0 || wait
    done
done
wait

# reported TOOL FILE: KERNEL and what was reported of it first
reported() {
    sed 's/^========= *//' "$out/$2.$1.log" | awk '
        /^(Error: |Warning: )?(Race reported|Invalid|Misaligned|Uninitialized|Barrier error|Address|Divergent|Potential|Leaked)/ {
            head = $0; sub(/ at [A-Za-z_].*| of size.*| detected.*|\. .*/, "", head); gsub(/ /, "_", head)
            if (match($0, / at [A-Za-z_0-9]+\(/)) { note(substr($0, RSTART + 4, RLENGTH - 5)); head = "" }
            next }
        head != "" && match($0, /at [A-Za-z_0-9]+\(/) { note(substr($0, RSTART + 3, RLENGTH - 4)); head = "" }
        function note(k) { if (!(k in seen)) { seen[k] = 1; print k, head } }'
}

for file in ${FILES:-tests/checks/*.cu}; do
    name=$(basename "$file" .cu)
    for tool in memcheck racecheck synccheck initcheck; do
        reported $tool "$name" | sed "s/^/$tool /"
    done
    sed -n 's/.*"command":"launch \([A-Za-z_0-9]*\).*"status":"\([a-z]*\)".*/alone \1 \2/p' \
        "$out/$name.alone.json"
    sed -n 's/^\/\/@ launch \([A-Za-z_0-9]*\).*/wants \1/p' "$file"
done | awk '
    $1 == "wants" { if (!($2 in seen)) { seen[$2] = 1; order[n++] = $2 }; next }
    !(($1, $2) in said) { said[$1, $2] = $3 }
    function got(tool, k) { return (tool, k) in said ? said[tool, k] : "-" }
    END { print "# kernel alone memcheck racecheck synccheck initcheck"
          for (i = 0; i < n; i++) { k = order[i]
              print k, got("alone", k), got("memcheck", k), got("racecheck", k),
                    got("synccheck", k), got("initcheck", k) } }' >"$out/verdicts.txt"
