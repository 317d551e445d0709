# SPDX-License-Identifier: GPL-3.0-or-later
#
# The exercises for courses: each folder has all its parts, its marks are for the hand-ins that are
# there and for the tests of its exercise, and its texts are as plain as all others.
. "${top_srcdir:-$(dirname "$0")/..}/tests/lib.sh"
any_kernels

cd "$top_srcdir/exercises" || exit 99

# ---- the list -----------------------------------------------------------------------------

folders=$(find . -mindepth 1 -maxdepth 1 -type d | sed 's,^\./,,' | LC_ALL=C sort)
is "$(sed -n 's/^| `\([a-z]*\)` |.*/\1/p' README.md | LC_ALL=C sort)" "$folders" \
    'the page for lecturers lists each exercise'

# ---- the folders --------------------------------------------------------------------------

# misfits EXERCISE MARKS: lines of marks that don't fit the points of the tests.
misfits() {
    awk '
        FNR == NR {
            if ($1 == "testcase") { match($0, /points [0-9]+/); most[++tests] = substr($0, RSTART + 7, RLENGTH - 7) }
            next
        }
        /^#/ { next }
        {
            wrong = NF - 1 != tests
            for (i = 1; i <= tests; i++)
                if ($(i + 1) != most[i] && ($(i + 1) != "0" || $1 ~ /^right/)) wrong = 1
            if (wrong) print
        }' "$1" "$2"
}
for folder in $folders; do
    is "$(sed -n 's/^exercise \([a-z]*\) .*/\1/p' "$folder/$folder.exercise")" "$folder" \
        "$folder has the exercise of its name"
    is "$(cd "$folder" && find right wrong -type f 2>/dev/null | LC_ALL=C sort)" \
        "$(sed -n 's/^\([^#].*\): .*/\1/p' "$folder/marks.txt" | LC_ALL=C sort)" \
        "$folder has marks for its hand-ins"
    is "$(misfits "$folder/$folder.exercise" "$folder/marks.txt")" '' 'which are the points of its tests, or 0'
    ok 'at least five of them are wrong' test "$(find "$folder/wrong" -type f | wc -l)" -ge 5
    lacking=
    for file in "$folder"/wrong/*; do
        case $file in
        *.cu) head -1 "$file" | grep -q '^// The student ' || lacking="$lacking $file" ;;
        *.lab) head -1 "$file" | grep -q '^# The student ' || lacking="$lacking $file" ;;
        esac
    done
    is "$lacking" '' 'whose sources say what the student did'
    lacking=
    for file in $(sed -n 's/^reference .* kernel //p; s/^source //p' "$folder/$folder.exercise"); do
        test -f "$folder/$file" || lacking="$lacking $file"
    done
    is "$lacking" '' 'and the files that it names'
done

# ---- the texts ----------------------------------------------------------------------------

# What students read, and the remarks of hand-ins: each a paragraph. A question counts as a statement.
for folder in $folders; do
    {
        sed -n 's/^# \(.*\)/\1\n/p; s/^ *say "\(.*\)"$/\1\n/p; s/^ *hint "\(.*\)"$/\1\n/p
            s/^ *expect [^"]* "\([^"]* .*\)"$/\1\n/p; s/^ask "\(.*\)" as .*/\1\n/p' "$folder/$folder.exercise"
        sed -n '/^# Points for/d; s/^# \(.*\)/\1\n/p' "$folder/marks.txt"
        for file in "$folder"/*.cu "$folder"/*/*.cu "$folder"/*/*.lab; do
            test ! -f "$file" || sed -n '1s,^\(//\|#\) \([A-Z].*\),\2\n,p' "$file"
        done
    } | sed 's/?/./g' >"$tmp/$folder.md"
done
cp README.md "$tmp/lecturers.md"
: >"$tmp/later.txt"
(cd "$tmp" && "$JUDGES/prose" judge "$top_srcdir/tests/data/prose" later.txt ./*.md) >"$out" 2>"$err"
is $? 0 'the texts are read'
judged "$out"
done_testing
