// Futures of libstdc++: what is not in its headers.
#include <future>

namespace std {

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

} // namespace std
