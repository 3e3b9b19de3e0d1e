//! `Ways` -> `PieceBoard`: each kind of piece with what was seen of it.

use crate::field::PlaceField;
use crate::moves::{moves, only};
use crate::piece::{Becoming, PieceBoard, PieceCount, PieceKind, Setting, SettingRule, Taking};
use crate::reach::MoveReach;
use crate::sightings::{Scout, held};
use crate::watch::WatchedMoves;
use crate::ways::{Habits, Manner, Ways};
use crate::words;
use ludex_facts::samples::Samples;
use ludex_gdl::budget::{Budget, Stop};

/// The pieces of a board, those that do something first.
pub fn board(
    scout: &Scout,
    watched: &WatchedMoves,
    samples: &Samples,
    roles: &[String],
    budget: &Budget,
) -> Result<PieceBoard, Stop> {
    let field = scout.field;
    let ways = Ways::new(scout, watched, samples, budget)?;
    let counts = counts(field, samples);
    let axes = used_axes(&ways);
    let kinds = (0..field.labels.len()).filter(|l| Some(*l) != scout.blank && counts[*l].most > 0);
    let kind = |label: usize| {
        let mut piece = kind(scout, &ways.habits[label]);
        piece.name = field.labels[label].clone();
        piece.owner = scout.owners[label].map(|role| roles[role].clone());
        piece.count = counts[label];
        piece.text = words::text(&piece, &axes);
        piece
    };
    Ok(PieceBoard {
        relations: field.relations.clone(),
        places: field.board.places.clone(),
        size: field.places.len(),
        kind: field.board.kind,
        empty: scout.blank.map(|label| field.labels[label].clone()),
        pieces: kinds.map(kind).collect(),
    })
}

/// The axes along which something moves, or all where fewer than two are.
fn used_axes(ways: &Ways) -> Vec<usize> {
    let directions = || ways.habits.iter().flat_map(|h| h.ways.keys()).map(|way| &way.0);
    let all: Vec<usize> = (0..directions().next().map_or(0, Vec::len)).collect();
    let used: Vec<usize> =
        all.iter().copied().filter(|a| directions().any(|d| d[*a] != 0)).collect();
    if used.len() > 1 { used } else { all }
}

fn kind(scout: &Scout, habits: &Habits) -> PieceKind {
    let (field, label) = (scout.field, |l: &usize| scout.field.labels[*l].clone());
    let found = moves(field, habits);
    let becomes = |((piece, moving), places): (&(usize, bool), &_)| Becoming {
        piece: label(piece),
        moving: *moving,
        only_at: if *moving { only(field, places, &habits.stays) } else { None },
        places: places.len(),
    };
    let taking = |((piece, manner), seen): (&(usize, Manner), &usize)| Taking {
        piece: label(piece),
        manner: *manner,
        seen: *seen,
    };
    let gone: usize = habits.ways.values().flat_map(|uses| uses.gone).sum();
    let mobile = gone > 0 && habits.stood > 0 && habits.leaps.is_empty();
    PieceKind {
        reach: MoveReach::new(field, &found),
        moves: found,
        leaps: habits.leaps.len(),
        shifts: habits.shifted,
        takes: habits.taken.iter().map(taking).collect(),
        turns: habits.turns.iter().map(|((a, b), n)| (label(a), label(b), *n)).collect(),
        becomes: habits.becomes.iter().map(becomes).collect(),
        set: setting(field, habits, &label),
        removed: habits.removed,
        mobility: mobile.then(|| gone as f64 / habits.stood as f64),
        ..PieceKind::default()
    }
}

fn setting(
    field: &PlaceField,
    habits: &Habits,
    label: &dyn Fn(&usize) -> String,
) -> Option<Setting> {
    let [seen, open] = habits.set_uses;
    let rule = match habits.falls.first() {
        _ if seen >= open => SettingRule::AnyEmpty,
        Some((axis, _)) if habits.set.len() > 3 => {
            SettingRule::Falls { argument: field.board.places[*axis] }
        }
        _ => SettingRule::Some,
    };
    (seen > 0).then(|| Setting { rule, with: habits.set_with.as_ref().map(label), seen, open })
}

/// How many of each label there are in the sampled states.
fn counts(field: &PlaceField, samples: &Samples) -> Vec<PieceCount> {
    let fewest = usize::MAX;
    let mut counts = vec![PieceCount { fewest, ..PieceCount::default() }; field.labels.len()];
    for sample in 0..samples.states.len() {
        let mut now = vec![0; counts.len()];
        held(field, samples, sample).for_each(|at| now[at.label] += 1);
        for (count, now) in counts.iter_mut().zip(now) {
            count.at_start = if sample == 0 { now } else { count.at_start };
            (count.fewest, count.most) = (count.fewest.min(now), count.most.max(now));
        }
    }
    counts
}
