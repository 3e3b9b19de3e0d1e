//! Directed graphs on `0..n`: strongly connected components (Tarjan), and what nodes lead to.
//!
//! Nothing here recurses: rules may be chained as deep as they like.

/// Components one after the other, each sorted.
pub struct Components {
    /// The component of every node.
    pub of: Vec<u32>,
    nodes: Vec<u32>,
    ends: Vec<usize>,
}

impl Components {
    pub fn same(&self, a: u32, b: u32) -> bool {
        self.of[a as usize] == self.of[b as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.nodes[start..*end])
    }
}

/// Components of the nodes `0..n`; a component comes after all it leads to.
pub fn components<'a>(n: usize, edges: impl Fn(u32) -> &'a [u32]) -> Components {
    const UNSEEN: u32 = u32::MAX;
    let mut number = vec![UNSEEN; n];
    let mut low = vec![0u32; n];
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let mut out = Components { of: vec![UNSEEN; n], nodes: Vec::with_capacity(n), ends: vec![] };
    let mut count = 0;
    for root in 0..n as u32 {
        if number[root as usize] != UNSEEN {
            continue;
        }
        path.push((root, 0usize));
        while let Some((node, edge)) = path.pop() {
            let v = node as usize;
            if edge == 0 {
                (number[v], low[v]) = (count, count);
                count += 1;
                stack.push(node);
            } else {
                // Back from the edge before this one.
                let w = edges(node)[edge - 1] as usize;
                if out.of[w] == UNSEEN {
                    low[v] = low[v].min(low[w]);
                }
            }
            if let Some(w) = edges(node).get(edge) {
                path.push((node, edge + 1));
                if number[*w as usize] == UNSEEN {
                    path.push((*w, 0));
                }
            } else if low[v] == number[v] {
                let at = stack.iter().rposition(|x| *x == node).expect("on the stack");
                let component = &mut stack[at..];
                component.iter().for_each(|x| out.of[*x as usize] = out.ends.len() as u32);
                component.sort_unstable();
                out.nodes.extend(stack.drain(at..));
                out.ends.push(out.nodes.len());
            }
        }
    }
    out
}

/// The nodes that the roots lead to, themselves included.
pub fn reached<I: IntoIterator<Item = u32>>(
    n: usize,
    roots: impl IntoIterator<Item = u32>,
    edges: impl Fn(u32) -> I,
) -> Vec<bool> {
    let mut seen = vec![false; n];
    let mut open: Vec<u32> = roots.into_iter().collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node as usize], true) {
            open.extend(edges(node));
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::{components, reached};

    #[test]
    fn roots_lead_to_themselves_and_on() {
        let edges: [&[u32]; 4] = [&[1], &[0], &[3], &[]];
        let found = |root| reached(4, [root], |v| edges[v as usize].iter().copied());
        assert_eq!(found(0), [true, true, false, false]);
        assert_eq!(found(2), [false, false, true, true]);
    }

    #[test]
    fn cycles_are_components_and_come_after_what_they_lead_to() {
        let edges: Vec<Vec<u32>> = vec![vec![1, 3], vec![2], vec![1], vec![], vec![0, 4]];
        let found = components(5, |v| &edges[v as usize]);
        assert!(found.same(1, 2) && !found.same(0, 1));
        let found: Vec<&[u32]> = found.iter().collect();
        assert_eq!(found, [&[1, 2][..], &[3], &[0], &[4]]);
    }
}
