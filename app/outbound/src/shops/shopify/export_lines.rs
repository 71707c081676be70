//! Splits the file of an export into lines, whatever the pieces in which it arrives.

/// The longest line, in bytes. An order or a line of an order has a few kilobytes.
const MAX_LINE_BYTES: usize = 1024 * 1024;

/// A line of the file, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileLine {
    /// The position of its first byte in the file.
    pub start: u64,
    /// The position after its line break.
    pub end: u64,
    /// `None`: it is longer than any line that is read.
    pub text: Option<Vec<u8>>,
}

/// Holds the part of a file that has arrived and is not read: a line and a piece at most.
#[derive(Default)]
pub(super) struct LineSplitter {
    buffer: Vec<u8>,
    /// How much of the buffer is read.
    used: usize,
    /// The position in the file at which the next line begins.
    line_start: u64,
    /// The bytes of the next line that were thrown away, because it is too long.
    discarded: u64,
}

impl LineSplitter {
    /// Begins at a position of the file that begins a line.
    pub fn at(position: u64) -> Self {
        Self { line_start: position, ..Self::default() }
    }

    /// Adds the next piece of the file.
    pub fn push(&mut self, piece: &[u8]) {
        self.buffer.drain(..self.used);
        self.used = 0;
        self.buffer.extend_from_slice(piece);
    }

    /// How many bytes of the file have arrived.
    pub fn position(&self) -> u64 {
        self.line_start + self.discarded + self.unread().len() as u64
    }

    /// The next line that has arrived as a whole.
    pub fn next_line(&mut self) -> Option<FileLine> {
        let unread = self.unread();
        let Some(length) = unread.iter().position(|byte| *byte == b'\n') else {
            if unread.len() > MAX_LINE_BYTES {
                self.discarded += unread.len() as u64;
                self.used = self.buffer.len();
            }
            return None;
        };
        let text = unread.get(..length).unwrap_or_default().to_vec();
        self.used += length + 1;
        Some(self.line(text, 1))
    }

    /// The rest of the file, if it does not end with a line break.
    pub fn last_line(&mut self) -> Option<FileLine> {
        let text = self.unread().to_vec();
        self.used = self.buffer.len();
        (self.discarded > 0 || !text.is_empty()).then(|| self.line(text, 0))
    }

    fn line(&mut self, text: Vec<u8>, line_break: u64) -> FileLine {
        let start = self.line_start;
        let length = self.discarded + text.len() as u64;
        self.line_start = start + length + line_break;
        self.discarded = 0;
        let is_read = length <= MAX_LINE_BYTES as u64;
        FileLine { start, end: self.line_start, text: is_read.then_some(text) }
    }

    fn unread(&self) -> &[u8] {
        self.buffer.get(self.used..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(file: &[u8], piece: usize, from: u64) -> Vec<FileLine> {
        let (mut splitter, mut lines) = (LineSplitter::at(from), Vec::new());
        for piece in file.chunks(piece.max(1)) {
            splitter.push(piece);
            lines.extend(std::iter::from_fn(|| splitter.next_line()));
        }
        assert_eq!(splitter.position(), from + file.len() as u64);
        lines.extend(splitter.last_line());
        lines
    }

    proptest! {
        /// The pieces make no difference, and the lines cover the file.
        #[test]
        fn lines_do_not_depend_on_the_pieces(file in "[a-c\n]{0,60}", piece in 1_usize..20, from in 0_u64..1000) {
            let lines = split(file.as_bytes(), piece, from);
            let texts: Vec<&[u8]> = lines.iter().filter_map(|line| line.text.as_deref()).collect();
            let expected: Vec<&[u8]> = file.as_bytes().split_inclusive(|byte| *byte == b'\n')
                .map(|line| line.strip_suffix(b"\n").unwrap_or(line)).collect();
            prop_assert_eq!(texts, expected);
            let mut at = from;
            for line in &lines {
                prop_assert_eq!(line.start, at);
                at = line.end;
            }
            prop_assert_eq!(at, from + file.len() as u64);
        }
    }

    #[test]
    fn a_long_line_is_not_kept_and_the_next_one_is_read() {
        let long = 10 * MAX_LINE_BYTES;
        let mut file = vec![b'x'; long];
        file.extend_from_slice(b"\n{}\n");
        let mut splitter = LineSplitter::default();
        let mut lines = Vec::new();
        for piece in file.chunks(50_000) {
            splitter.push(piece);
            lines.extend(std::iter::from_fn(|| splitter.next_line()));
            assert!(splitter.buffer.len() <= MAX_LINE_BYTES + 100_000);
        }
        let end = long as u64 + 1;
        assert_eq!(lines.first(), Some(&FileLine { start: 0, end, text: None }));
        assert_eq!(lines.get(1), Some(&FileLine { start: end, end: end + 3, text: Some(b"{}".to_vec()) }));
        let just = vec![b'x'; MAX_LINE_BYTES];
        assert!(split(&just, 7_000, 0).iter().all(|line| line.text.is_some()));
        let more = vec![b'x'; MAX_LINE_BYTES + 1];
        assert!(split(&more, 7_000, 0).iter().all(|line| line.text.is_none()));
    }
}
