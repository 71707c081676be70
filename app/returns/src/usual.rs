//! What a new account begins with, in every language that the portal speaks.

use domain::{Translated, reason::Fault};

/// A text in each of [`LANGUAGES`].
pub(crate) type Text = [&'static str; 8];

const LANGUAGES: Text = ["en", "de", "es", "fr", "it", "nl", "pl", "ar"];

pub(crate) fn translated(text: &Text) -> Translated {
    Translated(LANGUAGES.iter().zip(text).map(|(tag, text)| ((*tag).to_owned(), (*text).to_owned())).collect())
}

/// Reasons, and whose fault each is.
pub(crate) const REASONS: [(Text, Fault); 7] = [
    (
        [
            "Doesn’t fit",
            "Es passt nicht",
            "No me queda bien",
            "La taille ne convient pas",
            "La misura non va bene",
            "Het past niet",
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
            "Zmieniłem(-am) zdanie",
            "غيّرت رأيي",
        ],
        Fault::Consumer,
    ),
    (
        [
            "Not as described",
            "Es entspricht nicht der Beschreibung",
            "No es como se describía",
            "Il ne correspond pas à la description",
            "Non corrisponde alla descrizione",
            "Het is niet zoals beschreven",
            "Jest niezgodne z opisem",
            "لا يطابق الوصف",
        ],
        Fault::Merchant,
    ),
    (
        [
            "Damaged or faulty",
            "Es ist beschädigt oder defekt",
            "Está dañado o es defectuoso",
            "Il est abîmé ou défectueux",
            "È danneggiato o difettoso",
            "Het is beschadigd of defect",
            "Jest uszkodzone lub wadliwe",
            "تالف أو معيب",
        ],
        Fault::Merchant,
    ),
    (
        [
            "Wrong item received",
            "Ich habe den falschen Artikel bekommen",
            "He recibido un artículo equivocado",
            "J’ai reçu le mauvais article",
            "Ho ricevuto l’articolo sbagliato",
            "Ik kreeg het verkeerde artikel",
            "Otrzymałem(-am) inny artykuł",
            "وصلتني سلعة أخرى",
        ],
        Fault::Merchant,
    ),
    (
        [
            "Arrived too late",
            "Es kam zu spät",
            "Llegó demasiado tarde",
            "Il est arrivé trop tard",
            "È arrivato troppo tardi",
            "Het kwam te laat",
            "Przyszło za późno",
            "وصل متأخرًا",
        ],
        Fault::Merchant,
    ),
    (
        ["Other", "Etwas anderes", "Otro motivo", "Autre chose", "Altro", "Iets anders", "Coś innego", "سبب آخر"],
        Fault::Consumer,
    ),
];

pub(crate) const RETURN_LABEL: Text = [
    "Return label",
    "Rücksendeetikett",
    "Etiqueta de devolución",
    "Étiquette de retour",
    "Etichetta di reso",
    "Retourlabel",
    "Etykieta zwrotna",
    "ملصق الإرجاع",
];

pub(crate) const RETURN_LABEL_TEXT: Text = [
    "Print the label, stick it on your parcel and drop it off.",
    "Etikett ausdrucken, auf das Paket kleben und abgeben.",
    "Imprime la etiqueta, pégala en el paquete y entrégalo.",
    "Imprimez l’étiquette, collez-la sur le colis et déposez-le.",
    "Stampa l’etichetta, attaccala al pacco e consegnalo.",
    "Print het label, plak het op het pakket en lever het in.",
    "Wydrukuj etykietę, naklej ją na paczkę i nadaj.",
    "اطبع الملصق وألصقه على الطرد ثم سلّمه.",
];

pub(crate) const PRINT_A_LABEL: Text = [
    "Print a label",
    "Etikett ausdrucken",
    "Imprimir una etiqueta",
    "Imprimer une étiquette",
    "Stampare un’etichetta",
    "Een label printen",
    "Wydrukuj etykietę",
    "اطبع ملصقًا",
];

pub(crate) const SHOW_A_CODE: Text = [
    "Show a code",
    "Code vorzeigen",
    "Mostrar un código",
    "Montrer un code",
    "Mostrare un codice",
    "Een code laten zien",
    "Pokaż kod",
    "أظهر رمزًا",
];

pub(crate) const SHOW_A_CODE_TEXT: Text = [
    "Show the code at the counter, no printer needed.",
    "Ohne Drucker: Zeigen Sie den Code am Schalter.",
    "Sin impresora: muestra el código en el mostrador.",
    "Sans imprimante\u{202f}: montrez le code au comptoir.",
    "Senza stampante: mostra il codice allo sportello.",
    "Geen printer nodig: laat de code zien aan de balie.",
    "Bez drukarki: pokaż kod w punkcie nadania.",
    "دون طابعة: أظهر الرمز عند نقطة التسليم.",
];

pub(crate) const BRING_IT: Text = [
    "Bring it to our store",
    "In unser Geschäft bringen",
    "Llevarlo a nuestra tienda",
    "L’apporter en boutique",
    "Portarlo in negozio",
    "Naar onze winkel brengen",
    "Przynieś do sklepu",
    "أحضره إلى متجرنا",
];

pub(crate) const BRING_IT_TEXT: Text = [
    "14 Harbour Yard, Edinburgh. No parcel, no label.",
    "14 Harbour Yard, Edinburgh. Ohne Paket, ohne Etikett.",
    "14 Harbour Yard, Edinburgh. Sin paquete ni etiqueta.",
    "14 Harbour Yard, Edinburgh. Sans colis ni étiquette.",
    "14 Harbour Yard, Edinburgh. Senza pacco né etichetta.",
    "14 Harbour Yard, Edinburgh. Zonder pakket of label.",
    "14 Harbour Yard, Edinburgh. Bez paczki i etykiety.",
    "\u{2066}14 Harbour Yard, Edinburgh.\u{2069} دون طرد ودون ملصق.",
];
