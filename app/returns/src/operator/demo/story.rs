//! What happened in the demo shop: returns in every stage, told as what people did and when.

use super::shop::{BLANKET, BOARD, BOOTS, DemoLine, JACKET, LAMP, MUGS, SHIRT, TOTE};
use domain::{
    policy::Resolution,
    shipping::ShippingMethod,
    stage::{Condition, Disposition, Scan},
};

/// A customer: name, e-mail address, street, postal code and city.
pub(super) type DemoCustomer = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// The customers of the demo. Some names are long, and some are not written in Latin letters.
pub(super) const CUSTOMERS: [DemoCustomer; 14] = [
    ("Imogen Clarke", "imogen.clarke@example.com", "3 Wellington Row", "BS1 4XE", "Bristol"),
    ("Tomasz Wiśniewski", "tomasz.w@example.com", "41 Great Western Road", "G4 9HW", "Glasgow"),
    ("Priya Raghunathan", "priya.r@example.com", "12 Narborough Road", "LE3 0BQ", "Leicester"),
    (
        "Maximiliane Freifrau von Hohenstein-Löwenberg",
        "maximiliane.von.hohenstein-loewenberg@example.com",
        "Flat 14b, The Old Corn Exchange, 220 Upper Grosvenor Street",
        "M15 6FD",
        "Manchester",
    ),
    ("Noah Okafor", "noah.okafor@example.com", "77 Peckham Rye", "SE15 4JR", "London"),
    ("ليلى حداد", "layla.haddad@example.com", "9 Edgware Road", "W2 1JJ", "London"),
    ("Siân Llewellyn", "sian@example.com", "2 Cathedral Road", "CF11 9LJ", "Cardiff"),
    ("李小龍", "li.xiaolong@example.com", "18 Gerrard Street", "W1D 5PR", "London"),
    ("Gareth Pugh", "gareth.pugh@example.com", "5 Castle Terrace", "EH1 2DP", "Edinburgh"),
    ("Fionnuala Ní Dhomhnaill", "fionnuala@example.com", "30 Botanic Avenue", "BT7 1JQ", "Belfast"),
    ("Callum MacAskill", "callum@example.com", "1 Harbour View", "IV51 9DE", "Portree"),
    ("Beatrice Adeyemi", "beatrice.adeyemi@example.com", "64 Headingley Lane", "LS6 2DJ", "Leeds"),
    ("Oliver Bamford", "oliver.bamford@example.com", "8 Station Road", "YO30 1AA", "York"),
    ("Zoë Papadopoulos", "zoe.p@example.com", "15 Kemp Street", "BN1 4EF", "Brighton"),
];

/// A return: who makes it, when, and what happens to it.
#[derive(Debug)]
pub(super) struct Story {
    /// Hours from the submit until now.
    pub hours_ago: u32,
    pub made_by: MadeBy,
    /// What was bought. All of it comes back.
    pub lines: &'static [DemoLine],
    pub reason: Why,
    pub wanted: Resolution,
    pub way: ShippingMethod,
    /// The customer's words; may be empty.
    pub comment: &'static str,
    /// What happens next: hours after the submit, and the act.
    pub then: Vec<(u32, Act)>,
}

/// Who makes a return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MadeBy {
    Shopper,
    /// The recipient of a gift.
    Recipient,
    Staff,
}

/// The reason, by its place among the default reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    DoesNotFit,
    ChangedMind,
    /// Staff review these returns.
    NotAsDescribed,
    /// These returns need photos.
    Damaged,
    WrongItem,
    TooLate,
}

impl Why {
    pub fn place(self) -> usize {
        match self {
            Self::DoesNotFit => 0,
            Self::ChangedMind => 1,
            Self::NotAsDescribed => 2,
            Self::Damaged => 3,
            Self::WrongItem => 4,
            Self::TooLate => 5,
        }
    }
}

/// Something that happens to a return.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Act {
    /// The customer adds a photo.
    Photo,
    /// Staff approve the request.
    Approve,
    /// Staff reject the request.
    Reject(&'static str),
    /// The carrier reports the parcel.
    Scan(Scan, &'static str),
    /// The warehouse counts units of the first item.
    ReceiveSome(u32),
    /// The warehouse counts everything.
    ReceiveAll,
    /// The warehouse counts everything, in a week in which it inspects all returns.
    ReceiveToInspect,
    /// The warehouse counts everything, in a week in which a person decides about all resolutions.
    ReceiveToSettle,
    /// The warehouse inspects everything: how many units of the first item it refuses, and what it notes.
    Inspect(u32, Condition, Disposition, &'static str),
    /// Finance begins to pay.
    Process,
    /// The resolution is carried out, under this reference.
    Complete(&'static str),
    /// The resolution fails.
    Fail(&'static str),
    /// Staff deny the resolution.
    Deny(&'static str),
    /// The customer cancels.
    Cancel,
    /// The carrier refuses the label.
    RefuseLabel(&'static str),
    /// An agent writes a note.
    Note(&'static str),
    /// The agent takes the return over.
    Take,
    /// The agent sets a flag.
    Flag(&'static str),
}

const HANDED_IN: Act = Act::Scan(Scan::InTransit, "Handed over at a parcel shop");
const SORTED: Act = Act::Scan(Scan::InTransit, "Sorted at the depot in Wakefield");
const ARRIVED: Act = Act::Scan(Scan::Delivered, "Delivered, signed for by the warehouse");

/// What a return that is under way by default consists of: the parts that rotate from one to the next.
fn story(number: usize, hours_ago: u32, then: Vec<(u32, Act)>) -> Story {
    const LINES: [&[DemoLine]; 8] =
        [&[SHIRT], &[BOOTS], &[BLANKET, TOTE], &[JACKET], &[MUGS], &[LAMP], &[BOARD], &[SHIRT, JACKET]];
    const REASONS: [Why; 5] = [Why::DoesNotFit, Why::ChangedMind, Why::TooLate, Why::WrongItem, Why::ChangedMind];
    const WAYS: [ShippingMethod; 3] = [ShippingMethod::Label, ShippingMethod::Paperless, ShippingMethod::Label];
    const WORDS: [&str; 4] = ["", "A little too small across the shoulders.", "", "It looked bigger in the picture."];
    let of = |count: usize| number % count;
    Story {
        hours_ago,
        made_by: MadeBy::Shopper,
        lines: LINES.get(of(LINES.len())).copied().unwrap_or(&[SHIRT]),
        reason: REASONS.get(of(REASONS.len())).copied().unwrap_or(Why::ChangedMind),
        wanted: if number % 4 == 3 { Resolution::StoreCredit } else { Resolution::Refund },
        way: WAYS.get(of(WAYS.len())).copied().unwrap_or(ShippingMethod::Label),
        comment: WORDS.get(of(WORDS.len())).copied().unwrap_or_default(),
        then,
    }
}

/// All returns of the demo, in no particular order.
pub(super) fn stories() -> Vec<Story> {
    let groups = [to_decide, at_the_label, on_the_way, in_the_warehouse, to_settle, to_pay, completed, ended];
    let mut stories = Vec::new();
    for group in groups {
        group(&mut stories);
    }
    stories
}

fn to_decide(stories: &mut Vec<Story>) {
    for (hours, words) in [
        (1, "The glaze is grey, the picture shows oatmeal."),
        (3, "The zip is metal, not the coated one of the description."),
        (7, ""),
        (26, "Colour is nothing like the photo. I ordered it for a wedding, so please be quick."),
        (51, "It says lambswool. The label says 30 % polyester."),
    ] {
        let then = if hours > 24 {
            vec![(20, Act::Take), (21, Act::Note("Asked the supplier about the colour of this batch."))]
        } else {
            Vec::new()
        };
        let story = story(stories.len(), hours, then);
        stories.push(Story { reason: Why::NotAsDescribed, comment: words, wanted: Resolution::Refund, ..story });
    }
    for (hours, photos, words) in [
        (5, 1, "The handle had come off in the box."),
        (9, 2, "Arrived in pieces. Two photos, the second one shows the parcel."),
        (30, 1, "Seam open on the left sleeve."),
        (4, 0, "Scratched. I will send photos tonight."),
        (76, 0, "Broken on arrival."),
        (100, 0, ""),
    ] {
        let then = (0..photos).map(|photo| (photo, Act::Photo)).collect();
        stories.push(Story { reason: Why::Damaged, comment: words, ..story(stories.len(), hours, then) });
    }
}

fn at_the_label(stories: &mut Vec<Story>) {
    const NO_ADDRESS: &str = "The carrier does not know this street in IV51 9DE: check the address.";
    const DOWN: &str = "The carrier did not answer for an hour.";
    for (hours, refusal) in [(2, NO_ADDRESS), (20, DOWN)] {
        let story = story(stories.len(), hours, vec![(1, Act::RefuseLabel(refusal))]);
        stories.push(Story { way: ShippingMethod::Label, ..story });
    }
    for hours in [2, 11, 29, 50, 74, 120] {
        stories.push(story(stories.len(), hours, Vec::new()));
    }
    let gift = story(stories.len(), 18, Vec::new());
    stories.push(Story { made_by: MadeBy::Recipient, wanted: Resolution::StoreCredit, ..gift });
    let approved = vec![(6, Act::Approve)];
    stories.push(Story { reason: Why::NotAsDescribed, ..story(stories.len(), 40, approved) });
}

fn on_the_way(stories: &mut Vec<Story>) {
    for hours in [30, 44, 52, 70, 90] {
        stories.push(story(stories.len(), hours, vec![(20, HANDED_IN), (28, SORTED)]));
    }
    for days in [13, 16, 22] {
        stories.push(story(stories.len(), days * 24, vec![(22, HANDED_IN)]));
    }
    for (hours, trouble) in [
        (100, "The parcel is damaged and waits at the depot"),
        (190, "Address unreadable: the parcel goes back to the sender"),
    ] {
        let exception = Act::Scan(Scan::Exception, trouble);
        let then = vec![(24, HANDED_IN), (60, exception), (62, Act::Flag("carrier")), (62, Act::Take)];
        stories.push(story(stories.len(), hours, then));
    }
    let gift = story(stories.len(), 66, vec![(20, HANDED_IN)]);
    stories.push(Story { made_by: MadeBy::Recipient, wanted: Resolution::StoreCredit, ..gift });
}

fn in_the_warehouse(stories: &mut Vec<Story>) {
    for hours in [80, 96, 121, 150] {
        stories.push(story(stories.len(), hours, vec![(24, HANDED_IN), (70, ARRIVED)]));
    }
    for hours in [110, 160] {
        let then = vec![(24, HANDED_IN), (72, ARRIVED), (90, Act::ReceiveSome(1))];
        stories.push(Story { lines: &[MUGS], ..story(stories.len(), hours, then) });
    }
    for hours in [98, 104, 130, 175, 180] {
        let then = vec![(24, HANDED_IN), (70, ARRIVED), (88, Act::ReceiveToInspect)];
        stories.push(story(stories.len(), hours, then));
    }
}

/// Resolutions that wait for a person.
fn to_settle(stories: &mut Vec<Story>) {
    for hours in [60, 84, 100, 140] {
        let then = vec![(2, HANDED_IN), (40, ARRIVED), (52, Act::ReceiveToSettle)];
        stories.push(Story { made_by: MadeBy::Staff, ..story(stories.len(), hours, then) });
    }
}

fn to_pay(stories: &mut Vec<Story>) {
    let received = |more: Vec<(u32, Act)>| [vec![(20, HANDED_IN), (64, ARRIVED), (80, Act::ReceiveAll)], more].concat();
    for hours in [82, 92, 115, 146, 170] {
        stories.push(story(stories.len(), hours, received(Vec::new())));
    }
    stories.push(story(stories.len(), 140, received(vec![(90, Act::Process)])));
    for (hours, refusal) in
        [(130, "The card was closed by its bank."), (168, "The payment provider allows no refund after 90 days.")]
    {
        stories.push(story(
            stories.len(),
            hours,
            received(vec![(88, Act::Process), (89, Act::Fail(refusal)), (90, Act::Flag("bank"))]),
        ));
    }
}

fn completed(stories: &mut Vec<Story>) {
    const REFERENCES: [&str; 3] = ["re_3QK7v2", "re_9TB1x8", "CREDIT-0417"];
    for number in 0..14_u32 {
        let hours = 150 + number * 90;
        let reference = REFERENCES.get(stories.len() % REFERENCES.len()).copied().unwrap_or_default();
        let mut then = vec![(22, HANDED_IN), (40, SORTED), (68, ARRIVED)];
        if number % 3 == 0 {
            let is_worn = number % 2 == 0;
            let (condition, disposition) = if is_worn {
                (Condition::Opened, Disposition::Refurbish)
            } else {
                (Condition::New, Disposition::Restock)
            };
            let note = if is_worn { "Tried on outside, soles are dirty." } else { "" };
            then.extend([(82, Act::ReceiveToInspect), (90, Act::Inspect(0, condition, disposition, note))]);
        } else {
            then.push((84, Act::ReceiveAll));
        }
        then.extend([(96, Act::Process), (98, Act::Complete(reference))]);
        stories.push(story(stories.len(), hours, then));
    }
    // In the shop, over the counter.
    for hours in [33, 200] {
        let then = vec![(0, Act::ReceiveAll), (1, Act::Process), (1, Act::Complete("till 2"))];
        let story = story(stories.len(), hours, then);
        stories.push(Story { made_by: MadeBy::Staff, way: ShippingMethod::InStore, comment: "", ..story });
    }
}

fn ended(stories: &mut Vec<Story>) {
    for (hours, reason) in [
        (210, "The pictures show the colour of the description. You can still return the item for another reason."),
        (330, "The damage is from use, not from transport."),
    ] {
        let rejected = story(stories.len(), hours, vec![(9, Act::Reject(reason))]);
        stories.push(Story { reason: Why::NotAsDescribed, ..rejected });
    }
    let worn = Act::Inspect(1, Condition::Used, Disposition::ReturnToConsumer, "Worn for weeks: the sole is through.");
    let then = vec![(20, HANDED_IN), (60, ARRIVED), (70, Act::ReceiveToInspect), (74, worn)];
    stories.push(Story { lines: &[BOOTS], ..story(stories.len(), 240, then) });
    for hours in [90, 260] {
        stories.push(story(stories.len(), hours, vec![(5, Act::Cancel)]));
    }
    let late =
        vec![(20, HANDED_IN), (62, ARRIVED), (72, Act::ReceiveToSettle), (80, Act::Deny("Sent back after use."))];
    stories.push(Story { made_by: MadeBy::Staff, ..story(stories.len(), 300, late) });
}
