//! Teams: several devices, in one process or in many, that work on blocked arrays together.
use std::ffi::{c_void, CStr};
use std::fmt;
use std::mem;
use std::os::raw::c_char;
use std::panic::resume_unwind;
use std::ptr;
use std::time::Duration;

use gpuarr_sys as sys;

use crate::callback::Kept;
use crate::device::Device;
use crate::error::{check, object, string, Result};
use crate::handle::{handle, shared_handle};
use crate::stream::Stream;

handle!(
    /// An ordered list of places, each a device of a process, that have the blocks of blocked
    /// arrays.
    ///
    /// Every process makes the same calls on a team and its arrays, in the same order, each for its
    /// own places. One program serves one process and many: alone, by `gpuarr run -n 4`, by
    /// `mpirun`.
    ///
    /// ```
    /// use gpuarr::{block_args, Blocked, Blocks, Elementwise, Team, ALL};
    /// # fn main() -> gpuarr::Result<()> {
    /// let team = Team::world(None)?;
    /// let x = team.arange::<f64>(&Blocks::new([1000, 300]).chunk([400, 100]), 0, 1)?;
    /// let mut z = x.empty_like()?;
    /// let twice = Elementwise::new("T x", "T z", "z = 2 * x;")?;
    /// twice.map_blocks(block_args![&x], &mut z)?;
    /// assert_eq!(z.max(ALL)?.item()?, 599998.0); // on every place
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// A wrong argument fails alike on every place, and the team goes on. What fails in one process
    /// of many is its error there and `PEER` in all others, from the call that they wait in or a
    /// later one; the team can then only be dropped. Clones are the same team. One thread uses a
    /// team and its arrays, so none of them goes to another one:
    ///
    /// ```compile_fail,E0277
    /// let team = gpuarr::Team::local_of(2).unwrap();
    /// std::thread::spawn(move || drop(team));
    /// ```
    Team,
    gpuarr_team,
    gpuarr_team_release
);
shared_handle!(Team, gpuarr_team_retain);

/// What happens when other places do not answer within the deadline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnTimeout {
    /// All processes are ended, as by `MPI_Abort`; so it is unless set.
    Abort,
    /// The call returns `TIMEOUT`, and the team can only be dropped.
    Return,
}

/// C's pointer of a device, or none.
pub(crate) fn pointer(device: Option<Device>) -> *mut sys::gpuarr_device {
    device.map_or(ptr::null_mut(), |device| device.as_ptr())
}

impl Team {
    /// A team of devices of this process alone: a place for each, of which several may be on one
    /// device.
    ///
    /// # Errors
    /// `ARGUMENT` for no devices, `DRIVER`.
    pub fn local(devices: &[Device]) -> Result<Team> {
        let list: Vec<_> = devices.iter().map(Device::as_ptr).collect();
        let count = i32::try_from(list.len()).unwrap_or(i32::MAX);
        object(|out| unsafe { sys::gpuarr_team_local(out, list.as_ptr(), count) }).map(Team::own)
    }

    /// A team of so many places of this process alone: on as many GPUs, where they are there, else
    /// all on the CPU. 0 is for one place on each GPU, or one on the CPU.
    ///
    /// # Errors
    /// `ARGUMENT` for more than 65536, `DRIVER`.
    pub fn local_of(places: usize) -> Result<Team> {
        let count = i32::try_from(places).unwrap_or(i32::MAX);
        object(|out| unsafe { sys::gpuarr_team_local(out, ptr::null(), count) }).map(Team::own)
    }

    /// A team of all processes that this one was started with, by `gpuarr run` or by a launcher of
    /// MPI; a process that was started alone becomes a team of one. `device` is this process's;
    /// `None` for a GPU that no other process of the machine has, as far as there are as many, or
    /// the CPU. Collective.
    ///
    /// # Errors
    /// `NO_LIBRARY`, `UNSUPPORTED` (an MPI of unknown ABI), `PEER`, `TIMEOUT`, `DRIVER`,
    /// `OUT_OF_MEMORY`.
    pub fn world(device: Option<Device>) -> Result<Team> {
        object(|out| unsafe { sys::gpuarr_team_world(out, pointer(device)) }).map(Team::own)
    }

    /// A team of the processes of an MPI communicator, each with one place. `comm` is whatever type
    /// the program has an `MPI_Comm` as, such as rsmpi's `comm.as_raw()`; its size tells whose
    /// handle it is. Messages go through a duplicate of it. After `MPI_Finalize` the team can only
    /// be dropped. Collective.
    ///
    /// ```no_run
    /// # type MPI_Comm = *mut u8;
    /// # fn program(communicator: MPI_Comm) -> gpuarr::Result<()> {
    /// let team = unsafe { gpuarr::Team::from_mpi(&communicator, None) }?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Safety
    /// `comm` is a live intracommunicator of the MPI that the process has loaded, which is
    /// initialized, and this thread may call it.
    ///
    /// # Errors
    /// As [`Team::world`], and `ARGUMENT` for what is not this MPI's handle.
    pub unsafe fn from_mpi<C>(comm: &C, device: Option<Device>) -> Result<Team> {
        let (address, bytes) = (comm as *const C, mem::size_of::<C>() as i64);
        object(|out| sys::gpuarr_team_from_mpi(out, address.cast(), bytes, pointer(device)))
            .map(Team::own)
    }

    /// As [`Team::from_mpi`], by the communicator's Fortran handle.
    ///
    /// # Safety
    /// As [`Team::from_mpi`].
    ///
    /// # Errors
    /// As [`Team::from_mpi`].
    pub unsafe fn from_mpi_f(comm: i32, device: Option<Device>) -> Result<Team> {
        object(|out| sys::gpuarr_team_from_mpi_f(out, comm, pointer(device))).map(Team::own)
    }

    /// Number of places.
    pub fn size(&self) -> usize {
        unsafe { sys::gpuarr_team_size(self.as_ptr()) as usize }
    }

    /// Number of the first place of this process: its rank, where each process has one place.
    pub fn first(&self) -> usize {
        unsafe { sys::gpuarr_team_first(self.as_ptr()) as usize }
    }

    /// Number of places of this process, which follow each other.
    pub fn local_count(&self) -> usize {
        unsafe { sys::gpuarr_team_local_count(self.as_ptr()) as usize }
    }

    /// Device of a place; `None` for a place of another process.
    pub fn device(&self, place: usize) -> Option<Device> {
        let place = i32::try_from(place).unwrap_or(i32::MAX);
        Device::from_ptr(unsafe { sys::gpuarr_team_device(self.as_ptr(), place) })
    }

    /// The stream in which a place of this process works on its blocks.
    ///
    /// # Errors
    /// `ARGUMENT` for a place of another process.
    pub fn stream(&self, place: usize) -> Result<Stream> {
        let place = i32::try_from(place).unwrap_or(i32::MAX);
        object(|out| unsafe { sys::gpuarr_team_stream(out, self.as_ptr(), place) }).map(Stream::own)
    }

    /// Places, processes, machines, devices, and what messages go by, in words.
    ///
    /// # Errors
    /// None that is known.
    pub fn describe(&self) -> Result<String> {
        string(|out| unsafe { sys::gpuarr_team_describe(out, self.as_ptr()) })
    }

    /// Sets how long each wait for other places lasts, and what happens then; zero is for ever.
    /// Unless set it is `$GPUARR_TIMEOUT` or 300 seconds.
    ///
    /// # Errors
    /// `ARGUMENT` for more than a year.
    pub fn set_timeout(&self, deadline: Duration, then: OnTimeout) -> Result<()> {
        let action = match then {
            OnTimeout::Abort => sys::GPUARR_TIMEOUT_ABORT,
            OnTimeout::Return => sys::GPUARR_TIMEOUT_RETURN,
        };
        let seconds = deadline.as_secs_f64();
        check(unsafe { sys::gpuarr_team_set_timeout(self.as_ptr(), seconds, action) })
    }

    /// Runs `body`, and has `told` called between blocks of what it calls on this team: with the
    /// name of the C function, how many blocks of this process are done, and of how many. That is
    /// at most once in `every`, and at a call's end if it was called before. A panic in it goes on
    /// when the body is done; within it, a second one takes the place of the first, for good.
    ///
    /// ```
    /// use gpuarr::{Blocks, Team};
    /// # fn main() -> gpuarr::Result<()> {
    /// use std::time::Duration;
    ///
    /// let team = Team::local_of(2)?;
    /// let mut blocks = 0;
    /// let x = team.with_progress(
    ///     Duration::from_secs(0),
    ///     |_operation, done, _total| blocks = done,
    ///     || team.full(&Blocks::new(100).chunk(10), 1.5f32),
    /// )??;
    /// assert_eq!((blocks, x.len()), (10, 100));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// `ARGUMENT` for a time of more than a year; `body` does not run then.
    pub fn with_progress<R>(
        &self,
        every: Duration,
        mut told: impl FnMut(&str, usize, usize),
        body: impl FnOnce() -> R,
    ) -> Result<R> {
        let mut run = Telling { told: Some(&mut told), kept: Kept::default() };
        let user = (&mut run as *mut Telling<'_>).cast::<c_void>();
        let seconds = every.as_secs_f64();
        check(unsafe { sys::gpuarr_team_set_progress(self.as_ptr(), Some(tell), user, seconds) })?;
        let untold = Untold { team: self };
        let result = body();
        drop(untold);
        match run.kept.panic.take() {
            Some(panic) => resume_unwind(panic),
            None => Ok(result),
        }
    }

    /// Waits until all places have done all work that they were given; after it, all know whether
    /// any failed. Collective.
    ///
    /// # Errors
    /// `PEER`, `TIMEOUT`, `MISMATCH` (with `$GPUARR_CHECK=team`, which compares what places call),
    /// `DRIVER`, and what the work came to.
    pub fn synchronize(&self) -> Result<()> {
        check(unsafe { sys::gpuarr_team_synchronize(self.as_ptr()) })
    }

    /// The profile's report of each process, by place: that of
    /// [`profile::report`](crate::profile::report), as text. Collective.
    ///
    /// # Errors
    /// As [`Team::synchronize`].
    pub fn profile(&self) -> Result<String> {
        string(|out| unsafe { sys::gpuarr_team_profile(out, self.as_ptr()) })
    }

    /// NCCL's communicator of a place of this process, an `ncclComm_t`, valid as long as the team;
    /// null where the team does not use NCCL.
    pub fn nccl(&self, place: usize) -> *mut c_void {
        let place = i32::try_from(place).unwrap_or(i32::MAX);
        unsafe { sys::gpuarr_team_nccl(self.as_ptr(), place) }
    }

    /// Fortran handle of the communicator that the team was made of; `None` where it does not use
    /// MPI, and after the communicator was freed.
    pub fn mpi_f(&self) -> Option<i32> {
        let comm = unsafe { sys::gpuarr_team_mpi_f(self.as_ptr()) };
        if comm == -1 {
            None
        } else {
            Some(comm)
        }
    }
}

type Told<'a> = dyn FnMut(&str, usize, usize) + 'a;

/// A function that is told of progress, unless it runs already, and what a panic in it left.
struct Telling<'a> {
    told: Option<&'a mut Told<'a>>,
    kept: Kept,
}

unsafe extern "C" fn tell(operation: *const c_char, done: i64, total: i64, user: *mut c_void) {
    let run = user.cast::<Telling<'_>>();
    if let Some(told) = (*run).told.take() {
        let operation = CStr::from_ptr(operation).to_string_lossy();
        let status = (*run).kept.call(|| {
            told(&operation, done as usize, total as usize);
            Ok(())
        });
        if status == sys::GPUARR_OK {
            (*run).told = Some(told);
        }
    }
}

/// Takes the function away again, however the body ends.
struct Untold<'a> {
    team: &'a Team,
}

impl Drop for Untold<'_> {
    fn drop(&mut self) {
        let team = self.team.as_ptr();
        unsafe { sys::gpuarr_team_set_progress(team, None, ptr::null_mut(), 0.0) };
    }
}

impl fmt::Display for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe().map_err(|_| fmt::Error)?)
    }
}
