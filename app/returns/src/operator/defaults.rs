//! The default settings of a new account, in every language of the portal.

use domain::{Translated, policy::reason::Fault};

/// A text in each of [`LANGUAGES`].
pub(crate) type Text = [&'static str; 8];

const LANGUAGES: Text = ["en", "de", "es", "fr", "it", "nl", "pl", "ar"];

pub(crate) fn translated(text: &Text) -> Translated {
    Translated(LANGUAGES.iter().zip(text).map(|(tag, text)| ((*tag).to_owned(), (*text).to_owned())).collect())
}

/// The default return reasons, with the party at fault.
pub(crate) const REASONS: [(Text, Fault); 7] = [
    (
        [
            "Doesn’t fit",
            "Passt nicht",
            "No me queda bien",
            "La taille ne convient pas",
            "La misura non va bene",
            "Past niet",
            "Nie pasuje",
            "المقاس غير مناسب",
        ],
        Fault::Consumer,
    ),
    (
        [
            "Changed my mind",
            "Ich habe es mir anders überlegt",
            "He cambiado de idea",
            "J’ai changé d’avis",
            "Ho cambiato idea",
            "Ik heb me bedacht",
            "Zmiana zdania",
            "غيّرت رأيي",
        ],
        Fault::Consumer,
    ),
    (
        [
            "Not as described",
            "Entspricht nicht der Beschreibung",
            "No coincide con la descripción",
            "Ne correspond pas à la description",
            "Non corrisponde alla descrizione",
            "Niet zoals beschreven",
            "Produkt niezgodny z opisem",
            "لا يطابق الوصف",
        ],
        Fault::Merchant,
    ),
    (
        [
            "Damaged or faulty",
            "Beschädigt oder defekt",
            "Artículo dañado o defectuoso",
            "Article abîmé ou défectueux",
            "Articolo danneggiato o difettoso",
            "Beschadigd of defect",
            "Produkt uszkodzony lub wadliwy",
            "تالف أو معيب",
        ],
        Fault::Merchant,
    ),
    (
        [
            "Wrong item received",
            "Falscher Artikel geliefert",
            "He recibido un artículo equivocado",
            "Mauvais article reçu",
            "Ho ricevuto l’articolo sbagliato",
            "Verkeerd artikel ontvangen",
            "Niewłaściwy produkt",
            "وصلني منتج مختلف عمّا طلبته",
        ],
        Fault::Merchant,
    ),
    (
        [
            "Arrived too late",
            "Zu spät angekommen",
            "Ha llegado demasiado tarde",
            "Livraison trop tardive",
            "Consegna in ritardo",
            "Te laat aangekomen",
            "Przesyłka dotarła za późno",
            "وصل متأخرًا",
        ],
        Fault::Merchant,
    ),
    (
        ["Other", "Anderer Grund", "Otro motivo", "Autre motif", "Altro", "Iets anders", "Inny powód", "سبب آخر"],
        Fault::Consumer,
    ),
];

pub(crate) const RETURN_LABEL: Text = [
    "Return label",
    "Retourenlabel",
    "Etiqueta de devolución",
    "Étiquette de retour",
    "Etichetta di reso",
    "Retourlabel",
    "Etykieta zwrotna",
    "ملصق الشحن",
];

pub(crate) const RETURN_LABEL_TEXT: Text = [
    "Print the label, stick it on your parcel and drop it off.",
    "Label ausdrucken, auf das Paket kleben und Paket abgeben.",
    "Imprime la etiqueta, pégala en el paquete y entrégalo.",
    "Imprimez l’étiquette, collez-la sur le colis et déposez-le.",
    "Stampa l’etichetta, attaccala al pacco e consegnalo.",
    "Print het label, plak het op je pakket en lever je pakket in.",
    "Wydrukuj etykietę, naklej ją na paczkę i nadaj przesyłkę.",
    "اطبع الملصق وألصقه على طردك ثم سلّمه.",
];

pub(crate) const PRINT_A_LABEL: Text = [
    "Print a label",
    "Label ausdrucken",
    "Imprimir una etiqueta",
    "Imprimer une étiquette",
    "Stampa un’etichetta",
    "Een label printen",
    "Wydrukuj etykietę",
    "اطبع ملصقًا",
];

pub(crate) const SHOW_A_CODE: Text = [
    "Show a code",
    "Code vorzeigen",
    "Mostrar un código",
    "Présenter un code",
    "Mostra un codice",
    "Een code laten zien",
    "Pokaż kod",
    "أظهر رمزًا",
];

pub(crate) const SHOW_A_CODE_TEXT: Text = [
    "Show the code at the counter, no printer needed.",
    "Kein Drucker nötig: Code am Schalter vorzeigen.",
    "Sin impresora: muestra el código en el mostrador.",
    "Sans imprimante\u{a0}: présentez le code au comptoir.",
    "Senza stampante: mostra il codice al personale.",
    "Geen printer nodig: laat de code zien aan de balie.",
    "Bez drukarki: pokaż kod w punkcie nadania.",
    "لا تحتاج إلى طابعة. أظهر الرمز للموظف.",
];

pub(crate) const BRING_IT: Text = [
    "Bring it to our store",
    "Im Geschäft abgeben",
    "Entregar en tienda",
    "Déposer en magasin",
    "Restituisci in negozio",
    "Inleveren in onze winkel",
    "Oddaj w naszym sklepie",
    "أحضر المنتجات إلى فرعنا",
];

pub(crate) const BRING_IT_TEXT: Text = [
    "14 Harbour Yard, Edinburgh. No parcel, no label.",
    "14 Harbour Yard, Edinburgh. Ohne Paket, ohne Label.",
    "14 Harbour Yard, Edinburgh. Sin paquete ni etiqueta.",
    "14 Harbour Yard, Edinburgh. Sans carton ni étiquette.",
    "14 Harbour Yard, Edinburgh. Senza pacco né etichetta.",
    "14 Harbour Yard, Edinburgh. Geen pakket of label nodig.",
    "14 Harbour Yard, Edinburgh. Bez etykiety i pakowania.",
    "\u{2066}14 Harbour Yard, Edinburgh.\u{2069} لا تحتاج إلى ملصق ولا علبة.",
];
