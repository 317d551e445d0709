// tries: to include itself twice at every level
// gets: 0 0 compile | includes itself
#if __INCLUDE_LEVEL__ < 190
#include "bomb.cu"
#include "bomb.cu"
#endif
