# tries: to run a formula in a table by its name
# gets: 2 3
# student: =cmd|calc!A1
mkdir -p names && cp "$honest" "names/$(printf '=cmd|calc!A1.cu')"
