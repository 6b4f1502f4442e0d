//! Profiling: benchmarks, a report of all kernels, named ranges.
use std::ffi::c_void;
use std::ptr;

use gpuarr_sys as sys;

use crate::callback::Kept;
use crate::device::Device;
use crate::error::{c_text, check, number, object, string, Result};
use crate::handle::{handle, shared_handle};

/// How a report is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Report {
    /// For people.
    Text,
    /// For programs, with all samples of a benchmark.
    Json,
}

impl Report {
    fn code(self) -> i32 {
        match self {
            Report::Text => sys::GPUARR_REPORT_TEXT,
            Report::Json => sys::GPUARR_REPORT_JSON,
        }
    }
}

/// Begins to count compilations and launches of kernels, and to time the launches.
///
/// # Errors
/// None that is known.
pub fn start() -> Result<()> {
    check(unsafe { sys::gpuarr_profile_start() })
}

/// Stops counting.
///
/// # Errors
/// None that is known.
pub fn stop() -> Result<()> {
    check(unsafe { sys::gpuarr_profile_stop() })
}

/// Resets all counts.
///
/// # Errors
/// None that is known.
pub fn reset() -> Result<()> {
    check(unsafe { sys::gpuarr_profile_reset() })
}

/// What was counted: for each kernel its compilations, hits in the cache, launches, their time on
/// the device, and the bytes that they had to read and write. Waits for the launches.
///
/// # Errors
/// None that is known.
pub fn report(format: Report) -> Result<String> {
    string(|out| unsafe { sys::gpuarr_profile_report(out, format.code()) })
}

/// A named range of this thread's time, which profilers such as Nsight Systems show, until it is
/// dropped. Without a profiler nothing happens.
#[derive(Debug)]
#[must_use = "the range ends when this is dropped"]
pub struct Range {
    on_this_thread: std::marker::PhantomData<*const ()>,
}

impl Range {
    /// Begins a range.
    ///
    /// # Errors
    /// `ARGUMENT` for a NUL in the name.
    pub fn new(name: &str) -> Result<Range> {
        let name = c_text("name", name)?;
        check(unsafe { sys::gpuarr_profile_push(name.as_ptr()) })?;
        Ok(Range { on_this_thread: std::marker::PhantomData })
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        unsafe { sys::gpuarr_profile_pop() };
    }
}

handle!(
    /// The times of a function's repeated calls: until it returned, by the CPU's clock, and until
    /// its work was done on the device.
    ///
    /// ```
    /// use gpuarr::profile::{Benchmark, Clock};
    /// use gpuarr::{args, Array, Device, Elementwise};
    /// # fn main() -> gpuarr::Result<()> {
    /// let device = Device::default()?;
    /// let double = Elementwise::new("T x", "T x", "x += x;")?;
    /// let x = device.ones::<f32>(1000)?;
    /// let times = Benchmark::new("double", device)
    ///     .repeats(20)
    ///     .run(|| double.call_into(args![&x], &mut x.clone()))?;
    /// assert_eq!(times.samples(Clock::Cpu)?.len(), 20);
    /// assert!(times.median(Clock::Device)? > 0.0);
    /// # Ok(())
    /// # }
    /// ```
    Times,
    gpuarr_benchmark,
    gpuarr_benchmark_release
);
shared_handle!(Times, gpuarr_benchmark_retain);

// Every function of a gpuarr_benchmark is "@threadsafe", and its times do not change.
unsafe impl Send for Times {}
unsafe impl Sync for Times {}

/// Whose time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// Until the function had returned.
    Cpu,
    /// From the work before it in the stream until its own was done.
    Device,
}

impl Clock {
    fn code(self) -> i32 {
        match self {
            Clock::Cpu => sys::GPUARR_CLOCK_CPU,
            Clock::Device => sys::GPUARR_CLOCK_DEVICE,
        }
    }
}

macro_rules! statistics {
    ($($name:ident = $code:ident, $meaning:literal;)*) => {
        impl Times {
            $(#[doc = $meaning]
            ///
            /// # Errors
            /// None that is known.
            pub fn $name(&self, clock: Clock) -> Result<f64> {
                number(|out| unsafe {
                    sys::gpuarr_benchmark_statistic(out, self.as_ptr(), clock.code(), sys::$code)
                })
            })*
        }
    };
}

statistics! {
    mean = GPUARR_SAMPLES_MEAN, "The mean of the samples, in microseconds.";
    deviation = GPUARR_SAMPLES_DEVIATION, "Their standard deviation, with N in the denominator.";
    min = GPUARR_SAMPLES_MIN, "The least of them, in microseconds.";
    median = GPUARR_SAMPLES_MEDIAN, "Their median, in microseconds.";
    max = GPUARR_SAMPLES_MAX, "The greatest of them, in microseconds.";
}

impl Times {
    /// The samples in the order of the calls, in microseconds.
    ///
    /// # Errors
    /// None that is known.
    pub fn samples(&self, clock: Clock) -> Result<Vec<f64>> {
        let (benchmark, clock) = (self.as_ptr(), clock.code());
        let count = number(|out| unsafe {
            sys::gpuarr_benchmark_samples(out, ptr::null_mut(), 0, benchmark, clock)
        })?;
        let mut samples = vec![0.0; count as usize];
        number(|out| unsafe {
            sys::gpuarr_benchmark_samples(out, samples.as_mut_ptr(), count, benchmark, clock)
        })?;
        Ok(samples)
    }

    /// All of it; as text the one line that CuPy's profiler prints.
    ///
    /// # Errors
    /// None that is known.
    pub fn report(&self, format: Report) -> Result<String> {
        string(|out| unsafe { sys::gpuarr_benchmark_report(out, self.as_ptr(), format.code()) })
    }
}

/// A benchmark in the making.
#[derive(Clone, Debug)]
#[must_use = "nothing runs yet"]
pub struct Benchmark {
    name: String,
    device: Device,
    warmups: i64,
    repeats: i64,
    seconds: f64,
}

/// A benchmark's function, and what it came to beside its status.
struct Run<'a> {
    function: &'a mut dyn FnMut() -> Result<()>,
    kept: Kept,
}

unsafe extern "C" fn run_once(user: *mut c_void) -> i32 {
    let run = &mut *user.cast::<Run<'_>>();
    run.kept.call(&mut run.function)
}

impl Benchmark {
    /// A benchmark of work in the current stream of a device: 10 calls beforehand, 100 that are
    /// timed, none begun after 2 seconds.
    pub fn new(name: &str, device: Device) -> Benchmark {
        Benchmark { name: name.into(), device, warmups: 10, repeats: 100, seconds: 2.0 }
    }

    /// Sets how many calls come first, and are not timed.
    pub fn warmups(self, warmups: i64) -> Benchmark {
        Benchmark { warmups, ..self }
    }

    /// Sets how many calls are timed, 1 or more.
    pub fn repeats(self, repeats: i64) -> Benchmark {
        Benchmark { repeats, ..self }
    }

    /// Sets after how many seconds no call is begun any more; `f64::INFINITY` for no such limit.
    pub fn seconds(self, seconds: f64) -> Benchmark {
        Benchmark { seconds, ..self }
    }

    /// Calls a function repeatedly on this thread, and times each call twice. An error of it
    /// ends the benchmark, and a panic goes on after the C library's frames are left.
    ///
    /// # Errors
    /// What the function returns; `ARGUMENT` for numbers that cannot be; `DRIVER`.
    pub fn run(&self, mut function: impl FnMut() -> Result<()>) -> Result<Times> {
        let name = c_text("name", &self.name)?;
        let mut run = Run { function: &mut function, kept: Kept::default() };
        let user = (&mut run as *mut Run<'_>).cast::<c_void>();
        let times = object(|out| unsafe {
            sys::gpuarr_benchmark_run(
                out,
                name.as_ptr(),
                Some(run_once),
                user,
                self.warmups,
                self.repeats,
                self.seconds,
                self.device.as_ptr(),
                ptr::null_mut(),
            )
        });
        run.kept.result(times.map(Times::own))
    }
}
