//! The format AIGER in its ASCII form, as far as certificates use it.

use crate::Rejected;

/// Literals are twice a variable, plus one where negated; 0 is false.
pub struct AigerFile {
    pub variables: u32,
    pub inputs: usize,
    pub latches: Vec<Latch>,
    pub outputs: Vec<u32>,
    /// A literal and its two operands.
    pub ands: Vec<[u32; 3]>,
}

pub struct Latch {
    pub lit: u32,
    pub next: u32,
    pub initial: bool,
}

/// Lines of the comment, with their numbers from 1.
pub type Comment<'t> = Vec<(usize, &'t str)>;

impl AigerFile {
    /// The circuit, and the comment behind it.
    pub fn read(text: &str) -> Result<(AigerFile, Comment<'_>), Rejected> {
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
        let (at, head) = lines.next().unwrap_or((1, ""));
        let Some(rest) = head.strip_prefix("aag ") else {
            return Err(wrong(at, "a certificate begins with `aag`"));
        };
        let [most, inputs, latches, outputs, ands] = numbers(at, rest)?;
        let mut circuit = AigerFile {
            variables: most,
            inputs: inputs as usize,
            latches: vec![],
            outputs: vec![],
            ands: vec![],
        };
        let mut next = || lines.next().ok_or(wrong(at, "the file ends too early"));
        for i in 0..inputs {
            let (at, line) = next()?;
            let [lit] = numbers(at, line)?;
            expect(at, lit == 2 * (1 + i), "inputs are the first variables in their order")?;
        }
        for _ in 0..latches {
            let (at, line) = next()?;
            let [lit, to, initial] = numbers(at, line)?;
            expect(at, initial <= 1 && lit & 1 == 0, "a latch: its literal, next literal, 0 or 1")?;
            circuit.latches.push(Latch { lit, next: to, initial: initial == 1 });
        }
        for _ in 0..outputs {
            let (at, line) = next()?;
            let [lit] = numbers(at, line)?;
            circuit.outputs.push(lit);
        }
        for _ in 0..ands {
            let (at, line) = next()?;
            let and: [u32; 3] = numbers(at, line)?;
            let fits = and[0] & 1 == 0 && and[1] < and[0] && and[2] < and[0];
            expect(at, fits, "an and-gate stands behind its operands")?;
            circuit.ands.push(and);
        }
        circuit.is_sound(at)?;
        let comment = lines.skip_while(|(_, line)| *line != "c").skip(1).collect();
        Ok((circuit, comment))
    }

    /// Every variable is one thing, and literals are of these.
    fn is_sound(&self, at: usize) -> Result<(), Rejected> {
        let mut owners = vec![0; 1 + self.variables as usize];
        let inputs = (1..=self.inputs as u32).map(|v| 2 * v);
        let own = self.latches.iter().map(|l| l.lit).chain(self.ands.iter().map(|a| a[0]));
        for lit in inputs.chain(own) {
            let owner = owners.get_mut(lit as usize / 2);
            *owner.ok_or(wrong(at, "a variable above the largest"))? += 1;
        }
        expect(at, owners[1..].iter().all(|n| *n == 1), "a variable is one thing and only one")?;
        let used = self.outputs.iter().copied().chain(self.latches.iter().map(|l| l.next));
        let largest = used.chain(self.ands.iter().map(|a| a[1])).max().unwrap_or(0);
        expect(at, self.has(largest), "a literal above the largest variable")
    }

    pub fn has(&self, lit: u32) -> bool {
        lit / 2 <= self.variables
    }
}

pub fn wrong(line: usize, message: &str) -> Rejected {
    Rejected::Text { line, message: message.into() }
}

pub fn expect(line: usize, fits: bool, message: &str) -> Result<(), Rejected> {
    if fits { Ok(()) } else { Err(wrong(line, message)) }
}

/// So many numbers of a line.
pub fn numbers<const N: usize>(at: usize, line: &str) -> Result<[u32; N], Rejected> {
    let found: Result<Vec<u32>, _> = line.split_whitespace().map(str::parse).collect();
    let found = found.map_err(|_| wrong(at, "a number is missing"))?;
    found.try_into().map_err(|_| wrong(at, &format!("{N} numbers stand here")))
}
