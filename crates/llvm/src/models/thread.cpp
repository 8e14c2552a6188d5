// Threads and `std::call_once` of libstdc++, and how its condition variables begin and end: what is not in its headers, on top of
// POSIX threads.
#include <condition_variable>
#include <mutex>
#include <thread>

#include <pthread.h>

static void *thread(void *given) {
  auto *state = static_cast<std::thread::_State *>(given);
  state->_M_run();
  delete state;
  return nullptr;
}

namespace std {

thread::_State::~_State() = default;

// From here no function of the header is called: the program may have it, too, and in a recorded run this is done in the library.
void thread::_M_start_thread(_State_ptr state, void (*)()) {
  auto **owner = reinterpret_cast<_State **>(&state);
  _State *given = *owner;
  *owner = nullptr;
  pthread_create(&_M_id._M_thread, nullptr, ::thread, given);
}

void thread::join() {
  if (_M_id._M_thread == 0)
    __throw_system_error(int(errc::invalid_argument));
  pthread_join(_M_id._M_thread, nullptr);
  _M_id._M_thread = 0;
}

void thread::detach() {
  if (_M_id._M_thread == 0)
    __throw_system_error(int(errc::invalid_argument));
  pthread_detach(_M_id._M_thread);
  _M_id._M_thread = 0;
}

unsigned thread::hardware_concurrency() noexcept { return 2; }

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;

// `std::call_once` leaves in these what its thread is to call.
__thread void *__once_callable;
__thread void (*__once_call)();

extern "C" void __once_proxy() { __once_call(); }

} // namespace std
