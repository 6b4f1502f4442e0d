// The body of an elementwise kernel: which index of the elements an index before or after them
// repeats; `first` counts from the first element. Reflections have a period, which the elements are
// the first part of. Expects edge, reflect, symmetric: modes.

long long at = first + i;
if (mode == edge) {
  at = at < 0 ? 0 : extent - 1;
} else {
  const long long period = mode == reflect     ? (extent > 1 ? 2 * extent - 2 : 1)
                           : mode == symmetric ? 2 * extent
                                               : extent;
  at %= period;
  if (at < 0) at += period;
  if (at >= extent) at = mode == reflect ? period - at : period - 1 - at;
}
k = at;
