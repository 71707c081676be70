//! Loads the scan page: the parcel on the table, or the returns to choose from.

use super::view::{ScanPage, scan_page};
use crate::{
    calls::{parcel::Parcel, station},
    frame::navigation::Section,
    visit::{HandlerResult, Visit},
};
use domain::policy::ResolveOn;
use returns::{Scope, view};
use ui::components::image_hosts;

/// The most returns to choose from, as many as a look-up finds.
const MAX_CHOICES: usize = 20;

/// Shows the page. A form that was refused is shown with what was typed.
pub async fn show(visit: Visit) -> HandlerResult {
    let staff = visit.staff(Scope::Receive)?;
    let fields = visit.refused.as_ref().map_or(&visit.query, |refused| &refused.fields);
    let open = fields.get("open");
    let mut page = ScanPage {
        parcel: None,
        choices: Vec::new(),
        tally: visit.retour.merchant(&staff).scan_tally().await.map_err(|error| visit.failed(&error))?,
        inspects: visit.account.policy.resolve_on == ResolveOn::Inspection,
        unknown: visit.mistake("code").and(visit.typed("code")).map(str::to_owned),
    };
    if !open.is_empty() {
        let found = station::find(&visit, &staff, open).await.map_err(|error| visit.failed(&error))?;
        let order = found.ok_or_else(|| visit.missing())?;
        let mut parcel = Parcel::read(&order, fields, visit.words.scan);
        if visit.refusal().is_some() {
            // The page says why, and shows what has arrived by now.
            parcel.see_arrived();
        }
        page.parcel = Some(parcel);
    }
    for number in visit.query.get("choose").split(',').filter(|number| !number.is_empty()).take(MAX_CHOICES) {
        page.choices.extend(station::find(&visit, &staff, number).await.map_err(|error| visit.failed(&error))?);
    }
    let hosts = page.parcel.as_ref().map(|parcel| image_hosts(pictures(parcel))).unwrap_or_default();
    Ok(visit.page(visit.words.scan.title, Section::Scan).images(hosts).render(|| scan_page(&visit, page)))
}

/// The picture of each item.
fn pictures(parcel: &Parcel) -> impl Iterator<Item = &String> {
    parcel.items.iter().filter_map(|item| picture(&item.request))
}

/// The first picture of a product.
pub fn picture(request: &view::ReturnRequestView) -> Option<&String> {
    request.product.image_urls.first()
}
