//! Check digits: they tell a number that a scanner cut out of a longer code from digits that only look like one.

/// Whether a text consists of that many digits.
pub(super) fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn digits(text: &str) -> impl DoubleEndedIterator<Item = u32> {
    text.bytes().map(|byte| u32::from(byte.wrapping_sub(b'0')))
}

/// Whether the last digit is the check digit of the others: modulo 10, with the weights 3 and 1 from the right. So are
/// the numbers of GS1 (SSCC, GTIN), of USPS and of FedEx Ground.
pub(super) fn has_mod_10(number: &str) -> bool {
    let weighted = digits(number).rev().zip([1, 3].into_iter().cycle());
    number.len() > 1 && weighted.map(|(digit, weight)| digit * weight).sum::<u32>() % 10 == 0
}

/// Whether the last digit is FedEx's check digit of the others: modulo 11, with the weights 1, 3 and 7 from the right.
pub(super) fn has_fedex_mod_11(number: &str) -> bool {
    let mut from_the_right = digits(number).rev();
    let check = from_the_right.next();
    let sum: u32 = from_the_right.zip([1, 3, 7].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
    check == Some(sum % 11 % 10)
}
