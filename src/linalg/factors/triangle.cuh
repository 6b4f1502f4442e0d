// The body of an elementwise kernel: matrices' upper or lower triangles, with ones on the diagonal
// where `unit` says so. Expects i to run down the columns.

long long r, c;
if ((i | rows | columns) <= 0xffffffffll) {  // divided in a quarter of the time
  const unsigned column = (unsigned)i / (unsigned)rows;
  r = (unsigned)i - column * (unsigned)rows;
  c = column % (unsigned)columns;
} else {
  r = i % rows;
  c = i / rows % columns;
}
y = unit && r == c ? T(1) : (upper ? r <= c : r >= c) ? (T)x : T(0);
