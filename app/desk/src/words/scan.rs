//! Texts of the scan page.

use ui::word_table;

word_table! {
    /// The texts of the scan page.
    Scan = EN {
        title: "Scan",
        nav: "Scan",
        // The field
        code: "Scan or type a code",
        code_hint: "Label, tracking number, return number or order number.",
        code_hint_open: "Scan an item to count it, or another label.",
        look_up: "Look up",
        unknown: "Nothing is known about this code.",
        unclear: "This code belongs to several returns. Choose one.",
        no_parcel: "Scan a parcel first.",
        no_item: "Scan the item first.",
        another_open: "You are still counting {0}. Press Done or Start again first.",
        photo_by_hand: "Open “Refuse units” and press “Add photo”.",
        // Several
        choose: "Choose the return",
        // The parcel
        parcel: "Return {0}",
        order: "Order {0}",
        wanted: "{0} expected",
        already: "{0} already here",
        nothing_expected: "Not expected",
        here: "Here now",
        all_here: "All here",
        done: "Done",
        start_again: "Start again",
        nothing_more: "Nothing more comes. Missing units are given up.",
        condition: "Condition",
        disposition: "What to do with it",
        not_given: "Not given",
        refuse: "Refuse units",
        refused: "Units refused",
        why: "Why",
        why_missing: "Say why units are refused.",
        nothing_counted: "Count at least one unit.",
        too_early: "Units are still to come. Inspect them when all are here, or tick that nothing more comes.",
        too_many_refused: "Refuse at most the units that are here.",
        number: "Type a whole number, such as 1.",
        photo: "Photo of the damage",
        send_photo: "Add photo",
        photo_saved: "The photo is saved.",
        photo_none: "Choose a photo.",
        photo_not_read: "This file cannot be read. Use a JPEG, PNG, WebP or HEIC photo of at most 10 MB.",
        photos: "{0} {0:one=photo;other=photos}",
        // What follows
        saved: "{0} is counted.",
        to_pay: "Approved: {0} to pay.",
        approved: "Approved.",
        to_inspect: "{0} {0:one=item;other=items} to inspect.",
        to_settle: "{0} {0:one=item;other=items} to settle.",
        denied: "{0} {0:one=item;other=items} denied.",
        to_come: "{0} {0:one=unit is;other=units are} still to come.",
        // Today
        today: "Today",
        tally: "{0} {0:one=parcel;other=parcels}, {1} {1:one=unit;other=units}, {2} refused",
        take_back: "Take back {0}",
        taken_back: "{0} is taken back. Count it again.",
        nothing_to_take_back: "There is nothing to take back. The last parcel must be less than ten minutes old.",
        sheet: "Print the scanner commands",
        found_list: "Parcels without papers",
        // Found
        found_title: "Parcel without papers",
        found_lede: "Record it here. You get a number to write on the parcel.",
        found_code: "Code on the parcel",
        found_carrier: "Carrier",
        found_contents: "What is in it",
        found_note: "Note",
        found_save: "Record parcel",
        found_saved: "Write {0} on the parcel.",
        // Sheet
        sheet_title: "Scanner commands",
        sheet_advice: "Print this page at 100 %. Scan a command instead of pressing its button.",
        sheet_photo: "Photo",
        sheet_take_back: "Take back the last",
        // Conditions
        condition_new: "New",
        condition_opened: "Opened",
        condition_used: "Used",
        condition_damaged: "Damaged",
        condition_incomplete: "Incomplete",
        condition_wrong_item: "Wrong item",
        // Dispositions
        restock: "Restock",
        refurbish: "Refurbish",
        outlet: "Outlet",
        donate: "Donate",
        dispose: "Dispose",
        return_to_consumer: "Send back to the customer",
        // The ten seconds after Done. Number, seconds.
        saving_in: "{0} is saved in {1} s.",
        saving_failed: "{0} was not saved. Scan the parcel again.",
    }
}
