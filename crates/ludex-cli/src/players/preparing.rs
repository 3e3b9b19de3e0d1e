//! `prepare`: a game that a person can play at once, while the better engine and picture are made beside it.

use super::human::{Drawing, is_paged, say};
use crate::Session;
use crate::failure::Failure;
use ludex::Game;
use ludex::budget::{Budget, Proving};
use ludex::compile::{Compiled, Engine, Means, Refusal, compile, reasoner};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How long a person waits for the engine, and then for the picture.
const PATIENCE: Duration = Duration::from_millis(800);
/// Pictures are planned within this time where nobody waits for them.
const DRAWING: Duration = Duration::from_secs(2);
/// The same for a first picture.
const SKETCHING: Duration = Duration::from_millis(600);
const STACK: usize = 256 << 20;

/// The engine of the match, and in `drawing` how it is drawn. If they take long, the reasoner and a sketch
/// stand in for them; the picture is replaced when the better one is there.
pub fn prepare(
    game: &Game,
    wish: Option<Engine>,
    session: &Session,
    drawing: &Drawing,
) -> Result<Compiled, Failure> {
    if is_paged(session) {
        say(session, &format!("{}: preparing…", game.name()))?;
    }
    let (engine, planned) = begin(game, wish, session, drawing);
    let mut compiled = match wish {
        Some(_) => engine.recv().map_err(|_| RecvTimeoutError::Disconnected),
        None => engine.recv_timeout(PATIENCE),
    };
    // A picture is planned when the engine is there.
    let mut soon = PATIENCE;
    if let Err(RecvTimeoutError::Timeout) = compiled {
        soon = Duration::ZERO;
        drawing.note("(the engine is still being made; the reasoner stands in for it)\n");
        compiled = Ok(reasoner(game.knowledge().clone(), false, &session.budget()));
    }
    let mut compiled = compiled.expect("the thread tells before it ends")?;
    if planned.recv_timeout(soon).is_err() {
        let proving = session.lasting(Duration::ZERO);
        let sketch = compiled.scene(&session.lasting(SKETCHING), Proving(&proving))?;
        if drawing.get().is_none() {
            drawing.set(sketch);
        }
    }
    Ok(compiled)
}

/// Makes engine and picture in a thread, which tells of each.
fn begin(
    game: &Game,
    wish: Option<Engine>,
    session: &Session,
    drawing: &Drawing,
) -> (Receiver<Result<Compiled, Refusal>>, Receiver<()>) {
    let (tell_engine, engine) = channel();
    let (tell_picture, picture) = channel();
    let making = Making {
        game: game.clone(),
        wish,
        whole: session.budget(),
        grounding: session.grounding(),
        drawing: drawing.clone(),
    };
    let timer = session.timer();
    let work = move || making.run(&timer, &tell_engine, &tell_picture);
    let thread = std::thread::Builder::new().name("preparing".into()).stack_size(STACK);
    thread.spawn(work).expect("a thread can be started");
    (engine, picture)
}

struct Making {
    game: Game,
    wish: Option<Engine>,
    whole: Budget,
    grounding: Budget,
    drawing: Drawing,
}

impl Making {
    fn run(
        &self,
        timer: &dyn Fn(Duration) -> Budget,
        engine: &Sender<Result<Compiled, Refusal>>,
        picture: &Sender<()>,
    ) {
        let made = self.compile();
        let is_machine = made.as_ref().is_ok_and(|compiled| compiled.engine != Engine::Interp);
        // Who has stopped listening goes on with what there was.
        let _ = engine.send(made);
        self.drawing.note("");
        if !is_machine {
            return;
        }
        // The machine is there already, and what proves boards can begin.
        let scene = self
            .compile()
            .and_then(|mut compiled| compiled.scene(&timer(DRAWING), Proving(&timer(DRAWING))));
        if let Ok(scene) = scene {
            self.drawing.set(scene);
        }
        let _ = picture.send(());
    }

    fn compile(&self) -> Result<Compiled, Refusal> {
        let means = Means { whole: &self.whole, grounding: &self.grounding };
        compile(self.game.knowledge().clone(), self.wish, means)
    }
}
