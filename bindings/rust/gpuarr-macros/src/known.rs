//! What kernels may call beside device functions: methods of numbers, and functions of the crate.

/// Methods that become a call of the prelude's function of the same name, with so many arguments
/// beside the value.
const METHODS: &[(usize, &str)] = &[
    (0, "abs acos acosh asin asinh atan atanh cbrt ceil cos cosh exp exp2 exp_m1 floor fract"),
    (0, "is_finite is_infinite is_nan is_normal is_sign_negative is_sign_positive ln ln_1p log10"),
    (0, "log2 recip round signum sin sin_cos sinh sqrt tan tanh to_bits"),
    (0, "to_degrees to_radians trunc"),
    (0, "count_ones count_zeros is_negative is_positive is_power_of_two leading_ones"),
    (0, "leading_zeros next_power_of_two reverse_bits swap_bytes trailing_ones trailing_zeros"),
    (0, "arg conj norm norm_sqr"), // of complex numbers
    (0, "unsigned_abs wrapping_abs wrapping_neg is_empty len clone to_f32 to_f64"),
    (1, "abs_diff atan2 copysign div_euclid hypot log max min pow powf powi rem_euclid"),
    (1, "rotate_left rotate_right saturating_add saturating_mul saturating_sub wrapping_add"),
    (1, "wrapping_div wrapping_mul wrapping_pow wrapping_rem wrapping_shl wrapping_shr"),
    (1, "wrapping_sub"),
    (2, "clamp mul_add swap"),
];

/// How many arguments a method has.
pub fn method(name: &str) -> Option<usize> {
    let has = |names: &str| names.split(' ').any(|one| one == name);
    METHODS.iter().find(|(_, names)| has(names)).map(|(count, _)| *count)
}

/// Functions of types of numbers that are no methods.
pub fn associated(name: &str) -> Option<usize> {
    match name {
        "default" => Some(0),
        "new" => Some(2), // of a complex number
        "from" | "from_bits" | "from_f32" | "from_f64" | "of" => Some(1),
        _ => method(name).map(|count| count + 1),
    }
}

pub fn is_number(name: &str) -> bool {
    let names = "f16 bf16 f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize bool";
    names.split(' ').any(|one| one == name)
}

/// A function of the crate: its path behind `gpuarr`, its text with `$0` ... for the arguments, and
/// whether threads that call it need one another.
pub struct Known {
    pub path: &'static str,
    pub text: &'static str,
    pub is_joint: bool,
}

const fn alone(path: &'static str, text: &'static str) -> Known {
    Known { path, text, is_joint: false }
}

const fn joint(path: &'static str, text: &'static str) -> Known {
    Known { path, text, is_joint: true }
}

const LANE: &str =
    "((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % warpSize";

// Barriers and warps stand in the text itself: the CPU device looks for them there.
const KNOWN: &[Known] = &[
    alone("thread::index", "(unsigned long long)blockIdx.x * blockDim.x + threadIdx.x"),
    alone("thread::index_y", "(unsigned long long)blockIdx.y * blockDim.y + threadIdx.y"),
    alone("thread::index_z", "(unsigned long long)blockIdx.z * blockDim.z + threadIdx.z"),
    alone("thread::count", "(unsigned long long)gridDim.x * blockDim.x"),
    alone("thread::count_y", "(unsigned long long)gridDim.y * blockDim.y"),
    alone("thread::count_z", "(unsigned long long)gridDim.z * blockDim.z"),
    alone("thread::x", "(unsigned long long)threadIdx.x"),
    alone("thread::y", "(unsigned long long)threadIdx.y"),
    alone("thread::z", "(unsigned long long)threadIdx.z"),
    alone("block::x", "(unsigned long long)blockIdx.x"),
    alone("block::y", "(unsigned long long)blockIdx.y"),
    alone("block::z", "(unsigned long long)blockIdx.z"),
    alone("block::size_x", "(unsigned long long)blockDim.x"),
    alone("block::size_y", "(unsigned long long)blockDim.y"),
    alone("block::size_z", "(unsigned long long)blockDim.z"),
    alone("grid::size_x", "(unsigned long long)gridDim.x"),
    alone("grid::size_y", "(unsigned long long)gridDim.y"),
    alone("grid::size_z", "(unsigned long long)gridDim.z"),
    joint("sync_threads", "__syncthreads()"),
    joint("thread::sync_threads", "__syncthreads()"),
    joint("warp::sync", "__syncwarp()"),
    joint("warp::lane", LANE),
    joint("warp::shuffle", "__shfl_sync(0xffffffffu, $0, (int)$1)"),
    joint("warp::shuffle_up", "__shfl_up_sync(0xffffffffu, $0, $1)"),
    joint("warp::shuffle_down", "__shfl_down_sync(0xffffffffu, $0, $1)"),
    joint("warp::shuffle_xor", "__shfl_xor_sync(0xffffffffu, $0, (int)$1)"),
    joint("warp::any", "(__any_sync(0xffffffffu, $0) != 0)"),
    joint("warp::all", "(__all_sync(0xffffffffu, $0) != 0)"),
    joint("warp::ballot", "__ballot_sync(0xffffffffu, $0)"),
    alone("atomic::add", "rs::atomic_add($0, $1)"),
    alone("atomic::sub", "rs::atomic_sub($0, $1)"),
    alone("atomic::min", "rs::atomic_min($0, $1)"),
    alone("atomic::max", "rs::atomic_max($0, $1)"),
    alone("atomic::and", "rs::atomic_and($0, $1)"),
    alone("atomic::or", "rs::atomic_or($0, $1)"),
    alone("atomic::xor", "rs::atomic_xor($0, $1)"),
    alone("atomic::exchange", "rs::atomic_exchange($0, $1)"),
    alone("atomic::compare_exchange", "rs::atomic_compare_exchange($0, $1, $2)"),
];

/// The function that a path names: its last words, `thread::index` of `gpuarr::thread::index`.
pub fn function(words: &[String]) -> Option<&'static Known> {
    let words = match words {
        [first, rest @ ..] if first == "gpuarr" && !rest.is_empty() => rest,
        _ => words,
    };
    let path = words.join("::");
    KNOWN.iter().find(|known| known.path == path)
}
