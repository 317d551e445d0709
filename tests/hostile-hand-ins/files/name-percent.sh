# tries: to be a format in C and Python
# gets: 2 3
# student: %s%n{}
cp "$honest" "$(printf '%%s%%n{}.cu')"
