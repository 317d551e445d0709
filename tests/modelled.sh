# SPDX-License-Identifier: GPL-3.0-or-later
#
# The commands of tests/data/modelled.txt as scripts: for tests/modelled.t, which models their times,
# and for tests/gpu/modelled.sh, which measures them.

# modelled_script BEFORE SIZES: the script on stdout; each timed command with BEFORE in front of it
modelled_script() {
    grep -v '^#' "$top_srcdir/tests/data/modelled.txt" | while IFS='|' read -r half size command; do
        case $command in
        own\ *) # its lines in the kernel's file: arrays, then the launch
            file=tests/h100/timing/${command#own }.cu
            echo "load $top_srcdir/$file"
            sed -n 's,^ *//: ,,p' "$top_srcdir/$file" | while read -r name line; do
                case $2 in *"$(echo "$name" | cut -c1 | tr sml SML)"*) ;; *) continue ;; esac
                echo "${line%; launch *}"
                echo "$1launch ${line##*; launch }"
            done ;;
        *) case $2 in *"$size"*) echo "$1$command" ;; esac ;;
        esac
    done
}

# modelled_names SIZES: HALF|SIZE|COMMAND of each timed command, in the order of the script
modelled_names() {
    grep -v '^#' "$top_srcdir/tests/data/modelled.txt" | while IFS='|' read -r half size command; do
        case $command in
        own\ *) sed -n 's,^ *//: \([a-z]*\).*,\1,p' \
                "$top_srcdir/tests/h100/timing/${command#own }.cu" | while read -r name; do
                s=$(echo "$name" | cut -c1 | tr sml SML)
                case $1 in *"$s"*) echo "$half|$s|$command" ;; esac
            done ;;
        *) case $1 in *"$size"*) echo "$half|$size|$command" ;; esac ;;
        esac
    done
}

# json_seconds KEY BEFORE <JSON: KEY of the field `time` of each command that begins with BEFORE, but
# for those that only prepare; "-" where it has none
json_seconds() {
    awk -v key="\"$1\":" -v before="{\"command\":\"$2" '
        index($0, before) != 1 || /^{"command":"(load|array|set) / { next }
        { at = index($0, "\"time\":{"); s = at ? substr($0, at) : ""; sub(/}.*/, "", s)
          at = index(s, key); s = at ? substr(s, at + length(key)) : "-"; sub(/,.*/, "", s)
          print s }'
}
