//! The values of mirror images, if a product is [its
//! own](crate::game::ruleset::Product::is_its_mirror_image).

/// Returns the values at the mirror images of some levels, from those at the levels. `sizes`
/// contains the number of contents of each component.
pub fn image<S: Copy>(values: &[S], sizes: &[usize]) -> Vec<S> {
    let mut stride = values.len();
    let digits = sizes.iter().map(|size| {
        stride /= (*size).max(1);
        (*size, stride)
    });
    // The last component is the most significant in the image.
    let mut digits: Vec<(usize, usize)> = digits.collect();
    digits.reverse();
    // Two short lists of partial indices replace one division for each digit of each position.
    let (outer, inner) = digits.split_at(digits.len() / 2);
    let inner = places(inner);
    places(outer)
        .into_iter()
        .flat_map(|outer| inner.iter().map(move |inner| values[outer + inner]))
        .collect()
}

/// Returns the indices of all combinations of contents of some components, in order, given the
/// number of contents of each and their stride.
fn places(digits: &[(usize, usize)]) -> Vec<usize> {
    digits.iter().fold(vec![0], |places, (size, stride)| {
        places
            .iter()
            .flat_map(|place| (0..*size).map(move |content| place + content * stride))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_are_reversed() {
        for sizes in [
            &[][..],
            &[1],
            &[3],
            &[2, 3],
            &[2, 1, 4],
            &[4, 2, 3, 2],
            &[1, 1, 5, 2, 2],
        ] {
            let count: usize = sizes.iter().product();
            let mut reversed_sizes = sizes.to_vec();
            reversed_sizes.reverse();
            let values: Vec<usize> = (0..count).collect();
            let mirrored = image(&values, sizes);
            for (place, value) in mirrored.iter().enumerate() {
                // Digit by digit: the value at an index of the image comes from the index with the
                // digits reversed.
                let (mut rest, mut digits) = (place, Vec::new());
                for size in reversed_sizes.iter().rev() {
                    digits.push(rest % size);
                    rest /= size;
                }
                let from = digits
                    .iter()
                    .zip(sizes)
                    .fold(0, |from, (digit, size)| from * size + digit);
                assert_eq!(*value, from, "{sizes:?}");
            }
            assert_eq!(image(&mirrored, &reversed_sizes), values, "{sizes:?}");
        }
    }
}
