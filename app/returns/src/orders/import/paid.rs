//! Calculates what was paid for a Shopify order, and what was refunded.

use domain::order::OrderSums;

/// Shopify's `Financial Status`, as far as it shows what was paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nothing was paid yet, or nothing will be: `pending`, `authorized`, `expired`, `voided`, `unpaid`.
    Unpaid,
    /// A part was paid.
    PartlyPaid,
    /// The whole order was paid.
    Paid,
    /// The whole order was paid, and a part was refunded.
    PartlyRefunded,
    /// The whole order was paid and refunded.
    Refunded,
    /// A text that Shopify does not write: it is unknown what was paid.
    Other,
    /// The file does not say.
    Missing,
}

/// The cells about payment, in minor units; `None` if the file has no such cell.
#[derive(Debug, Clone, Copy)]
pub struct Payment {
    /// `Financial Status`.
    pub status: Status,
    /// `Total`.
    pub total: Option<i64>,
    /// `Outstanding Balance`: the amount that is still to be paid. Negative: still to be refunded.
    pub outstanding: Option<i64>,
    /// `Refunded Amount`.
    pub refunded: Option<i64>,
}

impl Status {
    /// Parses the status as Shopify writes it in files and on its pages: in any case, with spaces or underscores.
    pub fn parse(text: &[u8]) -> Self {
        let text = text.trim_ascii().to_ascii_lowercase();
        match String::from_utf8_lossy(&text).replace([' ', '-'], "_").as_str() {
            "pending" | "payment_pending" | "authorized" | "expired" | "voided" | "unpaid" | "due" | "overdue" => {
                Self::Unpaid
            }
            "partially_paid" => Self::PartlyPaid,
            "paid" => Self::Paid,
            "partially_refunded" => Self::PartlyRefunded,
            "refunded" => Self::Refunded,
            "" => Self::Missing,
            _ => Self::Other,
        }
    }
}

impl Payment {
    /// The order's sums. `paid` is `None` if the file does not say.
    pub fn sums(self) -> OrderSums {
        let outstanding = self.outstanding.map(|balance| balance.max(0));
        let less = |balance: i64| self.total.map(|total| (total - balance).max(0));
        let paid = match (self.status, outstanding) {
            // A balance of 0 with such a status was written off.
            (Status::Unpaid, Some(balance)) if balance > 0 => Some(less(balance).unwrap_or(0)),
            (Status::Unpaid, _) => Some(0),
            (Status::Paid | Status::PartlyRefunded | Status::Refunded, balance) => less(balance.unwrap_or(0)),
            // If the order was partly refunded, at most its total was paid.
            (Status::Missing | Status::Other, None) if self.refunded.is_some_and(|refunded| refunded > 0) => self.total,
            (Status::PartlyPaid | Status::Missing | Status::Other, balance) => balance.and_then(less),
        };
        let refunded = match (self.status, self.refunded) {
            (Status::Refunded, None) => paid.unwrap_or(0),
            (_, refunded) => refunded.unwrap_or(0),
        };
        OrderSums { paid, refunded }
    }

    /// Whether a part was paid or refunded, and the file does not say how much.
    pub fn is_vague(self) -> bool {
        match self.status {
            Status::PartlyPaid | Status::Other => self.total.is_none() || self.outstanding.is_none(),
            Status::PartlyRefunded => self.refunded.is_none(),
            _ => false,
        }
    }

    /// Whether a part was refunded, or is not paid.
    pub fn is_reduced(self) -> bool {
        self.refunded.unwrap_or(0) > 0 || self.outstanding.unwrap_or(0) > 0
    }

    /// Whether everything was refunded.
    pub fn is_refunded(self) -> bool {
        let refunded = self.refunded.unwrap_or(0);
        let all = refunded > 0 && self.total.is_some_and(|total| refunded >= total);
        all || self.status == Status::Refunded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(status: &str, total: Option<i64>, outstanding: Option<i64>, refunded: Option<i64>) -> (Option<i64>, i64) {
        let payment = Payment { status: Status::parse(status.as_bytes()), total, outstanding, refunded };
        let OrderSums { paid, refunded } = payment.sums();
        (paid, refunded)
    }

    #[test]
    fn what_is_outstanding_was_not_paid_whatever_the_status_says() {
        for status in ["paid", "Paid", "partially_refunded", "partially_paid", "pending", "authorized", ""] {
            assert_eq!(sums(status, Some(100), Some(40), Some(5)), (Some(60), 5), "{status}");
            assert_eq!(sums(status, Some(100), Some(140), None).0, Some(0), "{status}");
        }
        // A negative balance is the shop's debt: no more was paid for the order than it costs.
        for status in ["paid", "partially_paid", "partially_refunded", "refunded", ""] {
            assert_eq!(sums(status, Some(100), Some(-40), Some(0)).0, Some(100), "{status}");
        }
    }

    #[test]
    fn an_order_that_nobody_paid_gives_nothing_back() {
        for status in ["pending", "authorized", "expired", "voided", "PENDING", "unpaid", "Payment pending", "overdue"]
        {
            for (total, outstanding) in [(Some(100), Some(100)), (Some(100), Some(0)), (Some(100), None), (None, None)]
            {
                assert_eq!(sums(status, total, outstanding, None), (Some(0), 0), "{status} {total:?} {outstanding:?}");
            }
        }
    }

    #[test]
    fn what_the_file_does_not_tell_is_not_guessed() {
        assert_eq!(sums("", Some(100), None, None).0, None);
        assert_eq!(sums("paid", None, Some(0), None).0, None);
        assert_eq!(sums("paid", Some(100), None, None).0, Some(100));
        assert_eq!(sums("partially_paid", Some(100), None, None).0, None);
        assert_eq!(sums("refunded", Some(100), None, None), (Some(100), 100));
        let vague = |status: &str, outstanding, refunded| {
            Payment { status: Status::parse(status.as_bytes()), total: Some(100), outstanding, refunded }.is_vague()
        };
        assert!(vague("partially_paid", None, Some(0)) && !vague("partially_paid", Some(40), Some(0)));
        assert!(vague("partially_refunded", Some(0), None) && !vague("partially_refunded", Some(0), Some(5)));
        assert!(!vague("paid", None, None) && !vague("", None, None));
        assert!(vague("Ausstehend", None, None) && !vague("Ausstehend", Some(40), None));
    }

    #[test]
    fn what_was_refunded_counts_whatever_the_status_says() {
        for status in ["paid", "partially_refunded", "Partially refunded", "PARTIALLY_REFUNDED", "", "erstattet"] {
            assert_eq!(sums(status, Some(100), None, Some(40)), (Some(100), 40), "{status}");
        }
    }
}
