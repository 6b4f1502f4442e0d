// The body of an elementwise kernel, behind place.cuh: a value is added to an element of x. Expects
// ELEMENT(where), the coordinates in x, and PLACE, the number of the index in all indices.

if (outside)
  _report(reports, code, (long long)k, PLACE, axis, extent);
else
  atomicAdd(&x(ELEMENT((long long)where)), values);
