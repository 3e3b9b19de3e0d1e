//! `ludex report` and `ludex atlas`: pages that need nothing else, and names that do no harm in them.

use std::path::{Path, PathBuf};
use std::process::Command;

fn ludex(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// An empty folder.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn report(game: &str, page: &Path) -> (i32, String, String) {
    ludex(&["report", game, "--seconds", "0.5", "-o", page.to_str().unwrap()])
}

#[test]
fn a_report_has_all_parts_and_needs_nothing_else() {
    let page = folder("report").join("page.html");
    let (code, told, _) = report("tictactoe", &page);
    assert_eq!(code, 0, "{told}");
    let text = std::fs::read_to_string(&page).unwrap();
    for part in [
        "rules",
        "checks",
        "size",
        "boards",
        "pieces",
        "proofs",
        "symmetries",
        "factors",
        "latches",
        "value",
        "speed",
    ] {
        assert!(text.contains(&format!("<section id=\"{part}-0\">")), "{part}");
    }
    assert!(text.contains("white 50, black 50"), "its value");
    assert!(text.matches("class=\"frame\"").count() > 5, "a match to step through");
    let elsewhere =
        text.matches("http").count() - text.matches("http://www.w3.org/2000/svg").count();
    assert_eq!(elsewhere, 0, "nothing is fetched");
    let (code, _, errors) = report("tictactoe", &page);
    assert_eq!(code, 1);
    assert!(errors.contains("--force"), "{errors}");
}

/// A game whose names are markup.
const HARMFUL: &str = "(role <img/src=x/onerror=alert``>) (succ 0 1) (succ 1 2)
    (init (cell 1 <script>alert``</script>)) (init (cell 2 <b>)) (init (cell 3 <b>)) (init (cell 4 <b>)) (init (step 0))
    (legal <img/src=x/onerror=alert``> <i/onclick=alert``>)
    (<= (next (cell ?x ?y)) (true (cell ?x ?y))) (<= (next (step ?b)) (true (step ?a)) (succ ?a ?b))
    (<= terminal (true (step 2))) (goal <img/src=x/onerror=alert``> 100)";

#[test]
fn names_that_are_markup_do_no_harm() {
    let folder = folder("harmful");
    let file = folder.join("<img src=x onerror=alert(1)>.kif");
    std::fs::write(&file, HARMFUL).unwrap();
    let page = folder.join("page.html");
    let (code, told, errors) = report(file.to_str().unwrap(), &page);
    assert!(code == 0 || code == 3, "{told}{errors}");
    let text = std::fs::read_to_string(&page).unwrap();
    for harm in ["<img", "<script>alert", "<i/", "<b>"] {
        assert!(!text.contains(harm), "{harm}");
    }
    assert!(text.contains("&lt;img"));
    let site = folder.join("site");
    let (code, told, errors) = ludex(&[
        "atlas",
        folder.to_str().unwrap(),
        "--seconds",
        "0.2",
        "-o",
        site.to_str().unwrap(),
    ]);
    assert!(code == 0 || code == 3, "{told}{errors}");
    let index = std::fs::read_to_string(site.join("index.html")).unwrap();
    assert_eq!(index.matches("<img").count(), 1, "only its own picture");
    assert!(!index.contains("<img src=x"));
}

#[test]
fn a_page_comes_also_where_the_first_state_takes_too_long() {
    let folder = folder("late");
    let bits: Vec<String> = (0..40).map(|bit| format!("?b{bit}")).collect();
    let word = format!("(word {})", bits.join(" "));
    let each: String = bits.iter().map(|bit| format!(" (bit {bit})")).collect();
    let rules = format!(
        "(role you) (bit 0) (bit 1) (<= {word}{each}) (<= (init (start ?b0)) {word}) (init here)
         (legal you go) (<= (next here) (true here)) (<= terminal (true (start 2))) (goal you 50)"
    );
    let file = folder.join("late.kif");
    std::fs::write(&file, rules).unwrap();
    let page = folder.join("page.html");
    let (code, told, errors) = ludex(&[
        "report",
        file.to_str().unwrap(),
        "--seconds",
        "0.05",
        "-o",
        page.to_str().unwrap(),
    ]);
    assert_eq!(code, 3, "{told}{errors}");
    let text = std::fs::read_to_string(&page).unwrap();
    assert!(text.contains("stopped: the first state"), "{text}");
}

#[test]
fn an_atlas_goes_on_where_it_was() {
    let folder = folder("atlas");
    for game in ["tictactoe", "lightsout", "nim"] {
        let (_, text, _) = ludex(&["games", game]);
        std::fs::write(folder.join(format!("{game}.kif")), text).unwrap();
    }
    std::fs::write(folder.join("broken.kif"), "(role").unwrap();
    let site = folder.join("site");
    let make = || {
        ludex(&[
            "atlas",
            folder.to_str().unwrap(),
            "--seconds",
            "0.3",
            "-o",
            site.to_str().unwrap(),
        ])
    };
    let (code, told, errors) = make();
    assert_eq!(code, 1, "one is broken: {told}{errors}");
    assert_eq!(told.lines().count(), 4, "{told}");
    for file in ["index.html", "tictactoe.html", "tictactoe.svg", "lightsout.html", "nim.html"] {
        assert!(site.join(file).is_file(), "{file}");
    }
    let index = std::fs::read_to_string(site.join("index.html")).unwrap();
    assert_eq!(index.matches("class=\"card\"").count(), 3);
    assert!(told.contains("broken.kif"), "{told}");
    assert!(index.contains("<p class=\"cut\">broken: "), "it is told why it has no page");
    let (_, told, _) = make();
    assert_eq!(told.matches("(kept)").count(), 3, "{told}");
}
