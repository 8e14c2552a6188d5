// A raw pointer that outlives its owner.
//@ run: explore
//@ verdict: unsafe
//@ exit: 1
#include <memory>
#include <thread>

struct Session {
  int requests = 0;
};

int main() {
  auto session = std::make_unique<Session>();
  Session *raw = session.get();
  std::thread server([raw] {
    raw->requests++; //~ memory
  });
  session.reset();
  server.join();
}
