// The body of an elementwise kernel, behind place.cuh: values become a piece of a row of x, on the
// CPU. Expects, as coordinates, ELEMENT(where) in x and BESIDE in the values; PIECE, the number of
// the piece in its row; and PLACE, the number of the index in all indices.

const T* __restrict__ from = &values(BESIDE);
T* __restrict__ to = &x(ELEMENT(outside ? 0 : (long long)where));
const long long rest = row - PIECE * piece, count = rest < piece ? rest : piece;
if (outside)
  _report(reports, code, (long long)k, PLACE, axis, extent);
else
  for (long long c = 0; c < count; ++c) to[c] = from[c];
