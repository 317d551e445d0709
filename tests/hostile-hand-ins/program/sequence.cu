// tries: to exhaust the memory of the compiler
// gets: 0 0 limit | needs more memory|took too long
template <class T, T... I> struct S { static constexpr int n = sizeof...(I); };
template <class T> int size(T) { return 0; }
template <class T, T... I> int size(S<T, I...>) { return ((int)I + ...); }
int main() { return size(__make_integer_seq<S, int, 100000000>()); }
