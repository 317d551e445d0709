# tries: to fill the disk and the memory by a file with holes
# gets: 0 0 check | has 21474836480 bytes, and 67108864 are allowed
mkdir sparse && truncate -s 20G sparse/a.cu
