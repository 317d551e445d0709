# SPDX-License-Identifier: GPL-3.0-or-later
#
# The commands of tests/data/labs.txt and of the labs' own tests, run and judged: for tests/labs.t on the simulator, for
# tests/gpu/check.t on both devices. Source it after lib.sh.
#
# All commands of one device are one session, so that what one leaves behind would show in the
# next. tests/judge/labs.c judges what they show.

# rows_of FILE MARK: the file's rows, then those of each lab's own test, which stand after a mark
rows_of() {
    cat "$top_srcdir/tests/data/$1"
    for lab in $(lab_names); do
        sed -n "s/^#$2 //p" "$top_srcdir/tests/$lab.t"
    done
}
labs_rows() {
    rows_of labs.txt :
}
refused_rows() {
    rows_of refused.txt !
}

# labs_list: cut the file up. $tmp/rows has a line for each row: SHOWS, ON A GPU and COMMAND, with
# tabs between. $tmp/rules has the rules: any or other, ROWS and FIELDS.
labs_list() {
    labs_rows | awk -v tmp="$tmp" 'BEGIN { OFS = "\t" }
        /^#/ || !NF { next }
        { split($0, part, / +[|] +/); command = part[1]; gsub(/@TMP@/, tmp, command) }
        /^~/ { sub(/^~(other)? /, "", command)
               print ($1 == "~other" ? "other" : "any"), command, part[2] >(tmp "/rules"); next }
        { print part[2], part[3], command >(tmp "/rows") }'
}

# labs_run DEVICE NAME: run all of them; $tmp/NAME.leaves has a line for each value of each object
labs_run() {
    cut -f 3 "$tmp/rows" >"$tmp/all.lab"
    lab --json --device "$1" "$tmp/all.lab" </dev/null
    "$JSONGET" --leaves <"$out" >"$tmp/$2.leaves"
}

# labs_judge NAME: a test for each row: did its run show what the row says?
labs_judge() {
    "$JUDGES/labs" shows "$1" "$tmp/rows" "$tmp/$1.leaves" >"$tmp/verdicts"
    judged "$tmp/verdicts"
}

# labs_compare KIND: a test for each row: did both devices show the same, field by field? KIND is
# `same` where the GPU is the card that the simulator stands for, else `other`.
labs_compare() {
    "$JUDGES/labs" "$1" "$tmp/rules" "$tmp/rows" "$tmp/sim.leaves" "$tmp/gpu.leaves" \
        >"$tmp/verdicts"
    judged "$tmp/verdicts"
}

# labs_tries <LEAVES: the commands to try that the objects have
labs_tries() {
    awk -F'\t' '$2 ~ /[.]try\[[0-9]+\][.]command$/ { print $3 }' | sed 's/\\"/"/g' | sort -u
}
