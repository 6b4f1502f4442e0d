/* See fake_cuda.h: which GPUs reach the memory of which. */
#include "state.h"

static int peers[MOST_DEVICES][MOST_DEVICES];

CUresult fake_device_can_access_peer(int* out, CUdevice device, CUdevice peer) {
  *out = device != peer && setting("FAKE_CUDA_PEERS", 1) != 0;
  return begin("cuDeviceCanAccessPeer");
}

CUresult fake_context_enable_peer(CUcontext peer, unsigned flags) {
  CUresult result = begin_in("cuCtxEnablePeerAccess", current);
  if (result != CUDA_SUCCESS) return result;
  if (flags != 0 || peer == current || !setting("FAKE_CUDA_PEERS", 1))
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  pthread_mutex_lock(&mutex);
  int enabled = peers[current->device][peer->device]++;
  pthread_mutex_unlock(&mutex);
  return enabled ? CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED : CUDA_SUCCESS;
}
