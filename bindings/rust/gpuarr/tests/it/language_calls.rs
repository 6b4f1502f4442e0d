//! What calls in kernels do and when: none is lost, made twice or made too early.
#![allow(clippy::all)] // it says things in unusual ways
use gpuarr::{atomic, sync_threads, thread};

use crate::language::PER_THREAD;
use crate::support::{device, keep_text};

crate::tests! {
    calls_through_names tuples_of_calls choices_that_act places_and_calls waiting_functions
}

#[gpuarr::device]
fn raise(place: &mut i64, by: i64) {
    *place += by;
}

#[gpuarr::device]
fn twice(place: &mut i64) {
    raise(place, 3);
    raise(place, 4);
}

#[gpuarr::device]
fn counted(counts: &mut [i64], k: usize, sum: &mut i64) {
    if k < counts.len() {
        counts[k] += 1;
        *sum += counts[k];
    }
}

#[gpuarr::device]
fn counted_twice(counts: &mut [i64], k: usize, sum: &mut i64) -> bool {
    counted(counts, k, sum);
    counted(counts, k + 1, sum);
    *sum % 2 == 0
}

#[gpuarr::device]
fn next(state: &mut i64) -> i64 {
    *state = *state * 5 % 1013 + 1;
    *state
}

#[gpuarr::device]
fn mixed(place: &mut i64, by: i64, list: &[i64; 2], more: i64) -> i64 {
    *place += by;
    *place + list[0] + more
}

#[gpuarr::device]
fn by_references(a: &mut i64, b: &mut i64, list: &[i64; 2]) -> i64 {
    mixed(a, *b, list, next(b)) + mixed(a, next(b), list, *b)
}

/// What a function is given by the name of a reference or of a slice, it changes.
#[gpuarr::kernel]
fn given_on(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (at, mut state) = (i * PER_THREAD, x[i] as i64 % 1000);
        twice(&mut state);
        out[at] = state;
        let place = &mut state;
        twice(place);
        out[at + 1] = state;
        let (mut counts, mut sum) = ([0; 4], 0);
        let even = counted_twice(&mut counts, 1, &mut sum)
            && counted_twice(&mut counts, 3, &mut sum)
            || counted_twice(&mut counts, (x[i] & 3) as usize, &mut sum);
        out[at + 2] = sum * 10 + even as i64;
        out[at + 3] = counts[1] + counts[2] * 10 + counts[3] * 100;
        out[at + 4] = by_references(&mut state, &mut sum, &[4, 5]) * 3 + state - sum;
    }
}

fn calls_through_names() {
    same!(given_on);
}

#[gpuarr::device]
fn next_two(state: &mut i64) -> (i64, i64) {
    (next(state), *state + 1)
}

#[gpuarr::kernel]
fn taken_apart(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (at, mut state) = (i * PER_THREAD, x[i] as i64 % 100);
        let mut a: i64;
        let mut b: i64;
        (a, b) = next_two(&mut state);
        out[at] = a * 10000 + b;
        out[at + 1] = state;
        (_, a) = next_two(&mut state);
        _ = next(&mut state);
        out[at + 2] = a * 10000 + state;
        std::mem::swap(&mut a, &mut b);
        out[at + 3] = a - 3 * b;
        let mut list = [a, b];
        std::mem::swap(&mut list[1], &mut state);
        out[at + 4] = list[1] - 3 * state;
    }
}

fn tuples_of_calls() {
    same!(taken_apart);
}

#[gpuarr::kernel]
fn chosen_calls(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (at, mut state) = (i * PER_THREAD, x[i] as i64 % 100);
        out[at] = (if state > 3 { next(&mut state) } else { 0 }) + state;
        out[at + 1] = state - (if state > 3 { next(&mut state) } else { 0 });
        out[at + 2] = state + (if next(&mut state) > 300 { 1 } else { 0 });
        let list = [state, if state > 9 { 5 } else { next(&mut state) }, state];
        out[at + 3] = list[0] + 7 * list[1] + 13 * list[2];
    }
}

fn choices_that_act() {
    same!(chosen_calls);
}

/// An array stays where it is while its index is computed.
#[gpuarr::kernel]
fn indexed(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (at, mut state) = (i * PER_THREAD, x[i] as i64 % 100);
        let mut list = [1, 2];
        list[(next(&mut state) & 1) as usize] -= next(&mut state);
        list[(next(&mut state) & 1) as usize] = 5;
        out[at] = list[0] * 10000 + list[1];
        let (mut table, mut row) = ([[0; 2]; 3], 1);
        table[row][{
            row = 2;
            (next(&mut state) & 1) as usize
        }] = 7;
        table[row][0] += table[1][(next(&mut state) & 1) as usize];
        out[at + 1] = table[1][0] + 10 * table[1][1] + 100 * table[2][0];
    }
}

fn places_and_calls() {
    same!(indexed);
}

#[gpuarr::device]
fn wait() {
    sync_threads();
}

#[gpuarr::device]
fn fold(tile: &mut [[f32; 8]; 8]) {
    let (tx, ty) = (thread::x(), thread::y());
    let mut by = 4;
    while by > 0 {
        if tx < by {
            tile[ty][tx] += tile[ty][tx + by];
        }
        wait();
        by /= 2;
    }
}

#[gpuarr::kernel]
fn folded(x: &[f32], y: &mut [f32]) {
    #[shared]
    let tile: [[f32; 8]; 8];
    #[shared]
    let total: f32;
    let (tx, ty) = (thread::x(), thread::y());
    tile[ty][tx] = x[ty * 8 + tx];
    if tx + ty == 0 {
        total = 0.0;
    }
    wait();
    fold(&mut tile);
    if tx == 0 {
        atomic::add(&mut total, tile[ty][0]);
    }
    wait();
    if tx + ty == 0 {
        y[0] = total;
    }
}

/// A function of no arguments and no value is called for what it does.
fn waiting_functions() {
    keep_text("folded", folded::source());
    let x = device().arange::<f32>(0, 64, 1).unwrap();
    let mut y = device().zeros::<f32>(1).unwrap();
    unsafe { folded(&x, &mut y).grid(1).block([8, 8]).launch() }.unwrap();
    assert_eq!(y.item().unwrap(), 2016.0);
}
