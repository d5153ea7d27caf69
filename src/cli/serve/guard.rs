//! Admits requests: those of pages of this server, in a browser of this machine that was given the
//! token.
//!
//! A page of another site can make a browser send requests here. It cannot make them carry this
//! server's `Origin`; a name of its own that resolves to 127.0.0.1 (DNS rebinding) shows in `Host`;
//! and the cookie, which is not sent from other sites, is needed too.

use std::io;

use axum::http::header::{COOKIE, HOST, HeaderMap, ORIGIN};
use axum::http::{Method, StatusCode, Uri};

/// The number of random bytes of a token.
const RANDOM: usize = 16;

/// The properties that a request must have to be admitted.
pub struct Door {
    port: u16,
    token: String,
}

/// The decision on a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is admitted.
    In,
    /// It has brought the token in its address, and is given this cookie.
    Exchange(String),
    /// It is refused, for this reason.
    Out(StatusCode, &'static str),
}

impl Door {
    /// Creates a door with a new token.
    ///
    /// # Errors
    /// Returns an error if the system provides no random numbers.
    pub fn new(port: u16) -> io::Result<Self> {
        let mut random = [0_u8; RANDOM];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        Ok(Self {
            port,
            token: random.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// Returns the address to open in a browser.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// Returns the name of the cookie. It contains the port, because cookies are shared between
    /// ports.
    fn cookie_name(&self) -> String {
        format!("bid-{}", self.port)
    }

    /// Judges a request.
    pub fn judge(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Verdict {
        let hosts = [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ];
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(host) = text(HOST).filter(|host| hosts.iter().any(|known| known == host)) else {
            return Verdict::Out(
                StatusCode::MISDIRECTED_REQUEST,
                "this server answers only as 127.0.0.1",
            );
        };
        let is_reading = matches!(*method, Method::GET | Method::HEAD);
        let origin_is_own = match headers.get(ORIGIN) {
            Some(_) => {
                text(ORIGIN).is_some_and(|origin| origin.strip_prefix("http://") == Some(host))
            }
            // Browsers leave the header out of plain reads, but send it with every other request.
            None => is_reading,
        };
        if !origin_is_own {
            return Verdict::Out(
                StatusCode::FORBIDDEN,
                "this request comes from another site",
            );
        }
        if let Some(token) = uri.query().and_then(|query| parameter(query, "token")) {
            // Only the page itself takes the token, so no other address can hand out the cookie.
            return match is_reading && uri.path() == "/" && self.is_token(token) {
                true => Verdict::Exchange(format!(
                    "{}={}; Path=/; HttpOnly; SameSite=Strict",
                    self.cookie_name(),
                    self.token
                )),
                false => Verdict::Out(
                    StatusCode::FORBIDDEN,
                    "this is not the token of the server that is running now",
                ),
            };
        }
        let name = self.cookie_name();
        let cookies = headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok());
        let mut pairs = cookies
            // Cookies of other servers on this machine come along, since they are shared by host.
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        if pairs.any(|(key, value)| key == name && self.is_token(value)) {
            Verdict::In
        } else {
            Verdict::Out(StatusCode::FORBIDDEN, "the address must contain the token")
        }
    }

    /// Returns `true` if a text is the token. The time does not depend on the number of equal
    /// characters.
    fn is_token(&self, other: &str) -> bool {
        let differences = self
            .token
            .bytes()
            .zip(other.bytes())
            .fold(0, |all, (a, b)| all | (a ^ b));
        other.len() == self.token.len() && differences == 0
    }
}

/// Returns the value of a parameter of a query.
fn parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}
