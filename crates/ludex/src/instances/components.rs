//! The strongly connected components of a graph, in an order in which edges lead back only.

/// Components of the nodes `0..n`, each sorted; a component comes after all it leads to.
pub fn components<'a>(n: usize, edges: impl Fn(u32) -> &'a [u32]) -> Vec<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut number = vec![UNSEEN; n];
    let mut low = vec![0u32; n];
    let mut on_stack = vec![false; n];
    let (mut stack, mut path, mut out) = (Vec::new(), Vec::new(), Vec::new());
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
                let mut component = stack.split_off(at);
                component.iter().for_each(|x| on_stack[*x as usize] = false);
                component.sort_unstable();
                out.push(component);
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
        assert_eq!(found, vec![vec![1, 2], vec![3], vec![0], vec![4]]);
    }
}
