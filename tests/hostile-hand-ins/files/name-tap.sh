# tries: to add a result to TAP by its name
# gets: 2 3
# student: not ok 1 # SKIP
mkdir -p names && cp "$honest" "names/$(printf 'not ok 1 # SKIP.cu')"
