// tries: to include itself without end
// gets: 0 0 compile | includes itself
#include __FILE__
