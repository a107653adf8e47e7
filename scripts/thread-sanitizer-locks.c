// Tells the thread sanitizer of the locks that it cannot see. `Synchronization.Mutex` is taken inline by an atomic
// operation, which the sanitizer knows, but waits for its turn within Swift's own library, in the kernel: without these
// two lines whatever such a lock guards is reported as a race. Loaded in front of that library by `make races`.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

// Swift's calling convention: `self` comes in the register of the context.
#define SELF __attribute__((swift_context)) void *self

typedef void (*Lock)(uint32_t, SELF) __attribute__((swiftcall));
typedef void (*Unlock)(SELF) __attribute__((swiftcall));

__attribute__((swiftcall)) void lock(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
__attribute__((swiftcall)) void unlock(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

__attribute__((swiftcall)) void lock(uint32_t thread, SELF) {
  static Lock real;
  if (!real) real = (Lock)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  real(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

__attribute__((swiftcall)) void unlock(SELF) {
  static Unlock real;
  if (!real) real = (Unlock)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
  if (__tsan_release) __tsan_release(self);
  real(self);
}
