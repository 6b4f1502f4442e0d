# Folds of tuples, arrays, integer ranges and generators over them: sum, prod, maximum, minimum,
# reduce, foldl, mapreduce, mapfoldl. Base's look for keyword arguments when they run, and call
# themselves for each half of a range; these take one element after another.

folded(f, op, list::Tuple, empty) =
    fold_on(f, op, Base.reduce_first(op, f(list[1])), Base.tail(list))
folded(f, op, ::Tuple{}, empty) = value_of_none(empty)
fold_on(f, op, so_far, list::Tuple) = fold_on(f, op, op(so_far, f(list[1])), Base.tail(list))
fold_on(f, op, so_far, ::Tuple{}) = so_far
function folded(f, op, range::OrdinalRange, empty)
    isempty(range) && return value_of_none(empty)
    so_far = Base.reduce_first(op, f(first(range)))
    k = first(range)
    while k != last(range)              # which may be the greatest of its type
        k = (k + step(range)) % eltype(range)
        so_far = op(so_far, f(k))
    end
    so_far
end
folded(f, op, generator::Base.Generator, empty) =
    folded(x -> f(generator.f(x)), op, generator.iter, empty)
folded(f, op, list::NamedTuple, empty) = folded(f, op, Tuple(list), empty)
folded(f, op, list::AbstractArray, empty) = folded(k -> f(list[k]), op, 1:length(list), empty)
folded(f, op, pairs::Iterators.ProductIterator, empty) =
    folded(k -> f(elements_at(k - 1, pairs.iterators)), op, 1:prod(map(length, pairs.iterators)),
        empty)
elements_at(k, ranges::Tuple) = (n = length(ranges[1]);
    (ranges[1][k % n + 1], elements_at(k ÷ n, Base.tail(ranges))...))
elements_at(k, ::Tuple{}) = ()
# The first element that is taken is what the others are added to.
function folded(f, op, chosen::Iterators.Filter, empty)
    range = chosen.itr
    isempty(range) && return value_of_none(empty)
    k = first(range)
    while !chosen.flt(k)
        k == last(range) && return value_of_none(empty)
        k = (k + step(range)) % eltype(range)
    end
    so_far = Base.reduce_first(op, f(k))
    while k != last(range)
        k = (k + step(range)) % eltype(range)
        chosen.flt(k) && (so_far = op(so_far, f(k)))
    end
    so_far
end
value_of_none(empty) = empty
value_of_none(::Nothing) = throw(ArgumentError("reducing over an empty collection is not allowed"))

is_list(@nospecialize(T)) = T <: Union{Tuple,NamedTuple} || T <: CountedRange ||
    (T <: Union{Base.Generator,Iterators.ProductIterator,Iterators.Filter} && isconcretetype(T) &&
     is_inner_list(T)) || (T <: AbstractArray && !(T <: OrdinalRange) &&
    (isbitstype(T) || has_arrays(T)))
is_inner_list(@nospecialize(T)) = T <: Base.Generator ? is_list(fieldtype(T, :iter)) :
    T <: Iterators.Filter ? fieldtype(T, :itr) <: CountedRange :
    all(R -> R <: CountedRange, fieldtypes(fieldtype(T, :iterators)))
# `empty` gives the value of no elements by the type of the result.
function call_folded(b::Body, f::Value, op::Value, list::Value, empty, @nospecialize(T))
    is_list(list.type) || return nothing
    none = literal(b.unit, empty === nothing || !is_plain(T) ? nothing : empty(T))
    call_method(b, literal(b.unit, folded), folded, Value[f, op, list, none], T)
end
for (fold, op, empty) in ((sum, Base.add_sum, zero), (prod, Base.mul_prod, one),
                          (maximum, max, nothing), (minimum, min, nothing))
    KNOWN[fold] = (b, arguments, T) -> length(arguments) > 2 ? nothing :
        call_folded(b, length(arguments) == 1 ? literal(b.unit, identity) : arguments[1],
            literal(b.unit, op), last(arguments), empty, T)
end
for fold in (reduce, foldl)
    KNOWN[fold] = (b, arguments, T) -> length(arguments) == 2 ?
        call_folded(b, literal(b.unit, identity), arguments[1], arguments[2], nothing, T) : nothing
end
for fold in (mapreduce, mapfoldl)
    KNOWN[fold] = (b, arguments, T) -> length(arguments) == 3 ?
        call_folded(b, arguments..., nothing, T) : nothing
end
