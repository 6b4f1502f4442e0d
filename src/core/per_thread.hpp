// Values that each thread has, until the very end of the thread.
#pragma once

#include <pthread.h>

#include <memory>

namespace gpuarr {

/// The calling thread's T, made when it is first asked for. Unlike a thread_local object it is
/// there in destructors of other thread_local objects and of thread-specific data, in handlers of
/// exit() and in destructors of static objects: whoever releases objects there may come back here.
/// It is destroyed with the thread's specific data, and made again if it is asked for after that;
/// the first thread's stays.
template <class T>
class PerThread {
 public:
  static T& get() {
    if (value == nullptr) [[unlikely]]
      make();
    return *value;
  }
  static const T* peek() { return value; }  // null if it was never requested

 private:
  static void make() {
    static const Key key;
    auto made = std::make_unique<T>();
    if (key.made) pthread_setspecific(key.key, made.get());  // else the value stays for ever
    value = made.release();
  }

  static void end(void* object) {
    value = nullptr;  // first, since what is destroyed may ask for another
    delete static_cast<T*>(object);
  }

  struct Key {
    pthread_key_t key{};
    bool made = pthread_key_create(&key, end) == 0;  // not where the process has 1024 already
  };

  static inline constinit thread_local T* value = nullptr;
};

}  // namespace gpuarr
