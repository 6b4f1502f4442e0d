//! What kernels written in Rust cannot have: each line with a mark has an error that says so.
use gpuarr::thread;

#[gpuarr::kernel]
fn strings(x: &mut [f32]) {
    let name = "x"; //~ a string: kernels have numbers only
    let none: [f32; 0] = []; //~ []: an array without elements
    let letter = 'x'; //~ a char: kernels have numbers only
    x[0] = 1.0;
}

#[gpuarr::kernel]
fn macros(x: &mut [f32]) {
    println!("{}", x[0]);
    println!("{:?} {}", x[0], x[1]); //~ a format of `{}` alone, with a value behind for each
    println!("{} {}", x[0]); //~ a format of `{}` alone, with a value behind for each
    dbg!(x[0]); //~ dbg!: kernels call print!, println!, assert!, assert_eq!, assert_ne!, panic!
    let list = vec![1, 2]; //~ vec!: kernels call print!, println!, assert!, assert_eq!
    assert!(); //~ assert!: kernels call print!, println!, assert!, assert_eq!
    matches!(x[0]); //~ matches!: with a value and a pattern
}

#[gpuarr::kernel]
fn closures(x: &mut [f32]) {
    let f = |v: f32| v + 1.0; //~ a closure: kernels have none; write a #[gpuarr::device] fn
    x[0] = (f)(1.0); //~ a call of a value: kernels call functions by their names
}

#[gpuarr::kernel]
fn iterators(x: &mut [f32]) {
    for v in x.iter_mut() { //~ `for` over x.iter_mut(): kernels have ranges of integers only: `for
        *v = 1.0;
    }
    let sum = x.iter(); //~ method `iter`: kernels have no iterators; use `for` over a range
    for i in 0.. { //~ a range without an end: give it both ends
        break;
    }
    for i in (0..9).step_by(2).rev() {} //~ rev() of a range with steps: use a `while` loop
    for i in (0..9).rev().step_by(2) {} //~ step_by() behind rev() or another: use a `while` loop
    let r = 0..4; //~ a range that no `for` runs through: kernels have no iterators
}

#[gpuarr::kernel]
fn options(x: &mut [i32]) {
    let a = x[0].checked_add(1); //~ method `checked_add`: kernels have no Option and no Result
    if let Some(v) = a {} //~ `let` as a condition: kernels have no Option; match integers instead
    while let Some(v) = a {} //~ `let` as a condition: kernels have no Option; match integers
    let v = a?; //~ `?`: kernels have no Result
}

#[gpuarr::kernel]
fn slices(x: &mut [f32]) {
    let part = &x[1..3]; //~ a part of a slice: kernels have whole ones only; pass the whole and
    x.to_vec(); //~ method `to_vec`: kernels cannot allocate
    x[0].frobnicate(); //~ method `frobnicate`: kernels have those of numbers and arrays; make it a
    let y: u64 = x[0].into(); //~ method `into`: say which type: `u64::from(x)`, or `as`
}

#[gpuarr::kernel]
fn raw(x: &mut [f32]) {
    unsafe { x[0] = 1.0 }; //~ `unsafe`: kernels have slices and no raw pointers
    fn inner() {} //~ an item in a kernel: put it outside, a function as #[gpuarr::device] fn
    let later; //~ a variable without type or value: give it one of them
    later = 1;
    'out: { //~ a block with a label: use `loop` with `break`
        break 'out;
    }
    x[0] = (|| 1.0)(); //~ a call of a value: kernels call functions by their names
}

#[gpuarr::kernel]
fn shared_with_value(x: &mut [f32]) {
    #[shared]
    let tile = [0.0; 4]; //~ shared memory is one variable with its type and no value
    x[0] = 1.0;
}

#[gpuarr::kernel]
fn patterns(x: &mut [i32]) {
    match x[0] {
        ref v => {} //~ `ref`: write `&` before the value instead
    }
    match (x[0], x[1]) {
        (0, v) | (v, 0) => {} //~ a name in one of several patterns: write an arm for each
        _ => {}
    }
    let (a, ..) = (1, 2, 3); //~ `..` among the items of a pattern: write `_` for each that is not
    let &b = &x[0]; //~ this pattern: kernels match integers, bools, tuples of them
    match x[0] as f32 {
        -1.5 => {} //~ a float as a pattern: kernels match integers; use `if`
        2.5 => {} //~ a float as a pattern: kernels match integers; use `if`
        _ => {}
    }
}

#[gpuarr::kernel]
fn conditions(x: &mut [i32]) {
    #[cfg(test)] //~ #[cfg] in a kernel: write `if cfg!(...)`, or two functions with #[cfg]
    let a = 1;
    match x[0] {
        #[cfg(test)] //~ #[cfg] in a kernel
        1 => {}
        _ => {}
    }
}

#[gpuarr::kernel]
fn changing(mut x: &[i32], y: &[i32]) { //~ `mut` of a reference: in kernels it stays what it is
    let mut r = &x[0]; //~ `mut` of a reference: in kernels it stays what it is; use an index
    r = &x[1];
}

#[gpuarr::kernel]
fn places(x: &mut [i32]) {
    let (mut a, mut b) = (x[0], x[1]);
    [a, b] = [b, a]; //~ to take a value apart here: kernels assign to tuples of places
    ((a, b), x[0]) = ((b, a), 1); //~ to take a value apart here: kernels assign to tuples
    let (p, q) = (&mut a, &mut b);
    std::mem::swap(p, q); //~ swap of references: write `(*a, *b) = (*b, *a)`
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Point {
    x: f32,
}

impl Point {
    fn new(x: f32) -> Point {
        Point { x }
    }
}

#[gpuarr::kernel]
fn constructed(x: &mut [f32]) {
    let p = Point::new(1.0); //~ Point::new: kernels have no functions of your own types; make it a
    {
        const ONE: f32 = 1.0; //~ an item in a kernel: put it outside
    }
}

#[gpuarr::kernel]
fn newer(x: &mut [f32]) {
    x[0] = 1.0;
    let y = x[0] x[1]; //~ expected one of
}

#[gpuarr::kernel]
fn returns(x: &[f32]) -> f32 { //~ a kernel returns nothing: write results to a `&mut [T]`
    x[0]
}

#[gpuarr::kernel]
fn reference(x: &f32) {} //~ &f32: kernels take slices, `&[T]` and `&mut [T]`, and values

#[gpuarr::kernel]
fn nested(x: &[[f32; 3]]) {} //~ a slice of [f32;3]: of numbers and structs only

#[gpuarr::kernel]
fn taken_apart((a, b): (f32, f32), x: &mut [f32]) {} //~ a parameter has a name; take it apart by

#[gpuarr::kernel]
fn lifetimes<'a>(x: &'a [f32]) {} //~ kernels need no lifetimes: leave them out

#[gpuarr::kernel]
fn implied(x: impl Copy) {} //~ `impl` as a type: name it, as `fn f<T: Element>(x: T)`

#[gpuarr::kernel]
unsafe fn not_safe(x: &[f32]) {} //~ `unsafe`: launching is; leave it out here

#[gpuarr::kernel]
async fn later(x: &[f32]) {} //~ `async`: kernels have none

#[gpuarr::kernel]
extern "C" fn foreign(x: &[f32]) {} //~ `extern`: a kernel gets its own calling convention

#[gpuarr::kernel(fast)] //~ `fast`: only `checked` may stand here
fn attributed(x: &[f32]) {}

#[gpuarr::kernel]
struct Nothing; //~ a function: expected `fn`

#[gpuarr::device]
fn recursive(n: u32) -> u32 {
    if n == 0 {
        0
    } else {
        recursive(n - 1) //~ recursive calls itself: kernels have no recursion; use a loop
    }
}

#[gpuarr::device]
fn inner_reference(x: &[f32]) -> &f32 { //~ device functions return values, no references
    &x[0]
}

struct Own;
impl Own {
    #[gpuarr::device]
    fn method(&self) -> f32 { //~ `self`: kernels are no methods
        1.0
    }
}

#[gpuarr::kernel]
fn traits(x: &mut [f32]) {
    x[0] = <f32 as Default>::default(); //~ <f32asDefault>::default: kernels have no methods of
    x[0] = f32::total(1.0); //~ method `total`: kernels have those of numbers and arrays
}

#[derive(Clone, Copy, gpuarr::Device)]
struct Loose { //~ a struct that goes to a device has the layout of C: write #[repr(C)]
    x: f32,
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
enum Kind { //~ an enum: kernels have structs; use an integer and `match`
    A,
    B,
}

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Empty {} //~ a struct without fields: C++ has none of size 0

#[derive(Clone, Copy, gpuarr::Device)]
#[repr(C)]
struct Borrowed<'a> { //~ a struct with references cannot go to a device
    x: &'a f32,
}

fn closures_of_macros() {
    let a = gpuarr::elementwise!(|x| x + 1.0); //~ `x` without a type: write `x: f32`
    let b = gpuarr::elementwise!(|x: f32| x + 1.0); //~ say what it returns: `|x: f32| -> f32 { ...
    let c = gpuarr::elementwise!(|x: &f32| -> f32 { *x }); //~ &f32: elements come by value
    let d = gpuarr::reduction! { map: |x: f32| x }; //~ a reduction needs `map: |x: f32| ...` and
    let e = gpuarr::reduction! { map: |x: f32| x, fold: |a, b| a + b }; //~ a reduction has
    let f = gpuarr::elementwise!(|x: f32| -> f32 { format!("{}", x) }); //~ format!: kernels call
}

fn main() {}
