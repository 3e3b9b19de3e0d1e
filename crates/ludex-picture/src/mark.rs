//! `Mark`: what is drawn for a content, and the colours it is drawn in.

use std::fmt;

/// A colour with a name that games use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    White,
    Black,
    Red,
    Blue,
    Green,
    Yellow,
    Teal,
    Magenta,
    Orange,
    Purple,
    Brown,
    Grey,
    Pink,
    Cyan,
}

impl Colour {
    /// The name, the names that mean the same, the fill, and the colour of edges and of text on it.
    const TABLE: [(Colour, &'static [&'static str], &'static str, &'static str); 14] = [
        (Colour::White, &["white", "light"], "#fdfdfb", "#30343a"),
        (Colour::Black, &["black", "dark"], "#2b2e33", "#0c0d0e"),
        (Colour::Red, &["red"], "#d5352f", "#7e1713"),
        (Colour::Blue, &["blue"], "#2f6fd0", "#123a78"),
        (Colour::Green, &["green"], "#3a9a4a", "#1b5626"),
        (Colour::Yellow, &["yellow", "gold"], "#f4c831", "#8a6a08"),
        (Colour::Teal, &["teal"], "#23a099", "#0e5752"),
        (Colour::Magenta, &["magenta"], "#cf3f9f", "#701a54"),
        (Colour::Orange, &["orange"], "#ee8a2b", "#8a4808"),
        (Colour::Purple, &["purple", "violet"], "#7d4fc0", "#3f2270"),
        (Colour::Brown, &["brown"], "#96673a", "#4d3117"),
        (Colour::Grey, &["grey", "gray", "silver"], "#9aa1a9", "#4c5359"),
        (Colour::Pink, &["pink"], "#f19ab8", "#97405f"),
        (Colour::Cyan, &["cyan"], "#46c3e6", "#12657d"),
    ];

    /// Colours for contents whose names say nothing of colour, in this order.
    pub(crate) const PALETTE: [Colour; 8] = [
        Colour::Blue,
        Colour::Orange,
        Colour::Green,
        Colour::Purple,
        Colour::Red,
        Colour::Teal,
        Colour::Brown,
        Colour::Pink,
    ];

    pub fn named(word: &str) -> Option<Colour> {
        let named = |row: &&(Colour, &[&str], &str, &str)| row.1.contains(&word);
        Self::TABLE.iter().find(named).map(|row| row.0)
    }

    /// The colour whose name begins a word, and the rest of the word.
    pub fn prefix(word: &str) -> Option<(Colour, &str)> {
        let begins = |row: &(Colour, &'static [&'static str], _, _)| {
            row.1.iter().find_map(|name| Some((row.0, word.strip_prefix(name)?)))
        };
        Self::TABLE.iter().find_map(begins)
    }

    pub fn name(self) -> &'static str {
        self.row().1[0]
    }

    pub fn fill(self) -> &'static str {
        self.row().2
    }

    pub fn edge(self) -> &'static str {
        self.row().3
    }

    /// The colour of text on the fill.
    pub(crate) fn ink(self) -> &'static str {
        let pale = [Colour::White, Colour::Yellow, Colour::Pink, Colour::Cyan, Colour::Orange];
        if pale.contains(&self) { self.edge() } else { "#ffffff" }
    }

    fn row(self) -> &'static (Colour, &'static [&'static str], &'static str, &'static str) {
        Self::TABLE.iter().find(|row| row.0 == self).expect("every colour has a row")
    }
}

/// The men of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Man {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Man {
    const TABLE: [(Man, char, &'static str, &'static [&'static str]); 6] = [
        (Man::Pawn, 'p', "pawn", &["pawn"]),
        (Man::Knight, 'n', "knight", &["knight", "horse"]),
        (Man::Bishop, 'b', "bishop", &["bishop"]),
        (Man::Rook, 'r', "rook", &["rook", "castle"]),
        (Man::Queen, 'q', "queen", &["queen"]),
        (Man::King, 'k', "king", &["king"]),
    ];

    pub fn named(word: &str) -> Option<Man> {
        Self::TABLE.iter().find(|row| row.3.contains(&word)).map(|row| row.0)
    }

    pub(crate) fn lettered(letter: char) -> Option<Man> {
        Self::TABLE.iter().find(|row| row.1 == letter).map(|row| row.0)
    }

    pub fn letter(self) -> char {
        Self::TABLE.iter().find(|row| row.0 == self).expect("every man has a row").1
    }

    pub fn name(self) -> &'static str {
        Self::TABLE.iter().find(|row| row.0 == self).expect("every man has a row").2
    }
}

/// Where an arrow points, on the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Way {
    Up,
    Right,
    Down,
    Left,
}

/// What is drawn for a content.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// Nothing: the content says that the place is empty.
    Blank,
    Disc(Colour, String),
    /// A crowned disc.
    Crowned(Colour),
    Man(Man, Colour),
    Cross,
    Ring,
    Number(String),
    /// A numbered tile that moves.
    Tile(String),
    /// The place is filled or cannot be used.
    Block,
    /// The place is not there any more.
    Gone,
    /// A small mark of a place.
    Dot(Colour),
    Peg,
    Lamp(bool),
    Arrow(Way),
    /// A wall along one side of the place.
    Side(Way),
    /// Four properties, each of them there or not: colour, shape, height, hole.
    Four([bool; 4]),
    Label(String, Colour),
    /// So many stones.
    Heap(u8),
}

impl Way {
    /// The way that a word means, with north at the top.
    pub fn named(word: &str) -> Option<Way> {
        match word {
            "north" | "up" => Some(Way::Up),
            "east" | "right" => Some(Way::Right),
            "south" | "down" => Some(Way::Down),
            "west" | "left" => Some(Way::Left),
            _ => None,
        }
    }
}

impl Mark {
    /// Part of the ground, drawn under what stands on it.
    pub(crate) fn lies(&self) -> bool {
        matches!(self, Mark::Dot(_) | Mark::Block | Mark::Gone | Mark::Side(_))
    }

    /// The colour of the piece, for whose side it is on.
    pub fn colour(&self) -> Option<Colour> {
        match self {
            Mark::Disc(c, _) | Mark::Crowned(c) | Mark::Man(_, c) | Mark::Label(_, c) => Some(*c),
            _ => None,
        }
    }

    /// A few characters for the terminal.
    pub fn text(&self) -> String {
        let letter = |c: &Colour| c.name()[..1].to_string();
        match self {
            Mark::Blank => ".".into(),
            Mark::Disc(c, label) if label.is_empty() => letter(c),
            Mark::Disc(_, label) | Mark::Label(label, _) => label.clone(),
            Mark::Crowned(c) => letter(c).to_uppercase(),
            Mark::Man(man, Colour::White | Colour::Red) => man.letter().to_uppercase().to_string(),
            Mark::Man(man, _) => man.letter().to_string(),
            Mark::Cross => "x".into(),
            Mark::Ring => "o".into(),
            Mark::Number(text) | Mark::Tile(text) => text.clone(),
            Mark::Heap(stones) => stones.to_string(),
            Mark::Block => "#".into(),
            Mark::Gone => " ".into(),
            Mark::Dot(_) => "·".into(),
            Mark::Peg => "o".into(),
            Mark::Lamp(true) => "*".into(),
            Mark::Lamp(false) => "-".into(),
            Mark::Arrow(Way::Up) => "^".into(),
            Mark::Arrow(Way::Right) => ">".into(),
            Mark::Arrow(Way::Down) => "v".into(),
            Mark::Arrow(Way::Left) => "<".into(),
            Mark::Side(Way::Up | Way::Down) => "_".into(),
            Mark::Side(_) => "|".into(),
            Mark::Four(bits) => bits.iter().map(|b| if *b { '1' } else { '0' }).collect(),
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text())
    }
}
