//! A team of a communicator that the program made itself, with an MPI that it links, under mpirun.
//! `--cfg mpich` chooses MPICH's handles, else they are Open MPI's. What rsmpi has as
//! `comm.as_raw()` is an `MPI_Comm` of just this kind.
#![allow(unknown_lints, unexpected_cfgs)] // of a cfg that the command line sets
use std::os::raw::c_int;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr;
use std::time::Duration;

use gpuarr::{
    args, block_args, map_blocks, map_overlap, Blocked, Blocks, Boundary, Combine, Device,
    Elementwise, Error, Expr, Halo, OnTimeout, Reduction, Region, Status, Team, ALL,
};

#[cfg(mpich)]
type Comm = c_int;
#[cfg(not(mpich))]
type Comm = *mut std::os::raw::c_void;

extern "C" {
    fn MPI_Init(count: *mut c_int, arguments: *mut *mut *mut u8) -> c_int;
    fn MPI_Comm_rank(comm: Comm, rank: *mut c_int) -> c_int;
    fn MPI_Comm_size(comm: Comm, size: *mut c_int) -> c_int;
    fn MPI_Comm_split(comm: Comm, color: c_int, key: c_int, out: *mut Comm) -> c_int;
    fn MPI_Comm_free(comm: *mut Comm) -> c_int;
    #[cfg(not(mpich))]
    fn MPI_Comm_c2f(comm: Comm) -> c_int;
    fn MPI_Barrier(comm: Comm) -> c_int;
    fn MPI_Finalize() -> c_int;
    #[cfg(not(mpich))]
    static mut ompi_mpi_comm_world: std::os::raw::c_void;
}

#[cfg(mpich)]
fn world() -> Comm {
    0x44000000
}
#[cfg(not(mpich))]
#[allow(unused_unsafe)] // newer compilers know that nothing is read
fn world() -> Comm {
    unsafe { ptr::addr_of_mut!(ompi_mpi_comm_world) }
}

/// In MPICH 4.0 it is a macro, which changes nothing.
fn fortran(comm: Comm) -> i32 {
    #[cfg(mpich)]
    return comm;
    #[cfg(not(mpich))]
    unsafe {
        MPI_Comm_c2f(comm)
    }
}

fn number(ask: unsafe extern "C" fn(Comm, *mut c_int) -> c_int, comm: Comm) -> usize {
    let mut out = -1;
    assert_eq!(unsafe { ask(comm, &mut out) }, 0);
    out as usize
}

/// All processes in the opposite order.
fn turned() -> Comm {
    let mut comm = world();
    let key = -(number(MPI_Comm_rank, world()) as c_int);
    assert_eq!(unsafe { MPI_Comm_split(world(), 0, key, &mut comm) }, 0);
    comm
}

fn work(team: &Team) -> gpuarr::Result<()> {
    let data: Vec<f64> = (0..60).map(f64::from).collect();
    let halo = Halo::new([1, 0]).boundary(Boundary::Periodic);
    let blocks = Blocks::new([12, 5]).chunk([2, 5]).halo(halo).cyclic();
    let mut x: Blocked<f64> = team.empty(&blocks)?;
    let here = team.first() == 1;
    x.write(Region::all().on(team, 1), if here { &data } else { &[] })?;
    assert_eq!(x.to_vec()?, data);
    let at_last = x.read(Region::from((3..5, 1..2)).on(team, team.size() - 1))?;
    assert_eq!(at_last, if team.first() + 1 == team.size() { vec![16.0, 21.0] } else { vec![] });

    let mut y = x.empty_like()?;
    let twice = Elementwise::new("T x, T by", "T z", "z = by * x;")?;
    twice.map_blocks(block_args![&x, 2.0], &mut y)?;
    map_blocks(&mut y.clone(), &y, |_, out, y| twice.call_into(args![y, 0.5], out))?;
    assert_eq!(y.to_vec()?, data);
    map_overlap(&mut y, &x, |_, y, x| {
        (Expr::from(x).slice(0, ..-2) - Expr::from(x).slice(0, 2..)).eval_into(y)
    })?;
    assert_eq!(
        y.read((.., ..1))?,
        [50.0, -10.0, -10.0, -10.0, -10.0, -10.0, -10.0, -10.0, -10.0, -10.0, -10.0, 50.0]
    );

    let mut rows = team.empty(&Blocks::new([12, 5]).chunk([5, 3]))?;
    rows.redistribute_from(&x)?;
    assert_eq!(rows.to_vec()?, data);
    let norm = Reduction::new("T x", "T z", "x * x", "a + b", "z = sqrt(a)", Some("0"))?;
    let whole: Blocked<f64> = norm.reduce(block_args![&x], ALL)?;
    assert_eq!(whole.item()?, data.iter().map(|x| x * x).sum::<f64>().sqrt());
    assert_eq!(rows.mean(0)?.to_vec()?, [27.5, 28.5, 29.5, 30.5, 31.5]);
    let mut count = team.full(&Blocks::new(1).replicated(), 1i32)?;
    count.all_reduce(Combine::Sum)?;
    assert_eq!(count.item()? as usize, team.size());
    team.synchronize()
}

/// A panic in one process, and an error in one: the others learn of them.
fn one_fails(comm: Comm) -> gpuarr::Result<()> {
    for panics in [true, false] {
        let team = unsafe { Team::from_mpi_f(fortran(comm), Some(Device::open("host")?)) }?;
        team.set_timeout(Duration::from_secs(20), OnTimeout::Return)?;
        let called = catch_unwind(AssertUnwindSafe(|| {
            let mut x = team.full(&Blocks::new(team.size()), 0i32)?;
            map_blocks(&mut x, (), |block, _, ()| match block.place() {
                1 if panics => panic!("which is meant"),
                1 => Err(Error::new(Status::NOT_FINITE, "a test's")),
                _ => Ok(()),
            })?;
            team.synchronize()
        }));
        match called {
            Err(_) => assert!(panics && team.first() == 1),
            Ok(Err(error)) if team.first() == 1 => assert_eq!(error.status, Status::NOT_FINITE),
            Ok(Err(error)) => {
                assert_eq!(error.status, Status::PEER);
                assert!(error.message.contains("place 1 failed in gpuarr_map_blocks"), "{}", error);
                let why = if panics { "a panic: which is meant" } else { "a test's" };
                assert!(error.message.contains(why), "{}", error);
            }
            Ok(Ok(())) => panic!("nobody noticed"),
        }
    }
    Ok(())
}

fn run() -> gpuarr::Result<()> {
    let comm = turned();
    {
        let team = unsafe { Team::from_mpi(&comm, Some(Device::open("host")?)) }?;
        assert_eq!(
            (team.size(), team.first()),
            (number(MPI_Comm_size, comm), number(MPI_Comm_rank, comm))
        );
        assert!(team.size() > 1 && team.mpi_f().is_some());
        let mpi = if cfg!(mpich) { "MPICH " } else { "Open MPI " };
        assert!(team.describe()?.contains(mpi), "{}", team);
        work(&team)?;
    }
    let wrong = unsafe { Team::from_mpi(&[comm; 3], None) }.map(drop).unwrap_err();
    assert_eq!(wrong.status, Status::ARGUMENT, "{}", wrong);
    one_fails(comm)?;
    let mut comm = comm;
    assert_eq!(unsafe { MPI_Barrier(comm) + MPI_Comm_free(&mut comm) }, 0);
    Ok(())
}

fn main() -> gpuarr::Result<()> {
    assert_eq!(unsafe { MPI_Init(ptr::null_mut(), ptr::null_mut()) }, 0);
    let team = unsafe { Team::from_mpi(&world(), Some(Device::open("host")?)) }?;
    run()?;
    assert_eq!(unsafe { MPI_Finalize() }, 0);
    drop(team); // all that can be done with it now
    assert_eq!(gpuarr::live_objects(), 0, "{}", gpuarr::objects_report());
    Ok(())
}
