//! The option `--engine`, shared by the commands that run a game.

use crate::Session;
use crate::failure::Failure;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ludex::Game;
use ludex::compile::{Compiled, Engine};

#[derive(clap::Args)]
pub struct EngineArg {
    /// Run the game on this engine; without it the fastest that can run the game is chosen.
    #[arg(long, value_name = "ENGINE", value_parser = parser())]
    engine: Option<Engine>,
}

fn parser() -> impl TypedValueParser<Value = Engine> {
    let names = ["interp", "scalar", "sliced"];
    PossibleValuesParser::new(names).map(|name| name.parse().expect("a name of the list"))
}

impl EngineArg {
    /// The engine that the user asks for.
    pub fn wish(&self) -> Option<Engine> {
        self.engine
    }

    /// Makes the engine of a game.
    pub fn compile_game(&self, game: &Game, session: &Session) -> Result<Compiled, Failure> {
        session.compile(game.knowledge(), self.engine)
    }
}
