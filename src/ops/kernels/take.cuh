// The body of an elementwise kernel, behind place.cuh: an element of x. Expects ELEMENT(where), the
// coordinates in x, and PLACE, the number of the index in all indices.

y = x(ELEMENT(outside ? 0 : (long long)where));
if (outside) {
  y = T();
  _report(reports, code, (long long)k, PLACE, axis, extent);
}
