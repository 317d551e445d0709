# SPDX-License-Identifier: GPL-3.0-or-later
#
# Measures the commands of tests/data/modelled.txt on this GPU with `bench`:
#     CUDALAB=./cudalab top_srcdir=.. sh tests/gpu/modelled.sh >tests/h100/times.txt
. "$top_srcdir/tests/modelled.sh"
script=$(mktemp) && names=$(mktemp) && out=$(mktemp) || exit 1
trap 'rm -f "$script" "$names" "$out"' 0
{
    echo 'set volatile on'
    modelled_script 'bench --runs 30 --seconds 0.1 ' "${SIZES:-SML}"
} >"$script"
modelled_names "${SIZES:-SML}" >"$names"
"$CUDALAB" --device gpu --json --no-init --time-limit 60 "$script" >"$out"
echo "# $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1), $(date +%F)"
echo '# The medians of `bench`, in microseconds: HALF|SIZE|COMMAND|MICROSECONDS'
json_seconds median_s bench <"$out" | paste -d '|' "$names" - |
    awk -F'|' 'BEGIN { OFS = "|" } { $4 = $4 == "-" ? "-" : sprintf("%.3f", $4 * 1e6); print }'
