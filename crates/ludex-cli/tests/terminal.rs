//! A real terminal (tmux). `ludex play`: what is typed, the page redrawn in place, undo, and a terminal that is
//! left as it was. `ludex draw`: characters, not the text of a picture.

use ludex_testing::Screen;

#[test]
fn moves_are_typed_completed_and_taken_back() {
    let Some(screen) = Screen::open("play") else { return };
    let program = env!("CARGO_BIN_EXE_ludex");
    screen.send(&[&format!("{program} play tictactoe --against random; echo left $?"), "Enter"]);
    screen.wait("white>");
    screen.send(&["ma", "Tab", "2", "Space", "2"]);
    screen.wait("white> mark 2 2");
    screen.send(&["Enter"]);
    let page = screen.wait("2  white: noop   black: (mark");
    assert!(page.contains("1  white: (mark 2 2)   black: noop"), "{page}");
    // The page is drawn anew in its place: there is one board.
    assert_eq!(page.matches("  1 2 3").count(), 1, "{page}");
    screen.send(&["undo", "Enter"]);
    let page = screen.wait("9  (mark 3 3)");
    assert!(!page.contains("white: (mark 2 2)"), "{page}");
    screen.send(&["C-c"]);
    screen.wait("left 0");
    screen.send(&["stty -a | grep -c -- -icanon", "Enter"]);
    screen.wait("\n0\n");
}

#[test]
fn a_terminal_shows_a_board_of_characters() {
    let Some(screen) = Screen::open("draw") else { return };
    screen.send(&[&format!("{} draw tictactoe", env!("CARGO_BIN_EXE_ludex")), "Enter"]);
    let page = screen.wait("3 . . .");
    assert!(!page.contains("<svg"), "{page}");
}
