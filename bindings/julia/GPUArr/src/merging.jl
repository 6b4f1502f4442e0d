# Sorting by an order of one's own: a merge sort whose steps are kernels, for what the library's
# sort by keys cannot do.

# Columns of `from` are sorted in runs of `width`; two and two are merged. Each element finds its
# place by itself: how many of the other run come before it.
@kernel function merge_runs!(to, from, width, lt, by)
    i, column = global_index(2)
    n = size(from, 1)
    if i <= n && column <= size(from, 2)
        x = from[i, column]
        key = by(x)
        start = (i - 1) ÷ 2width * 2width
        middle, stop = min(start + width, n), min(start + 2width, n)
        is_left = i <= middle
        low, high = is_left ? (middle, stop) : (start, middle)
        while low < high
            m = (low + high) ÷ 2
            other = by(from[m+1, column])
            comes_first = is_left ? lt(other, key) : !lt(key, other)
            if comes_first
                low = m + 1
            else
                high = m
            end
        end
        to[i+low-middle, column] = x
    end
end

struct Reversed{F}
    lt::F
end
(order::Reversed)(a, b) = order.lt(b, a)

# x sorted along its first dimension, in place of a copy of it.
function merge_sorted(x::GArray, lt, by)
    n = size(x, 1)
    columns = n == 0 ? 0 : length(x) ÷ n
    from, to = reshape(copy(x), n, columns), similar(x, n, columns)
    width = 1
    while width < n
        merge_runs!(to, from, width, lt, by; elements = (n, columns))
        from, to = to, from
        width *= 2
    end
    unsafe_free!(to)
    reshape(from, size(x))
end

function sorted_by(x::GArray, dims, lt, by, rev::Bool)
    axis, order = Int(sorted_axis(x, dims)), rev ? Reversed(lt) : lt
    axis == 0 && return merge_sorted(x, order, by)
    first = (axis + 1, (d for d in 1:ndims(x) if d != axis + 1)...)
    permutedims(merge_sorted(permutedims(x, first), order, by), invperm(first))
end
sorted_places_by(x::GVector, lt, by, rev::Bool) =
    last.(sorted_by(tuple.(x, 1:length(x)), nothing, lt, by ∘ first, rev))
