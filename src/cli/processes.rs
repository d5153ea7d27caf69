//! `bid eval --processes N --process I`: one question to several processes.
//!
//! All evaluate the same expression; what the solvers can share among processes they share. Process
//! 0 prints the answer.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use bid::diagnostic::Diagnostic;
use bid::files::{self, Disk};
use bid::session::{Event, FileForm, Session};
use bid::source::SourceMap;
use bid::watch::{Departure, Member, Peers, Stop};
use bid_cluster::{Config, Fingerprint, Hosts, Place, Team};

use super::args::Processes;
use super::output::Output;
use super::run::{self, Asked};
use super::status::Status;

/// How long to wait for the others: they are started by hand, on one machine after the other.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whether there are others to answer with.
pub fn are_several(wanted: &Processes) -> bool {
    wanted.processes.is_some_and(|count| count > 1)
}

/// Lets plans be for one of as many processes as are wanted: the one whose number is given, or the
/// first.
///
/// # Errors
/// If there is no such process.
pub fn plan_for(output: &Output, wanted: &Processes) -> Result<(), Status> {
    let Some(of) = wanted.processes.filter(|count| *count > 1) else {
        return Ok(());
    };
    if let Some(process) = wanted.process {
        let config = Config {
            processes: of.into(),
            process: process.into(),
            place: Place::Here(None),
            patience: PATIENCE,
        };
        config.check().map_err(|why| complain(output, &why))?;
    }
    output.guard.plan_for(Member {
        own: wanted.process.unwrap_or(0).into(),
        of: of.into(),
    });
    Ok(())
}

/// Evaluates an expression together with other processes. Process 0 prints the value, or writes it
/// to a file; the others print neither.
pub fn eval(
    output: &Output,
    asked: &Asked<'_>,
    wanted: &Processes,
    (certificate, file): (Option<&Path>, Option<&Path>),
) -> Status {
    let _work = output.guard.begin();
    if certificate.is_some() {
        let help = "leave out `--processes`".to_owned();
        return output.usage_error(
            "certificates are written by one process".to_owned(),
            Some(help),
        );
    }
    if let Some(Err(wrong)) = file.map(FileForm::of) {
        return output.trouble(&wrong);
    }
    let config = match config(output, wanted) {
        Ok(config) => config,
        Err(status) => return status,
    };
    let (mut session, status) = run::opened(output, asked);
    if status != Status::Good {
        return status;
    }
    let team = match Team::join(
        &config,
        &fingerprint(asked, session.sources()),
        &*output.guard,
    ) {
        Ok(team) => Arc::new(team),
        Err(why) => return complain(output, &why),
    };
    let peers: Arc<dyn Peers> = Arc::<Team>::clone(&team);
    output.guard.share_with(peers);
    let status = answer(
        output,
        &mut session,
        asked,
        file.filter(|_| config.process == 0),
        config.process,
    );
    part(output, &team, status)
}

/// What the options say of the processes.
fn config(output: &Output, wanted: &Processes) -> Result<Config, Status> {
    let processes = usize::from(wanted.processes.unwrap_or(1));
    let Some(process) = wanted.process else {
        let help = format!(
            "add `--process I` with another I from 0 to {} for each of them",
            processes - 1
        );
        return Err(output.usage_error(
            "the number of this process is missing".to_owned(),
            Some(help),
        ));
    };
    let place = match &wanted.hosts {
        None => Place::Here(None),
        Some(path) => {
            let read =
                files::text(&Disk, path, &*output.guard).map_err(|why| complain(output, &why))?;
            let hosts = Hosts::parse(&path.display().to_string(), &read.0, processes);
            Place::Hosts(hosts.map_err(|why| complain(output, &why))?)
        }
    };
    Ok(Config {
        processes,
        process: usize::from(process),
        place,
        patience: PATIENCE,
    })
}

/// What must be the same everywhere.
fn fingerprint(asked: &Asked<'_>, sources: &SourceMap) -> Fingerprint {
    let program = concat!(env!("CARGO_PKG_VERSION"), env!("BID_COMMIT_SUFFIX"));
    // The lengths keep two texts apart from one.
    let source: Vec<String> = sources
        .iter()
        .map(|source| format!("{}\n// {} bytes\n", source.text, source.text.len()))
        .collect();
    Fingerprint::new()
        .with("version", program)
        .with("question", asked.expression)
        .with("rules option", asked.rules.unwrap_or(""))
        .with("source", &source.concat())
}

/// Evaluates the expression. Diagnostics are printed by each process; the value by process 0,
/// unless there is a file for it.
fn answer(
    output: &Output,
    session: &mut Session,
    asked: &Asked<'_>,
    file: Option<&Path>,
    process: usize,
) -> Status {
    if let Some(file) = file {
        return run::write_value(output, session, (file, asked.expression));
    }
    run::value(
        output,
        session,
        asked.expression,
        &mut |sources, event| match event {
            Event::Value(_) | Event::Shown { .. } if process > 0 => {}
            event @ (Event::Value(_)
            | Event::Shown { .. }
            | Event::CheckPassed { .. }
            | Event::CheckFailed(_)
            | Event::Diagnostic(_)
            | Event::TestStarted { .. }
            | Event::TestSkipped { .. }
            | Event::TestEnded { .. }) => output.event(sources, event),
        },
    )
}

/// Parts from the others: in peace when all is done, which takes until all have done it.
fn part(output: &Output, team: &Team, status: Status) -> Status {
    match status {
        Status::Good | Status::CheckFailed | Status::Wrong => {}
        Status::Stopped => {
            team.leave(match output.guard.stop() {
                Some(Stop::Interrupted) => Departure::Interrupted,
                Some(
                    Stop::Positions(_)
                    | Stop::Memory(_)
                    | Stop::Shortage(_)
                    | Stop::Time
                    | Stop::Process(_),
                )
                | None => Departure::Limit,
            });
            return status;
        }
        Status::Internal => {
            team.leave(Departure::Failed);
            return status;
        }
    }
    let shared = team.traffic().fetched;
    let parted = match status {
        Status::Good => team.finish(&*output.guard),
        Status::CheckFailed | Status::Wrong | Status::Stopped | Status::Internal => {
            team.give_up(&*output.guard)
        }
    };
    match parted {
        Ok(()) if team.own() == 0 && shared == 0 && status == Status::Good => {
            output.remark("(each process worked it all out: there was nothing to share)");
            status
        }
        Ok(()) => status,
        Err(why) => {
            let departure = if output.guard.interrupted() {
                Departure::Interrupted
            } else {
                Departure::Failed
            };
            team.leave(departure);
            if status == Status::Good && team.own() > 0 {
                return complain(output, &why);
            }
            // The answer is there, and exact, or the error is told, whatever became of the others.
            output.remark(&format!("({})", why.message));
            status
        }
    }
}

/// Says why there is no answer.
fn complain(output: &Output, why: &Diagnostic) -> Status {
    output.diagnostic(&SourceMap::default(), why);
    Status::from(why)
}
