//! `Output`: standard output, and the draft of an answer, which is written if the work has to be left.

use crate::failure::{Failure, Outcome};
use anstream::AutoStream;
use ludex_answers::{Answer, StoppedBy};
use std::io::{self, BufWriter, Stdout, Write};
use std::sync::MutexGuard;

/// Colours are dropped where standard output is no terminal or `NO_COLOR` is set.
pub struct Output {
    json: bool,
    stream: BufWriter<AutoStream<Stdout>>,
    /// What is known of the present game.
    draft: Option<Draft>,
    /// The same for games that are not begun, the next one last.
    waiting: Vec<Draft>,
    /// What is written after all games, such as a table of them.
    closing: String,
    /// Was an answer about the present game told, or why there is none?
    told: bool,
}

/// What is known of a game by now.
pub type Draft = Box<dyn Told>;

/// An answer in the form that is wanted.
pub trait Told: Send {
    fn stop(&mut self, by: StoppedBy);
    fn json(&self) -> String;
    fn text(&self) -> String;
}

/// An answer, and how it is shown to people.
pub struct Shown<A, F> {
    pub answer: A,
    pub text: F,
}

impl<A: Answer> Shown<A, fn(&A) -> String> {
    pub fn plain(answer: A) -> Shown<A, fn(&A) -> String> {
        Shown { answer, text: |answer| answer.to_string() }
    }
}

impl<A: Answer, F: Fn(&A) -> String + Send> Told for Shown<A, F> {
    fn stop(&mut self, by: StoppedBy) {
        self.answer.stop(by);
    }

    fn json(&self) -> String {
        serde_json::to_string(&self.answer).expect("answers are plain data")
    }

    fn text(&self) -> String {
        (self.text)(&self.answer)
    }
}

impl Output {
    pub fn standard(json: bool) -> Output {
        let stream = BufWriter::new(AutoStream::auto(io::stdout()));
        Output { json, stream, draft: None, waiting: vec![], closing: String::new(), told: false }
    }

    /// Drafts for all games, in their order.
    pub fn expect(&mut self, games: Vec<Draft>) {
        self.waiting = games;
        self.waiting.reverse();
    }

    /// The next game's turn.
    pub fn begin(&mut self) {
        (self.draft, self.told) = (self.waiting.pop(), false);
    }

    pub fn is_told(&self) -> bool {
        self.told
    }

    pub fn set_draft(&mut self, draft: Draft) {
        self.draft = Some(draft);
    }

    /// The present game's answer is in what comes after all games.
    pub fn set_closing(&mut self, text: String) {
        (self.closing, self.draft) = (text, None);
    }

    /// Writes the draft as the answer; with the reason if something is missing in it.
    pub fn deliver(&mut self, stop: Option<StoppedBy>) -> io::Result<()> {
        let draft = self.draft.take();
        draft.map_or(Ok(()), |draft| self.write_draft(draft, stop))?;
        self.stream.flush()
    }

    /// Writes what is known of this game and of those that are not begun.
    pub fn deliver_all(&mut self, stop: Option<StoppedBy>) -> io::Result<()> {
        self.deliver(stop)?;
        while let Some(draft) = self.waiting.pop() {
            self.write_draft(draft, stop)?;
        }
        Ok(())
    }

    /// Writes what comes after all games.
    pub fn close(&mut self) -> io::Result<()> {
        let closing = std::mem::take(&mut self.closing);
        self.stream.write_all(closing.as_bytes())?;
        self.stream.flush()
    }

    fn write_draft(&mut self, mut draft: Draft, stop: Option<StoppedBy>) -> io::Result<()> {
        self.told = true;
        stop.into_iter().for_each(|stop| draft.stop(stop));
        match self.json {
            true => writeln!(self.stream, "{}", draft.json()),
            false => write!(self.stream, "{}", draft.text()),
        }
    }
}

/// Ends the program with last words. The output is held for good: the work and the thread beside it both come
/// here, and whoever is second finds nothing to write to.
pub fn end(mut output: MutexGuard<'_, Output>, say: impl FnOnce(&mut Output) -> i32) -> ! {
    let code = say(&mut output);
    std::process::exit(code)
}

/// What is written and no draft begins the answer itself, so that no draft is needed any more.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.draft = None;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Writes a file that must not exist yet.
pub fn write_new(file: &str, text: &str) -> Outcome {
    let made = std::fs::File::create_new(file).and_then(|mut f| f.write_all(text.as_bytes()));
    made.map_err(|e| Failure::unwritable(file, e))
}
