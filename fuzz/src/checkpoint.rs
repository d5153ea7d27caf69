//! Tests checkpoints that have been modified.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use bid::session::{Session, SessionEvent};
use bid_language::diagnostic::Code;
use bid_language::watch::{Content, Disk, Guard, Limits, Settings, Ticks};
use xxhash_rust::xxh3::xxh3_64;

use bid_language::files::Nowhere;

/// The games: one solved by a sweep over some thousand positions, one solved by layers.
const GAMES: [(&str, &str, &str); 2] = [
    (
        "game row(n) {
    state board = grid(n, n)
    move place(c) for c in cells(board) if board[c] == empty { board[c] = me }
    win me if line(board, me, n)
    draw if full(board)
}
",
        "R(row(3))",
        "133/256",
    ),
    (
        "game trade(n) {
    state gold = [n for i in 1 .. 3]
    state silver = [n for i in 1 .. 3]
    move sell(i) for i in 0 .. 2 if gold[i] >= 2 and silver[i] < 2 * n { gold[i] -= 2; silver[i] += 1 }
    move buy(i) for i in 0 .. 2 if silver[i] >= 2 and gold[i] < 2 * n { silver[i] -= 2; gold[i] += 1 }
    win alice if sum(gold) <= 1
    win bob if sum(silver) <= 1
    stuck loses
}
",
        "R(trade(3))",
        "",
    ),
];

type Files = BTreeMap<(String, String), Vec<u8>>;

/// Modifies a checkpoint as the bytes say, and resumes the work from it. The result must be the
/// same answer or a refusal, never another answer or a panic.
///
/// The first byte selects the game. Each change then consists of the number of a file, a place in
/// it, a number of bytes, and these bytes. The checksum of a manifest is corrected afterwards.
pub fn checkpoint(data: &[u8]) {
    let Some((game, changes)) = data.split_first() else {
        return;
    };
    let game = usize::from(*game) % GAMES.len();
    let Left {
        room,
        answer,
        files,
    } = left(game);
    let mut files = files.clone();
    change(&mut files, changes);
    match ask(game, files, *room, u64::MAX).0 {
        Ok(found) => assert_eq!(&found, answer, "a changed checkpoint changes no answer"),
        Err(code) => assert_eq!(
            code,
            Code::Checkpoint,
            "a changed checkpoint is refused as such"
        ),
    }
}

fn change(files: &mut Files, mut changes: &[u8]) {
    while let [file, high, low, count, rest @ ..] = changes {
        let (bytes, left) = rest.split_at(rest.len().min(usize::from(*count)));
        changes = left;
        let number = usize::from(*file) % files.len().max(1);
        let Some(((_, name), contents)) = files.iter_mut().nth(number) else {
            return;
        };
        let place = (usize::from(*high) * 256 + usize::from(*low)).min(contents.len());
        let end = (place + bytes.len()).min(contents.len());
        contents.splice(place..end, bytes.iter().copied());
        if name == "manifest" && contents.len() > 17 {
            let sum = format!("{:016x}\n", xxh3_64(&contents[17..]));
            contents[..17].copy_from_slice(sum.as_bytes());
        }
    }
}

/// The state that interrupted work leaves.
struct Left {
    /// The memory for tables, which is hardly enough.
    room: u64,
    answer: String,
    files: Files,
}

fn left(game: usize) -> &'static Left {
    static LEFT: [OnceLock<Left>; 2] = [OnceLock::new(), OnceLock::new()];
    LEFT[game].get_or_init(|| {
        let (_, _, expected) = GAMES[game];
        let answered = |room| Some((room, ask(game, Files::new(), room, u64::MAX).0.ok()?));
        let (room, answer) = (10..30)
            .find_map(|bits| answered(1 << bits))
            .expect("a gigabyte is enough");
        assert!(expected.is_empty() || answer == expected, "{answer}");
        let left = (1..).map(|looks| ask(game, Files::new(), room, looks).1);
        let files = left
            .take(100_000)
            .find(|files| files.len() > 2)
            .expect("at some time there are files");
        Left {
            room,
            answer,
            files,
        }
    })
}

/// The time between two readings of the clock, in milliseconds.
const PAUSE: u64 = 60_000;

/// Asks the question with these files on the disk, this much memory, and time for this many
/// readings of the clock. Also returns the files afterwards.
fn ask(game: usize, files: Files, room: u64, looks: u64) -> (Result<String, Code>, Files) {
    let (source, question, _) = GAMES[game];
    let disk = Arc::new(MemoryDisk(Mutex::new(files)));
    // The readings are so far apart that a save is always due.
    let guard = Guard::new(Arc::new(Ticks::of(PAUSE)))
        .with_disk(Some(Arc::clone(&disk) as Arc<dyn Disk + Send>));
    guard.set(Settings {
        limits: Limits::memory(Limits::for_room(room)),
        timeout: Some(Duration::from_millis(looks.saturating_mul(PAUSE))),
    });
    guard.begin();
    let mut session = Session::new(Box::new(Nowhere), Arc::new(guard));
    session.prefer(Some(if game == 0 {
        bid::ask::MethodName::Sweep
    } else {
        bid::ask::MethodName::Layers
    }));
    let mut answer = Ok(String::new());
    for text in [source, question] {
        session.run_text("fuzz", text, &mut |_, event| match event {
            SessionEvent::Value(value) => answer = Ok(value.to_string()),
            SessionEvent::Diagnostic(diagnostic) => answer = Err(diagnostic.code),
            _ => {}
        });
    }
    drop(session);
    let files = disk.0.lock().expect("nothing panics here").clone();
    (answer, files)
}

/// Files by folder and name.
#[derive(Debug)]
struct MemoryDisk(Mutex<Files>);

impl MemoryDisk {
    fn files(&self) -> std::sync::MutexGuard<'_, Files> {
        self.0.lock().expect("nothing panics here")
    }
}

impl Disk for MemoryDisk {
    fn read(&self, folder: &str, file: &str, most: u64) -> io::Result<Content> {
        Ok(
            match self.files().get(&(folder.to_owned(), file.to_owned())) {
                None => Content::Absent,
                Some(bytes) if bytes.len() as u64 <= most => Content::Bytes(bytes.clone()),
                Some(_) => Content::Foreign,
            },
        )
    }

    fn write(&self, folder: &str, file: &str, bytes: &[u8]) -> io::Result<()> {
        self.files()
            .insert((folder.to_owned(), file.to_owned()), bytes.to_vec());
        Ok(())
    }

    fn remove(&self, folder: &str, file: &str) -> io::Result<()> {
        self.files().remove(&(folder.to_owned(), file.to_owned()));
        Ok(())
    }

    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        Ok(self
            .files()
            .keys()
            .filter(|(other, _)| other == folder)
            .map(|(_, file)| file.clone())
            .collect())
    }

    fn name(&self, folder: &str) -> String {
        folder.to_owned()
    }
}
