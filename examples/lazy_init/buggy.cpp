// A registry of plug-ins. It is made when somebody needs it first.
#include <cassert>
#include <mutex>
#include <thread>

class Registry {
public:
  static Registry &instance() {
    if (only == nullptr)
      only = new Registry;
    return *only;
  }

  void add(int plugin) {
    std::lock_guard<std::mutex> guard(mutex);
    plugins[count++] = plugin;
  }

  int size() {
    std::lock_guard<std::mutex> guard(mutex);
    return count;
  }

private:
  static Registry *only;
  std::mutex mutex;
  int plugins[4];
  int count = 0;
};

Registry *Registry::only = nullptr;

static void load_plugin(int plugin) { Registry::instance().add(plugin); }

int main() {
  std::thread audio(load_plugin, 1), video(load_plugin, 2);
  audio.join();
  video.join();
  assert(Registry::instance().size() == 2);
}
