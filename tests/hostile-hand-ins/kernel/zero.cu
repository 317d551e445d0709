// tries: to read a device without end
// gets: 0 0 compile | /dev/zero
#include "/dev/zero"
