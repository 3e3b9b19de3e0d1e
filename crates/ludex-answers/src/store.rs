//! `Store`: a place where a front keeps what is found out about games, beyond the run of a program.
//!
//! An entry belongs to one game, told by the digest of its rules, one question and one version of the
//! library. One that is of another version, damaged or not what was asked for is none, and made anew.

use crate::{Answer, VERSION};
use ludex::Game;
use ludex_facts::lemmas::KeptLemma;
use ludex_reason::digest;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Texts by name. The library has no files: a front gives it a folder, or what it likes.
pub trait Store: Send + Sync {
    /// The text of this name; none where there is none that can be read.
    fn read(&self, name: &str) -> Option<String>;
    /// Keeps a text; where that fails it is not kept.
    fn write(&self, name: &str, text: &str);
}

#[derive(Serialize, Deserialize)]
struct Entry {
    library: String,
    form: u32,
    game: String,
    question: String,
    /// The answer as JSON, and what shows that it is whole.
    answer: String,
    digest: String,
}

/// The question to which the base of lemmas is the answer.
const LEMMAS: &str = "lemmas";

/// What a store keeps of one game.
pub struct Shelf<'a> {
    pub game: &'a Game,
    pub store: &'a dyn Store,
}

impl Shelf<'_> {
    /// Takes over the lemmas that were kept.
    pub fn recall(&self) {
        if let Some(lemmas) = self.entry::<Vec<KeptLemma>>(LEMMAS) {
            self.game.knowledge().recall(lemmas);
        }
    }

    /// Keeps the lemmas that are known by now.
    pub fn keep(&self) {
        if let Some(known) = self.game.knowledge().known() {
            self.put(LEMMAS, &known.kept());
        }
    }

    /// The answer to a question, if it was kept.
    pub fn kept_answer<A: Answer + DeserializeOwned>(&self, question: &str) -> Option<A> {
        let answer: A = self.entry(&self.by_name(question))?;
        answer.account().complete.then_some(answer)
    }

    /// Keeps an answer if it is complete.
    pub fn keep_answer<A: Answer>(&self, question: &str, answer: &A) {
        if answer.account().complete {
            self.put(&self.by_name(question), answer);
        }
    }

    /// Answers tell the name of the game, which is not in the rules.
    fn by_name(&self, question: &str) -> String {
        format!("{question} of {}", self.game.name())
    }

    fn entry<T: DeserializeOwned>(&self, question: &str) -> Option<T> {
        let entry: Entry = serde_json::from_str(&self.store.read(&self.place(question))?).ok()?;
        let wanted = self.envelope(question, entry.answer.clone());
        let same = |e: &Entry| (e.library.clone(), e.form, e.game.clone(), e.question.clone());
        let whole = entry.digest == wanted.digest && same(&entry) == same(&wanted);
        whole.then(|| serde_json::from_str(&entry.answer).ok()).flatten()
    }

    fn put(&self, question: &str, answer: &impl Serialize) {
        let answer = serde_json::to_string(answer).expect("plain data");
        let entry = self.envelope(question, answer);
        let text = serde_json::to_string(&entry).expect("plain data");
        self.store.write(&self.place(question), &text);
    }

    fn envelope(&self, question: &str, answer: String) -> Entry {
        Entry {
            library: env!("CARGO_PKG_VERSION").into(),
            form: VERSION,
            game: self.game.digest(),
            question: question.into(),
            digest: digest(vec![answer.clone()]),
            answer,
        }
    }

    /// Where an answer is kept: digests, so that any question makes a name of a file.
    fn place(&self, question: &str) -> String {
        format!("{}-{}", self.game.digest(), digest(vec![question.into()]))
    }
}
