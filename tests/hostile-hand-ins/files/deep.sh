# tries: to have paths that are too long, so that all hand-ins next to it are ungraded
# gets: 0 0 check | lies in too many folders
mkdir -p names/deep && cd names/deep && for i in $(seq 100); do mkdir dddddddddd && cd dddddddddd || exit; done; echo x >a.cu
