//! The command line's grammar, from which clap makes parsing, help and completions.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ColorChoice, Parser, Subcommand, ValueEnum, ValueHint};

use bid_report::Format;

/// A language, an interpreter and exact solvers for bidding games.
///
/// Without a command: the REPL on a terminal, otherwise runs standard input.
#[derive(Debug, Parser)]
#[command(
    name = "bid",
    version = concat!(env!("CARGO_PKG_VERSION"), env!("BID_COMMIT_SUFFIX")),
    max_term_width = 100,
    after_help = "Exit status: 0 all well, 1 a check or snapshot failed, \
    2 the source or the command line was wrong, 3 a limit or an interrupt stopped it."
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub options: Options,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read expressions and statements line by line and print their values
    Repl {
        /// Files whose definitions are loaded first
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
    /// Run files
    Run {
        /// The files, `-` for standard input
        #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
    /// Evaluate one expression
    Eval {
        #[command(flatten)]
        asked: AskedExpression,
        /// Write what an independent reader needs to believe the answer; `bid verify` checks it, or
        /// Coq where the file ends in .v
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        certificate: Option<PathBuf>,
        /// Write the answer to a file, in the format of its extension: .txt .json .csv .tex .html
        /// .svg .png .pdf .dot .prism .nfg .efg
        #[arg(short, long = "output", value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "certificate")]
        output: Option<PathBuf>,
    },
    /// Say which method would answer an expression, why, and what it would cost; answer nothing
    Plan(AskedExpression),
    /// Check a certificate: status 0 if it proves its answer, 1 if not, 2 if it is not a
    /// certificate
    Verify {
        /// The certificate
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Look for mistakes in files without running them
    Check {
        /// The files, `-` for standard input
        #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
    /// Run the tests of files and compare what they show with their snapshots
    Test(TestOptions),
    /// Format files
    Fmt {
        /// Only say which files are not formatted
        #[arg(long)]
        check: bool,
        /// Files, or folders with all `.bid` files in them; `-` formats standard input to standard
        /// output
        #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
        paths: Vec<PathBuf>,
    },
    /// Run a file and write one page for browsers with its text and all its answers
    Export(ExportOptions),
    /// Show a worksheet in a browser of this machine, until Ctrl-C
    #[cfg(feature = "serve")]
    Serve(ServeOptions),
    /// Explain a diagnostic's code, or list all codes
    Explain {
        /// A code like E0201
        #[arg(value_name = "CODE")]
        code: Option<String>,
    },
    /// Serve an editor: the language server, on standard input and output
    #[cfg(feature = "lsp")]
    Lsp {
        /// Has no effect: many editors pass it to every server, and this one always works this way
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Print each token of files with its class, for the tests of editors' grammars
    #[command(hide = true)]
    Tokens {
        /// The files
        #[arg(value_name = "FILE", required = true, value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
    /// Print a script that completes these commands in a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages of these commands, for `man`, into a folder
    Man {
        /// The folder
        #[arg(value_hint = ValueHint::DirPath)]
        folder: PathBuf,
    },
}

impl Command {
    /// Returns `true` if Ctrl-C ends the command directly. The server ends by itself.
    pub fn ends_by_interrupt(&self) -> bool {
        #[cfg(feature = "serve")]
        if let Self::Serve(_) = self {
            return false;
        }
        true
    }
}

/// An expression, and what it may use.
#[derive(Debug, clap::Args)]
pub struct AskedExpression {
    /// A file whose definitions the expression may use [default: games/classics.bid]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub load: Vec<PathBuf>,
    /// Rules other than the default, like '{ ties: marker }', or the name of rules
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
    /// The expression
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    pub expression: String,
}

/// The options of `bid serve`.
#[cfg(feature = "serve")]
#[derive(Debug, clap::Args)]
pub struct ServeOptions {
    /// The worksheet, which need not exist yet, or a folder of worksheets
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<PathBuf>,
    /// The port [default: a free one, the same for the same folder]
    #[arg(long, value_name = "N", value_parser = from_one::<u16>)]
    pub port: Option<u16>,
    /// Open the browser
    #[arg(long)]
    pub open: bool,
    /// The address of a playground that others can reach, to which the page's links lead
    #[arg(long, value_name = "URL", value_parser = playground, value_hint = ValueHint::Url)]
    pub playground: Option<String>,
}

/// The options of `bid export`.
#[derive(Debug, clap::Args)]
pub struct ExportOptions {
    /// The file, `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// The page [default: standard output]
    #[arg(short, long = "output", value_name = "PAGE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,
    /// The address of a playground, to which a link of the page leads
    #[arg(long, value_name = "URL", value_parser = playground, value_hint = ValueHint::Url)]
    pub playground: Option<String>,
}

/// The options of `bid test`.
#[derive(Debug, clap::Args)]
pub struct TestOptions {
    /// Files, or folders with all `.bid` files in them; `-` for standard input, of which only the
    /// checks count
    #[arg(value_name = "PATH", default_value = ".", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// Accept what the tests show as their new snapshots
    #[arg(long)]
    pub accept: bool,
    /// Only tests whose name contains this
    #[arg(long, value_name = "NAME")]
    pub filter: Option<String>,
}

/// The options that all commands share.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The format of values: json is one document a line, latex needs booktabs, html is a
    /// fragment of a page
    #[arg(long, global = true, value_enum, default_value_t = FormatName::Text, help_heading = "Common options")]
    pub format: FormatName,
    /// Colours: auto uses them on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, help_heading = "Common options")]
    pub color: ColorChoice,
    /// The number of threads [default: one for each processor]
    #[arg(long, global = true, value_name = "N", value_parser = from_one::<u16>, help_heading = "Common options")]
    pub threads: Option<u16>,
    /// The most positions of one game [default: 100 billion]
    #[arg(long, global = true, value_name = "N", value_parser = from_one::<u64>, help_heading = "Common options")]
    pub max_positions: Option<u64>,
    /// The most memory, like 500M or 2G [default: 16G, at most three quarters of what there is]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size, help_heading = "Common options")]
    pub max_memory: Option<u64>,
    /// A folder for data that do not fit in memory; work resumes from it after an interrupt or a crash
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = "Common options")]
    pub checkpoint: Option<PathBuf>,
    /// The most time, like 10s or 5m [default: no limit]
    #[arg(long, global = true, value_name = "T", value_parser = duration, help_heading = "Common options")]
    pub timeout: Option<Duration>,
    /// Print results and errors only: no progress, no warnings
    #[arg(short, long, global = true, help_heading = "Common options")]
    pub quiet: bool,
}

impl Options {
    /// Returns the number of threads that may work.
    pub fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }
}

/// `--format`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatName {
    Text,
    Json,
    Csv,
    Latex,
    Html,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Text => Self::Text,
            FormatName::Json => Self::Json,
            FormatName::Csv => Self::Csv,
            FormatName::Latex => Self::Latex,
            FormatName::Html => Self::Html,
        }
    }
}

/// Parses the address of a playground.
fn playground(text: &str) -> Result<String, String> {
    let host = text
        .strip_prefix("https://")
        .or(text.strip_prefix("http://"));
    // The address is written into attributes of the page, and the text follows it behind a `#`.
    let is_plain = |c: char| c.is_ascii_graphic() && !"\"'<>#`\\".contains(c);
    host.filter(|host| !host.is_empty() && host.chars().all(is_plain))
        .map(|_| text.to_owned())
        .ok_or_else(|| format!("expected an address like https://example.org/bid/, found `{text}`"))
}

/// Parses a size such as `500M`, `1.5G` or `1048576`: bytes, with units in steps of 1024.
fn size(text: &str) -> Result<u64, String> {
    let expected = || format!("expected a size like 500M or 2G, found `{text}`");
    let (number, unit) = split_unit(text);
    let unit = unit
        .strip_suffix("iB")
        .or(unit.strip_suffix('B'))
        .unwrap_or(unit);
    let shift = match unit.to_ascii_uppercase().as_str() {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(expected()),
    };
    scaled(number, 1 << shift)
        .filter(|&size| size > 0)
        .ok_or_else(expected)
}

/// Parses a time such as `10s`, `1.5m`, `1h` or `500ms`; a bare number counts seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let expected = || format!("expected a time like 10s or 5m, found `{text}`");
    let (number, unit) = split_unit(text);
    let milliseconds = match unit {
        "ms" => 1,
        "" | "s" => 1000,
        "m" | "min" => 60 * 1000,
        "h" => 3600 * 1000,
        _ => return Err(expected()),
    };
    scaled(number, milliseconds)
        .filter(|&time| time > 0)
        .map(Duration::from_millis)
        .ok_or_else(expected)
}

/// Parses a whole number that is at least one.
fn from_one<T: TryFrom<u64> + PartialEq + Default>(text: &str) -> Result<T, String> {
    whole(text)
        .ok()
        .filter(|number| *number != T::default())
        .ok_or_else(|| not_whole::<T>(text, 1))
}

/// Parses a whole number such as `1000000` or `1e6`.
fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    let (digits, zeros) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let is_whole = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    Some((digits, zeros))
        // The check comes first, because `parse` also takes a leading `+`.
        .filter(|_| is_whole(digits) && is_whole(zeros))
        .and_then(|_| {
            let digits: u64 = digits.parse().ok()?;
            digits.checked_mul(10_u64.checked_pow(zeros.parse().ok()?)?)
        })
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| not_whole::<T>(text, 0))
}

fn not_whole<T>(text: &str, least: u8) -> String {
    // The types are unsigned and have at most 64 bits, so the shift is in range.
    let most = u64::MAX >> (64 - 8 * size_of::<T>());
    format!("expected a whole number from {least} to {most}, found `{text}`")
}

/// Parses a number such as `2` or `1.5`, and returns it in units of which it counts `factor`.
fn scaled(number: &str, factor: u64) -> Option<u64> {
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    let whole: u64 = whole.parse().ok()?;
    let part = decimals.parse::<u64>().ok()?.checked_mul(factor)?;
    let part = part / 10_u64.checked_pow(u32::try_from(decimals.len()).ok()?)?;
    whole.checked_mul(factor)?.checked_add(part)
}

fn split_unit(text: &str) -> (&str, &str) {
    text.split_at(
        text.find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_finds_no_contradiction() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }

    #[test]
    fn numbers_read_as_written() {
        assert_eq!(from_one("1000000"), Ok(1_000_000_u64));
        assert_eq!(from_one("1e6"), Ok(1_000_000_u64));
        assert_eq!(from_one("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(whole("0"), Ok(0_u16));
        assert_eq!(
            from_one::<u16>("0"),
            Err("expected a whole number from 1 to 65535, found `0`".to_owned())
        );
        assert_eq!(
            from_one::<u64>("1.5"),
            Err(format!(
                "expected a whole number from 1 to {}, found `1.5`",
                u64::MAX
            ))
        );
        for bad in [
            "", "e", "1e", "e6", "-1", "+1", "1 000", "1e-3", "1e20", "0x10", "x",
        ] {
            assert!(from_one::<u64>(bad).is_err(), "{bad}");
            assert!(whole::<u64>(bad).is_err(), "{bad}");
        }
        assert!(from_one::<u16>("65536").is_err());
    }

    #[test]
    fn addresses_of_playgrounds_are_addresses() {
        for good in ["https://example.org/bid/", "http://[::1]:80/a%20b?x=1"] {
            assert_eq!(playground(good), Ok(good.to_owned()));
        }
        for bad in [
            "",
            "example.org",
            "https://",
            "javascript:alert(1)",
            "https://a/#p=x",
            "https://a/ b",
            "https://a/\"><script>",
        ] {
            assert!(playground(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn sizes_and_times_read_as_written() {
        assert_eq!(size("500M"), Ok(500 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("7"), Ok(7));
        assert_eq!(size("1.5G"), Ok(3 << 29));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1_500)));
        assert_eq!(duration("0.25h"), Ok(Duration::from_secs(900)));
        assert_eq!(duration("5m"), Ok(Duration::from_secs(300)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        for bad in [
            "",
            "G",
            "-1",
            "0",
            "0.0",
            "1.",
            ".5",
            "1.2.3",
            "5 apples",
            "99999999999999999999",
            "18446744073709551615T",
        ] {
            assert!(size(bad).is_err(), "{bad}");
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
