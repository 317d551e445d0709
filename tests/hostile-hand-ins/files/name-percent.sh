# tries: to be a format in C and Python
# gets: 2 3
# student: %s%n{}
mkdir -p names && cp "$honest" "names/$(printf '%%s%%n{}.cu')"
