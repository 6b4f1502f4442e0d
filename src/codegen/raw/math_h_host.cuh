// math.h on the host: C's own. The one of libstdc++ would bring templates for mixed types into the
// global namespace, beside those of the prelude, and calls would be ambiguous.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include_next <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
