//! `Terminal`: the screen and keyboard of a person: lines with history, completion and hints; the page cleared.

use ludex::reason::{Move, moves_meant, words};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::borrow::Cow;

/// A person at a keyboard.
pub struct Terminal {
    editor: Editor<Typing, MemHistory>,
}

/// The page is cleared and begun anew at its top.
pub const CLEAR: &str = "\x1b[2J\x1b[H";

impl Terminal {
    /// None where the terminal cannot do what lines need.
    pub fn open(commands: &'static [&'static str]) -> Option<Terminal> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
        #[cfg(unix)]
        if let Ok(now) = rustix::termios::tcgetattr(std::io::stdin()) {
            BEFORE.get_or_init(|| now);
        }
        editor.set_helper(Some(Typing { commands, moves: vec![] }));
        Some(Terminal { editor })
    }

    /// A line that the person types, who is helped to type one of these moves; none: no more will come.
    pub fn ask(
        &mut self,
        prompt: &str,
        moves: &[(Move, String)],
    ) -> Result<Option<String>, std::io::Error> {
        if let Some(typing) = self.editor.helper_mut() {
            typing.moves = moves.to_vec();
        }
        match self.editor.readline(prompt) {
            Ok(line) => {
                // A line that is not kept can be typed again.
                let _ = self.editor.add_history_entry(&line);
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(why)) => Err(why),
            Err(why) => Err(std::io::Error::other(why)),
        }
    }
}

/// Lines are typed with the terminal set to give every key by itself. Whoever ends the program meanwhile
/// sets it back first.
pub fn restore() {
    #[cfg(unix)]
    if let Some(before) = BEFORE.get() {
        use rustix::termios::{OptionalActions, tcsetattr};
        // Nobody is left to tell if this fails.
        let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
    }
}

#[cfg(unix)]
static BEFORE: std::sync::OnceLock<rustix::termios::Termios> = std::sync::OnceLock::new();

/// How wide a line may be.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| width.0.into())
}

/// What can be typed now.
struct Typing {
    commands: &'static [&'static str],
    moves: Vec<(Move, String)>,
}

impl Typing {
    /// The words that can stand where the last word of the line does, with a blank where another follows:
    /// `mark 1 ` -> 1, 2, 3.
    fn next_words(&self, before: &[String], begun: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut add = |word: &str, more: bool| {
            let known = found.iter().position(|f| f.trim_end() == word);
            match known {
                Some(at) if !more => found[at] = word.to_string(),
                None if word.starts_with(begun) => {
                    found.push(if more { format!("{word} ") } else { word.to_string() });
                }
                _ => {}
            }
        };
        if before.is_empty() {
            self.commands.iter().for_each(|command| add(command, false));
        }
        for (_, name) in &self.moves {
            let name = words(name);
            let forms = [&name[..], &name[1..]].into_iter().filter(|form| form.starts_with(before));
            for form in forms {
                let next = form.get(before.len());
                next.into_iter().for_each(|word| add(word, form.len() > before.len() + 1));
            }
        }
        found
    }
}

impl Completer for Typing {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let line = &line[..at];
        let start = line.rfind([' ', '(', ',']).map_or(0, |i| i + 1);
        let begun = line[start..].to_lowercase();
        Ok((start, self.next_words(&words(&line[..start]), &begun)))
    }
}

impl Hinter for Typing {
    type Hint = String;

    fn hint(&self, line: &str, at: usize, _: &Context<'_>) -> Option<String> {
        let typed = line.trim();
        if at < line.len() || typed.parse::<usize>().is_ok() || self.commands.contains(&typed) {
            return None;
        }
        match moves_meant(&self.moves, typed)[..] {
            [] => None,
            [only] => {
                let (_, text) = self.moves.iter().find(|(m, _)| *m == only)?;
                (text != typed).then(|| format!("   {text}"))
            }
            ref several => Some(format!("   {} moves", several.len())),
        }
    }
}

impl Highlighter for Typing {
    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        format!("\x1b[2m{hint}\x1b[0m").into()
    }
}

impl Validator for Typing {}
impl Helper for Typing {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed_and_lead_to_the_next() {
        let names = ["(place a 1)", "(place a 2)", "(move b)", "noop"];
        let moves = (0..).map(Move).zip(names.map(String::from)).collect();
        let typing = Typing { commands: &["moves"], moves };
        let next = |before: &[&str], begun: &str| {
            let before: Vec<String> = before.iter().map(|w| w.to_string()).collect();
            typing.next_words(&before, begun)
        };
        assert_eq!(next(&[], "pl"), ["place "]);
        assert_eq!(next(&["place"], ""), ["a "]);
        assert_eq!(next(&["place", "a"], ""), ["1", "2"]);
        assert_eq!(next(&["a"], ""), ["1", "2"]);
        assert_eq!(next(&[], "mo"), ["moves", "move "]);
        assert_eq!(next(&[], "no"), ["noop"]);
    }
}
