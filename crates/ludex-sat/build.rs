//! Compiles CaDiCaL, whose sources are in the crate `cadical`, as four files instead of eighty: most of the
//! time would go into headers that all of them share. What no search for a model runs is not optimised.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Sources in the same unit have no name in common.
const UNITS: usize = 2;
/// Proofs, statistics, files of formulas and what is switched off unless asked for.
const COLD: [&str; 32] = [
    "block",
    "checker",
    "condition",
    "config",
    "cover",
    "drattracer",
    "external_propagate",
    "file",
    "flip",
    "format",
    "frattracer",
    "idruptracer",
    "logging",
    "lookahead",
    "lratbuilder",
    "lratchecker",
    "lrattracer",
    "message",
    "options",
    "parse",
    "profile",
    "proof",
    "report",
    "resources",
    "signal",
    "solution",
    "stats",
    "terminal",
    "util",
    "var",
    "veripbtracer",
    "version",
];
/// Programs, and interfaces that are not used.
const LEFT_OUT: [&str; 4] = ["cadical.cpp", "mobical.cpp", "ccadical.cpp", "ipasir.cpp"];

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/cadical.cpp");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        return;
    }
    let package = package();
    let version = fs::read_to_string(package.join("cadical/VERSION")).expect("a version");
    let sources = package.join("cadical/src");
    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").warnings(false).debug(false).include(&sources);
    for name in ["NBUILD", "NUNLOCKED", "NTRACING", "QUIET", "NDEBUG"] {
        build.define(name, None);
    }
    build.define("VERSION", format!("\"{}\"", version.trim()).as_str());
    let [hot, cold] = [false, true].map(|cold| units(&sources, cold));
    let cold = build.clone().opt_level(0).files(cold).compile_intermediates();
    build.opt_level(3).files(hot).file("src/cadical.cpp").objects(cold).compile("ludex_sat");
}

/// Where cargo keeps the crate `cadical`.
fn package() -> PathBuf {
    let manifest = Path::new(&env::var_os("CARGO_MANIFEST_DIR").expect("cargo")).join("Cargo.toml");
    let mut metadata = Command::new(env::var_os("CARGO").expect("cargo"));
    metadata.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(manifest);
    let output = metadata.output().expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout).replace("\\\\", "\\");
    let places = text.split("\"manifest_path\":\"").filter_map(|rest| rest.split('"').next());
    let mut folders = places.filter_map(|place| Path::new(place).parent());
    let found = folders.find(|folder| folder.join("cadical/src/cadical.hpp").is_file());
    let why = String::from_utf8_lossy(&output.stderr);
    found.unwrap_or_else(|| panic!("no sources of CaDiCaL; `cargo fetch` gets them\n{why}")).into()
}

/// Files that include the cold sources or the others, each its part of them.
fn units(sources: &Path, cold: bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(sources).expect("a folder of sources");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into()).collect();
    names.retain(|name| name.ends_with(".cpp") && !LEFT_OUT.contains(&name.as_str()));
    names.retain(|name| COLD.contains(&name.trim_end_matches(".cpp")) == cold);
    names.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo"));
    let unit = |at: usize| {
        let parts = names.iter().skip(at).step_by(UNITS);
        let text: String = parts.map(|name| format!("#include \"{name}\"\n")).collect();
        let file = out.join(format!("{}{at}.cpp", if cold { "cold" } else { "hot" }));
        fs::write(&file, text).expect("a place to write");
        file
    };
    (0..UNITS).map(unit).collect()
}
