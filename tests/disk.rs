//! A disk in memory, and a context with little memory, which stops after a given number of checks.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bid_language::watch::{Content, Context, Disk, Guard, Limits, Settings, Sharing, Ticks};

/// A disk: files by folder and name.
#[derive(Debug, Default)]
pub struct Memory {
    pub files: Mutex<BTreeMap<(String, String), Vec<u8>>>,
    /// The number of files written.
    pub written: AtomicUsize,
}

impl Memory {
    fn key(folder: &str, file: &str) -> (String, String) {
        (folder.to_owned(), file.to_owned())
    }

    /// Returns the names of all files.
    pub fn names(&self) -> Vec<(String, String)> {
        self.files
            .lock()
            .expect("no test panics here")
            .keys()
            .cloned()
            .collect()
    }

    /// Changes a file.
    pub fn change(&self, name: &(String, String), change: impl FnOnce(&mut Vec<u8>)) {
        change(
            self.files
                .lock()
                .expect("no test panics here")
                .get_mut(name)
                .expect("the file is there"),
        );
    }
}

impl Disk for Memory {
    fn read(&self, folder: &str, file: &str, most: u64) -> io::Result<Content> {
        let files = self.files.lock().expect("no test panics here");
        Ok(match files.get(&Self::key(folder, file)) {
            None => Content::Absent,
            Some(bytes) if bytes.len() as u64 > most => Content::Foreign,
            Some(bytes) => Content::Bytes(bytes.clone()),
        })
    }

    fn write(&self, folder: &str, file: &str, bytes: &[u8]) -> io::Result<()> {
        self.written.fetch_add(1, Ordering::Relaxed);
        self.files
            .lock()
            .expect("no test panics here")
            .insert(Self::key(folder, file), bytes.to_vec());
        Ok(())
    }

    fn remove(&self, folder: &str, file: &str) -> io::Result<()> {
        self.files
            .lock()
            .expect("no test panics here")
            .remove(&Self::key(folder, file));
        Ok(())
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let files = self.files.lock().expect("no test panics here");
        Ok(files
            .keys()
            .filter(|(other, _)| other == folder)
            .map(|(_, file)| file.clone())
            .collect())
    }

    fn name(&self, folder: &str) -> String {
        folder.to_owned()
    }
}

/// A disk as one of several processes sees it.
#[derive(Debug)]
pub struct SharedMemory<'a> {
    pub disk: &'a Memory,
    pub sharing: Sharing,
}

impl Disk for SharedMemory<'_> {
    fn read(&self, folder: &str, file: &str, most: u64) -> io::Result<Content> {
        self.disk.read(folder, file, most)
    }

    fn write(&self, folder: &str, file: &str, bytes: &[u8]) -> io::Result<()> {
        self.disk.write(folder, file, bytes)
    }

    fn remove(&self, folder: &str, file: &str) -> io::Result<()> {
        self.disk.remove(folder, file)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.disk.list(folder)
    }

    fn name(&self, folder: &str) -> String {
        self.disk.name(folder)
    }

    fn sharing(&self) -> Option<&Sharing> {
        Some(&self.sharing)
    }
}

/// A context with little memory, perhaps a disk, and a limit on the number of checks.
#[derive(Debug)]
pub struct Tight<'a> {
    disk: Option<&'a Memory>,
    /// The bytes that tables may take.
    room: u64,
    /// The number of checks after which the work is stopped.
    patience: Option<u64>,
    /// The time between two checks, in milliseconds.
    pause: u64,
    guard: Guard,
}

impl<'a> Tight<'a> {
    pub fn new(disk: Option<&'a Memory>, room: u64) -> Self {
        Self {
            disk,
            room,
            patience: None,
            pause: 1,
            guard: Guard::default(),
        }
    }

    pub fn stopping_after(mut self, looks: u64) -> Self {
        self.patience = Some(looks);
        self.guarded()
    }

    /// Makes the work save whenever it can, as if checks were far apart.
    pub fn cautious(mut self) -> Self {
        self.pause = 60_000;
        self.guarded()
    }

    fn guarded(self) -> Self {
        let guard = Guard::new(Arc::new(Ticks::of(self.pause)));
        guard.set(Settings {
            timeout: self
                .patience
                .map(|looks| Duration::from_millis(looks * self.pause)),
            ..Settings::default()
        });
        guard.begin();
        Self { guard, ..self }
    }

    pub fn context(&self) -> Context<'_> {
        Context {
            limits: Limits::memory(Limits::for_room(self.room)),
            disk: self.disk.map(|disk| disk as &dyn Disk),
            ..self.guard.context()
        }
    }
}
