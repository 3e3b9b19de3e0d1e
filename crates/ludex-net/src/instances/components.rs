//! The strongly connected components of a graph, in an order in which edges lead back only.

/// Components one after the other, each sorted.
pub struct Components {
    nodes: Vec<u32>,
    ends: Vec<usize>,
}

impl Components {
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
    let mut on_stack = vec![false; n];
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let mut out = Components { nodes: Vec::with_capacity(n), ends: Vec::new() };
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
                on_stack[v] = true;
            } else {
                // Back from the edge before this one.
                let w = edges(node)[edge - 1] as usize;
                if on_stack[w] {
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
                component.iter().for_each(|x| on_stack[*x as usize] = false);
                component.sort_unstable();
                out.nodes.extend(stack.drain(at..));
                out.ends.push(out.nodes.len());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn cycles_are_components_and_come_after_what_they_lead_to() {
        let edges: Vec<Vec<u32>> = vec![vec![1, 3], vec![2], vec![1], vec![], vec![0, 4]];
        let found = components(5, |v| &edges[v as usize]);
        let found: Vec<&[u32]> = found.iter().collect();
        assert_eq!(found, [&[1, 2][..], &[3], &[0], &[4]]);
    }
}
