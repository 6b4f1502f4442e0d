// Keys of integers and bools.

static inline sort_bits ordered(sort_bits x) { return (sort_bits)SORT_TURN(x ^ sort_flip); }
static inline sort_bits original(sort_bits k) { return (sort_bits)(SORT_TURN(k) ^ sort_flip); }
static inline sort_bits compared(sort_bits k) { return k; }
