// tries: to exhaust the compiler by templates without end
// gets: 0 0 compile | exceeded maximum depth
template <int N> struct T {
    typename T<N + 1>::type x;
    typename T<N + 2>::type y;
};
T<0> much;
int main() { }
