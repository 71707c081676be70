//! Real orders, and the returns that their buyers made: `data/online-retail` in the folder `shared` beside the clone, or in the folder that
//! `RETOUR_SHARED` names. None of it is in the repository.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// The folder of the data; `None` if it is not there.
pub fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("RETOUR_SHARED").map_or_else(beside, PathBuf::from).join("data/online-retail");
    folder.join("returns.csv").is_file().then_some(folder)
}

/// A sales order and its returns, oldest first.
#[derive(Debug, Clone)]
pub struct Order {
    pub number: String,
    pub email: String,
    pub returns: Vec<Return>,
}

/// Lines of one order that were returned together.
#[derive(Debug, Clone)]
pub struct Return {
    pub reference: String,
    pub items: Vec<Item>,
}

#[derive(Debug, Clone)]
pub struct Item {
    /// The id of the line in the import.
    pub external_id: String,
    pub quantity: u32,
    pub unit_price_minor: i64,
}

impl Item {
    pub fn amount(&self) -> i64 {
        i64::from(self.quantity) * self.unit_price_minor
    }
}

/// The returns by order. A return of several orders becomes several returns. A line that occurs twice in a return becomes one with all its units.
pub fn returns(folder: &Path) -> Vec<Order> {
    let mut orders: Vec<Order> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut file = csv::Reader::from_path(folder.join("returns.csv")).unwrap();
    for row in file.deserialize() {
        let row: BTreeMap<String, String> = row.unwrap();
        let place = *places.entry(row["order_name"].clone()).or_insert_with(|| {
            let (number, email) = (row["order_name"].clone(), row["email"].clone());
            orders.push(Order { number, email, returns: Vec::new() });
            orders.len() - 1
        });
        add(&mut orders[place], &row);
    }
    orders
}

fn add(order: &mut Order, row: &BTreeMap<String, String>) {
    let reference = &row["return_reference"];
    let known = order.returns.iter().position(|one| one.reference == *reference);
    let index = known.unwrap_or_else(|| {
        order.returns.push(Return { reference: reference.clone(), items: Vec::new() });
        order.returns.len() - 1
    });
    let items = &mut order.returns[index].items;
    let external_id = format!("{}/{}", order.number.trim_start_matches('#'), row["order_line"]);
    let quantity: u32 = row["quantity"].parse().unwrap();
    match items.iter_mut().find(|item| item.external_id == external_id) {
        Some(item) => item.quantity += quantity,
        None => items.push(Item { external_id, quantity, unit_price_minor: row["unit_price_minor"].parse().unwrap() }),
    }
}
