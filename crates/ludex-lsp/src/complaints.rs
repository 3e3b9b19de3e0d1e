//! Complaints as diagnostics, and what mends them as quick fixes.

use crate::document::Document;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, DiagnosticRelatedInformation,
    DiagnosticSeverity, Location, NumberOrString, Position, Range, TextEdit, WorkspaceEdit,
};
use ludex::source::{Complaint, Report, Severity};
use std::collections::HashMap;

/// What is said of a document, causes with what follows from them as related places.
pub fn diagnostics(document: &Document, report: &Report) -> Vec<Diagnostic> {
    let mut report = report.clone();
    document.policy.apply(&document.source, &mut report);
    report.complaints.iter().map(|c| diagnostic(document, c)).collect()
}

fn diagnostic(document: &Document, complaint: &Complaint) -> Diagnostic {
    let related = |c: &Complaint| DiagnosticRelatedInformation {
        location: Location { uri: document.uri.clone(), range: place(document, c) },
        message: c.message.clone(),
    };
    let related: Vec<_> = complaint.follows.iter().map(related).collect();
    let message = match &complaint.hint {
        Some(hint) => format!("{}\n{hint}", complaint.message),
        None => complaint.message.clone(),
    };
    Diagnostic {
        range: place(document, complaint),
        severity: Some(match complaint.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(complaint.code.into())),
        source: Some("ludex".into()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Diagnostic::default()
    }
}

/// What is about the whole file is shown at its first line.
fn place(document: &Document, complaint: &Complaint) -> Range {
    complaint.span.map_or_else(Range::default, |span| document.range(span))
}

/// What can be done about the complaints in a range: the change that mends one, or a comment that allows it.
pub fn actions(document: &Document, report: &Report, range: Range) -> Vec<CodeActionOrCommand> {
    let touches = |c: &&Complaint| {
        let place = place(document, c);
        place.start <= range.end && range.start <= place.end
    };
    let all = report.complaints.iter().flat_map(|c| std::iter::once(c).chain(&c.follows));
    let mut actions = Vec::new();
    for complaint in all.filter(touches) {
        if let Some(fix) = &complaint.fix {
            let title = format!("Write `{}`", fix.text);
            let edit = TextEdit::new(document.range(fix.span), fix.text.clone());
            actions.push(action(document, complaint, title, edit, true));
        }
        if complaint.severity == Severity::Warning {
            let mark = if document.is_infix() { '%' } else { ';' };
            let line = format!("{mark} ludex: allow {}\n", complaint.code);
            let start = Position::new(0, 0);
            let edit = TextEdit::new(Range::new(start, start), line);
            let title = format!("Allow {} in this file", complaint.code);
            actions.push(action(document, complaint, title, edit, false));
        }
    }
    actions
}

// The keys of `changes` are addresses, which nothing changes.
#[allow(clippy::mutable_key_type)]
fn action(
    document: &Document,
    complaint: &Complaint,
    title: String,
    edit: TextEdit,
    preferred: bool,
) -> CodeActionOrCommand {
    let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
    CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic(document, complaint)]),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        is_preferred: Some(preferred),
        ..CodeAction::default()
    })
}
