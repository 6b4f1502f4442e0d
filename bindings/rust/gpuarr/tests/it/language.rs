//! What Rust's statements mean in kernels: each of these gives on a device what it gives on the
//! host, where rustc compiled it.
#![allow(clippy::all)] // it says things in unusual ways
use gpuarr::thread;

crate::tests! {
    control_flow values_of_blocks matches loops_over_ranges small_integers order_of_evaluation
}

pub const PER_THREAD: usize = 8;

/// Runs a kernel on a device and on the host, for the same numbers.
#[macro_export]
macro_rules! same {
    ($kernel:ident) => {{
        $crate::support::keep_text(stringify!($kernel), $kernel::source());
        let x: Vec<i32> = (-20..40).chain([i32::MAX, i32::MIN, 1 << 20]).collect();
        let mut host = vec![0; x.len() * $crate::language::PER_THREAD];
        $kernel::on_host(x.len(), &x, &mut host);
        let mut out = $crate::support::device().zeros::<i64>(host.len()).unwrap();
        let array = $crate::support::device().array(&x, x.len()).unwrap();
        unsafe { $kernel(&array, &mut out).elements(x.len()).launch() }.unwrap();
        for (k, (got, wanted)) in out.to_vec().unwrap().iter().zip(&host).enumerate() {
            let (at, of) = (k % $crate::language::PER_THREAD, x[k / $crate::language::PER_THREAD]);
            let text = $kernel::source().unwrap();
            assert_eq!(got, wanted, "result {} of {}\n{}", at, of, text);
        }
    }};
}

#[gpuarr::kernel]
fn flow(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i >= x.len() {
        return;
    }
    let (n, at) = (x[i], i * PER_THREAD);
    let mut found = 0;
    'outer: for a in 0..20 {
        let mut b = 0;
        while b < 20 {
            b += 1;
            if (a + b) % 7 == 3 {
                continue 'outer;
            }
            if a * b > n {
                found = a * 100 + b;
                break 'outer;
            }
            if b == 15 {
                continue;
            }
            let after = a + 1;
            found += after;
        }
    }
    out[at] = found as i64;
    let mut steps = 0;
    let mut rest = if n < 1 { 1 } else { n % 1000 + 1 };
    let end = loop {
        if rest == 1 {
            break steps * 2;
        } else if steps > 50 {
            break -1;
        }
        rest = if rest % 2 == 0 { rest / 2 } else { 3 * rest + 1 };
        steps += 1;
    };
    out[at + 1] = end as i64;
    // A condition that needs statements is computed anew each time.
    let mut k = 0;
    while {
        let next = k * k;
        next < n && next < 500
    } {
        k += 1;
    }
    out[at + 2] = k as i64;
    let chosen = 'find: loop {
        for c in 0..10 {
            if c * c * c > n {
                break 'find c;
            }
        }
        break 99;
    };
    out[at + 3] = chosen as i64;
    if n > 5 && {
        let half = n / 2;
        half % 2 == 0
    } || n == -7
    {
        out[at + 4] = 1;
    }
    let mut count = 0i64;
    loop {
        count += 1;
        if count > 5 {
            break;
        }
        match n {
            0..=9 => continue,
            _ if count == 3 => break,
            _ => {}
        }
    }
    out[at + 5] = count;
}

fn control_flow() {
    same!(flow);
}

#[gpuarr::kernel]
fn blocks(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let at = i * PER_THREAD;
        let n = x[i];
        let n = n / 2; // shadows
        let value = {
            let a = n / 3;
            let b = {
                let a = a + 1;
                a / 2
            };
            a - b
        };
        out[at] = value as i64;
        let sign = if n > 0 {
            1
        } else if n < 0 {
            -1
        } else {
            0
        };
        let long = if n > 10 {
            let square = (n / 100000) * (n / 100000);
            square + 1
        } else if n > 0 {
            let third = n / 3;
            third
        } else {
            7
        };
        out[at + 1] = (sign * long) as i64;
        out[at + 2] = (if n % 2 == 0 { n / 5 } else { n / 7 }) as i64 * 2;
        let early = if n == 3 {
            out[at + 3] = 33;
            return;
        } else {
            n / 4
        };
        out[at + 3] = early as i64;
        let sum = match n % 3 {
            0 => 5,
            1 => {
                let t = n / 9;
                t + 1
            }
            _ => n / 11,
        } + 1;
        out[at + 4] = sum as i64;
        let (small, large) = if n < 4 { (n / 2, 4) } else { (4, n / 2) };
        out[at + 5] = small as i64 - large as i64;
        let _ = n;
        let _unused = n;
    }
}

fn values_of_blocks() {
    same!(blocks);
}

const SEVEN: i32 = 7;

#[gpuarr::kernel]
fn choices(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i], i * PER_THREAD);
        out[at] = match n {
            0 => 1,
            1 | 2 | 4 => 2,
            SEVEN => 70,
            -5..=-1 => 3,
            8..=12 | 20..=22 => 4,
            v if v > 30 => v as i64,
            v @ 13..=19 => v as i64 * 2,
            i32::MIN => 5,
            _ => 6,
        };
        match n {
            i32::MAX => out[at + 1] = 1,
            mut v if v % 2 == 0 => {
                v /= 2;
                out[at + 1] = v as i64;
            }
            _ => {}
        }
        out[at + 2] = match (n % 2 == 0, n > 5) {
            (true, true) => 1,
            (true, false) => 2,
            (_, big) if big => 3,
            _ => 4,
        };
        let byte = (n & 0xff) as u8;
        out[at + 3] = match byte {
            0 => 0,
            b'a'..=b'z' => 1,
            200..=255 => 2,
            _ => 3,
        };
        let pair = (n % 4, n % 3);
        out[at + 4] = match pair {
            (0, 0) => 1,
            (0, y) => y as i64 * 10,
            (x, 0) => x as i64 * 100,
            (x, y) => (x + y) as i64,
        };
        match n > 0 {
            true => out[at + 5] = 1,
            false => out[at + 5] = 2,
        }
        out[at + 6] = match n {
            _ => 9,
        };
    }
}

fn matches() {
    same!(choices);
}

#[gpuarr::kernel]
fn ranges(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let at = i * PER_THREAD;
        let n = x[i] % 30;
        let mut sum = 0i64;
        for k in 0..n {
            sum += k as i64;
        }
        out[at] = sum;
        for k in (-3..=n).rev() {
            sum = sum * 3 % 1000 + k as i64;
        }
        out[at + 1] = sum;
        for k in (0..n).rev() {
            sum = sum * 3 % 1000 + k as i64;
        }
        for k in (n..40).step_by(7) {
            sum = sum * 3 % 1000 + k as i64;
        }
        out[at + 2] = sum;
        // To the ends of types.
        for k in 250u8..=255 {
            sum += k as i64;
        }
        for k in (-128i8..=-126).rev() {
            sum = sum * 5 % 1000 + k as i64;
        }
        for k in (0u8..=200).step_by(100) {
            sum = sum * 5 % 1000 + k as i64;
        }
        for k in (0..250u8).step_by(100) {
            sum = sum * 5 % 1000 + k as i64;
        }
        for k in i32::MAX - 2..=i32::MAX {
            sum = sum * 5 % 1000 + (k % 10) as i64;
        }
        out[at + 3] = sum;
        // Ends are looked at once, and a counter may change.
        let mut end = 5;
        for mut k in 0..end {
            end += 1;
            k *= 2;
            sum += k as i64 + end as i64;
        }
        for _ in 0..3 {
            sum += 1;
        }
        for k in 3..3 {
            sum += k;
        }
        for k in 5..=2 {
            sum += k;
        }
        out[at + 4] = sum;
        for k in 0..4usize {
            out[at + 4 + k] += k as i64;
        }
    }
}

fn loops_over_ranges() {
    same!(ranges);
}

#[gpuarr::kernel]
fn small(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let (n, at) = (x[i], i * PER_THREAD);
        let (a, b) = (n as u8, (n >> 3) as u8);
        let (c, d) = (n as i16, (n >> 5) as i16);
        out[at] = a.wrapping_add(b) as i64 + (a ^ b) as i64 + (a & !b) as i64 + (a | b) as i64;
        out[at + 1] = c.wrapping_mul(d) as i64 + (!c) as i64;
        out[at + 2] = (a >> 3) as i64 + (a << 2) as i64 + (c >> 4) as i64;
        out[at + 3] = (a / 3 % 5) as i64 + (c / 7 % 9) as i64 + a.max(b) as i64 + c.min(d) as i64;
        let mut e = a;
        e |= 1;
        e ^= b;
        e &= 0x7f;
        e >>= 1;
        out[at + 4] = e as i64;
        let flags = (n > 3) & (n % 2 == 0) | (n < -3) ^ (n == 0);
        out[at + 5] = flags as i64 + (!flags) as i64 * 2;
        let mut flag = flags;
        flag &= n < 30;
        flag |= n == 33;
        out[at + 6] = flag as i64;
        out[at + 7] = if a > b { a - b } else { b - a } as i64;
    }
}

fn small_integers() {
    same!(small);
}

#[gpuarr::device]
fn next(state: &mut i64) -> i64 {
    *state = *state * 5 % 1013 + 1;
    *state
}

#[gpuarr::kernel]
fn ordered(x: &[i32], out: &mut [i64]) {
    let i = thread::index();
    if i < x.len() {
        let at = i * PER_THREAD;
        let mut state = x[i] as i64 % 1000;
        out[at] = next(&mut state) * 1000 + next(&mut state);
        out[at + 1] = state - next(&mut state);
        let list = [next(&mut state), state, next(&mut state)];
        out[at + 2] = list[0] + 2 * list[1] + 3 * list[2];
        out[at + 3] = state
            + if state > 500 {
                state = 1;
                7
            } else {
                state = 2;
                8
            }
            + state;
        let is_large = state > 1 && next(&mut state) > 10 || next(&mut state) > 11;
        out[at + 4] = is_large as i64 * 10000 + state;
        out[at + next(&mut state) as usize % 2 + 5] += next(&mut state);
        next(&mut state);
        out[at + 7] = state;
    }
}

fn order_of_evaluation() {
    same!(ordered);
}
