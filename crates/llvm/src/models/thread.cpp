// Threads, condition variables and `std::call_once` of libstdc++: what is not in its headers, on top of POSIX threads.
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

void thread::_M_start_thread(_State_ptr state, void (*)()) {
  pthread_create(&_M_id._M_thread, nullptr, ::thread, state.release());
}

void thread::join() {
  if (!joinable())
    __throw_system_error(int(errc::invalid_argument));
  pthread_join(_M_id._M_thread, nullptr);
  _M_id = id();
}

void thread::detach() {
  if (!joinable())
    __throw_system_error(int(errc::invalid_argument));
  pthread_detach(_M_id._M_thread);
  _M_id = id();
}

unsigned thread::hardware_concurrency() noexcept { return 2; }

condition_variable::condition_variable() noexcept = default;
condition_variable::~condition_variable() noexcept = default;

void condition_variable::wait(unique_lock<mutex> &lock) {
  pthread_cond_wait(native_handle(), lock.mutex()->native_handle());
}

void condition_variable::notify_one() noexcept { pthread_cond_signal(native_handle()); }
void condition_variable::notify_all() noexcept { pthread_cond_broadcast(native_handle()); }

// `std::call_once` leaves in these what its thread is to call.
__thread void *__once_callable;
__thread void (*__once_call)();

extern "C" void __once_proxy() { __once_call(); }

} // namespace std
