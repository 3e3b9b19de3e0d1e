//! `PieceKind` -> words: `any number of squares along a row or column until blocked; captures by replacement`.

use crate::moves::{Between, CaptureUse, PieceMove, PlaceRule};
use crate::piece::{PieceBoard, PieceKind, Setting, SettingRule, Taking};
use crate::ways::Manner;
use std::fmt;

/// Names that are listed in full; of more only the number is told.
const FEW: usize = 6;

/// Ways that are gone so many times less often than all together are not told one by one.
const RARE: usize = 20;

/// What a piece does, on a board along these axes.
pub fn text(piece: &PieceKind, axes: &[usize]) -> String {
    let compass = Compass::new(piece, axes);
    let mixed = piece.moves.iter().any(|m| m.captures != CaptureUse::Never);
    let total: usize = piece.moves.iter().map(|m| m.seen).sum();
    let (rare, often): (Vec<&PieceMove>, Vec<&PieceMove>) =
        piece.moves.iter().partition(|m| m.seen * RARE < total);
    let mut parts: Vec<String> = often.iter().map(|m| compass.moving(m, mixed)).collect();
    if !rare.is_empty() {
        parts.push("rarely in other ways".into());
    }
    if piece.leaps > 0 {
        parts.push(format!("goes between {} pairs of places", piece.leaps));
    }
    if piece.shifts {
        parts.push("moves together with others".into());
    }
    parts.extend(piece.set.as_ref().map(set));
    parts.extend(taking(&piece.takes));
    parts.extend(turning(&piece.turns));
    parts.extend(becoming(piece));
    if piece.removed > 0 {
        parts.push("can be taken away".into());
    }
    if parts.is_empty() { "stays where it is".into() } else { parts.join("; ") }
}

fn set(setting: &Setting) -> String {
    let by =
        setting.with.as_ref().map_or("is set".into(), |p| format!("is set with a move of {p}"));
    match &setting.rule {
        SettingRule::AnyEmpty => format!("{by} on any empty place"),
        SettingRule::Falls { argument } => {
            format!("{by} in a line and falls along argument {argument} until blocked")
        }
        SettingRule::Some => format!("{by} on some of the empty places"),
    }
}

fn taking(takes: &[Taking]) -> Vec<String> {
    let told = [
        (Manner::Replaced, "captures by replacement"),
        (Manner::JumpedOver, "captures by jumping over"),
        (Manner::Elsewhere, "captures elsewhere"),
    ];
    let used = |manner: Manner| takes.iter().any(|t| t.manner == manner);
    told.iter().filter(|(manner, _)| used(*manner)).map(|(_, text)| text.to_string()).collect()
}

fn turning(turns: &[(String, String, usize)]) -> Option<String> {
    let pair = |(a, b, _): &(String, String, usize)| format!("{a} into {b}");
    match turns.len() {
        0 => None,
        n if n > FEW => Some("turns others into others".into()),
        _ => Some(format!("turns {}", turns.iter().map(pair).collect::<Vec<_>>().join(", "))),
    }
}

fn becoming(piece: &PieceKind) -> Vec<String> {
    let part = |moving: bool| {
        let own: Vec<_> = piece.becomes.iter().filter(|b| b.moving == moving).collect();
        let rule = own.first()?.only_at.as_ref();
        let at = rule.filter(|_| own.iter().all(|b| b.only_at.as_ref() == rule));
        let names: Vec<&str> = own.iter().map(|b| b.piece.as_str()).collect();
        let names = match names.len() {
            n if n > FEW => format!("one of {n} others"),
            _ => names.join(" or "),
        };
        let at = at.map_or(String::new(), |rule| format!(" {rule}"));
        let how = if moving { "becomes" } else { "can be turned into" };
        Some(format!("{how} {names}{at}"))
    };
    [true, false].into_iter().filter_map(part).collect()
}

impl fmt::Display for PlaceRule {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "where argument {} is {}", self.argument, self.values.join(" or "))
    }
}

/// The axes of a board, and which way is ahead for a piece that never goes back.
struct Compass<'a> {
    axes: &'a [usize],
    ahead: Option<(usize, i32)>,
}

impl Compass<'_> {
    fn new<'a>(piece: &PieceKind, axes: &'a [usize]) -> Compass<'a> {
        let all = || piece.moves.iter().flat_map(|m| &m.directions);
        let one_way = |(axis, sign): &(usize, i32)| {
            all().all(|d| d[*axis] * sign >= 0) && all().any(|d| d[*axis] != 0)
        };
        let signs = axes.iter().flat_map(|axis| [(*axis, 1), (*axis, -1)]);
        let found: Vec<(usize, i32)> = signs.filter(one_way).collect();
        let ahead = if let [one] = found[..] { Some(one) } else { None };
        Compass { axes, ahead }
    }

    fn moving(&self, m: &PieceMove, mixed: bool) -> String {
        let square = if self.axes.len() == 2 { "square" } else { "place" };
        let directions = self.directions(&m.directions);
        let far = match (m.least, m.most) {
            (_, None) => format!("any number of {square}s"),
            (1, Some(1)) => format!("one {square}"),
            (least, Some(most)) if least == most => format!("{most} {square}s"),
            (1, Some(most)) => format!("up to {most} {square}s"),
            (least, Some(most)) => format!("{least} to {most} {square}s"),
        };
        let mut text = match directions {
            Heading::Line(words) => format!("{far} {words}"),
            Heading::Leap(words) if m.most == Some(1) => words,
            Heading::Leap(words) => format!("any number of times {words}"),
        };
        text += match m.between {
            Between::Free if m.most != Some(1) => " until blocked",
            Between::Any if m.most != Some(1) => " over what stands between",
            Between::Over => " over another piece",
            Between::Taken => " over a piece that is captured",
            _ => "",
        };
        text += match m.captures {
            CaptureUse::Only => ", only to capture",
            CaptureUse::Never if mixed && m.between != Between::Taken => ", not to capture",
            _ => "",
        };
        if let Some(rule) = &m.only_from {
            text += &format!(" from places {rule}");
        }
        text + if m.always { "" } else { " (not always)" }
    }

    fn directions(&self, all: &[Vec<i32>]) -> Heading {
        let sizes = |d: &Vec<i32>| {
            let mut sizes: Vec<i32> = d.iter().map(|x| x.abs()).filter(|x| *x > 0).collect();
            sizes.sort_unstable();
            sizes
        };
        let straight: Vec<&Vec<i32>> = all.iter().filter(|d| sizes(d) == [1]).collect();
        let diagonal: Vec<&Vec<i32>> =
            all.iter().filter(|d| sizes(d).len() > 1 && sizes(d).iter().all(|x| *x == 1)).collect();
        if straight.len() + diagonal.len() == all.len() {
            return Heading::Line(self.line(&straight, &diagonal));
        }
        let first = sizes(&all[0]);
        if first.len() == 2 && all.iter().all(|d| sizes(d) == first) {
            let words = format!("{} squares one way and {} across", first[1], first[0]);
            return Heading::Leap(words + self.which(all, 8));
        }
        let vector = |d: &Vec<i32>| {
            let parts: Vec<String> = d.iter().map(|x| format!("{x:+}")).collect();
            format!("({})", parts.join(" "))
        };
        let list: Vec<String> = all.iter().take(FEW).map(vector).collect();
        let more = if all.len() > FEW { " and others" } else { "" };
        Heading::Leap(format!("by {}{more}", list.join(" ")))
    }

    fn line(&self, straight: &[&Vec<i32>], diagonal: &[&Vec<i32>]) -> String {
        let n = self.axes.len();
        let (all_straight, all_diagonal) = (2 * n, if n == 2 { 4 } else { usize::MAX });
        let (a, b) = (straight.len(), diagonal.len());
        if a == all_straight && b == all_diagonal {
            return "in any direction".into();
        }
        if a == 4 && b == 2 && n == 2 {
            return "in any of six directions".into();
        }
        let mut words = Vec::new();
        if a == all_straight {
            words.push(if n == 2 { "along a row or column" } else { "along a line" }.to_string());
        } else {
            words.extend(self.straight(straight));
        }
        if b > 0 {
            let which = self.which_of(diagonal, all_diagonal);
            words.push(format!("diagonally{which}"));
        }
        words.join(" or ")
    }

    /// Straight directions that are not all.
    fn straight(&self, directions: &[&Vec<i32>]) -> Vec<String> {
        let mut words = Vec::new();
        for axis in 0..directions.first().map_or(0, |d| d.len()) {
            let on = |sign: i32| directions.iter().any(|d| d[axis] == sign);
            let word = match (on(1), on(-1), self.ahead) {
                (false, false, _) => continue,
                (_, _, Some((ahead, _))) if ahead == axis => "straight ahead".to_string(),
                (true, true, Some(_)) if self.axes.len() == 2 => "sideways".to_string(),
                (true, true, _) => format!("along axis {}", axis + 1),
                (up, _, _) => format!("{} axis {}", if up { "up" } else { "down" }, axis + 1),
            };
            words.push(word);
        }
        words
    }

    fn which_of(&self, directions: &[&Vec<i32>], all: usize) -> &'static str {
        self.which(&directions.iter().map(|d| (*d).clone()).collect::<Vec<_>>(), all)
    }

    /// Of so many directions these: all, those ahead, or some.
    fn which(&self, directions: &[Vec<i32>], all: usize) -> &'static str {
        let is_ahead = |(axis, sign): (usize, i32)| directions.iter().all(|d| d[axis] * sign > 0);
        match directions.len() {
            n if n == all => "",
            n if self.ahead.is_some_and(is_ahead) && 2 * n == all => " ahead",
            _ if self.ahead.is_some_and(is_ahead) => " ahead, in some directions",
            _ => ", in some directions",
        }
    }
}

/// Steps along a line, or leaps.
enum Heading {
    Line(String),
    Leap(String),
}

impl fmt::Display for PieceBoard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let places: Vec<String> = self.places.iter().map(ToString::to_string).collect();
        let (relations, places) = (self.relations.join(", "), places.join(","));
        writeln!(f, "{relations} at {{{places}}}: {} places ({})", self.size, self.kind.name())?;
        let mut told: Vec<&str> = Vec::new();
        for piece in &self.pieces {
            if told.contains(&piece.text.as_str()) {
                continue;
            }
            told.push(&piece.text);
            let alike: Vec<&PieceKind> =
                self.pieces.iter().filter(|p| p.text == piece.text).collect();
            let names: Vec<&str> = alike.iter().take(FEW).map(|p| p.name.as_str()).collect();
            let more = match alike.len() {
                n if n > FEW => format!(" and {} more", n - FEW),
                _ => String::new(),
            };
            writeln!(f, "  {}{more}: {}", names.join(", "), piece.text)?;
            alike
                .iter()
                .take(FEW)
                .filter_map(|p| p.figures())
                .try_for_each(|figures| writeln!(f, "    {figures}"))?;
        }
        Ok(())
    }
}

impl PieceKind {
    /// Numbers of a piece that moves.
    fn figures(&self) -> Option<String> {
        let moves = self.mobility?;
        let count = &self.count;
        let mut text = format!(
            "{}: {} at the start, {} to {} seen; {moves:.1} moves",
            self.name, count.at_start, count.fewest, count.most
        );
        if let Some(reach) = &self.reach {
            let part = reach.part * 100.0;
            text += &format!(
                ", {:.1} on an empty board, which leads to {part:.0} % of it in {:.1} moves, {} at most",
                reach.moves, reach.distance, reach.farthest
            );
        }
        Some(text)
    }
}
