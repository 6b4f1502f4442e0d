/* Expressions as text: what their errors say. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

enum {
  ARGUMENT = GPUARR_ERR_ARGUMENT,
  SHAPE = GPUARR_ERR_SHAPE,
  DTYPE = GPUARR_ERR_DTYPE,
  AXIS = GPUARR_ERR_AXIS,
  BROADCAST = GPUARR_ERR_BROADCAST,
  SYNTAX = GPUARR_ERR_SYNTAX,
  EMPTY = GPUARR_ERR_EMPTY
};

struct refusal {
  gpuarr_status status;
  const char* text;
  const char* message; /* with the line and the sign under it */
};

static void refuse_all(const struct refusal* rows, size_t count) {
  struct scene s = scene();
  for (size_t turn = 0; turn < 3 * count; ++turn) {
    const size_t k = turn / 3; /* each again, when something is known of it */
    gpuarr_array* out = NULL;
    const gpuarr_status status = gpuarr_eval(&out, rows[k].text, names, s.args, name_count, NULL);
    assert_null(out);
    if (status != rows[k].status || strstr(gpuarr_last_error(), rows[k].message) == NULL)
      fail_msg("%s: %s and\n%s\nbut not\n%s", rows[k].text, gpuarr_status_name(status),
               gpuarr_last_error(), rows[k].message);
  }
  end(&s);
}

static void shows_where_the_syntax_is_wrong(void** state) {
  (void)state;
  static const struct refusal rows[] = {
      {SYNTAX, "x +", "text, column 4: a value is missing before the end\n  x +\n     ^"},
      {SYNTAX, "x + * 2", "text, column 5: a value is missing before *\n  x + * 2\n      ^"},
      {SYNTAX, "(x + y", "text, column 1: ( is not closed\n  (x + y\n  ^"},
      {SYNTAX, "sum(x[0, 1)", "text, column 11: ) does not close [\n  sum(x[0, 1)\n            ^"},
      {SYNTAX, "sum((x)", "text, column 4: ( is not closed\n  sum((x)\n     ^"},
      {SYNTAX, "x)", "text, column 2: ) closes nothing"},
      {SYNTAX, "x y", "text, column 3: an operator is missing before y\n  x y\n    ^"},
      {SYNTAX, "2x", "\"2x\" is no number; write 2*x\n  2x\n  ^"},
      {SYNTAX, "1__0", "\"1__0\" is no number; underscores stand between digits"},
      {SYNTAX, "0x + 1", "\"0x\" is no number of base 16"},
      {SYNTAX, "007", "leave out the zeros in front"},
      {SYNTAX, "1.2.3", "\"1.2.3\" is no number"},
      {SYNTAX, "0 < x < 1", "column 7: comparisons are not chained; write (a < b) & (b < c)"},
      {SYNTAX, "x > 1 & y > 2", "comparisons are not chained"},
      {SYNTAX, "x ^ 2",
       "^ is not taken here; a power is x ** y; for exclusive or call bitwise_xor"},
      {SYNTAX, "not x", "text, column 1: not is not taken here; write ~"},
      {SYNTAX, "(x > 1) and y", "and is not taken here; write &, with comparisons in parentheses"},
      {SYNTAX, "x || y", "|| is not taken here; write |"},
      {SYNTAX, "!x", "! is not taken here; write ~"},
      {SYNTAX, "x if y else k", "a choice between elements is where(condition, x, y)"},
      {SYNTAX, "lambda", "lambda is not taken here; functions are not defined here"},
      {SYNTAX, "for x", "for is a keyword of Python that has no meaning here"},
      {SYNTAX, "x @", "text, column 4: a value is missing before the end"},
      {SYNTAX, "@ x", "text, column 1: a value is missing before @"},
      {SYNTAX, "x @= y", "@= is not taken here; write x = x @ y"},
      {SYNTAX, "x += 1", "+= is not taken here; write x = x + y"},
      {SYNTAX, "x == 'a'", "there are no strings here"},
      {SYNTAX, "x.sum()", "column 3: there is no attribute sum; call sum(x)\n  x.sum()\n    ^"},
      {SYNTAX, "x.shape", "there is no attribute shape; only .T"},
      {SYNTAX, "[x]", "there are no lists here; a tuple is (0, 1)"},
      {SYNTAX, "x[]", "a value is missing before ]"},
      {SYNTAX, "x[1:2:3:4]", "a slice is start:stop:step"},
      {ARGUMENT, "x(1:2)", "there is no function x"},
      {SYNTAX, "sum(1:2)", ": stands among indices only, as in x[1:-1]"},
      {SYNTAX, "(x)(y)", "a value is not called; write * to multiply"},
      {SYNTAX, "x, (y = 2)", "= stands within brackets; == compares"},
      {SYNTAX, "x + 1 = y", "= stands within an expression; == compares"},
      {SYNTAX, "2 = x", "what stands before = is no name; == compares"},
      {SYNTAX, "a = b = x", "a second = in one statement"},
      {ARGUMENT, "a, b = x; a", "two names are given to one value"},
      {SYNTAX, "a = x, y", "2 values are given to 1 name"},
      {SYNTAX, "x; y", "text, column 1: this is computed for nothing; give it a name"},
      {SYNTAX, "a = x", "behind the names that are given, write what to compute"},
      {SYNTAX, "", "text, column 1: there is no expression"},
      {SYNTAX, " # nothing\n;\n", "there is no expression"},
      {SYNTAX, "()", "() has no value"},
      {SYNTAX, "x $ y", "the character \"$\" has no meaning here"},
      {SYNTAX, "x \xe2\x88\x92 y",
       "the character \"\xe2\x88\x92\" has no meaning here; minus is -"},
      {SYNTAX, "x + \xff", "the byte \\xff is no UTF-8\n  x + \\xff\n      ^"},
      {SYNTAX, "x \x1b[2J", "the character \"\\x1b\" has no meaning here\n  x \\x1b[2J\n    ^"},
      {SYNTAX, "größe + ",
       "text, column 9: a value is missing before the end\n  größe + \n          ^"},
      {SYNTAX, "a = x\na + )",
       "text, line 2, column 5: a value is missing before )\n  a + )\n      ^"},
      {SYNTAX, "\tx +\t)", "  \tx +\t)\n  \t   \t^"},
  };
  refuse_all(rows, sizeof rows / sizeof *rows);
}

static void shows_where_a_call_is_wrong(void** state) {
  (void)state;
  static const struct refusal rows[] = {
      {ARGUMENT, "x + zz", "text, column 5: zz has no value\n  x + zz\n      ^"},
      {ARGUMENT, "x + inff", "inff has no value; did you mean inf?"},
      {ARGUMENT, "width = x; x + widht", "widht has no value; did you mean width?"},
      {ARGUMENT, "x + sum", "sum is a function; call it, as sum(x)"},
      {ARGUMENT, "sqrtt(x)", "text, column 1: there is no function sqrtt; did you mean sqrt?"},
      {ARGUMENT, "frobnicate(x)", "there is no function frobnicate\n  frobnicate(x)"},
      {ARGUMENT, "sum(x, axs=1)", "text, column 8: sum has no parameter axs; did you mean axis?"},
      {ARGUMENT, "sum(x, color=1)", "sum has no parameter color; it takes x, axis, keepdims"},
      {ARGUMENT, "add(x)", "add takes x, y, but gets no y"},
      {ARGUMENT, "sqrt()", "sqrt takes x, but gets no x"},
      {ARGUMENT, "sqrt(x, y)", "sqrt takes x and no more"},
      {ARGUMENT, "sum(x, 0, True)", "name what stands behind axis"},
      {ARGUMENT, "sum(axis=1, x)", "sum gets an argument without a name behind a named one"},
      {ARGUMENT, "sum(x, axis=1, axis=0)", "sum gets axis twice"},
      {ARGUMENT, "sum(x, axis=0.5)", "axis is 0.5; give an integer\n  sum(x, axis=0.5)\n  ^"},
      {ARGUMENT, "sum(x, axis=x)", "axis is float32 (2, 3); give an integer"},
      {ARGUMENT, "sum(x, keepdims=2)", "keepdims is 2; give True or False"},
      {ARGUMENT, "var(x, ddof=inf)", "ddof is inf; give a finite number"},
      {ARGUMENT, "norm(x, 3)", "ord is 3"},
      {ARGUMENT, "astype(x, 3)", "dtype is 3; give one such as float32"},
      {ARGUMENT, "x + float32", "y is float32; give an array or an expression of one"},
      {ARGUMENT, "x + None", "y is None; give an array"},
      {ARGUMENT, "x + (1, 2)", "y is a tuple; give an array"},
      {ARGUMENT, "sum(x, axis=(0, x))", "a value of a tuple is float32 (2, 3); give an integer"},
      {ARGUMENT, "divmod(x, y) + 1", "x is two results of a function; take one by [0] or [1]"},
      {AXIS, "divmod(x, y)[2]", "the two results of a function are [0] and [1]"},
      {ARGUMENT, "1 + 2", "text, column 1: the result is 3; give an array or an expression of one"},
      {ARGUMENT, "x, divmod(x, y)", "the result is two results of a function"},
      {ARGUMENT, "x, y", "text has 2 results; call gpuarr_eval_all"},
      {ARGUMENT, "x[0.5]", "an index is 0.5; give integers, slices, ... and None"},
      {ARGUMENT, "x[k]", "an index is an array; give numbers and slices"},
      {ARGUMENT, "x[..., ...]", "... stands twice among the indices"},
      {ARGUMENT, "n[0]", "what is indexed is 2; give an array"},
      {ARGUMENT, "x[::0]", "step is 0"},
      {ARGUMENT, "x + 1/0",
       "text, column 6: a number is divided by zero; infinity is inf\n  x + 1/0\n       ^"},
      {ARGUMENT, "x + n//0", "a number is divided by zero"},
      {ARGUMENT, "x + 1 % 0", "a number is divided by zero"},
      {DTYPE, "x + 2**64", "column 6: the result has more than 64 bits; make an operand a float"},
      {DTYPE, "x + 18446744073709551616", "18446744073709551616 has more than 64 bits"},
      {DTYPE, "x + 1e9999", "1e9999 is out of the range of float64"},
      {DTYPE, "x + 10.0**400", "10 ** 400 is out of the range of float64"},
      {ARGUMENT, "x + gamma(2)", "gamma is not computed of numbers alone"},
      {DTYPE, "x & 1", "bitwise_and is not defined for float32"},
      {BROADCAST, "x + x.T", "text, column 3: "},
      {BROADCAST, "x + x.T", "\n  x + x.T\n    ^"},
      {SHAPE, "1 + x @ y",
       "text, column 7: x has shape (2, 3) and y (2, 3): the last axis of x has extent 3, but the "
       "last axis but one of y has 2; they must be equal; in matmul(float32 (2, 3), int32 (2, 3))\n"
       "  1 + x @ y\n        ^"},
      {SHAPE, "1 + matmul(x, y)", "text, column 5: x has shape (2, 3) and y (2, 3)"},
      {SHAPE, "sum(x) @ y", "text, column 8: x has no axes, so it is not a matrix"},
      {ARGUMENT, "x @ 2 + x", "text, column 3: y is 2; give an array or an expression of one"},
      {ARGUMENT, "2 @ 3", "text, column 3: x is 2; give an array or an expression of one"},
      {ARGUMENT, "matmul(x)", "matmul takes x, y, but gets no y"},
      {AXIS, "1 + indices(x)", "column 5: axis is left out, but x has 2 axes; name one"},
      {AXIS, "1 + indices(x, 2)", "in indices(float32 (2, 3))\n  1 + indices(x, 2)\n      ^"},
      {ARGUMENT, "indices(2, 0)", "column 1: x is 2; give an array or an expression of one"},
      {AXIS, "sum(x, axis=2)", "\n  sum(x, axis=2)\n  ^"},
      {AXIS, "sum(x, axis=9999999999)", "axis is 9999999999, which no array has"},
      {AXIS, "x[5]", "text, column 2: index is 5, but axis 0 has extent 2\n  x[5]\n   ^"},
      {AXIS, "x[0, 0, 0]", "3 axes are indexed, but float32 (2, 3) has 2"},
      {SHAPE, "reshape(x, (4, 2))", "has 8 elements"},
      {AXIS, "transpose(x, (0, 0))", "axes[1] is 0, an axis given before"},
      {AXIS, "transpose(x, ())", "axes is (), but x has 2 axes"},
      {EMPTY, "max(x[:0])", "zero-size array to reduction operation max"},
      {DTYPE, "a = x\nb = y; k + 300*(k > 0) & x", "text, line 2, column 24: "},
  };
  refuse_all(rows, sizeof rows / sizeof *rows);
}

static void shows_a_part_of_long_lines(void** state) {
  (void)state;
  char text[2001], expected[300];
  memset(text, '1', 2000);
  for (int k = 1; k < 2000; k += 2) text[k] = '+';
  text[2000] = '\0';
  text[1000] = ')';
  gpuarr_array* out = NULL;
  assert_status(gpuarr_eval(&out, text, NULL, NULL, 0, NULL), GPUARR_ERR_SYNTAX);
  snprintf(expected, sizeof expected,
           "column 1001: a value is missing before )\n  ...%.76s...\n  %*s", text + 950, 54, "^");
  assert_message_has(expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shows_where_the_syntax_is_wrong),
      cmocka_unit_test(shows_where_a_call_is_wrong),
      cmocka_unit_test(shows_a_part_of_long_lines),
  };
  return run_suite(tests);
}
