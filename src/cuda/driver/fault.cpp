// Faults of kernels, and how they are told.
#include "cuda/driver/fault.hpp"

#include "core/error.hpp"

namespace gpuarr::cuda {
namespace {

// Results that older headers do not have.
constexpr auto contained = static_cast<CUresult>(226);
constexpr auto tensor_memory_leak = static_cast<CUresult>(721);

struct Name {
  std::string text;
  Name* next;
};

std::atomic<Health*> first_health{nullptr};
std::atomic<Name*> names{nullptr};

const char* find_place =
    "; to find the place, run the program under compute-sanitizer, with GPUARR_CHECK=memory, or on "
    "the CPU device";

std::string blame_kernel(const std::string& device, const char* kernel, const char* last) {
  if (kernel != nullptr) return formatted("the kernel \"{}\" faulted on {}", kernel, device);
  if (last == nullptr) return formatted("a kernel faulted on {}", device);
  return formatted(
      "a kernel faulted on {}: \"{}\" was launched last, but faults show late, and an earlier "
      "launch may be to blame",
      device, last);
}

std::string blame_assert(const std::string& device, const char* kernel, const char* last) {
  std::string whose =
      kernel != nullptr
          ? formatted("the kernel \"{}\"", kernel)
          : formatted("a kernel on {}{}", device,
                      last != nullptr ? formatted(" (\"{}\" was launched last)", last) : "");
  return formatted("an assert() failed in {}, and has written where to stderr", whose);
}

std::string blame(CUresult result, const std::string& device, const char* kernel,
                  const char* last) {
  switch (static_cast<int>(result)) {
    case CUDA_ERROR_ASSERT:
      return blame_assert(device, kernel, last);
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
      return formatted("the hardware of {} failed", device);
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
      return formatted("something in this process has reset {}", device);
    default:
      return blame_kernel(device, kernel, last) + find_place;
  }
}

}  // namespace

bool is_sticky(CUresult result) {
  switch (static_cast<int>(result)) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case contained:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case tensor_memory_leak:
      return true;
    default:
      return false;
  }
}

Health* find_health(CUcontext context) {
  Health* health = first_health.load(std::memory_order_acquire);
  while (health != nullptr && health->context_ != context) health = health->next_;
  return health;
}

// Without a lock, since an error may be thrown under one. Of two threads that make the same one at
// once, both keep theirs: a device is opened twice at most, and one of the two is thrown away.
Health& health_of(CUcontext context, const std::string& device) {
  if (Health* known = find_health(context)) return *known;
  auto* made = new Health(context, device);
  made->next_ = first_health.load(std::memory_order_relaxed);
  while (!first_health.compare_exchange_weak(made->next_, made, std::memory_order_acq_rel))
    continue;
  return *made;
}

void Health::lose(const std::string& report, CUresult result, const char* kernel) {
  const char* last = last_.load(std::memory_order_relaxed);
  std::string message = formatted("{}; {}; only a new process can use {} again", report,
                                  blame(result, device_, kernel, last), device_);
  lost_.get([&] { return std::make_unique<Loss>(Loss{message, result}); });
  throw Error(result == CUDA_ERROR_ASSERT ? GPUARR_ERR_ASSERT : GPUARR_ERR_FAULT,
              std::move(message), result);
}

void Health::fail_lost() const {
  const Loss* loss = lost_.peek();
  throw Error(GPUARR_ERR_FAULT, formatted("{} faulted before: {}", device_, loss->report),
              loss->result);
}

// Reachable for ever, so that a fault can name a kernel whose module is gone.
const char* keep_name(const std::string& name) {
  for (const Name* known = names.load(std::memory_order_acquire); known; known = known->next)
    if (known->text == name) return known->text.c_str();
  auto* made = new Name{name, names.load(std::memory_order_relaxed)};
  while (!names.compare_exchange_weak(made->next, made, std::memory_order_acq_rel)) continue;
  return made->text.c_str();
}

}  // namespace gpuarr::cuda
