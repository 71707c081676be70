//! SQL texts with numbered parameters, some of which stand for a list of values.
//!
//! A statement such as `… WHERE account_id = $1 AND id IN ($2)` is prepared as it stands by a test. To run it with many
//! ids, `$2` is replaced by one parameter for each. A [`SqlTemplate`] knows where the parameters are; `parse` is
//! `const`, so that the search happens at compile time.

use sqlx::{Database, Encode, QueryBuilder, Type};

/// No statement that is used as a template names its parameters more often.
const MOST_PARAMETERS: usize = 8;

/// An SQL text and the places of its parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SqlTemplate {
    sql: &'static str,
    parameters: [Parameter; MOST_PARAMETERS],
    count: usize,
}

/// `$number`, in the bytes `start..end`.
#[derive(Debug, Clone, Copy)]
struct Parameter {
    number: u8,
    start: usize,
    end: usize,
}

impl SqlTemplate {
    /// Finds the parameters of a text.
    #[expect(
        clippy::indexing_slicing,
        reason = "a const fn has no other access; a text with too many parameters fails to compile"
    )]
    pub(crate) const fn parse(sql: &'static str) -> Self {
        let bytes = sql.as_bytes();
        let mut parameters = [Parameter { number: 0, start: 0, end: 0 }; MOST_PARAMETERS];
        let (mut at, mut count) = (0, 0);
        while at + 1 < bytes.len() {
            if bytes[at] == b'$' && bytes[at + 1].is_ascii_digit() {
                parameters[count] = Parameter { number: bytes[at + 1] - b'0', start: at, end: at + 2 };
                count += 1;
                at += 1;
            }
            at += 1;
        }
        Self { sql, parameters, count }
    }

    /// Writes the text into a query. `bind` is called for each parameter in the order of the text, with its number, and
    /// pushes what stands in its place.
    pub(crate) fn push_to<DB: Database>(
        &self,
        query: &mut QueryBuilder<DB>,
        mut bind: impl FnMut(&mut QueryBuilder<DB>, u8),
    ) {
        let mut from = 0;
        for parameter in self.parameters.iter().take(self.count) {
            query.push(self.sql.get(from..parameter.start).unwrap_or_default());
            bind(query, parameter.number);
            from = parameter.end;
        }
        query.push(self.sql.get(from..).unwrap_or_default());
    }

    /// The same as a new query.
    pub(crate) fn query<DB: Database>(&self, bind: impl FnMut(&mut QueryBuilder<DB>, u8)) -> QueryBuilder<DB> {
        let mut query = QueryBuilder::new("");
        self.push_to(&mut query, bind);
        query
    }
}

/// Pushes one parameter for each value, separated by commas.
pub(crate) fn push_list<'q, 't, DB: Database, T: Encode<'t, DB> + Type<DB>>(
    query: &'q mut QueryBuilder<DB>,
    values: impl IntoIterator<Item = T>,
) -> &'q mut QueryBuilder<DB> {
    let mut list = query.separated(", ");
    for value in values {
        list.push_bind(value);
    }
    query
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(sql: &'static str) -> String {
        let mut numbers = Vec::new();
        let query: QueryBuilder<sqlx::Postgres> = SqlTemplate::parse(sql).query(|query, number| {
            numbers.push(number);
            if number == 2 {
                push_list(query, ["a", "b"]);
            } else {
                query.push_bind(i64::from(number));
            }
        });
        format!("{} {numbers:?}", query.sql().as_str())
    }

    #[test]
    fn parameters_are_bound_in_the_order_of_the_text_and_a_list_takes_the_place_of_one() {
        assert_eq!(filled("SELECT 1"), "SELECT 1 []");
        assert_eq!(filled("a = $1 AND b IN ($2) AND c"), "a = $1 AND b IN ($2, $3) AND c [1, 2]");
        assert_eq!(filled("a = $3 WHERE b = $1 AND ($3 = '')"), "a = $1 WHERE b = $2 AND ($3 = '') [3, 1, 3]");
        assert_eq!(filled("'$' = $1"), "'$' = $1 [1]");
    }
}
