# SPDX-License-Identifier: GPL-3.0-or-later
#
# The commands that must show the same bytes natively, under node and in a browser, as scripts: one for
# each lab, and one for each subject. Source it after lib.sh, or have the scripts made for a browser:
#
#     sh tests/parity.sh FOLDER
#
# A script is a session of its own, run in its folder by
#
#     cudalab --no-init --device sim -c 'FORM; source NAME.lab'
#
# with stdout and stderr in one file. FORM is a row of `parity_forms`.
# tests/data/not-the-same.txt has the commands that differ, and why. tests/data/long-rows.txt has those
# that only `make check-long` runs.

# What a form sets. Nothing must depend on the screen or on the load of the computer.
parity_forms() {
    cat <<'END'
text set volatile off; set time-limit 600; set charset ascii; set color never; set width 80
narrow set volatile off; set time-limit 600; set charset utf8; set color always; set theme dark; set width 40
json set volatile off; set time-limit 600; set json on
END
}

# parity_rows <ROWS: the commands, each on its card (tests/data/refused.txt)
parity_rows() {
    awk -F ' *[|] *' '/^(#|~)/ || !NF { next }
        { gsub(/@TMP@/, ".") }
        NF == 3 { print "set device sim:" $3; print $1; print "set device sim"; next }
        { print $1 }'
}

# parity_tries FILE SECTION: what the sections of a help text say to try, without values of a run and
# what waits for a person or starts a process
parity_tries() {
    awk -v section="$2" '/^== / { on = $0 ~ section; next } on && NF && !/[{]/' "$1" |
        sed '/^\(quit\|exit\|history\|play\|watch\|load\|reload\|run\|grade\)\( .*\)*$/d; /volatile/d; s/   *.*//'
}

# parity_except FILE: takes out of the script what differs, into `excepted`, and what takes long.
# $parity_not is a pattern of what else is not compared.
parity_except() {
    sed -n 's/^\([^#].*[^ ]\)  *| .*/\1/p' "$top_srcdir/tests/data/not-the-same.txt" >"$1.not"
    test -z "${parity_not-}" || echo "$parity_not" >>"$1.not"
    if in_full; then : >"$1.long"; else grep -v '^#' "$top_srcdir/tests/data/long-rows.txt" >"$1.long"; fi
    grep -Exf "$1.not" "$1" >>"${1%/*}/excepted" || :
    grep -Exvf "$1.not" "$1" | grep -Fxvf "$1.long" >"$1.left" || :
    mv "$1.left" "$1"
    rm -f "$1.not" "$1.long"
}

# parity_scripts FOLDER: make them there, with the files that they read
parity_scripts() {
    mkdir -p "$1" || return
    : >"$1/excepted"
    for lab in $(lab_names); do
        {
            sed -n 's/^#: //p' "$top_srcdir/tests/$lab.t" | sed 's/ *|.*//'
            sed -n 's/^#! //p' "$top_srcdir/tests/$lab.t"
        } | parity_rows >"$1/$lab.rows"
        parity_tries "$top_srcdir/help/$lab.txt" '^== try' >>"$1/$lab.rows"
    done
    # Many texts suggest the same command. It is run where it comes first.
    for lab in $(lab_names); do
        awk -v seen="$1/seen" 'BEGIN { while ((getline line <seen) > 0) had[line] = 1 }
            /^set device/ { card = $3 == "sim" ? "" : $3; print; next }
            !had[card $0]++ { print; print card $0 >>seen }' "$1/$lab.rows" >"$1/$lab.lab"
        rm -f "$1/$lab.rows"
    done
    for file in "$top_srcdir"/help/*.txt; do
        name=${file##*/}
        name=${name%.txt}
        test "$name" = topics || echo "help $name"
    done >"$1/all-help.lab"
    echo 'help topics' >>"$1/all-help.lab"
    for file in "$top_srcdir"/help/*.txt; do
        parity_tries "$file" '^== try$' >"$1/tries"
        lab_names | grep -qx "$(basename "$file" .txt)" ||
            awk '/^== / { on = $0 == "== try" } on && /^(load|reload|run) / { exit 1 }' "$file" &&
            grep -Fxvf "$1/seen" "$1/tries" && echo 'free --all'
    done >"$1/all-tries.lab"
    rm -f "$1/tries" "$1/seen"
    sed -n 's/^CARD("\([^"]*\)".*/\1/p' "$top_srcdir/src/dev/cards.def" |
        sed 's/.*/set device sim:&; devquery; memory; occupancy --threads 256; hello 2 33/' >"$1/all-cards.lab"
    for file in "$top_srcdir"/tests/ptx/*.ptx; do
        cp "$file" "$1" || return
        name=${file##*/}
        printf 'load %s\nkernels\n' "$name"
        sed -n 's/^.*[.]entry  *\([A-Za-z_0-9$]*\).*/ptx \1 --explain/p' "$file"
    done >"$1/all-ptx.lab"
    sed 's/ *|.*//' "$top_srcdir/tests/data/labs.txt" | parity_rows >"$1/all-rows.lab"
    parity_rows <"$top_srcdir/tests/data/refused.txt" >>"$1/all-rows.lab"
    cp "$top_srcdir"/tests/data/parity/* "$1" || return
    for file in "$1"/*.lab; do
        parity_except "$file"
    done
}

# parity_run PROGRAM FOLDER NAME FORM: what the script shows, on stdout
parity_run() {
    (cd "$2" && "$1" --no-init --device sim \
        -c "$(parity_forms | sed -n "s/^$4 //p"); source $3.lab" 2>&1 </dev/null)
}

case ${0##*/} in parity.sh)
    folder=${1:?usage: sh tests/parity.sh FOLDER}
    . "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
    parity_scripts "$folder"
    parity_forms >"$folder/forms"
    ;;
esac
