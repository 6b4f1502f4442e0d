# What Base's optimised functions are made of: Core.Intrinsics.

const I = Core.Intrinsics
unsigned_text(v::Value) = v.type <: Signed ?
    string("(", NUMBERS[unsigned(v.type)], ')', inner(v)) : inner(v)
signed_text(v::Value) = v.type <: Unsigned ?
    string("(", NUMBERS[signed(v.type)], ')', inner(v)) : inner(v)

binary(op::String) = (b, arguments, T) -> T <: Half ?
    cast_to(T, operator(Float32, arguments[1], op, arguments[2])) :
    T <: Whole && sizeof(T) < 4 ? cast_to(T, operator(Int32, arguments[1], op, arguments[2])) :
    operator(T, arguments[1], op, arguments[2])
prelude(name::String) = (b, arguments, T) -> called(T, julia(name), arguments...)
plain(name::String) = (b, arguments, T) -> float_function(name)(b, arguments, T)
comparing(op::String, text) = (b, arguments, T) -> expression(Bool, string(text(arguments[1]), ' ',
    op, ' ', text(arguments[2])), arguments...)
# T(x) by a type that is the first argument, seen from another type than x's.
casting(text) = function (b, arguments, T)
    S, v = something(arguments[1].known), arguments[2]
    S <: Plain || return nothing
    v.known !== nothing ? converted(b, v, S) :
        expression(S, string("(", NUMBERS[S], ')', text(v)), v; atom = true)
end

for (name, f) in ((:add_int, "add"), (:sub_int, "sub"), (:mul_int, "mul"), (:neg_int, "neg"),
                  (:checked_sdiv_int, "div"), (:checked_udiv_int, "div"),
                  (:checked_srem_int, "rem"), (:checked_urem_int, "rem"),
                  (:sdiv_int, "div"), (:udiv_int, "div"),
                  (:srem_int, "rem"), (:urem_int, "rem"), (:ctpop_int, "count_ones"),
                  (:ctlz_int, "leading_zeros"), (:cttz_int, "trailing_zeros"),
                  (:bswap_int, "byte_swap"), (:flipsign_int, "flipsign"), (:fpiseq, "same_bits"))
    isdefined(I, name) && (KNOWN[getfield(I, name)] = prelude(f))
end
for (name, op) in ((:and_int, "&"), (:or_int, "|"), (:xor_int, "^"), (:add_float, "+"),
                   (:sub_float, "-"), (:mul_float, "*"), (:div_float, "/"),
                   (:add_float_fast, "+"), (:sub_float_fast, "-"), (:mul_float_fast, "*"),
                   (:div_float_fast, "/"), (:eq_int, "=="), (:ne_int, "!="), (:eq_float, "=="),
                   (:ne_float, "!="), (:lt_float, "<"), (:le_float, "<="), (:lt_float_fast, "<"),
                   (:le_float_fast, "<="), (:eq_float_fast, "=="), (:ne_float_fast, "!="))
    isdefined(I, name) && (KNOWN[getfield(I, name)] = binary(op))
end
for (name, op, text) in ((:slt_int, "<", signed_text), (:sle_int, "<=", signed_text),
                         (:ult_int, "<", unsigned_text), (:ule_int, "<=", unsigned_text))
    KNOWN[getfield(I, name)] = comparing(op, text)
end
for (name, f) in ((:abs_float, "fabs"), (:copysign_float, "copysign"), (:floor_llvm, "floor"),
                  (:ceil_llvm, "ceil"), (:trunc_llvm, "trunc"), (:rint_llvm, "rint"),
                  (:sqrt_llvm, "sqrt"), (:sqrt_llvm_fast, "sqrt"), (:fma_float, "fma"),
                  (:rem_float, "fmod"), (:rem_float_fast, "fmod"))
    isdefined(I, name) && (KNOWN[getfield(I, name)] = plain(f))
end
for (name, text) in ((:sitofp, signed_text), (:uitofp, unsigned_text), (:fptosi, inner),
                     (:fptoui, inner), (:fpext, inner), (:fptrunc, inner), (:trunc_int, inner),
                     (:sext_int, signed_text), (:zext_int, unsigned_text))
    KNOWN[getfield(I, name)] = casting(text)
end
for (name, f) in ((:shl_int, "<<"), (:lshr_int, ">>>"), (:ashr_int, ">>"))
    KNOWN[getfield(I, name)] = prelude(f == "<<" ? "shift_left" : f == ">>" ? "shift_right" :
        "shift_logical")
end
KNOWN[I.neg_float] = KNOWN[I.neg_float_fast] = (b, arguments, T) -> T <: Half ?
    cast_to(T, expression(Float32, "-" * inner(arguments[1]), arguments[1])) :
    expression(T, "-" * inner(arguments[1]), arguments[1])
KNOWN[I.muladd_float] = (b, arguments, T) ->
    operator(T, operator(T, arguments[1], "*", arguments[2]), "+", arguments[3])
KNOWN[I.not_int] = (b, arguments, T) -> arguments[1].type === Bool ?
    expression(Bool, negated(arguments[1].text), arguments[1]; atom = true) :
    cast_to(arguments[1].type, expression(T, "~" * inner(arguments[1]), arguments[1]; atom = true))
KNOWN[I.bitcast] = (b, arguments, T) -> (S = something(arguments[1].known);
    S <: Plain && is_plain(arguments[2].type) ? bits_as(b, arguments[2], S) : nothing)
isdefined(I, :fpislt) && (KNOWN[I.fpislt] = KNOWN[isless])
isdefined(Core, :ifelse) && (KNOWN[Core.ifelse] = KNOWN[ifelse])
isdefined(I, :select_value) && (KNOWN[I.select_value] = KNOWN[ifelse])

# A result and whether it overflowed.
for (name, f) in ((:checked_sadd_int, "add"), (:checked_ssub_int, "sub"),
                  (:checked_smul_int, "mul"), (:checked_uadd_int, "add"),
                  (:checked_usub_int, "sub"), (:checked_umul_int, "mul"))
    KNOWN[getfield(I, name)] = (b, arguments, T) -> in_parts(Tuple{arguments[1].type,Bool},
        Any[called(arguments[1].type, julia(f), arguments...),
            called(Bool, julia(f * "_overflows"), arguments...)])
end
