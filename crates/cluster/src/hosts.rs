//! The list of machines: a `host:port` a line, the first for process 0.

use std::net::{SocketAddr, ToSocketAddrs};

use bid_language::diagnostic::{Code, Diagnostic, Result};

/// Where each process listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hosts {
    name: String,
    /// The address of each process and the line where it stands.
    entries: Vec<(String, usize)>,
}

impl Hosts {
    /// Reads a list; blank lines and what follows a `#` do not count. `name` is what messages call
    /// it.
    ///
    /// # Errors
    /// If a line is no `host:port`, an address comes twice, or there are not as many as processes.
    pub fn parse(name: &str, text: &str, processes: usize) -> Result<Self> {
        let mut entries: Vec<(String, usize)> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let address = line.split('#').next().unwrap_or_default().trim();
            if address.is_empty() {
                continue;
            }
            check(name, at + 1, address)?;
            if let Some((_, before)) = entries.iter().find(|(other, _)| other == address) {
                let message = format!("`{address}` is in lines {before} and {} of {name}", at + 1);
                return Err(Diagnostic::new(Code::Processes, message)
                    .help("give every process a port of its own")
                    .into());
            }
            entries.push((address.to_owned(), at + 1));
        }
        if entries.len() == processes {
            return Ok(Self {
                name: name.to_owned(),
                entries,
            });
        }
        let message = format!(
            "{name} has {} addresses for {processes} processes",
            entries.len()
        );
        Err(Diagnostic::new(Code::Processes, message)
            .help("write a `host:port` a line, the first for process 0")
            .into())
    }

    /// The address of a process as it is written.
    pub fn address(&self, process: usize) -> &str {
        &self.entries[process].0
    }

    /// Where an address stands, for messages.
    pub fn place(&self, process: usize) -> String {
        format!("line {} of {}", self.entries[process].1, self.name)
    }

    /// What the name of a process's machine stands for. This asks the network, and may take its
    /// time.
    ///
    /// # Errors
    /// If it stands for nothing, in the system's words.
    pub fn resolve(&self, process: usize) -> std::io::Result<Vec<SocketAddr>> {
        let found: Vec<SocketAddr> = self.address(process).to_socket_addrs()?.collect();
        if found.is_empty() {
            Err(std::io::Error::other("it has no address"))
        } else {
            Ok(found)
        }
    }
}

/// Whether a line is a `host:port`.
fn check(name: &str, line: usize, address: &str) -> Result<()> {
    let wrong = |why: &str| {
        let message = format!("line {line} of {name} is no `host:port`: {why}");
        Err(Diagnostic::new(Code::Processes, message)
            .help("write the name or address of the machine and a port, like `node1:2101` or `[fe80::1]:2101`")
            .into())
    };
    let Some((host, port)) = address.rsplit_once(':') else {
        return wrong("there is no port");
    };
    if host.is_empty() || host.contains(char::is_whitespace) {
        return wrong(&format!("`{host}` is no host"));
    }
    if host.contains(':') && !(host.starts_with('[') && host.ends_with(']')) {
        return wrong("an address with colons stands in brackets");
    }
    match port.parse::<u16>() {
        Ok(1..) => Ok(()),
        Ok(0) | Err(_) => wrong(&format!("`{port}` is no port")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, processes: usize) -> String {
        Hosts::parse("hosts", text, processes)
            .expect_err("it is wrong")
            .message
    }

    #[test]
    fn lists_read_as_written() {
        let text = "# our machines\nnode1:2101\n\n  [::1]:2102  # the second\n127.0.0.1:2103";
        let hosts = Hosts::parse("hosts", text, 3).expect("it is a list");
        assert_eq!(
            [0, 1, 2].map(|process| hosts.address(process)),
            ["node1:2101", "[::1]:2102", "127.0.0.1:2103"]
        );
        assert_eq!(hosts.place(1), "line 4 of hosts");
        assert_eq!(
            hosts.resolve(2).expect("it is an address"),
            ["127.0.0.1:2103".parse().expect("likewise")]
        );
    }

    #[test]
    fn other_lists_are_refused_with_the_line() {
        assert_eq!(
            refused("a:1\nb:2", 3),
            "hosts has 2 addresses for 3 processes"
        );
        assert_eq!(
            refused("a:1\nb", 2),
            "line 2 of hosts is no `host:port`: there is no port"
        );
        assert_eq!(
            refused("a:0", 1),
            "line 1 of hosts is no `host:port`: `0` is no port"
        );
        assert_eq!(
            refused("a:99999", 1),
            "line 1 of hosts is no `host:port`: `99999` is no port"
        );
        assert_eq!(
            refused(":7", 1),
            "line 1 of hosts is no `host:port`: `` is no host"
        );
        assert_eq!(
            refused("::1:7", 1),
            "line 1 of hosts is no `host:port`: an address with colons stands in brackets"
        );
        assert_eq!(
            refused("a:1\n\na:1", 2),
            "`a:1` is in lines 1 and 3 of hosts"
        );
    }
}
