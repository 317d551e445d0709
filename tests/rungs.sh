# SPDX-License-Identifier: GPL-3.0-or-later
# How the times of tests/gpu/rungs.cu are judged: tests/data/rungs.txt has the least share of each.

# rungs_judge ROWS [told]: a line for `judged` for each rung and size. With `told` no share is too
# small.
rungs_judge() {
    awk -v told="${2-}" -v tab='\t' '
        /^#/ || NF == 0 { next }
        FNR == NR { name[++count] = $1 " " $2; least[count] = told ? told : $3; next }
        NF == 6 && $3 > 0 && $5 > 0 { row[$1 " " $2] = $0; next }
        { print "fail" tab "a row of six words" tab $0 }
        END {
            for (i = 1; i <= count; i++) {
                if (!(name[i] in row)) {
                    print "fail" tab name[i] tab "it has no row"
                    continue
                }
                split(row[name[i]], part, " ")
                right = part[6] + 0 > 0 && (least[i] == "told" || part[6] + 0 >= least[i] + 0)
                says = least[i] == "told" ? "" : ", at least " least[i]
                print (right ? "pass" : "fail") tab name[i] ": " part[3] " ms, " part[4] " " \
                    part[5] " ms: " part[6] " of its speed" says tab row[name[i]]
            }
        }' "$top_srcdir/tests/data/rungs.txt" "$1"
}
