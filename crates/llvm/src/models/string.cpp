// `std::string` of libstdc++: what its header has, but leaves to the library.
#include <string>

template class std::basic_string<char>;
