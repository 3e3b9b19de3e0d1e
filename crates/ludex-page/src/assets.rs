//! The files of the front end, part of the program.

/// A file, its type and its bytes.
pub struct Asset {
    pub path: &'static str,
    pub kind: &'static str,
    pub text: &'static str,
}

macro_rules! assets {
    ($($kind:literal: $($file:literal)*;)*) => {
        &[$($(Asset {
            path: $file,
            kind: $kind,
            text: include_str!(concat!("../assets/", $file)),
        },)*)*]
    };
}

const ALL: &[Asset] = assets! {
    "text/html; charset=utf-8": "index.html";
    "text/css; charset=utf-8": "style.css";
    "image/svg+xml": "icon.svg";
    "text/javascript; charset=utf-8":
        "main.js" "api.js" "dom.js" "home.js" "board.js" "choice.js" "match.js" "play.js" "line.js" "engine.js"
        "look.js" "views.js" "parts.js" "locks.js" "factors.js" "graph.js" "tree.js" "write.js" "editor.js" "watch.js" "tabs.js";
};

/// The file at a path of the page; the page itself at `/`.
pub fn find(path: &str) -> Option<&'static Asset> {
    let path = match path.trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    ALL.iter().find(|asset| asset.path == path)
}
