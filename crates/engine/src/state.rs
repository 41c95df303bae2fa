//! Saved states as bytes: what writes them and what reads them back.
//!
//! Numbers are little-endian and stand in a fixed order, without names. A state belongs to the
//! version of the program that wrote it: it serves to go back to a moment, not for storage.

/// The CRC-32 of these bytes, as in PNG and zip files: it shows whether they are whole.
pub fn crc32(bytes: &[u8]) -> u32 {
    zlib_rs::crc32::crc32(0, bytes)
}

/// A state that cannot be read back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this saved state cannot be read: expected {expected}, found {found}")]
pub struct StateError {
    /// What was expected.
    pub expected: &'static str,
    /// What was found instead.
    pub found: String,
}

impl StateError {
    /// An error with what was expected and what was found.
    pub fn new(expected: &'static str, found: impl Into<String>) -> StateError {
        StateError { expected, found: found.into() }
    }
}

/// Writes a state.
#[derive(Debug, Default, Clone)]
pub struct StateWriter(Vec<u8>);

impl StateWriter {
    /// The bytes so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Adds bytes whose number the reader knows.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Adds bytes of any number, below 4 GiB.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u32(u32::try_from(bytes.len()).expect("a part of a state is smaller than 4 GiB"));
        self.raw(bytes);
    }

    /// Adds a byte.
    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    /// Adds a signed byte.
    pub fn i8(&mut self, value: i8) {
        self.raw(&value.to_le_bytes());
    }

    /// Adds a truth value.
    pub fn bool(&mut self, value: bool) {
        self.u8(value.into());
    }

    /// Adds a number of 16 bits.
    pub fn u16(&mut self, value: u16) {
        self.raw(&value.to_le_bytes());
    }

    /// Adds a number of 32 bits.
    pub fn u32(&mut self, value: u32) {
        self.raw(&value.to_le_bytes());
    }

    /// Adds a number of 64 bits.
    pub fn u64(&mut self, value: u64) {
        self.raw(&value.to_le_bytes());
    }

    /// Adds a floating-point number, bit for bit.
    pub fn f64(&mut self, value: f64) {
        self.u64(value.to_bits());
    }

    /// Adds a value that may be missing.
    pub fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut StateWriter, T)) {
        self.bool(value.is_some());
        if let Some(value) = value {
            write(self, value);
        }
    }
}

/// Reads a state in the order in which it was written.
#[derive(Debug, Clone)]
pub struct StateReader<'a>(&'a [u8]);

impl<'a> StateReader<'a> {
    /// A reader of these bytes.
    pub fn new(bytes: &'a [u8]) -> StateReader<'a> {
        StateReader(bytes)
    }

    /// The next `length` bytes.
    ///
    /// # Errors
    /// When fewer bytes are left. This is so for all methods of this reader.
    pub fn raw(&mut self, length: usize) -> Result<&'a [u8], StateError> {
        let (bytes, rest) = self
            .0
            .split_at_checked(length)
            .ok_or_else(|| StateError::new("more bytes", format!("{} of {length}", self.0.len())))?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StateError> {
        Ok(self.raw(N)?.try_into().expect("as many as were asked for"))
    }

    /// Bytes of any number.
    ///
    /// # Errors
    /// As [`StateReader::raw`].
    pub fn bytes(&mut self) -> Result<&'a [u8], StateError> {
        let length = self.u32()?;
        self.raw(length as usize)
    }

    /// A byte.
    ///
    /// # Errors
    /// As [`StateReader::raw`].
    pub fn u8(&mut self) -> Result<u8, StateError> {
        self.array().map(u8::from_le_bytes)
    }

    /// A signed byte.
    ///
    /// # Errors
    /// As [`StateReader::raw`].
    pub fn i8(&mut self) -> Result<i8, StateError> {
        self.array().map(i8::from_le_bytes)
    }

    /// A truth value.
    ///
    /// # Errors
    /// As [`StateReader::raw`]; when the byte is neither 0 nor 1.
    pub fn bool(&mut self) -> Result<bool, StateError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(StateError::new("0 or 1", other.to_string())),
        }
    }

    /// A number of 16 bits.
    ///
    /// # Errors
    /// As [`StateReader::raw`].
    pub fn u16(&mut self) -> Result<u16, StateError> {
        self.array().map(u16::from_le_bytes)
    }

    /// A number of 32 bits.
    ///
    /// # Errors
    /// As [`StateReader::raw`].
    pub fn u32(&mut self) -> Result<u32, StateError> {
        self.array().map(u32::from_le_bytes)
    }

    /// A number of 64 bits.
    ///
    /// # Errors
    /// As [`StateReader::raw`].
    pub fn u64(&mut self) -> Result<u64, StateError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A count of 32 bits that can go on counting: at most 2^28, as many frames as 51 days have.
    ///
    /// # Errors
    /// As [`StateReader::raw`]; when it is larger.
    pub fn count(&mut self) -> Result<u32, StateError> {
        const MOST: u32 = 1 << 28;
        let count = self.u32()?;
        if count <= MOST { Ok(count) } else { Err(StateError::new("a count of at most 2^28", count.to_string())) }
    }

    /// A count of 64 bits that can go on counting: at most 2^60.
    ///
    /// # Errors
    /// As [`StateReader::raw`]; when it is larger.
    pub fn long_count(&mut self) -> Result<u64, StateError> {
        const MOST: u64 = 1 << 60;
        let count = self.u64()?;
        if count <= MOST { Ok(count) } else { Err(StateError::new("a count of at most 2^60", count.to_string())) }
    }

    /// A floating-point number.
    ///
    /// # Errors
    /// As [`StateReader::raw`].
    pub fn f64(&mut self) -> Result<f64, StateError> {
        self.u64().map(f64::from_bits)
    }

    /// A value that may be missing.
    ///
    /// # Errors
    /// As [`StateReader::bool`], and those of `read`.
    pub fn option<T>(
        &mut self,
        read: impl FnOnce(&mut StateReader<'a>) -> Result<T, StateError>,
    ) -> Result<Option<T>, StateError> {
        if self.bool()? { read(self).map(Some) } else { Ok(None) }
    }

    /// Has everything been read?
    ///
    /// # Errors
    /// When bytes are left.
    pub fn end(self) -> Result<(), StateError> {
        if self.0.is_empty() { Ok(()) } else { Err(StateError::new("the end", format!("{} bytes more", self.0.len()))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_could_not_go_on_counting_is_refused() {
        let count = |number: u32| StateReader::new(&number.to_le_bytes()).count();
        assert_eq!(count(1 << 28), Ok(1 << 28));
        let error = count(u32::MAX).unwrap_err().to_string();
        assert!(error.ends_with("expected a count of at most 2^28, found 4294967295"), "{error}");
        let long_count = |number: u64| StateReader::new(&number.to_le_bytes()).long_count();
        assert_eq!(long_count(1 << 60), Ok(1 << 60));
        assert!(long_count((1 << 60) + 1).is_err() && count((1 << 28) + 1).is_err());
    }

    #[test]
    fn the_checksum_is_that_of_zip_files() {
        // The check value of CRC-32.
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn what_was_written_is_read_back_and_nothing_else_is() {
        let mut writer = StateWriter::default();
        writer.u8(7);
        writer.i8(-2);
        writer.u16(0x1234);
        writer.u64(u64::MAX);
        writer.f64(-0.0);
        writer.bytes(b"abc");
        writer.option(Some(5), StateWriter::u32);
        writer.option(None, StateWriter::u32);
        let bytes = writer.into_bytes();
        let read = |bytes: &[u8]| -> Result<_, StateError> {
            let mut reader = StateReader::new(bytes);
            let numbers = (reader.u8()?, reader.i8()?, reader.u16()?, reader.u64()?, reader.f64()?.to_bits());
            let rest = (reader.bytes()?.to_vec(), reader.option(StateReader::u32)?, reader.option(StateReader::u32)?);
            reader.end()?;
            Ok((numbers, rest))
        };
        let expected = ((7, -2, 0x1234, u64::MAX, (-0.0f64).to_bits()), (b"abc".to_vec(), Some(5), None));
        assert_eq!(read(&bytes), Ok(expected));
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{length} bytes");
        }
        assert!(read(&[bytes.as_slice(), &[0]].concat()).is_err());
    }
}
