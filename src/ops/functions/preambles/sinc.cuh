// A sine over its angle. With the sine before the choice, a CPU computes it in vectors. Expects C.

static inline C cardinal_sine(const C& sine, const C& x) { return x == 0 ? C(1) : C(sine / x); }
