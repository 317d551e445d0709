# tries: to steer a terminal by its name
# gets: 2 3
# student: \\x1b[2J\\rhonest\\u202e
cp "$honest" "$(printf '\033[2J\rhonest\342\200\256.cu')"
