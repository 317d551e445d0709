# tries: to have the grader read a device without end
# gets: 0 0 check | is a link
mkdir device && ln -s /dev/zero device/a.cu
