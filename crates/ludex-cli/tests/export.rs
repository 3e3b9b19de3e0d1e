//! `ludex export`: the tools that each language is for read it back and find the game in it.

use std::io::Write;
use std::process::{Command, Stdio};

fn ludex(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ludex")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn export(game: &str, format: &str) -> String {
    let (code, out, err) = ludex(&["export", game, "--to", format]);
    assert_eq!(code, Some(0), "{game} {format}: {err}");
    out
}

/// What a program says about a text.
fn told(program: &str, arguments: &[&str], input: &str) -> String {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let text = input.to_string();
    let writer = std::thread::spawn(move || pipe.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    String::from_utf8_lossy(&output.stdout).into_owned() + &err
}

/// A Python with a package.
fn python(package: &str) -> Option<&'static str> {
    let has = |python: &&str| {
        let import = format!("import {package}");
        let mut command = Command::new(python);
        let command = command.args(["-c", &import]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = ["python3", "/usr/bin/python3"].into_iter().find(has);
    if found.is_none() {
        ludex_testing::left_out(&format!("Python has no {package}"));
    }
    found
}

#[test]
fn an_answer_set_is_a_match() {
    if !ludex_testing::installed("clingo") {
        return;
    }
    // As many matches of so many steps as `perft` counts paths; games end on the way.
    for (game, horizon, matches) in
        [("tictactoe", 2, 72), ("nim", 2, 113), ("rockpaperscissors", 2, 81), ("hex3", 2, 72)]
    {
        for format in ["asp", "asp-ground"] {
            let (program, horizon) = (export(game, format), format!("horizon={horizon}"));
            let said = told("clingo", &["-q", "0", "-c", &horizon, "-"], &program);
            let line = said.lines().find(|line| line.starts_with("Models"));
            let count = line.and_then(|line| line.split(':').nth(1)).map(str::trim);
            assert_eq!(count, Some(matches.to_string().as_str()), "{game} {format}: {said}");
        }
    }
}

/// The legal moves of the first state and after it, as a solver of SMT-LIB finds them.
#[test]
fn a_solver_finds_legal_moves_and_steps() {
    if !ludex_testing::installed("z3") {
        return;
    }
    let system = export("tictactoe", "smt2");
    let ask =
        |question: &str| told("z3", &["-in"], &format!("{system}\n{question}\n(check-sat)\n"));
    let is = |question: &str, answer: &str| {
        assert_eq!(ask(question).lines().next(), Some(answer), "{question}");
    };
    let first = "(assert .init) (assert .trans)";
    is(first, "sat");
    is(&format!("{first} (assert |does white noop|)"), "unsat");
    is(&format!("{first} (assert |does white (mark 2 2)|) (assert |(cell 2 2 x)'|)"), "sat");
    is(&format!("{first} (assert |does white (mark 2 2)|) (assert |(cell 2 2 b)'|)"), "unsat");
    is(&format!("{first} (assert |(control white)'|)"), "unsat");
    is("(assert .init) (assert (not |never: white gets 100|))", "unsat");
    is("(assert (not |never: white gets 100|))", "sat");
    // Recursion, unrolled: a row of red cells is a connection.
    let hex = export("hex3", "smt2");
    let said =
        told("z3", &["-in"], &format!("{hex}\n(assert .init) (assert terminal)\n(check-sat)"));
    assert!(said.contains("unsat"), "{said}");
}

#[test]
fn a_graph_is_read_by_a_library_for_graphs() {
    let Some(python) = python("networkx") else { return };
    let script = "import sys, io, networkx
graph = networkx.read_graphml(io.BytesIO(sys.stdin.buffer.read()))
kinds = [kind for _, kind in graph.nodes(data='kind')]
print(kinds.count('fact'), kinds.count('move'), graph.number_of_edges() > 100)";
    let said = told(python, &["-c", script], &export("tictactoe", "graphml"));
    assert_eq!(said.trim(), "29 20 True");
}

/// A model checker plays tic-tac-toe: somebody can get three in a row after five moves, and not before.
#[test]
fn a_model_checker_finds_the_shortest_match() {
    let there = Command::new("berkeley-abc").args(["-c", "quit"]).stdout(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        return ludex_testing::left_out("berkeley-abc is not installed");
    }
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tictactoe.aig");
    std::fs::write(&file, binary(&export("tictactoe", "aiger"))).unwrap();
    let file = file.display();
    let said = |search: &str| {
        told("berkeley-abc", &["-c", &format!("read_aiger {file}; fold; {search}")], "")
    };
    let found = said("bmc3 -F 8");
    assert!(found.contains("asserted in frame 5"), "{found}");
    assert!(!said("bmc3 -F 5").contains("asserted in frame"), "nobody wins in four moves");
}

/// The same circuit in the binary form, which ABC reads; without its outputs, which ABC would take for bad states.
fn binary(text: &str) -> Vec<u8> {
    let mut lines = text.lines();
    let head: Vec<usize> = numbers(lines.next().unwrap().strip_prefix("aag ").unwrap());
    let [all, inputs, latches, outputs, ands, bad, fair] = head[..] else { panic!("{head:?}") };
    let mut told = vec![format!("aig {all} {inputs} {latches} 0 {ands} {bad} {fair}")];
    let states = lines.by_ref().skip(inputs).take(latches);
    told.extend(states.map(|line| line.split_once(' ').unwrap().1.to_string()));
    told.extend(lines.by_ref().skip(outputs).take(bad + fair).map(String::from));
    let mut out = (told.join("\n") + "\n").into_bytes();
    for gate in lines.take(ands).map(numbers) {
        for mut delta in [gate[0] - gate[1], gate[1] - gate[2]] {
            while delta > 127 {
                out.push((delta & 127 | 128) as u8);
                delta >>= 7;
            }
            out.push(delta as u8);
        }
    }
    out
}

fn numbers(line: &str) -> Vec<usize> {
    line.split(' ').map(|word| word.parse().unwrap()).collect()
}

/// The bytes of a circuit mean what the net does: a small reader plays it.
#[test]
fn the_first_step_of_a_circuit_is_that_of_the_game() {
    let text = export("tictactoe", "aiger");
    let mut lines = text.lines();
    let head: Vec<usize> = numbers(lines.next().unwrap().strip_prefix("aag ").unwrap());
    let [_, inputs, latches, outputs, ands, bad, fair] = head[..] else { panic!("{head:?}") };
    let mut take = |count: usize| -> Vec<Vec<usize>> {
        (0..count).map(|_| numbers(lines.next().unwrap())).collect()
    };
    let (ins, states, outs) = (take(inputs), take(latches), take(outputs));
    let (bads, fairs, gates) = (take(bad), take(fair), take(ands));
    let names: Vec<&str> = lines.take_while(|line| *line != "c").collect();
    let place = |kind: char, name: &str| {
        let wanted =
            |line: &&&str| line.starts_with(kind) && line.split_once(' ').unwrap().1 == name;
        names
            .iter()
            .find(wanted)
            .map(|line| line[1..].split(' ').next().unwrap().parse::<usize>().unwrap())
    };
    let run = |state: &[bool], moves: &[&str]| {
        let mut value = vec![false; 2 * (1 + inputs + latches + ands)];
        let mut set = |lit: usize, to: bool| (value[lit], value[lit ^ 1]) = (to, !to);
        set(0, false);
        for (i, input) in ins.iter().enumerate() {
            set(input[0], moves.iter().any(|m| place('i', m) == Some(i)));
        }
        states.iter().zip(state).for_each(|(latch, now)| set(latch[0], *now));
        for gate in &gates {
            let both = value[gate[1]] && value[gate[2]];
            (value[gate[0]], value[gate[0] ^ 1]) = (both, !both);
        }
        value
    };
    let first: Vec<bool> = states.iter().map(|latch| latch[2] == 1).collect();
    let fair_play = run(&first, &["does white (mark 2 2)", "does black noop"]);
    assert!(fair_play[fairs[0][0]] && !bads.iter().any(|b| fair_play[b[0]]));
    assert!(!run(&first, &["does white (mark 2 2)"])[fairs[0][0]], "black makes no move");
    assert!(!run(&first, &["does white noop", "does black noop"])[fairs[0][0]], "not legal");
    let legal = (0..outputs).filter(|o| fair_play[outs[*o][0]]).count();
    assert!(legal >= 10, "{legal} outputs are true");
    let next: Vec<bool> = states.iter().map(|latch| fair_play[latch[1]]).collect();
    let fact = |name: &str| next[place('l', name).unwrap()];
    assert!(fact("(cell 2 2 x)") && fact("(control black)") && !fact("(cell 2 2 b)"));
    assert!(!fact(".over"));
}

#[test]
fn a_planning_problem_is_read_by_a_parser() {
    let Some(python) = python("pddl") else { return };
    let text = export("eightpuzzle", "pddl");
    let (domain, problem) = text.split_once("\n\n").unwrap();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("pddl");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("domain.pddl"), domain).unwrap();
    std::fs::write(folder.join("problem.pddl"), problem).unwrap();
    let script = "import sys, pddl
domain = pddl.parse_domain(sys.argv[1] + '/domain.pddl')
problem = pddl.parse_problem(sys.argv[1] + '/problem.pddl')
print(len(domain.actions), len(problem.init))";
    let said = told(python, &["-c", script, folder.to_str().unwrap()], "");
    assert_eq!(said.trim(), "9 10", "{said}");
}

#[test]
fn what_a_language_has_no_words_for_is_told() {
    let (code, _, err) = ludex(&["export", "tictactoe", "--to", "pddl"]);
    assert_eq!(code, Some(1));
    assert!(err.contains("a plan is for one role; here play white, black"), "{err}");
    let (code, _, _) = ludex(&["export", "tictactoe", "--to", "cobol"]);
    assert_eq!(code, Some(2));
}

/// A line of BTOR2 is a number, a word and what it speaks of, which stands above it.
#[test]
fn lines_of_btor2_speak_of_lines_above_them() {
    let text = export("tictactoe", "btor2");
    let mut last = 0;
    let mut count = std::collections::BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with(';')) {
        let words: Vec<&str> = line.split(' ').collect();
        let number: i64 = words[0].parse().unwrap();
        assert!(number > last, "{line}");
        last = number;
        *count.entry(words[1].to_string()).or_insert(0) += 1;
        let arguments = match words[1] {
            "sort" => &words[0..0],
            "input" | "state" => &words[2..3],
            "bad" | "constraint" | "output" => &words[2..3],
            _ => &words[2..],
        };
        for argument in arguments {
            assert!(argument.parse::<i64>().unwrap().abs() < number, "{line}");
        }
    }
    let of = |word: &str| count.get(word).copied().unwrap_or(0);
    assert_eq!((of("input"), of("state"), of("init"), of("next")), (20, 30, 30, 30));
    assert_eq!((of("bad"), of("constraint")), (2, 1));
}
