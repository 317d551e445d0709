# tries: to steer a terminal by its name
# gets: 2 3
# student: \\x1b[2J\\rhonest\\u202e
mkdir -p names && cp "$honest" "names/$(printf '\033[2J\rhonest\342\200\256.cu')"
