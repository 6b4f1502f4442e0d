// The namespace of the prelude; the same on both devices.

// What may clash with a user's #include lives in this namespace: a name found through a using
// directive may coincide with the same type, and a template yields to the library's own function.
// Only CUDA's names and those that begin with gpuarr belong here: kernels have a namespace `detail`
// too.
namespace gpuarr_prelude {

#ifdef __SIZE_TYPE__
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
#endif

}  // namespace gpuarr_prelude

using namespace gpuarr_prelude;
