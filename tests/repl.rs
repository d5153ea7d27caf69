//! The REPL under a pseudo-terminal, with its keys.
use std::process::Command;
use std::time::Duration;

use expectrl::process::unix::WaitStatus;
use expectrl::session::OsSession;
use expectrl::{ControlCode, Eof, Expect, Session};
use tempfile::TempDir;

/// The text just before the cursor when the REPL waits: the prompt, in any colour.
const PROMPT: &str = "bid> ";

/// The text just before the cursor when an input continues.
const CONTINUATION: &str = "...> ";

struct Terminal {
    session: OsSession,
    home: TempDir,
}

impl Terminal {
    fn open() -> Self {
        Self::in_home(tempfile::tempdir().expect("a scratch folder"), &[])
    }

    fn in_home(home: TempDir, arguments: &[&str]) -> Self {
        let mut terminal = Self::start(home, arguments);
        terminal.sees(PROMPT);
        terminal
    }

    fn start(home: TempDir, arguments: &[&str]) -> Self {
        Self::start_as("xterm", home, arguments)
    }

    fn start_as(kind: &str, home: TempDir, arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bid"));
        command
            .args(arguments)
            .current_dir(home.path())
            .env("HOME", home.path())
            .env("TERM", kind)
            // Colours would stand between the letters that the tests wait for.
            .env("NO_COLOR", "1");
        // The history then lies below the home, which is a scratch folder.
        command.env_remove("XDG_STATE_HOME").env_remove("BID_PATH");
        let mut session =
            Session::spawn(command).expect("the program starts under a pseudo-terminal");
        // Tests run on busy machines, and a test that passes does not wait.
        session.set_expect_timeout(Some(Duration::from_secs(60)));
        Self { session, home }
    }

    fn sees(&mut self, text: &str) {
        if let Err(error) = self.session.expect(text) {
            let mut left = vec![0; 1 << 14];
            let count = self.session.try_read(&mut left).unwrap_or(0);
            panic!(
                "`{text}` does not appear but {:?}: {error}",
                String::from_utf8_lossy(&left[..count])
            );
        }
    }

    fn types(&mut self, keys: &str) {
        self.session.send(keys).expect("the terminal takes keys");
    }

    fn enters(&mut self, line: &str) {
        self.types(line);
        self.types("\r");
    }

    fn control(&mut self, key: ControlCode) {
        self.session.send(key).expect("the terminal takes keys");
    }

    fn quits(mut self) -> (i32, TempDir) {
        self.session.expect(Eof).expect("the program ends");
        match self.session.get_process().wait() {
            Ok(WaitStatus::Exited(_, code)) => (code, self.home),
            other => panic!("the program did not exit: {other:?}"),
        }
    }
}

#[test]
fn values_errors_and_definitions() {
    let mut terminal = Terminal::open();
    terminal.enters("let half = R(E)");
    terminal.sees(PROMPT);
    terminal.enters("halff");
    terminal.sees("[E0201]");
    terminal.sees("half");
    terminal.sees(PROMPT);
    terminal.enters("half + half");
    terminal.sees("\n1\r\n");
    terminal.sees(PROMPT);
    terminal.enters(":quit");
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn games_show_their_boards_or_their_start_and_size() {
    let mut terminal = Terminal::open();
    terminal.enters("graph { start 0; alice 0 -> A; bob 0 -> B, 1; win bob: 1 }");
    terminal.sees("graph from 0\r\nstart 0, 2 vertices\r\n");
    terminal.sees(PROMPT);
    terminal.enters("use \"games/classics.bid\"");
    terminal.sees(PROMPT);
    terminal.enters("tictactoe after [alice place(1, 1)]");
    terminal.sees("\r\n...\r\n.A.\r\n...\r\n");
    terminal.sees(PROMPT);
    terminal.enters("A ∧ B^2");
    terminal.sees("\r\nA ∧ B^2\r\n");
    terminal.sees(PROMPT);
    terminal.enters(":quit");
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn input_goes_on_until_brackets_close() {
    let mut terminal = Terminal::open();
    terminal.enters("/// Forty more.");
    terminal.sees(CONTINUATION);
    terminal.enters("let c(n) = (");
    terminal.sees(CONTINUATION);
    terminal.enters("  n + 40");
    terminal.enters(")");
    terminal.sees(PROMPT);
    terminal.enters("c(2)");
    terminal.sees("\n42\r\n");
    terminal.sees(PROMPT);
    terminal.enters(":help c");
    terminal.sees("Forty more.");
    terminal.sees(PROMPT);
    terminal.types("let d = [1,\r");
    terminal.sees(CONTINUATION);
    terminal.control(ControlCode::EndOfText);
    terminal.sees(PROMPT);
    terminal.enters("c(3)");
    terminal.sees("\n43\r\n");
    terminal.sees(PROMPT);
    terminal.enters("R(A");
    terminal.enters("");
    terminal.enters("");
    terminal.sees("[E0102]");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn tab_completes_names_fields_and_commands() {
    let mut terminal = Terminal::open();
    terminal.enters("let twenty_one = 21");
    terminal.sees(PROMPT);
    terminal.types("twen\t");
    terminal.sees("twenty_one");
    terminal.enters(" * 2");
    terminal.sees("\n42\r\n");
    terminal.sees(PROMPT);
    terminal.types("R(E) using { pa\tpoor\t");
    terminal.sees("pay: poorman");
    terminal.control(ControlCode::EndOfText);
    terminal.sees(PROMPT);
    terminal.types(":li\t");
    terminal.sees(":list");
    terminal.enters("");
    terminal.sees("\ntwenty_one");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn commands_say_what_they_did_and_library_files_are_completed() {
    let home = tempfile::tempdir().expect("a scratch folder");
    std::fs::write(home.path().join("a.bid"), "let one = 1\nlet two = 2\n")
        .expect("a scratch folder is writable");
    let mut terminal = Terminal::in_home(home, &[]);
    terminal.enters(":load a.bid");
    terminal.sees("loaded a.bid: 2 new names");
    terminal.sees(PROMPT);
    terminal.enters(":write b.csv f(E, 0..1)");
    terminal.sees("wrote b.csv: ");
    terminal.sees(PROMPT);
    terminal.types("use \"cla\t\"\r");
    terminal.sees("classics.bid");
    terminal.sees(PROMPT);
    terminal.enters(":save c.bid");
    terminal.sees("saved c.bid: 2 lines");
    terminal.sees(PROMPT);
    terminal.enters(":help pictures");
    terminal.sees("Functions: pictures and other formats.");
    terminal.sees("plot");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    let (status, home) = terminal.quits();
    assert_eq!(status, 0);
    let saved = std::fs::read_to_string(home.path().join("c.bid")).expect("it was saved");
    assert!(
        saved.contains("a.bid") && saved.contains("classics.bid"),
        "{saved}"
    );
}

#[test]
fn a_definition_that_hides_a_builtin_is_taken_back() {
    let mut terminal = Terminal::open();
    terminal.enters("let R = 3");
    terminal.sees("hides the builtin");
    terminal.sees(PROMPT);
    terminal.enters("R(A)");
    terminal.sees("your own `R` hides the builtin `R(G)`");
    terminal.sees("`:forget R` takes it back");
    terminal.sees(PROMPT);
    terminal.enters("use \"fence\"");
    terminal.sees("write `use \"fence.bid\"`");
    terminal.sees(PROMPT);
    terminal.enters(":forget R");
    terminal.sees("forgot your `R`: the name means the builtin again");
    terminal.sees(PROMPT);
    terminal.enters("R(A ∧ B^2)");
    terminal.sees("3/8");
    terminal.sees(PROMPT);
    terminal.enters(":forget R");
    terminal.sees("nothing called `R` is defined here");
    terminal.sees(PROMPT);
    terminal.enters("let own = 4");
    terminal.sees(PROMPT);
    terminal.enters(":save d.bid");
    terminal.sees("saved d.bid: ");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    let (status, home) = terminal.quits();
    assert_eq!(status, 0);
    let saved = std::fs::read_to_string(home.path().join("d.bid")).expect("it was saved");
    assert_eq!(saved, "R(A ∧ B^2)\nlet own = 4\n");
}

/// Checks that commands as other programs have them are understood, and that a rule's name asks what
/// it means.
#[test]
fn commands_of_other_programs_are_understood() {
    let mut terminal = Terminal::open();
    terminal.enters("help(R)");
    terminal.sees("critical threshold");
    terminal.sees(PROMPT);
    terminal.enters("?");
    terminal.sees(":help [NAME]");
    terminal.sees(PROMPT);
    terminal.enters(":rules ties");
    terminal.sees("who wins a tied bid");
    terminal.sees("`:rules { ties: marker }` sets it");
    terminal.sees(PROMPT);
    terminal.enters(":rules poorman");
    terminal.sees("the winner pays the bank");
    terminal.sees("`:rules { pay: poorman }` sets it");
    terminal.sees(PROMPT);
    terminal.enters(":rules ties: marker");
    terminal.sees(PROMPT);
    terminal.enters(":rules");
    terminal.sees("ties: marker");
    terminal.sees(PROMPT);
    terminal.enters("play(E, 2*, 2)");
    terminal.sees("your bid, 0 to 2: ");
    terminal.enters("?");
    terminal.sees("takes back an answer");
    terminal.sees("your bid, 0 to 2: ");
    terminal.enters("quit");
    terminal.sees("the match was stopped");
    terminal.sees(PROMPT);
    terminal.enters("exit");
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn help_explains_codes() {
    let mut terminal = Terminal::open();
    terminal.enters(":help E0501");
    terminal.sees("E0501: ");
    terminal.sees(PROMPT);
    terminal.enters(":help wedge");
    terminal.sees("The wedge sum");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn control_c_clears_the_line_and_stops_an_evaluation() {
    let mut terminal = Terminal::open();
    terminal.types("nonsense");
    terminal.control(ControlCode::EndOfText);
    terminal.sees(PROMPT);
    terminal.enters("let slow(n) = sum([sum([i * j for i in 0..10000]) for j in 0..n])");
    terminal.sees(PROMPT);
    terminal.enters("slow(1000000)");
    // The echo shows that the line was entered before the key is sent.
    terminal.sees("slow(1000000)");
    std::thread::sleep(Duration::from_secs(2));
    terminal.control(ControlCode::EndOfText);
    terminal.sees("[E0904]");
    terminal.sees(PROMPT);
    terminal.enters("slow(1)");
    terminal.sees("\n50005000\r\n");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn history_outlives_the_session_and_can_be_searched() {
    let mut terminal = Terminal::open();
    terminal.enters("100 + 23");
    terminal.sees("\n123\r\n");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    let (_, home) = terminal.quits();
    assert!(home.path().join(".local/state/bid/history").exists());
    let mut terminal = Terminal::in_home(home, &["repl"]);
    terminal.types("\x12"); // Ctrl-R
    terminal.sees("reverse-i-search");
    terminal.types("+ 2");
    terminal.sees("100 + 23");
    terminal.enters("");
    terminal.sees("\n123\r\n");
    terminal.sees(PROMPT);
    terminal.types("\x1b[A"); // up
    terminal.sees("100 + 23");
    terminal.control(ControlCode::EndOfText);
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn files_are_loaded_before_the_first_prompt_and_again() {
    let home = tempfile::tempdir().expect("a scratch folder");
    let file = home.path().join("a.bid");
    std::fs::write(&file, "let answer = 41\n").expect("a scratch folder is writable");
    let mut terminal = Terminal::in_home(home, &["repl", "a.bid"]);
    terminal.enters("answer");
    terminal.sees("\n41\r\n");
    terminal.sees(PROMPT);
    std::fs::write(&file, "let answer = 42\n").expect("a scratch folder is writable");
    terminal.enters(":reload");
    terminal.sees(PROMPT);
    terminal.enters("answer");
    terminal.sees("\n42\r\n");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn a_match_is_played_at_the_terminal() {
    let mut terminal = Terminal::open();
    terminal.enters("play(E, 3*, 3)");
    terminal.sees("you have 3*, Bob has 3");
    terminal.enters("9");
    terminal.sees("you have 3: bid a number from 0 to 3");
    terminal.enters("1*");
    terminal.sees("a bid has no star");
    terminal.enters("hint");
    terminal.sees("optimal play: bid");
    terminal.enters("3");
    terminal.sees("you bid 3");
    terminal.sees("(yes or no)?");
    terminal.control(ControlCode::EndOfText);
    terminal.sees("the match was stopped");
    terminal.sees(PROMPT);
    terminal.enters("1 + 1");
    terminal.sees("\n2\r\n");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

/// Checks that chips with −ε are explained when they are first printed, and that long texts of a
/// list are wrapped with a hanging indent.
#[test]
fn answers_and_help_explain_themselves() {
    let mut terminal = Terminal::open();
    terminal.enters("f(E, 3) using { ties: make_it_take_it }");
    terminal.sees("2-ε\r\n(3-ε: three chips suffice");
    terminal.sees(PROMPT);
    terminal.enters("f(E, 5) using { ties: make_it_take_it }");
    terminal.sees("3-ε\r\n");
    terminal.sees(PROMPT);
    terminal.enters(":help pay");
    terminal.sees("the part t to the bank,\r\n                        rounded");
    terminal.sees(PROMPT);
    terminal.enters(":help rules");
    terminal.sees("under real-valued\r\n              bidding");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

/// Checks that pasted text after a match answers its questions, and that the rest is an input
/// again.
#[test]
fn answers_typed_ahead_reach_the_match() {
    let mut terminal = Terminal::open();
    terminal.types("play(E, 3*, 3)\r3\ryes\rmove\r1\r1 + 1\r");
    terminal.sees("you bid 3, Bob bids 3");
    terminal.sees("you win the tie, using the advantage");
    terminal.sees("alice");
    terminal.sees("\n2\r\n");
    terminal.sees(PROMPT);
    // The answers are not in the history.
    terminal.types("\x1b[A\x1b[A\r");
    terminal.sees("you have 3*, Bob has 3");
    terminal.control(ControlCode::EndOfText);
    terminal.sees("the match was stopped");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

/// Sends Ctrl-C before and after the line editor begins to read keys: as a signal, then as a key.
#[test]
fn a_match_is_stopped_whenever_ctrl_c_comes() {
    let mut terminal = Terminal::open();
    for delay in (0..40).map(|step| Duration::from_micros(50 * step * step)) {
        terminal.enters("play(E, 3*, 3)");
        terminal.sees("you have 3*, Bob has 3");
        std::thread::sleep(delay);
        terminal.control(ControlCode::EndOfText);
        terminal.sees("the match was stopped");
        terminal.sees(PROMPT);
    }
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn a_match_for_the_score_ends_with_the_score() {
    let home = tempfile::tempdir().expect("a scratch folder");
    let heaps = "game subtraction(heap, takes) {\n  state n = heap\n  move take(s) for s in takes if s <= n { n -= s; score s }\n}\n";
    std::fs::write(home.path().join("heaps.bid"), heaps).expect("a scratch folder is writable");
    let mut terminal = Terminal::in_home(home, &["repl", "heaps.bid"]);
    // The equilibrium score is 1; the program plays Bob, and prevents more.
    terminal.enters("play(subtraction(3, [1]), 2*, 2) using larsson");
    terminal.sees("you have 2*, Bob has 2");
    terminal.sees("the score is 0");
    terminal.enters("0");
    terminal.sees("you win the tie, by the rules");
    terminal.sees("your only move: take(1)");
    terminal.sees("you have 2, Bob has 2*");
    terminal.sees("the score is 1, in your favour");
    terminal.enters("1");
    terminal.sees("you bid 1, Bob bids 0");
    terminal.sees("your only move: take(1)");
    terminal.sees("the score is 2");
    terminal.enters("1");
    terminal.sees("you bid 1, Bob bids 1");
    terminal.sees("Bob wins the");
    terminal.sees("Bob moves: take(1)");
    terminal.sees("the final score is 1, in your favour");
    terminal.sees("\n1\r\n");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn hex_is_played_on_a_board_too_large_to_be_explored() {
    let home = tempfile::tempdir().expect("a scratch folder");
    let hex = "game hex(m, n) {\n  state board = hexgrid(m, n)\n  move place(c) for c in cells(board) if board[c] == empty { board[c] = me }\n  \
               win alice if connected(board, alice, left, right)\n  win bob if connected(board, bob, top, bottom)\n}\n";
    std::fs::write(home.path().join("hex.bid"), hex).expect("a scratch folder is writable");
    let mut terminal = Terminal::in_home(home, &["repl", "hex.bid"]);
    // A player who never bids loses every bid; three moves do not make a chain yet.
    terminal.enters("play(hex(4, 4), 1*, 40)");
    terminal.sees("0 1 2 3");
    terminal.sees("you have 1*, Bob has 40");
    for _ in 0..3 {
        terminal.sees("your bid, 0 to");
        terminal.enters("0");
        terminal.sees("you bid 0, Bob bids");
    }
    terminal.sees("your bid, 0 to");
    terminal.control(ControlCode::EndOfText);
    terminal.sees("the match was stopped");
    terminal.sees(PROMPT);
    terminal.control(ControlCode::EndOfTransmission);
    assert_eq!(terminal.quits().0, 0);
}

#[test]
fn long_work_shows_its_progress_and_control_c_ends_it() {
    let home = tempfile::tempdir().expect("a scratch folder");
    let program = "game endless {\n  state n = 0\n  move up(1) { n += 1 }\n}\nshow R(endless)\n";
    std::fs::write(home.path().join("endless.bid"), program).expect("a scratch folder is writable");
    let mut terminal = Terminal::start(home, &["run", "endless.bid"]);
    terminal.sees("exploring");
    terminal.control(ControlCode::EndOfText);
    terminal.sees("[E0904]");
    assert_eq!(terminal.quits().0, 3);
}

/// Checks a terminal without a line editor, which sends a signal for Ctrl-C: the line is discarded,
/// also in the middle of an input.
#[test]
fn ctrl_c_at_a_dumb_terminals_prompt_clears_the_line() {
    let mut terminal =
        Terminal::start_as("dumb", tempfile::tempdir().expect("a scratch folder"), &[]);
    terminal.sees(PROMPT);
    for unfinished in ["17 + ", "let x = (1 +\r", ""] {
        terminal
            .session
            .send(unfinished)
            .expect("the terminal takes it");
        std::thread::sleep(Duration::from_millis(200));
        terminal
            .session
            .send(ControlCode::EndOfText)
            .expect("the terminal takes it");
        terminal.sees(PROMPT);
    }
    terminal
        .session
        .send("20 * 21\r")
        .expect("the terminal takes it");
    terminal.sees("420");
    terminal.sees(PROMPT);
    terminal
        .session
        .send(":quit\r")
        .expect("the terminal takes it");
    terminal.session.expect(Eof).expect("it ends");
}

/// Checks a history that is a device, and one that is a folder: the REPL starts, and leaves them
/// alone.
#[test]
fn a_history_that_is_no_file_is_left_alone() {
    for device in [true, false] {
        let home = tempfile::tempdir().expect("a scratch folder");
        let folder = home.path().join(".local/state/bid");
        std::fs::create_dir_all(&folder).expect("a scratch folder is writable");
        let history = folder.join("history");
        if device {
            std::os::unix::fs::symlink("/dev/zero", &history).expect("links can be made");
        } else {
            std::fs::create_dir(&history).expect("a scratch folder is writable");
        }
        let mut terminal = Terminal::in_home(home, &[]);
        terminal
            .session
            .send("20 * 21\r")
            .expect("the terminal takes it");
        terminal.sees("420");
    }
}
