//! Reads CBOR (RFC 8949) as authenticators write it: with definite lengths. It copies nothing, so a length that the input
//! does not have costs nothing.

/// The deepest nesting. Authenticators need four levels.
const MAX_DEPTH: u8 = 8;

/// The beginning of an item. What a list or a map contains follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item<'a> {
    Integer(i64),
    Bytes(&'a [u8]),
    Text(&'a str),
    List(u64),
    /// The number of its pairs.
    Map(u64),
    Tag,
    /// A truth value, nothing, or a floating-point number.
    Simple,
}

/// The input that is left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(input: &'a [u8]) -> Self {
        Self { rest: input }
    }

    /// What was not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next item; `None` if the input ends before it does, or if it is malformed.
    pub fn item(&mut self) -> Option<Item<'a>> {
        let [first] = self.array()?;
        let value = match first & 0x1f {
            small @ 0..=23 => u64::from(small),
            24 => u64::from(u8::from_be_bytes(self.array()?)),
            25 => u64::from(u16::from_be_bytes(self.array()?)),
            26 => u64::from(u32::from_be_bytes(self.array()?)),
            27 => u64::from_be_bytes(self.array()?),
            _ => return None, // an indefinite length, or reserved
        };
        Some(match first >> 5 {
            0 => Item::Integer(i64::try_from(value).ok()?),
            1 => Item::Integer(-1 - i64::try_from(value).ok()?),
            2 => Item::Bytes(self.take(value)?),
            3 => Item::Text(std::str::from_utf8(self.take(value)?).ok()?),
            4 => Item::List(value),
            5 => Item::Map(value),
            6 => Item::Tag,
            _ => Item::Simple,
        })
    }

    /// The number of pairs of a map.
    pub fn map(&mut self) -> Option<u64> {
        match self.item()? {
            Item::Map(pairs) => Some(pairs),
            _ => None,
        }
    }

    pub fn integer(&mut self) -> Option<i64> {
        match self.item()? {
            Item::Integer(value) => Some(value),
            _ => None,
        }
    }

    pub fn bytes(&mut self) -> Option<&'a [u8]> {
        match self.item()? {
            Item::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    pub fn text(&mut self) -> Option<&'a str> {
        match self.item()? {
            Item::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Reads past an item and all that it contains.
    pub fn skip(&mut self) -> Option<()> {
        self.skip_to(MAX_DEPTH)
    }

    fn skip_to(&mut self, depth: u8) -> Option<()> {
        let inside = match self.item()? {
            Item::List(items) => items,
            Item::Map(pairs) => pairs.checked_mul(2)?,
            Item::Tag => 1,
            _ => return Some(()),
        };
        let depth = depth.checked_sub(1)?;
        // Each round reads a byte at least, so a large number ends with the input.
        for _ in 0..inside {
            self.skip_to(depth)?;
        }
        Some(())
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*array)
    }

    fn take(&mut self, length: u64) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(usize::try_from(length).ok()?)?;
        self.rest = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn item(input: &[u8]) -> Option<Item<'_>> {
        Reader::new(input).item()
    }

    #[test]
    fn items_are_read_with_all_sizes_of_numbers() {
        assert_eq!(item(&[0x17]), Some(Item::Integer(23)));
        assert_eq!(item(&[0x18, 0xff]), Some(Item::Integer(255)));
        assert_eq!(item(&[0x39, 0x01, 0x00]), Some(Item::Integer(-257)));
        assert_eq!(item(&[0x1a, 0, 1, 0, 0]), Some(Item::Integer(65_536)));
        assert_eq!(item(&[0x3b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), Some(Item::Integer(i64::MIN)));
        assert_eq!(item(&[0x3b, 0x80, 0, 0, 0, 0, 0, 0, 0]), None, "it is larger than any number we know");
        assert_eq!(item(&[0x42, 1, 2]), Some(Item::Bytes(&[1, 2])));
        assert_eq!(item(&[0x62, b'h', b'i']), Some(Item::Text("hi")));
        assert_eq!(item(&[0x61, 0xff]), None, "text is UTF-8");
        assert_eq!(item(&[0xf5]), Some(Item::Simple));
    }

    #[test]
    fn a_length_that_the_input_does_not_have_ends_the_reading() {
        for short in [&[][..], &[0x19, 1], &[0x43, 1, 2], &[0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]] {
            assert_eq!(item(short), None, "{short:?}");
        }
        assert_eq!(item(&[0x5f, 0x41, 0, 0xff]), None, "an indefinite length");
        let endless = [0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0];
        assert_eq!(Reader::new(&endless).skip(), None);
    }

    #[test]
    fn nesting_has_a_limit() {
        let nested = |depth: usize| [vec![0x81; depth], vec![0]].concat();
        assert_eq!(Reader::new(&nested(8)).skip(), Some(()));
        assert_eq!(Reader::new(&nested(9)).skip(), None);
        assert_eq!(Reader::new(&nested(100_000)).skip(), None);
    }

    proptest! {
        #[test]
        fn no_input_makes_it_panic(input in proptest::collection::vec(any::<u8>(), 0..64)) {
            let mut reader = Reader::new(&input);
            let _ = reader.skip();
            prop_assert!(reader.rest().len() <= input.len());
        }
    }
}
