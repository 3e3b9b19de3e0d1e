//! The contents that places can have -> a `Mark` for each, recognised by the names that authors use.
//!
//! All contents of a board are looked at together, since a name means what the others leave to it:
//! `b` is a blank beside `x` and `o`, but black beside `w`.

use super::mark::{Colour, Man, Mark, Way};
use super::order::natural;
use rustc_hash::FxHashMap;

/// A content: the values of the content arguments, or the name of a relation without any.
pub type Content = Vec<String>;

/// Where contents were in the states that were seen.
#[derive(Clone, Debug, Default)]
pub struct ContentsSeen {
    /// Those that were always in the same places.
    pub fixed: Vec<Content>,
    /// One that is in most places in the beginning.
    pub common: Option<Content>,
}

impl ContentsSeen {
    fn is_everywhere(&self, word: &str) -> bool {
        matches!(self.common.as_deref(), Some([c]) if c.eq_ignore_ascii_case(word))
    }
}

/// The marks of contents, and the names to explain beside the board.
#[derive(Clone, Debug, Default)]
pub struct Glyphs {
    marks: FxHashMap<Content, Mark>,
    /// Marks that do not speak for themselves, with the full name.
    pub legend: Vec<(Mark, String)>,
}

const BLANKS: [&str; 17] = [
    "blank", "empty", "none", "free", "b", "e", "nil", "nothing", "open", "vacant", "null", "_",
    "unmarked", "clear", "nobody", "noone", "neither",
];
const WALLS: [&str; 11] = [
    "wall",
    "block",
    "blocked",
    "hole",
    "arrow",
    "burned",
    "burnt",
    "dirt",
    "rock",
    "offlimits",
    "ground",
];

impl Glyphs {
    /// The contents of a relation. `moving`: numbers are tiles that move about, not figures that are
    /// written down. `seen`: where the contents were.
    pub fn new(
        relation: &str,
        contents: &[Content],
        roles: &[String],
        moving: bool,
        seen: &ContentsSeen,
    ) -> Glyphs {
        let mut contents: Vec<Content> = contents.to_vec();
        contents.sort_by(|a, b| natural(&a.join(" "), &b.join(" ")));
        contents.dedup();
        let mut set = GlyphSet::new(&contents, roles, moving, seen);
        set.walls = is_wall(relation);
        set.heaps = is_heap(relation) && contents.iter().all(|c| set.stones(&c[0]).is_some());
        let mut glyphs = Glyphs::default();
        let mut unknown = 0;
        for content in &contents {
            // Where no word is known for a blank, it is what is in most places in the beginning.
            let blank = set.blank.is_none() && seen.common.as_ref() == Some(content);
            let mark = set.mark(content).or(blank.then_some(Mark::Blank)).unwrap_or_else(|| {
                unknown += 1;
                let colour = Colour::PALETTE[(unknown - 1) % Colour::PALETTE.len()];
                let label = short(&content.join(" "));
                if label != content.join(" ") {
                    glyphs.legend.push((Mark::Label(label.clone(), colour), content.join(" ")));
                }
                Mark::Label(label, colour)
            });
            glyphs.marks.insert(content.clone(), mark);
        }
        glyphs
    }

    /// A relation without contents: what it is called says what is there.
    pub fn of_name(name: &str) -> Glyphs {
        let named = [name.to_string()];
        let set = GlyphSet {
            roles: vec![],
            moving: false,
            blank: None,
            codes: false,
            draughts: false,
            counts: false,
            walls: false,
            walled: false,
            heaps: false,
        };
        let blank = BLANKS.contains(&name.to_lowercase().as_str());
        let lower = name.to_lowercase();
        let side = ["north", "east", "south", "west"].iter().find(|w| lower.contains(**w));
        let known = match side.and_then(|way| Way::named(way)) {
            Some(way) if is_wall(name) => Some(Mark::Side(way)),
            _ if blank => Some(Mark::Blank),
            _ => set.mark(&named.to_vec()),
        };
        let mut glyphs = Glyphs::default();
        let mark = known.unwrap_or_else(|| {
            let letters = name.bytes().map(usize::from).sum::<usize>();
            let colour = Colour::PALETTE[letters % Colour::PALETTE.len()];
            let mark = Mark::Disc(colour, String::new());
            glyphs.legend.push((mark.clone(), name.to_string()));
            mark
        });
        glyphs.marks.insert(vec![], mark);
        glyphs
    }

    /// A relation that holds at all places at all times: nothing to draw.
    pub fn floor() -> Glyphs {
        let marks = [(vec![], Mark::Blank)].into_iter().collect();
        Glyphs { marks, legend: vec![] }
    }

    pub fn mark(&self, content: &Content) -> Option<&Mark> {
        self.marks.get(content)
    }

    pub fn all(&self) -> impl Iterator<Item = &Mark> {
        self.marks.values()
    }
}

/// Words that say that nothing is there.
pub fn is_blank(word: &str) -> bool {
    BLANKS.contains(&word.to_lowercase().as_str()) && word.len() > 1
}

/// A word of so many letters can be read on a disc, in small print.
const LONGEST_WORD: usize = 6;

/// A name cut to what fits in a place: `z5` for `zombie 5`.
fn short(name: &str) -> String {
    if name.chars().count() <= 4 {
        return name.to_string();
    }
    match name.rsplit_once(' ') {
        Some((word, number)) if number.parse::<u32>().is_ok() && number.len() < 3 => {
            word.chars().take(1).chain(number.chars()).collect()
        }
        _ => name.chars().take(3).collect(),
    }
}

/// Names of relations that say how many stones lie in a place.
const HEAPS: [&str; 7] = ["heap", "pile", "stone", "pit", "seed", "bead", "match"];

/// Larger heaps are told by their number.
const MOST_STONES: u8 = 36;

fn is_heap(relation: &str) -> bool {
    let name = relation.to_lowercase();
    HEAPS.iter().any(|heap| name.contains(heap))
}

/// What is common to the contents of a board.
struct GlyphSet<'a> {
    roles: Vec<String>,
    moving: bool,
    blank: Option<&'a str>,
    /// Two letters are a colour and a man.
    codes: bool,
    /// The men are pawns and kings only: draughts.
    draughts: bool,
    /// All contents but the blank are a number after one and the same letter.
    counts: bool,
    /// Directions are sides of a place that are closed.
    walls: bool,
    /// `w` stays where it is: a wall.
    walled: bool,
    /// Numbers are stones that lie there.
    heaps: bool,
}

fn is_wall(relation: &str) -> bool {
    let name = relation.to_lowercase();
    name.contains("wall") || name.contains("blocked")
}

impl<'a> GlyphSet<'a> {
    fn new(
        contents: &'a [Content],
        roles: &[String],
        moving: bool,
        seen: &ContentsSeen,
    ) -> GlyphSet<'a> {
        let single: Vec<&str> =
            contents.iter().filter(|c| c.len() == 1).map(|c| c[0].as_str()).collect();
        let roles: Vec<String> = roles.iter().map(|r| r.to_lowercase()).collect();
        let mut set = GlyphSet {
            roles,
            moving,
            blank: None,
            codes: false,
            draughts: false,
            counts: false,
            walls: false,
            walled: seen.fixed.iter().any(|c| matches!(&c[..], [w] if w.eq_ignore_ascii_case("w"))),
            heaps: false,
        };
        let has = |word: &str| single.iter().any(|s| s.eq_ignore_ascii_case(word));
        let is_blank = |s: &&&str| {
            let s = s.to_lowercase();
            let black = s == "b" && has("w") && !seen.is_everywhere(&s);
            BLANKS.contains(&s.as_str()) && !black && !set.roles.contains(&s)
        };
        // `b` only where no other word says it.
        let blanks: Vec<&&str> = single.iter().filter(is_blank).collect();
        // Between walls `o` is an open place.
        let open = single.iter().find(|s| s.eq_ignore_ascii_case("o"));
        let open = open.filter(|_| set.walled && !has("x"));
        let blank = blanks.iter().find(|s| s.len() > 1).or(blanks.first());
        set.blank = blank.map(|s| **s).or(open.copied());
        let coded = single.iter().filter(|s| code(s).is_some()).count();
        let others = single.iter().filter(|s| code(s).is_none() && Some(**s) != set.blank).count();
        set.codes = coded >= 2 && others * 3 <= coded;
        let mut pieces = single.iter().filter(|s| Some(**s) != set.blank).peekable();
        let letter = pieces.peek().and_then(|s| s.chars().next());
        set.counts = letter.is_some_and(|c| c.is_ascii_alphabetic())
            && single.len() == contents.len()
            && pieces.all(|s| count(s).is_some() && s.chars().next() == letter);
        let men: Vec<Man> = contents.iter().filter_map(|c| set.man(c)).map(|m| m.0).collect();
        set.draughts =
            men.contains(&Man::Pawn) && men.iter().all(|m| matches!(m, Man::Pawn | Man::King));
        set
    }

    /// The mark for a content whose name is known.
    fn mark(&self, content: &Content) -> Option<Mark> {
        let words: Vec<String> = content.iter().map(|w| w.to_lowercase()).collect();
        if let Some((man, colour)) = self.man(content) {
            return Some(match man {
                Man::Pawn if self.draughts => Mark::Disc(colour, String::new()),
                Man::King if self.draughts => Mark::Crowned(colour),
                man => Mark::Man(man, colour),
            });
        }
        match words.as_slice() {
            [word] if self.blank.is_some_and(|b| b.eq_ignore_ascii_case(word)) => Some(Mark::Blank),
            [word] => self.word(word, &content[0]),
            _ => self.several(content, &words),
        }
    }

    fn word(&self, word: &str, written: &str) -> Option<Mark> {
        if let Some(stones) = self.stones(word).filter(|_| self.heaps) {
            return Some(Mark::Heap(stones));
        }
        if let (true, Some(number)) = (self.counts, count(word)) {
            return Some(Mark::Number(number.to_string()));
        }
        let plain = |c| Mark::Disc(c, String::new());
        match word {
            "x" | "cross" => return Some(Mark::Cross),
            "o" | "nought" | "circle" => return Some(Mark::Ring),
            "peg" | "pegged" => return Some(Mark::Peg),
            "light" | "lit" | "on" | "lighton" => return Some(Mark::Lamp(true)),
            "nolight" | "off" | "unlit" | "lightoff" => return Some(Mark::Lamp(false)),
            "pellet" | "food" => return Some(Mark::Dot(Colour::Orange)),
            "visited" | "marked" | "seen" | "used" | "hit" => return Some(Mark::Dot(Colour::Grey)),
            "w" if self.walled => return Some(Mark::Block),
            "w" => return Some(plain(Colour::White)),
            "b" => return Some(plain(Colour::Black)),
            "r" => return Some(plain(Colour::Red)),
            _ => {}
        }
        let is_role = self.roles.iter().any(|role| role == word);
        if let Some(way) = Way::named(word).filter(|_| !is_role) {
            return Some(if self.walls { Mark::Side(way) } else { Mark::Arrow(way) });
        }
        if word.parse::<i64>().is_ok() {
            let number = written.to_string();
            return Some(if self.moving { Mark::Tile(number) } else { Mark::Number(number) });
        }
        if let Some(colour) = Colour::named(word) {
            return Some(plain(colour));
        }
        if let Some(bits) = four(word) {
            return Some(Mark::Four(bits));
        }
        if WALLS.iter().any(|wall| word.ends_with(wall)) {
            return Some(Mark::Block);
        }
        if let Some((colour, rest)) = Colour::prefix(word) {
            return Some(Mark::Disc(colour, self.side(rest)));
        }
        match word.strip_suffix("player") {
            Some(side) if !side.is_empty() => self.word(side, side),
            _ => self.role(word, written),
        }
    }

    /// The number that a content says, if so many stones can be drawn.
    fn stones(&self, word: &str) -> Option<u8> {
        let number = if self.counts { count(word)? } else { word };
        number.parse().ok().filter(|n| *n <= MOST_STONES)
    }

    /// What is left of a name after its colour: nothing for `whiteplayer` and the like.
    fn side(&self, rest: &str) -> String {
        let rest = rest.trim_matches(['_', '-', ' ']);
        if ["player", "piece", "stone", "disc", "disk", "checker", "man"].contains(&rest) {
            return String::new();
        }
        short(rest)
    }

    /// The pieces of a player without a colour in its name: a disc with its initial.
    fn role(&self, word: &str, written: &str) -> Option<Mark> {
        let role = self.roles.iter().position(|r| r == word)?;
        let initial = written.chars().next()?.to_uppercase().to_string();
        let same = |r: &&String| r.starts_with(&word[..1]);
        let label =
            if self.roles.iter().filter(same).count() > 1 { short(written) } else { initial };
        Some(Mark::Disc(Colour::PALETTE[role % Colour::PALETTE.len()], label))
    }

    /// Several values: one of them may be a colour, the others are told in letters.
    fn several(&self, content: &Content, words: &[String]) -> Option<Mark> {
        let at = words.iter().position(|w| Colour::named(w).is_some())?;
        let rest: Vec<&str> =
            (0..words.len()).filter(|i| *i != at).map(|i| content[i].as_str()).collect();
        let rest = rest.join(" ").to_lowercase();
        let whole = rest.chars().count() <= LONGEST_WORD && !rest.contains(' ');
        let label = match self.side(&rest) {
            label if label.is_empty() || !whole => label,
            _ => rest,
        };
        Some(Mark::Disc(Colour::named(&words[at])?, label))
    }

    /// The man of chess that a content means: `white rook`, `whiteRook`, `wr`, or `knight` alone.
    fn man(&self, content: &Content) -> Option<(Man, Colour)> {
        let words: Vec<String> = content.iter().map(|w| w.to_lowercase()).collect();
        match words.as_slice() {
            [a, b] => {
                let pair = |c: &str, m: &str| Some((Man::named(m)?, Colour::named(c)?));
                pair(a, b).or_else(|| pair(b, a))
            }
            [word] if self.codes => code(word),
            [word] => match Colour::prefix(word) {
                Some((colour, rest)) => Some((Man::named(rest.trim_matches(['_', '-']))?, colour)),
                None => Some((Man::named(word)?, Colour::Black)),
            },
            _ => None,
        }
    }
}

/// `wp`: a colour and a man, each by its letter; a third letter tells men of one kind apart.
fn code(word: &str) -> Option<(Man, Colour)> {
    let letters: Vec<char> = word.to_lowercase().chars().collect();
    let colour = match letters.first()? {
        'w' => Colour::White,
        'b' => Colour::Black,
        'r' => Colour::Red,
        _ => return None,
    };
    match letters.as_slice() {
        // The man of draughts.
        [_, 'm'] => Some((Man::Pawn, colour)),
        [_, man] | [_, man, 'a'..='h' | '1'..='8'] => Some((Man::lettered(*man)?, colour)),
        _ => None,
    }
}

/// `s12`: a number after a letter.
fn count(word: &str) -> Option<&str> {
    let digits = word.strip_prefix(|c: char| c.is_ascii_alphabetic())?;
    (digits.parse::<u32>().is_ok() && digits.len() < 4).then_some(digits)
}

/// A name of four binary digits, such as `p0110`.
fn four(word: &str) -> Option<[bool; 4]> {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let bits: Option<Vec<bool>> =
        digits.chars().map(|c| matches!(c, '0' | '1').then_some(c == '1')).collect();
    bits.filter(|_| word.len() <= 5)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(contents: &[&str], of: &str) -> Mark {
        mark_beside(contents, &[], of)
    }

    fn mark_beside(contents: &[&str], fixed: &[&str], of: &str) -> Mark {
        let split = |c: &&str| c.split(' ').map(String::from).collect::<Content>();
        let all: Vec<Content> = contents.iter().map(split).collect();
        let roles = ["white".to_string(), "hunter".to_string()];
        let seen = ContentsSeen { fixed: fixed.iter().map(split).collect(), common: None };
        Glyphs::new("cell", &all, &roles, false, &seen).mark(&split(&of)).unwrap().clone()
    }

    #[test]
    fn a_blank_is_told_by_the_others() {
        assert_eq!(mark(&["b", "x", "o"], "b"), Mark::Blank);
        assert_eq!(mark(&["b", "w"], "b"), Mark::Disc(Colour::Black, String::new()));
        assert_eq!(mark(&["b", "w", "empty"], "empty"), Mark::Blank);
    }

    #[test]
    fn what_is_nearly_everywhere_is_a_blank() {
        let all: Vec<Content> = ["b", "w", "s"].map(|c| vec![c.to_string()]).to_vec();
        let seen = ContentsSeen { fixed: vec![], common: Some(vec!["b".into()]) };
        let glyphs = Glyphs::new("cell", &all, &[], false, &seen);
        assert_eq!(glyphs.mark(&all[0]), Some(&Mark::Blank));
    }

    #[test]
    fn what_never_moves_is_a_wall() {
        let maze = ["a", "b", "o", "w"];
        assert_eq!(mark(&maze, "w"), Mark::Disc(Colour::White, String::new()));
        assert_eq!(mark_beside(&maze, &["w"], "w"), Mark::Block);
        assert_eq!(mark_beside(&maze, &["w"], "o"), Mark::Blank);
    }

    #[test]
    fn men_in_every_writing() {
        let chess = ["b", "wr", "wn", "wk", "bp", "bk"];
        assert_eq!(mark(&chess, "wn"), Mark::Man(Man::Knight, Colour::White));
        assert_eq!(mark(&chess, "b"), Mark::Blank);
        assert_eq!(
            mark(&["white rook", "black king"], "white rook"),
            Mark::Man(Man::Rook, Colour::White)
        );
        assert_eq!(
            mark(&["blackBishop", "whitePawn"], "blackBishop"),
            Mark::Man(Man::Bishop, Colour::Black)
        );
        assert_eq!(mark(&["b", "wp", "wk", "bp", "bk"], "bk"), Mark::Crowned(Colour::Black));
        assert_eq!(mark(&["knight", "hole"], "knight"), Mark::Man(Man::Knight, Colour::Black));
    }

    #[test]
    fn other_names() {
        assert_eq!(mark(&["p0110", "p0000"], "p0110"), Mark::Four([false, true, true, false]));
        assert_eq!(mark(&["hunter", "b"], "hunter"), Mark::Disc(Colour::Orange, "H".into()));
        assert_eq!(mark(&["zombie 5"], "zombie 5"), Mark::Label("z5".into(), Colour::Blue));
        assert_eq!(mark(&["8", "b"], "8"), Mark::Number("8".into()));
    }
}
