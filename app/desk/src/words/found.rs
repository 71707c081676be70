//! Texts of the page of parcels without papers.

use ui::word_table;

word_table! {
    /// The texts of the page of parcels without papers.
    Found = EN {
        title: "Parcels without papers",
        views: "Parcels shown",
        open: "Open",
        all: "All",
        status_open: "Open",
        matched: "Matched",
        closed: "Closed",
        record: "Record a parcel",
        none_title: "No parcels are waiting",
        none: "Parcels without papers are recorded on the scan page.",
        code: "Code",
        carrier: "Carrier",
        contents: "Contents",
        note: "Note",
        return_number: "Return number",
        no_return: "There is no return with this number.",
        match_it: "Match",
        matched_to: "{0} belongs to {1}. Count it now.",
        why: "Close without a return: why",
        close: "Close",
        is_closed: "{0} is closed.",
    }
}
