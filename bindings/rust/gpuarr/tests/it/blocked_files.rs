//! Blocked arrays in files, whole and in parts.
use std::path::PathBuf;

use gpuarr::half::bf16;
use gpuarr::{
    npy, AnyBlocked, Blocked, Blocks, DType, FileFormat, Halo, Order, Shape, Status, Team,
};

use crate::support::{device, refused, Random};

crate::tests! { there_and_back columns_first in_parts shapes_and_chunks refusals }

const FORMATS: [FileFormat; 3] = [FileFormat::Npy, FileFormat::Zarr, FileFormat::Zarr3];

fn team(places: usize) -> Team {
    Team::local(&vec![device(); places]).unwrap()
}

/// A folder of this test, which goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = format!("gpuarr-rust-{}-{}", std::process::id(), name);
        let path = std::env::temp_dir().join(path);
        std::fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn there_and_back() {
    let (mut random, folder) = (Random::new(43), Folder::new("back"));
    for round in 0..24 {
        let team = team(random.between(1, 5) as usize);
        let shape: Vec<i64> = (0..random.between(1, 3)).map(|_| random.between(1, 9)).collect();
        let mut chunk = || shape.iter().map(|n| random.between(1, *n)).collect::<Vec<i64>>();
        let (first, second) = (chunk(), chunk());
        let data: Vec<i64> = (0..shape.iter().product()).map(|k| k * k - 40).collect();
        let x = team.array(&data, &Blocks::new(&shape).chunk(&first)).unwrap();
        let format = FORMATS[round % 3];
        let path = folder.file(if format == FileFormat::Npy { "é.npy" } else { "é.zarr" });
        x.save(&path, format).unwrap();
        let same: Blocked<i64> = team.load(&path, &Blocks::of_file()).unwrap();
        assert_eq!(same.to_vec().unwrap(), data);
        if format == FileFormat::Npy {
            let whole = npy::load(&path, device()).unwrap().downcast::<i64>().unwrap();
            assert_eq!((whole.shape(), whole.to_vec().unwrap()), (&shape[..], data.clone()));
        } else {
            assert_eq!(same.grid(), x.grid());
        }
        let other = Blocks::of_file().chunk(&second).halo(Halo::new(&vec![1; shape.len()]));
        let y: AnyBlocked = team.load(&path, &other.cyclic()).unwrap();
        assert_eq!(y.owner(1).unwrap_or(0), (y.local_count() > 1 && team.size() > 1) as usize);
        assert_eq!(y.downcast::<i64>().unwrap().to_vec().unwrap(), data);
    }
}

fn columns_first() {
    let (team, folder) = (team(2), Folder::new("columns"));
    let (data, path) = ([1.5f32, 2.5, 3.5, 4.5, 5.5, 6.5], folder.file("x.npy"));
    let x = team.array(&data, &Blocks::new(Shape::column_major([2, 3])).chunk([2, 2])).unwrap();
    x.save(&path, FileFormat::Npy).unwrap();
    assert!(npy::load(&path, device()).unwrap().is_contiguous(Order::F));
    let y: Blocked<f32> = team.load(&path, &Blocks::of_file().chunk([2, 2])).unwrap();
    assert_eq!(y.local(0).unwrap().strides(), [1, 2]);
    assert_eq!(y.to_vec().unwrap(), x.to_vec().unwrap());
    let y: Blocked<f32> = team.load(&path, &Blocks::new([2, 3]).chunk([2, 2])).unwrap();
    assert_eq!(y.local(0).unwrap().strides(), [2, 1]);
    assert_eq!(y.to_vec().unwrap(), x.to_vec().unwrap());
}

/// A file that is written slab by slab, the last of them not, and read so.
fn in_parts() {
    let (team, folder) = (team(3), Folder::new("parts"));
    for format in FORMATS {
        let path = folder.file(if format == FileFormat::Npy { "x.npy" } else { "x.zarr" });
        let chunked = |rows| Blocks::new([rows, 6]).chunk([5, 3]);
        team.create_file::<i64>(&path, format, &chunked(20)).unwrap();
        let mut x = team.empty::<i64>(&chunked(5)).unwrap();
        for row in [0i64, 5, 10] {
            x.arange(6 * row, 1).unwrap();
            x.save_part(&path, [row, 0]).unwrap();
        }
        for row in [0i64, 5, 10, 15] {
            x.load_part(&path, [row, 0]).unwrap();
            let number = |k| if row < 15 { 6 * row + k } else { 0 };
            assert_eq!(x.to_vec().unwrap(), (0..30).map(number).collect::<Vec<i64>>());
        }
        let mut corner = team.empty::<i64>(&Blocks::new([2, 2])).unwrap();
        corner.load_part(&path, [4, 4]).unwrap();
        assert_eq!(corner.to_vec().unwrap(), [28, 29, 34, 35]);
    }
}

fn shapes_and_chunks() {
    let (team, folder) = (team(2), Folder::new("shapes"));
    let path = folder.file("x.zarr");
    team.create_file_of(DType::I16, &path, FileFormat::Zarr3, &Blocks::new(()).chunk(())).unwrap();
    let x: Blocked<i16> = team.load(&path, &Blocks::new(())).unwrap();
    assert_eq!(x.item().unwrap(), 0);
    let x = team.arange::<i16>(&Blocks::new([4, 6]).chunk([2, 6]), 0, 1).unwrap();
    x.save(&path, FileFormat::Zarr).unwrap();
    let failed = |blocks: Blocks| team.load::<i16>(&path, &blocks);
    refused(failed(Blocks::new([4, 5])), Status::SHAPE, &["file has [4, 6]", "[4, 5] is wanted"]);
    refused(failed(Blocks::of_file().chunk(2)), Status::SHAPE, &["ndim is 1", "shape (4, 6)"]);
    refused(failed(Blocks::of_file().chunk([2, 2, 2])), Status::SHAPE, &["ndim is 3"]);
    refused(failed(Blocks::of_file().owners(&[0])), Status::SHAPE, &["owners"]);
    let wrong = team.load::<f64>(&path, &Blocks::of_file());
    refused(wrong, Status::DTYPE, &["float64", "int16"]);
    refused(team.empty::<i16>(&Blocks::of_file()), Status::ARGUMENT, &["Blocks::new"]);
    refused(team.array(&[1], &Blocks::of_file()), Status::ARGUMENT, &["Blocks::new"]);
}

fn refusals() {
    let (team, folder) = (team(2), Folder::new("refused"));
    let path = folder.file("x.zarr");
    let mut x = team.full(&Blocks::new(6).chunk(3), 1i64).unwrap();
    let nowhere = x.save(folder.file("none/x.npy"), FileFormat::Npy);
    refused(nowhere, Status::IO, &["/none/"]);
    refused(x.save("", FileFormat::Npy), Status::ARGUMENT, &["path is \"\""]);
    refused(x.save("a\0b", FileFormat::Npy), Status::ARGUMENT, &["NUL"]);
    refused(team.load::<i64>(&path, &Blocks::of_file()), Status::IO, &["x.zarr"]);
    let created = |blocks: Blocks| team.create_file::<i64>(&path, FileFormat::Zarr, &blocks);
    refused(created(Blocks::new(12)), Status::ARGUMENT, &["chunk is NULL"]);
    refused(created(Blocks::new(12).chunk([2, 2])), Status::SHAPE, &["[12]", "chunk [2, 2]"]);
    refused(created(Blocks::of_file()), Status::ARGUMENT, &["Blocks::new"]);
    created(Blocks::new(12).chunk(2)).unwrap();
    let unfit = x.save_part(&path, 0);
    refused(unfit, Status::LAYOUT, &["indices 0 to 3 of axis 0", "redistribute"]);
    refused(x.load_part(&path, 7), Status::SHAPE, &["start[0] is 7"]);
    refused(x.load_part(&path, -1), Status::SHAPE, &["start[0] is -1"]);
    refused(x.load_part(&path, [0, 0]), Status::SHAPE, &["start is [0, 0]", "[6]", "each axis"]);
    refused(x.save_part(&path, ()), Status::SHAPE, &["start is []"]);
    let mut floats = team.full(&Blocks::new(6).chunk(2), 1f32).unwrap();
    refused(floats.load_part(&path, 0), Status::DTYPE, &["float32", "int64"]);
    refused(floats.save_part(&path, 0), Status::DTYPE, &["float32", "int64"]);
    let short = team.full(&Blocks::new(2), bf16::ONE).unwrap();
    refused(short.save(&path, FileFormat::Npy), Status::DTYPE, &["bfloat16"]);
    std::fs::write(folder.file("x.npy"), "no array").unwrap();
    let broken = team.load::<i64>(folder.file("x.npy"), &Blocks::of_file());
    refused(broken, Status::FORMAT, &["x.npy"]);
}
