# tries: to take the place of headers of the toolkit
# gets: 2 3
mkdir system-headers && cd system-headers || exit
{ echo '#include <math.h>'; echo '#include "cuda_runtime.h"'; cat "$honest"; } >a.cu
echo '#define in out' >math.h
cp math.h cuda_runtime.h
