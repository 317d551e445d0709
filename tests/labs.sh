# SPDX-License-Identifier: GPL-3.0-or-later
#
# The commands of tests/data/labs.txt and of the labs' own tests, run and judged: for tests/labs.t on the simulator, for
# tests/gpu/check.t on both devices. Source it after lib.sh.
#
# All commands of one device are one session, so that what one leaves behind would show in the
# next. Of each JSON object every value gets a line: number of the command, path, value. Rows of
# tables are called by their names there, .variants:race!.fault, with a ! where a variant is wrong
# on purpose, since their order and number may differ between devices.

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

# labs_list: $tmp/rows, one a line: SHOWS, ON A GPU, COMMAND, by tabs; and $tmp/rules
labs_list() {
    labs_rows | awk -v tmp="$tmp" 'BEGIN { OFS = "\t" }
        /^#/ || !NF { next }
        { split($0, part, / +[|] +/); command = part[1]; gsub(/@TMP@/, tmp, command) }
        /^~/ { sub(/^~(other)? /, "", command)
               print ($1 == "~other" ? "other" : "any"), command, part[2] >(tmp "/rules"); next }
        { print part[2], part[3], command >(tmp "/rows") }'
}

# labs_run DEVICE NAME: all of them; what came of it is in $tmp/NAME.leaves
labs_run() {
    cut -f 3 "$tmp/rows" >"$tmp/all.lab"
    lab --json --device "$1" "$tmp/all.lab" </dev/null
    "$JSONGET" --leaves <"$out" | awk 'BEGIN { FS = OFS = "\t" }
        match($2, /(schedules|variants)\[[0-9]+\]/) {
            row = $1 substr($2, 1, RSTART + RLENGTH - 1)
            table = substr($2, 1, RSTART - 1) substr($2, RSTART, index(substr($2, RSTART), "[") - 1)
            field = substr($2, RSTART + RLENGTH)
            if (field == ".schedule" || field == ".variant") {
                again = ++seen[$1, table, $3]
                name[row] = $3 (again > 1 ? "#" again : "")
            }
            if (field == ".wrong_on_purpose" && $3 == "true") name[row] = name[row] "!"
            $2 = table ":" name[row] field
        }
        { print }' >"$tmp/$2.leaves"
}

# labs_judge NAME: a test for each row, of what its run there shows
labs_judge() {
    awk -v name="$1" 'BEGIN { FS = "\t" }
        FILENAME ~ /rows$/ { n++; shows[n] = $1; gpu[n] = $2; command[n] = $3; next }
        { leaf[$1, $2] = $3 }
        $2 ~ /^\.variants:[^!]*\.ok$/ && $3 != "true" { bad[$1] = bad[$1] " " $2 }
        $2 ~ /\.right$/ { schedules[$1]++; unlucky[$1] += $3 == "false" }
        function all_right(i) {
            return leaf[i, ".status"] == "ok" && leaf[i, ".result.ok"] == "true" && !bad[i]
        }
        function on_purpose(i) { # and this GPU did not get by, where that is not owed to luck
            return leaf[i, ".result.ok"] == "false" &&
                   leaf[i, ".error.message"] ~ /wrong on purpose.*mends it/ &&
                   (leaf[i, ".result.schedules:this GPU.ok"] != "true" || gpu[i] ~ /^luck/)
        }
        function good(i, kinds) {
            kinds = " " shows[i] " "
            if (shows[i] == "right") return all_right(i)
            if (shows[i] == "told")
                return leaf[i, ".status"] == "ok" && leaf[i, ".result.ok"] != "false"
            if (shows[i] ~ /^fault /)
                return leaf[i, ".status"] == "fault" && on_purpose(i) &&
                       index(kinds, " " leaf[i, ".faults[0].kind"] " ")
            if (shows[i] == "wrong")
                return leaf[i, ".status"] == "error" && on_purpose(i) &&
                       !((i, ".faults[0].kind") in leaf) && (!schedules[i] || unlucky[i])
            if (shows[i] == "library")
                return all_right(i) || leaf[i, ".error.message"] ~ /[cC][uU]BLAS/
            return shows[i] == "refused" && leaf[i, ".status"] == "error"
        }
        END {
            for (i = 1; i <= n; i++)
                print (good(i) ? "pass" : "flunk") "\t" command[i] ": " shows[i] (name == "sim" ? "" : ", on " name) \
                      "\t" leaf[i, ".status"] ", ok " leaf[i, ".result.ok"] bad[i] ", first fault " \
                      leaf[i, ".faults[0].kind"] ": " leaf[i, ".error.message"]
        }' "$tmp/rows" "$tmp/$1.leaves" >"$tmp/verdicts"
    labs_tell
}

# labs_compare KIND: a test for each row, field by field; KIND is `same` where the card is the one
# that the simulator stands for, else `other`
labs_compare() {
    awk -v kind="$1" 'BEGIN { FS = "\t" }
        FILENAME ~ /rules$/ { if ($1 == "any" || kind == "other") {
                                  rows[++rules] = $2; fields[rules] = "^(" $3 ")$" }
                              next }
        FILENAME ~ /rows$/ { n++; shows[n] = $1; gpu[n] = $2; command[n] = $3; next }
        $2 ~ /^\.(device|model|counters_from)$|\.counters\.|^\.time\./ { next }
        { side = FILENAME ~ /sim.leaves$/ ? "sim" : "gpu"
          value[side, $1, $2] = $3
          if (!(($1, $2) in seen)) { seen[$1, $2] = 1; path[$1, ++paths[$1]] = $2 } }
        function may_differ(i, p, k) {
            for (k = 1; k <= rules; k++)
                if ((shows[i] ": " command[i]) ~ rows[k] && p ~ fields[k]) return 1
            return gpu[i] == "bound" && p ~ /^\.result\.(area|sum|dot|error)$/ && within(i)
        }
        function within(i, answer, exact, off) {
            answer = first_of(i, "area sum dot")
            exact = first_of(i, "in_double exact")
            off = value["gpu", i, answer] - value["gpu", i, exact]
            return off <= value["gpu", i, ".result.bound"] && -off <= value["gpu", i, ".result.bound"]
        }
        function first_of(i, names, name, k, m) {
            m = split(names, name, " ")
            for (k = 1; k < m && !(("gpu", i, ".result." name[k]) in value); k++)
                ;
            return ".result." name[k]
        }
        function of(side, i, p) { return (side, i, p) in value ? value[side, i, p] : "(absent)" }
        END {
            for (i = 1; i <= n; i++) {
                found = ""
                for (k = 1; k <= paths[i]; k++) {
                    p = path[i, k]
                    if (of("gpu", i, p) != of("sim", i, p) && !may_differ(i, p))
                        found = found "; " p ": " substr(of("gpu", i, p), 1, 90) ", sim " \
                                substr(of("sim", i, p), 1, 90)
                }
                print (found == "" ? "pass" : "flunk") "\t" command[i] ": the same on both\t" \
                      substr(found, 3, 600)
            }
        }' "$tmp/rules" "$tmp/rows" "$tmp/sim.leaves" "$tmp/gpu.leaves" >"$tmp/verdicts"
    labs_tell
}

labs_tell() {
    while IFS="$(printf '\t')" read -r verdict name why; do
        $verdict "$name"
        test "$verdict" = pass || diag "$why"
    done <"$tmp/verdicts"
}
