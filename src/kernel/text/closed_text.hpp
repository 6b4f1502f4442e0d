// $GPUARR_TEXT=closed: text of other people's, which reaches no files while it compiles.
#pragma once

#include <string_view>

namespace gpuarr {

/// Fails with GPUARR_ERR_ARGUMENT where the variable is neither "open" nor "closed".
bool text_is_closed();

/// The rest fail with GPUARR_ERR_UNSUPPORTED while text is closed, and do nothing while it is open.
/// Text may have no directive that brings a file in, nothing for the assembler, and nothing that
/// compilers might read in another way than this does.
void check_closed_text(std::string_view text, std::string_view name);

/// Options are of a list of those that name no files and load nothing.
void check_closed_option(std::string_view option);

/// `what` is a thing that is not text, such as a file.
void refuse_if_closed(std::string_view what);

}  // namespace gpuarr
