// Graphs of the CPU device: the calls in their order, each with copies of what it was given.
#pragma once

#include <functional>
#include <memory>

#include "device/graph.hpp"

namespace gpuarr::host {

std::shared_ptr<Capture> make_capture(Stream& origin);

/// `capture` is one of make_capture(). `kind`: "kernel", "copy", ...
void note_work(Capture& capture, const Stream& stream, const char* kind,
               std::function<void()> work);

/// What was noted in a capture that has ended.
std::shared_ptr<Graph> make_graph(Capture& capture);

}  // namespace gpuarr::host
