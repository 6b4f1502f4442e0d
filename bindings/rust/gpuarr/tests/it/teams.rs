//! Teams in one process, and of transports written in Rust.
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gpuarr::profile::Report;
use gpuarr::{
    map_blocks, profile, Blocked, Blocks, Combine, Error, OnTimeout, Region, Status, Team,
    Transport, ALL,
};

use crate::support::{device, refused, Quiet};

crate::tests! {
    places world refusals progress profiles by_a_transport a_transport_that_fails
    what_others_are_told
}

fn places() {
    let team = Team::local(&[device(); 3]).unwrap();
    assert_eq!((team.size(), team.first(), team.local_count()), (3, 0, 3));
    assert_eq!((team.device(2), team.device(3)), (Some(device()), None));
    assert_eq!(team.stream(1).unwrap().device(), device());
    assert!(team.describe().unwrap().contains("3 places in one process"), "{}", team);
    assert!(team.nccl(0).is_null());
    assert_eq!(team.mpi_f(), None);
    team.set_timeout(Duration::from_secs(20), OnTimeout::Return).unwrap();
    let same = team.clone();
    drop(team);
    same.synchronize().unwrap();
    assert_eq!(Team::local_of(5).unwrap().size(), 5);
}

fn world() {
    let team = Team::world(Some(device())).unwrap();
    assert_eq!((team.size(), team.device(0)), (1, Some(device())));
}

fn refusals() {
    refused(Team::local(&[]), Status::ARGUMENT, &["count is 0", "1 to 65536"]);
    refused(Team::local_of(usize::MAX), Status::ARGUMENT, &["count is 2147483647"]);
    let team = Team::local(&[device()]).unwrap();
    refused(team.stream(1), Status::ARGUMENT, &["place is 1"]);
    let too_long = Duration::from_secs(1 << 40);
    refused(team.set_timeout(too_long, OnTimeout::Abort), Status::ARGUMENT, &["seconds"]);
    let told = team.with_progress(too_long, |_, _, _| (), || panic!("it does not run"));
    refused::<()>(told, Status::ARGUMENT, &["seconds"]);
}

fn progress() {
    let team = Team::local(&[device(); 2]).unwrap();
    let blocks = Blocks::new(12).chunk(1);
    let (mut heard, all) = (Vec::new(), Duration::from_secs(0));
    let made = team.with_progress(
        all,
        |operation, done, total| heard.push((operation.to_string(), done, total)),
        || team.full(&blocks, 3i32),
    );
    let mut x = made.unwrap().unwrap();
    assert_eq!(heard.last(), Some(&("gpuarr_blocked_fill".to_string(), 12, 12)));
    let count = heard.len();
    x.fill(4).unwrap(); // nobody is told any more
    assert_eq!((count, x.sum(ALL).unwrap().item().unwrap()), (heard.len(), 48));

    // A panic goes on behind the body, which was all done.
    let mut told = 0;
    let quiet = Quiet::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let broken = |_: &str, _: usize, _: usize| {
            told += 1;
            panic!("of a progress function")
        };
        team.with_progress(all, broken, || x.fill(5).unwrap())
    }));
    drop(quiet);
    assert_eq!(*panicked.unwrap_err().downcast::<&str>().unwrap(), "of a progress function");
    assert_eq!((told, x.max(ALL).unwrap().item().unwrap()), (1, 5));
}

fn profiles() {
    let team = Team::local(&[device(); 2]).unwrap();
    assert!(team.profile().unwrap().contains(&profile::report(Report::Text).unwrap()));
}

/// Where messages wait: by sender, receiver and tag.
type Boxes = Mutex<HashMap<(usize, usize, i32), VecDeque<Vec<u8>>>>;

/// Processes that are threads.
struct Threads {
    rank: usize,
    size: usize,
    boxes: Arc<Boxes>,
    breaks: bool,
}

enum Message {
    Sent,
    Wanted { from: usize, tag: i32 },
}

impl Transport for Threads {
    type Request = Message;

    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn name(&self) -> String {
        "threads of a test".to_string()
    }

    fn send(&self, message: Vec<u8>, to: usize, tag: i32) -> Result<Message, i32> {
        if self.breaks {
            return Err(77);
        }
        self.boxes.lock().unwrap().entry((self.rank, to, tag)).or_default().push_back(message);
        Ok(Message::Sent)
    }

    fn receive(&self, _bytes: usize, from: usize, tag: i32) -> Result<Message, i32> {
        Ok(Message::Wanted { from, tag })
    }

    fn test(&self, request: &mut Message) -> Result<Option<Vec<u8>>, i32> {
        match *request {
            Message::Sent => Ok(Some(Vec::new())),
            Message::Wanted { from, tag } => {
                let mut boxes = self.boxes.lock().unwrap();
                let queue = boxes.get_mut(&(from, self.rank, tag));
                Ok(queue.and_then(VecDeque::pop_front))
            }
        }
    }

    fn probe(&self, tag: i32) -> Result<Option<usize>, i32> {
        let boxes = self.boxes.lock().unwrap();
        let waiting = |from: &usize| {
            boxes.get(&(*from, self.rank, tag)).map_or(false, |queue| !queue.is_empty())
        };
        Ok((0..self.size).find(waiting))
    }
}

fn each_process(count: usize, breaks: bool, body: impl Fn(gpuarr::Result<Team>) + Sync) {
    let boxes = Arc::new(Boxes::default());
    std::thread::scope(|scope| {
        for rank in 0..count {
            let (boxes, body) = (Arc::clone(&boxes), &body);
            scope.spawn(move || {
                let transport = Threads { rank, size: count, boxes, breaks };
                body(Team::from_transport(transport, Some(device())));
            });
        }
    });
    assert_eq!(Arc::strong_count(&boxes), 1); // the library dropped the others
}

fn by_a_transport() {
    each_process(3, false, |team| {
        let team = team.unwrap();
        assert!(team.describe().unwrap().contains("threads of a test"), "{}", team);
        assert_eq!((team.size(), team.local_count()), (3, 1));
        let blocks = Blocks::new([7, 4]).chunk([2, 4]).cyclic();
        let mut x: Blocked<i64> = team.empty(&blocks).unwrap();
        let data: Vec<i64> = (0..28).collect();
        let here = team.first() == 1;
        x.write(Region::all().on(&team, 1), if here { &data } else { &[] }).unwrap();
        assert_eq!(x.to_vec().unwrap(), data);
        let at_two = x.read(Region::from((3..5, 1..2)).on(&team, 2)).unwrap();
        assert_eq!(at_two, if team.first() == 2 { vec![13, 17] } else { vec![] });
        assert_eq!(x.sum(ALL).unwrap().item().unwrap(), 27 * 14);
        let mut ranks = team.full(&Blocks::new(1).replicated(), team.first() as i32 + 1).unwrap();
        ranks.all_reduce(Combine::Sum).unwrap();
        assert_eq!(ranks.item().unwrap(), 6);
        team.synchronize().unwrap();
    });
}

fn a_transport_that_fails() {
    each_process(2, true, |team| {
        let error = refused(team, Status::PEER, &[]);
        assert_eq!(error.native, 77, "{}", error);
    });
}

/// What a call came to in each of two processes, of which the second fails.
fn errors_of_two(fail: impl Fn(usize) -> gpuarr::Result<()> + Sync) -> Vec<Option<Error>> {
    let errors = Mutex::new(vec![None, None]);
    let quiet = Quiet::new();
    each_process(2, false, |team| {
        let team = team.unwrap();
        let called = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            team.set_timeout(Duration::from_secs(20), OnTimeout::Return)?;
            let mut x = team.full(&Blocks::new(2).chunk(1), 0i32)?;
            map_blocks(&mut x, (), |block, _, ()| match block.place() {
                1 => fail(block.number()),
                _ => Ok(()),
            })?;
            team.synchronize()
        }));
        errors.lock().unwrap()[team.first()] = called.ok().and_then(Result::err);
    });
    drop(quiet);
    errors.into_inner().unwrap()
}

/// The other process gets the text of an error, and of a panic, and where it was.
fn what_others_are_told() {
    let place = "place 1 failed in gpuarr_map_blocks";
    let text = "no flow\0in block";
    let errors = errors_of_two(|_| Err(Error::new(Status::NOT_FINITE, text)));
    let told = |k: usize| Err::<(), _>(errors[k].clone().unwrap());
    refused(told(0), Status::PEER, &[place, "GPUARR_ERR_NOT_FINITE", "no flow in block"]);
    refused(told(1), Status::NOT_FINITE, &[text]);
    let errors = errors_of_two(|number| panic!("in block {}", number));
    assert!(errors[1].is_none());
    let told = Err::<(), _>(errors[0].clone().unwrap());
    refused(told, Status::PEER, &[place, "a panic: in block 1"]);
}
