//! `Output`: standard output, and the draft of an answer, which is written if the work has to be left.

use anstream::AutoStream;
use ludex::budget::Stop;
use serde_json::{Value, json};
use std::io::{self, BufWriter, Stdout, Write};

/// Colours are dropped where standard output is no terminal or `NO_COLOR` is set.
pub struct Output {
    stream: BufWriter<AutoStream<Stdout>>,
    /// Text of a draft that is not complete yet; all that is written goes there.
    drafting: Option<Vec<u8>>,
    /// What is known of the present game, with the word "stopped" for the rest.
    draft: Option<Draft>,
    /// The same for games that are not begun, the next one last.
    waiting: Vec<Draft>,
    /// What is written after all games, such as a table of them.
    closing: Vec<u8>,
}

pub enum Draft {
    Text(Vec<u8>),
    Object(Value),
}

impl Output {
    pub fn standard() -> Output {
        let stream = BufWriter::new(AutoStream::auto(io::stdout()));
        Output { stream, drafting: None, draft: None, waiting: vec![], closing: vec![] }
    }

    /// Drafts for all games, in their order.
    pub fn expect(&mut self, games: Vec<Draft>) {
        self.waiting = games;
        self.waiting.reverse();
    }

    /// The next game's turn.
    pub fn begin(&mut self) {
        self.draft = self.waiting.pop();
    }

    pub fn drafting(&self) -> bool {
        self.drafting.is_some()
    }

    /// From now on a text is drafted.
    pub fn begin_draft(&mut self) {
        self.drafting = Some(vec![]);
    }

    /// The text is complete, or given up.
    pub fn end_draft(&mut self) -> Vec<u8> {
        self.drafting.take().unwrap_or_default()
    }

    pub fn set_draft(&mut self, draft: Draft) {
        self.draft = Some(draft);
    }

    /// The present game's answer is in what comes after all games.
    pub fn set_closing(&mut self, text: Vec<u8>) {
        (self.closing, self.draft) = (text, None);
    }

    /// Writes the draft as the answer; with the reason if something is missing in it.
    pub fn deliver(&mut self, stop: Option<Stop>) -> io::Result<()> {
        let draft = self.draft.take();
        draft.map_or(Ok(()), |draft| self.write_draft(draft, stop))?;
        self.stream.flush()
    }

    /// Writes what is known of this game and of those that are not begun.
    pub fn deliver_all(&mut self, stop: Option<Stop>) -> io::Result<()> {
        self.deliver(stop)?;
        while let Some(draft) = self.waiting.pop() {
            self.write_draft(draft, stop)?;
        }
        Ok(())
    }

    /// Writes what comes after all games.
    pub fn close(&mut self) -> io::Result<()> {
        let closing = std::mem::take(&mut self.closing);
        self.stream.write_all(&closing)?;
        self.stream.flush()
    }

    fn write_draft(&mut self, draft: Draft, stop: Option<Stop>) -> io::Result<()> {
        match draft {
            Draft::Text(text) => self.stream.write_all(&text),
            Draft::Object(mut object) => {
                let missing = object["stopped"].as_array().is_some_and(|parts| !parts.is_empty());
                if let Some(stop) = stop.filter(|_| missing) {
                    object["stopped_by"] = json!(reason(stop));
                }
                writeln!(self.stream, "{object}")
            }
        }
    }
}

fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "time limit",
        Stop::Memory => "memory limit",
        Stop::Interrupted => "interrupt",
    }
}

/// What is written and no draft begins the answer itself, so that no draft is needed any more.
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.drafting {
            Some(text) => text.write(bytes),
            None => {
                self.draft = None;
                self.stream.write(bytes)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.drafting() { Ok(()) } else { self.stream.flush() }
    }
}
