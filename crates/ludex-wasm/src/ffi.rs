//! How a worker calls the library: bytes that it writes, a question, and the bytes of the answer.
//!
//! 1. `room(n)` gives a place for n bytes, which the worker fills with `{"ask": NAME, "with": {…}}`.
//! 2. `ask()` answers what was written and gives the place of the answer; `length()` how long it is. What is
//!    known on the way is told by `tell`, which the worker brings.
//!
//! The worker is one thread, and every call ends before the next begins.

use crate::Desk;
use serde::Deserialize;
use serde_json::{Value, json};
use std::cell::RefCell;

#[link(wasm_import_module = "ludex")]
unsafe extern "C" {
    /// Seconds since any fixed moment.
    safe fn now() -> f64;
    /// Hears a text of so many bytes.
    safe fn tell(text: *const u8, length: usize);
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::new(Desk::new(seconds));
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

fn seconds() -> f64 {
    now()
}

fn told(event: &str, data: Value) {
    let text = json!({ "event": event, "data": data }).to_string();
    tell(text.as_ptr(), text.len());
}

#[derive(Deserialize)]
struct WorkerQuestion {
    ask: String,
    with: Value,
}

#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(bytes, 0);
        question.as_mut_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn ask() -> *const u8 {
    let question = QUESTION.take();
    let answer = match serde_json::from_slice::<WorkerQuestion>(&question) {
        Ok(WorkerQuestion { ask, with }) => {
            DESK.with_borrow_mut(|desk| desk.answer(&ask, with, &told))
        }
        Err(why) => Err(why.into()),
    };
    let told = match answer {
        Ok(answer) => json!({ "event": "answer", "data": answer }),
        Err(trouble) => json!({ "event": "error", "data": trouble }),
    };
    ANSWER.with_borrow_mut(|answer| {
        *answer = told.to_string();
        answer.as_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    ANSWER.with_borrow(String::len)
}
