# tries: to have paths that are too long
# gets: 0 0 check | .
mkdir deep && cd deep && for i in $(seq 100); do mkdir dddddddddd && cd dddddddddd || exit; done; echo x >a.cu
