//! The files of the page, which are part of the program. `web/build.sh` makes them.

/// A file of the page.
pub struct Asset {
    pub path: &'static str,
    pub kind: &'static str,
    pub bytes: &'static [u8],
}

/// All files of the page.
pub const ASSETS: &[Asset] = &[
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!("../../../web/page/index.html"),
    },
    Asset {
        path: "/app.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../../web/page/app.js"),
    },
    Asset {
        path: "/app.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../../../web/page/app.css"),
    },
    Asset {
        path: "/icon.svg",
        kind: "image/svg+xml",
        bytes: include_bytes!("../../../web/page/icon.svg"),
    },
];

/// The permissions of the page: to load its own files, and to talk to its own server.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the page that is shown if a request is refused.
pub fn refusal(why: &str) -> String {
    format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>bid</title><h1>Access refused</h1><p>The reason: {why}.</p>\
         <p>Open the address that <code>bid serve</code> has printed in the terminal where it runs; it contains a token that is new each time the program starts.</p></html>"
    )
}
