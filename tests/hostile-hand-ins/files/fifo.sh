# tries: to keep the grader waiting for a pipe
# gets: 0 0 check | is a FIFO
mkdir fifo && mkfifo fifo/a.cu
