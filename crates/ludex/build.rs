//! Makes the table of bundled games: every file of `games/` by its name, as text in the program.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut table = String::from("pub const BUNDLED: &[(&str, &str)] = &[\n");
    for file in game_files(&folder) {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        let path = file.canonicalize().expect("a file that was just listed");
        writeln!(table, "    ({name:?}, include_str!({path:?})),").expect("writing to a string");
    }
    table.push_str("];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    std::fs::write(out.join("bundled.rs"), table).expect("the build folder can be written");
}

/// The `.kif` and `.gdl` files of the folder, in order of their names.
fn game_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_game = |p: &PathBuf| p.extension().is_some_and(|e| e == "kif" || e == "gdl");
    let mut files: Vec<PathBuf> = entries.map(|e| e.path()).filter(is_game).collect();
    files.sort();
    files
}
