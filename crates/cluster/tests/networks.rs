//! Processes in network namespaces of their own, joined by a bridge: a slow network, and one that
//! is cut.
//!
//! That takes a system that lets this user make namespaces and bridges; delay and bandwidth take
//! the queueing disciplines `netem` or `tbf`. Where something is missing, the tests say what and do
//! without it.
#![cfg(target_os = "linux")]

mod support;

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use bid_cluster::{Config, Hosts, Place, Team};
use bid_language::diagnostic::Result;
use bid_language::watch::{Peers, Unwatched};
use support::{bytes_of, print};

/// Runs a command of the system; what it complained of if it failed.
fn run(words: &str) -> std::result::Result<(), String> {
    let mut all = words.split(' ');
    let program = all.next().expect("there is a program");
    let output = Command::new(program)
        .args(all)
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "{words}: {}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

/// A bridge with namespaces at it, until it is dropped.
struct Network {
    name: String,
    count: usize,
}

impl Network {
    fn new(count: usize) -> std::result::Result<Self, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let serial = NEXT.fetch_add(1, Ordering::Relaxed);
        // Names of devices have at most 15 characters.
        let network = Self {
            name: format!("bd{}x{serial}", std::process::id()),
            count,
        };
        let Self { name, .. } = &network;
        run(&format!("ip link add {name} type bridge"))?;
        run(&format!("ip link set {name} up"))?;
        for at in 0..count {
            run(&format!("ip netns add {name}-{at}"))?;
            run(&format!(
                "ip link add {name}o{at} type veth peer name {name}i{at}"
            ))?;
            run(&format!("ip link set {name}i{at} netns {name}-{at}"))?;
            run(&format!("ip link set {name}o{at} master {name}"))?;
            run(&format!("ip link set {name}o{at} up"))?;
            run(&format!(
                "ip -n {name}-{at} addr add {}/24 dev {name}i{at}",
                address(at)
            ))?;
            run(&format!("ip -n {name}-{at} link set {name}i{at} up"))?;
        }
        Ok(network)
    }

    /// Makes it slow; what of that is possible here.
    fn slow_down(&self) -> std::result::Result<(), String> {
        let disciplines = [
            "netem delay 5ms rate 200mbit",
            "tbf rate 200mbit burst 64kb latency 50ms",
        ];
        let mut why = String::new();
        for discipline in disciplines {
            let all = (0..self.count).map(|at| {
                run(&format!(
                    "tc qdisc add dev {}o{at} root {discipline}",
                    self.name
                ))
            });
            match all.collect() {
                Ok(()) => return Ok(()),
                Err(error) => why = error,
            }
        }
        Err(why)
    }

    fn start(&self, process: usize, rounds: u64) -> Child {
        let own = std::env::current_exe().expect("it is running");
        Command::new("ip")
            .args(["netns", "exec", &format!("{}-{process}", self.name)])
            .arg(own)
            .args(["--exact", "role", "--nocapture", "--test-threads=1"])
            .env(
                "BID_CLUSTER_ROLE",
                format!("{} {process} {rounds}", self.count),
            )
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts")
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        let Self { name, count } = self;
        for at in 0..*count {
            let _ = run(&format!("ip netns del {name}-{at}"));
            // It goes with its other end, a moment later.
            let _ = run(&format!("ip link del {name}o{at}"));
        }
        let _ = run(&format!("ip link del {name}"));
    }
}

fn address(at: usize) -> String {
    format!("10.213.77.{}", at + 1)
}

/// A network, or the reason why there is none, which is printed.
fn network(count: usize) -> Option<Network> {
    Network::new(count)
        .inspect_err(|why| eprintln!("skipped: {}", why.trim()))
        .ok()
}

fn work(team: &Team, rounds: u64) -> Result<()> {
    for round in 0..rounds {
        team.barrier(&format!("round {round}"), &Unwatched)?;
        for block in 0..50 {
            team.offer(block, Arc::new(bytes_of(block)));
        }
        for block in 0..50 {
            for from in 0..team.count() {
                assert_eq!(
                    team.fetch(block, from, 3_000_000, &Unwatched)?,
                    bytes_of(block)
                );
            }
        }
        if round == 0 {
            eprintln!("working");
        }
    }
    team.finish(&Unwatched)
}

/// Not a test of its own: what a process does that the tests below start.
#[test]
fn role() {
    let Ok(role) = std::env::var("BID_CLUSTER_ROLE") else {
        return;
    };
    let words: Vec<usize> = role
        .split(' ')
        .map(|word| word.parse().expect("it is a number"))
        .collect();
    let [processes, process, rounds] = *words else {
        panic!("a role has three numbers")
    };
    let text: String = (0..processes)
        .map(|at| format!("{}:2101\n", address(at)))
        .collect();
    let place = Place::Hosts(Hosts::parse("hosts", &text, processes).expect("it is a list"));
    let config = Config {
        processes,
        process,
        place,
        patience: Duration::from_secs(30),
    };
    let team = Team::join(&config, &print("R(A)"), &Unwatched).expect("all come");
    match work(&team, rounds as u64) {
        Ok(()) => eprintln!("done"),
        Err(error) => eprintln!("{}", error.message),
    }
}

/// Waits for the first line of each process.
fn working(all: &mut [Child]) -> Vec<BufReader<std::process::ChildStderr>> {
    let open = |child: &mut Child| {
        let mut error = BufReader::new(child.stderr.take().expect("it has one"));
        let mut line = String::new();
        error.read_line(&mut line).expect("it speaks");
        assert_eq!(line, "working\n");
        error
    };
    all.iter_mut().map(open).collect()
}

fn rest(mut error: BufReader<std::process::ChildStderr>) -> String {
    let mut text = String::new();
    error.read_to_string(&mut text).expect("it speaks");
    text
}

#[test]
fn over_a_slow_network_blocks_arrive_as_they_were() {
    let Some(network) = network(3) else { return };
    if let Err(why) = network.slow_down() {
        eprintln!("at full speed: {}", why.trim());
    }
    let mut all: Vec<Child> = (0..3).map(|process| network.start(process, 3)).collect();
    let errors = working(&mut all);
    assert_eq!(
        errors.into_iter().map(rest).collect::<Vec<_>>(),
        ["done\n"; 3]
    );
    assert!(
        all.iter_mut()
            .all(|child| child.wait().expect("it ends").success())
    );
}

/// A cable is pulled: nothing tells the others but the silence.
#[test]
fn a_machine_that_is_cut_off_is_noticed() {
    let Some(network) = network(3) else { return };
    let mut all: Vec<Child> = (0..3)
        .map(|process| network.start(process, u64::MAX >> 1))
        .collect();
    let errors = working(&mut all);
    run(&format!("ip link set {}o1 down", network.name)).expect("it is ours");
    let begun = Instant::now();
    let told: Vec<String> = errors.into_iter().map(rest).collect();
    assert!(
        begun.elapsed() < Duration::from_secs(6),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(told[0], "stopped: process 1 is no longer heard of\n");
    assert_eq!(told[2], told[0]);
    // Who is cut off cannot tell who is to blame.
    assert!(
        told[1] == "stopped: process 0 is no longer heard of\n"
            || told[1] == "stopped: process 2 is no longer heard of\n"
    );
    all.iter_mut().for_each(|child| drop(child.wait()));
}
