//! Addresses as postal services publish them: in the leaflets of the Universal Postal Union on its members' addressing
//! systems, and on their own pages. Companies and districts, which [`Address`] has no field for, are omitted.

use super::*;

/// The fields street, additional, postal code, city, province and country; the lines on a domestic label, without the
/// name; the lines that differ on a label from Sweden, which names countries in English.
type Published = ([&'static str; 6], &'static [&'static str], &'static [&'static str]);

const PUBLISHED: [Published; 57] = [
    (
        ["Kärntner Straße 1", "Top 5", "1010", "Wien", "", "AT"],
        &["Kärntner Straße 1", "Top 5", "1010 Wien"],
        &["1010 WIEN", "AUSTRIA"],
    ),
    (
        ["200 Broadway Av", "", "5024", "West Beach", "SA", "AU"],
        &["200 Broadway Av", "WEST BEACH SA 5024"],
        &["AUSTRALIA"],
    ),
    (
        ["Rue du Vivier 7C bte 5", "", "1050", "Bruxelles", "", "BE"],
        &["Rue du Vivier 7C bte 5", "1050 Bruxelles"],
        &["1050 BRUXELLES", "BELGIUM"],
    ),
    (
        ["ul. Ivan Vazov 1", "", "1000", "Sofia", "", "BG"],
        &["ul. Ivan Vazov 1", "1000 Sofia"],
        &["1000 SOFIA", "BULGARIA"],
    ),
    (
        ["Rua Visconde de Porto Seguro 1238", "", "04642-000", "São Paulo", "São Paulo", "BR"],
        &["Rua Visconde de Porto Seguro 1238", "SÃO PAULO-SP", "04642-000"],
        &["BRAZIL"],
    ),
    (
        ["10-123 1/2 Main St NW", "", "H3Z 2Y7", "Montreal", "QC", "CA"],
        &["10-123 1/2 MAIN ST NW", "MONTREAL QC H3Z 2Y7"],
        &["CANADA"],
    ),
    (
        ["Bundesgasse 1", "", "3003", "Bern", "BE", "CH"],
        &["Bundesgasse 1", "BE", "3003 Bern"],
        &["CH-3003 BERN", "SWITZERLAND"],
    ),
    (
        ["Calle Nueva 1", "", "8340457", "Santiago", "RM", "CL"],
        &["Calle Nueva 1", "8340457 Santiago", "Región Metropolitana"],
        &["8340457 SANTIAGO", "REGIÓN METROPOLITANA", "CHILE"],
    ),
    (
        ["金融大街甲3号", "", "100808", "西城区", "北京市", "CN"],
        &["100808", "北京市西城区", "金融大街甲3号", "Ada Example"],
        &["CHINA"],
    ),
    (
        ["3 Jinrong Jie", "", "100808", "Xicheng Qu", "BJ", "CN"],
        &["3 Jinrong Jie", "Xicheng Qu", "BEIJING SHI, 100808"],
        &["XICHENG QU", "BEIJING SHI, 100808", "CHINA"],
    ),
    (
        ["Carrera 51 50-20", "", "050010", "Medellín", "ANT", "CO"],
        &["Carrera 51 50-20", "Medellín, Antioquia, 050010"],
        &["MEDELLÍN, ANTIOQUIA, 050010", "COLOMBIA"],
    ),
    (
        ["Politických vězňů 4", "", "110 00", "Praha 1", "", "CZ"],
        &["Politických vězňů 4", "110 00 Praha 1"],
        &["110 00 PRAHA 1", "CZECHIA"],
    ),
    (
        ["Musterstraße 12", "", "53113", "Bonn", "", "DE"],
        &["Musterstraße 12", "53113 Bonn"],
        &["53113 BONN", "GERMANY"],
    ),
    (
        ["Kannikegade 18, 1. tv.", "", "8000", "Aarhus C", "", "DK"],
        &["Kannikegade 18, 1. tv.", "8000 Aarhus C"],
        &["8000 AARHUS C", "DENMARK"],
    ),
    (["Aia 3-12", "", "10111", "Tallinn", "", "EE"], &["Aia 3-12", "10111 Tallinn"], &["10111 TALLINN", "ESTONIA"]),
    (["شارع رمسيس 1", "", "11599", "القاهرة", "", "EG"], &["شارع رمسيس 1", "القاهرة", "11599"], &["EGYPT"]),
    (["C/ Aduana 29", "", "28070", "Madrid", "Madrid", "ES"], &["C/ Aduana 29", "28070 MADRID"], &["SPAIN"]),
    (["C/ Mayor 1", "", "08201", "Sabadell", "B", "ES"], &["C/ Mayor 1", "08201 SABADELL BARCELONA"], &["SPAIN"]),
    (
        ["Mannerheimintie 11", "", "00100", "Helsinki", "", "FI"],
        &["Mannerheimintie 11", "00100 Helsinki"],
        &["FI-00100 HELSINKI", "FINLAND"],
    ),
    (["25 rue de l'Église", "", "33000", "Bordeaux", "", "FR"], &["25 rue de l'Église", "33000 BORDEAUX"], &["FRANCE"]),
    (
        ["1 Chapel Hill", "Heswall", "BH1 1AA", "Bournemouth", "", "GB"],
        &["1 Chapel Hill", "Heswall", "BOURNEMOUTH", "BH1 1AA"],
        &["UNITED KINGDOM"],
    ),
    (["Ermou 2", "", "105 63", "Αθήνα", "", "GR"], &["Ermou 2", "105 63 Αθήνα"], &["105 63 ΑΘΗΝΑ", "GREECE"]),
    (
        ["1 Connaught Place", "", "", "Central", "Hong Kong Island", "HK"],
        &["1 Connaught Place", "Central", "HONG KONG ISLAND"],
        &["CENTRAL", "HONG KONG ISLAND", "HONG KONG"],
    ),
    (
        ["Jurišićeva 13", "", "10000", "Zagreb", "", "HR"],
        &["Jurišićeva 13", "10000 Zagreb"],
        &["HR-10000 ZAGREB", "CROATIA"],
    ),
    (["Honvéd utca 13-15", "", "1055", "Budapest", "", "HU"], &["BUDAPEST", "HONVÉD UTCA 13-15", "1055"], &["HUNGARY"]),
    (
        ["Jl. Cilaki 73", "", "40115", "Bandung", "JB", "ID"],
        &["Jl. Cilaki 73", "Bandung", "Jawa Barat 40115"],
        &["BANDUNG", "JAWA BARAT 40115", "INDONESIA"],
    ),
    (
        ["16 Castle Street", "", "V92 X9T7", "Tralee", "KY", "IE"],
        &["16 Castle Street", "Tralee", "Co. Kerry", "V92 X9T7"],
        &["TRALEE", "CO. KERRY", "V92 X9T7", "IRELAND"],
    ),
    (
        ["16 Jaffa Street", "", "9414219", "Jerusalem", "", "IL"],
        &["16 Jaffa Street", "Jerusalem 9414219"],
        &["JERUSALEM 9414219", "ISRAEL"],
    ),
    (
        ["1 Ashoka Road", "", "110001", "New Delhi", "DL", "IN"],
        &["1 Ashoka Road", "New Delhi 110001", "Delhi"],
        &["NEW DELHI 110001", "DELHI", "INDIA"],
    ),
    (["Via Cappuccini 1", "", "20122", "Milano", "MI", "IT"], &["Via Cappuccini 1", "20122 MILANO MI"], &["ITALY"]),
    (
        ["霞が関1-3-2", "日本郵便ビル", "100-8798", "千代田区", "JP-13", "JP"],
        &["100-8798", "東京都千代田区", "霞が関1-3-2", "日本郵便ビル", "Ada Example"],
        &["JAPAN"],
    ),
    (
        ["1-3-2 Kasumigaseki", "", "100-8798", "Chiyoda-ku", "東京都", "JP"],
        &["1-3-2 Kasumigaseki", "Chiyoda-ku, TOKYO", "100-8798"],
        &["CHIYODA-KU, TOKYO", "100-8798", "JAPAN"],
    ),
    (
        ["P.O. Box 34567", "", "00100", "Nairobi", "", "KE"],
        &["P.O. Box 34567", "Nairobi", "00100"],
        &["NAIROBI", "00100", "KENYA"],
    ),
    (
        ["종로 6", "", "03187", "종로구", "KR-11", "KR"],
        &["서울특별시 종로구", "종로 6", "Ada Example", "03187"],
        &["SOUTH KOREA"],
    ),
    (
        ["6 Jong-ro", "", "03187", "Jongno-gu", "Seoul", "KR"],
        &["6 Jong-ro", "Jongno-gu", "Seoul", "03187"],
        &["JONGNO-GU", "SEOUL", "03187", "SOUTH KOREA"],
    ),
    (
        ["J. Jasinskio g. 16", "", "01112", "Vilnius", "", "LT"],
        &["J. Jasinskio g. 16", "LT-01112 Vilnius"],
        &["LT-01112 VILNIUS", "LITHUANIA"],
    ),
    (
        ["Brīvības bulvāris 32", "", "LV-1050", "Rīga", "", "LV"],
        &["Brīvības bulvāris 32", "Rīga, LV-1050"],
        &["RĪGA, LV-1050", "LATVIA"],
    ),
    (
        ["Av. Reforma 77", "Piso 3", "06600", "Ciudad de México", "CDMX", "MX"],
        &["Av. Reforma 77", "Piso 3", "06600 CIUDAD DE MÉXICO, CDMX"],
        &["MEXICO"],
    ),
    (
        ["10 Jalan Tun Perak", "", "50050", "Kuala Lumpur", "KUL", "MY"],
        &["10 Jalan Tun Perak", "50050 KUALA LUMPUR"],
        &["MALAYSIA"],
    ),
    (
        ["Lange Voorhout 12", "", "2514 EC", "'s-Gravenhage", "", "NL"],
        &["Lange Voorhout 12", "2514 EC 's-Gravenhage"],
        &["2514 EC 'S-GRAVENHAGE", "NETHERLANDS"],
    ),
    (["Kirkegata 8", "", "0153", "Oslo", "", "NO"], &["Kirkegata 8", "0153 Oslo"], &["0153 OSLO", "NORWAY"]),
    (
        ["43 Vogel Street", "Roslyn", "9013", "Dunedin", "", "NZ"],
        &["43 Vogel Street", "Roslyn", "Dunedin 9013"],
        &["DUNEDIN 9013", "NEW ZEALAND"],
    ),
    (
        ["27 Roxas Boulevard", "", "1000", "Manila", "", "PH"],
        &["27 Roxas Boulevard", "Manila", "1000"],
        &["MANILA", "1000", "PHILIPPINES"],
    ),
    (
        ["ul. Bitwy Warszawskiej 1920 r. 18", "", "02-366", "Warszawa", "", "PL"],
        &["ul. Bitwy Warszawskiej 1920 r. 18", "02-366 Warszawa"],
        &["02-366 WARSZAWA", "POLAND"],
    ),
    (
        ["Rua de São José 20", "", "1166-001", "Lisboa", "", "PT"],
        &["Rua de São José 20", "1166-001 Lisboa"],
        &["1166-001 LISBOA", "PORTUGAL"],
    ),
    (
        ["Calea Victoriei 1", "", "060274", "București", "", "RO"],
        &["CALEA VICTORIEI 1", "060274 BUCUREȘTI"],
        &["ROMANIA"],
    ),
    (
        ["ул. Победы, д. 20", "кв. 29", "142900", "г. Кашира", "Московская область", "RU"],
        &["УЛ. ПОБЕДЫ, Д. 20", "КВ. 29", "Г. КАШИРА", "Московская область", "142900"],
        &["МОСКОВСКАЯ ОБЛАСТЬ", "142900", "RUSSIA"],
    ),
    (
        ["7652 King Fahd Road", "", "12233", "Riyadh", "", "SA"],
        &["7652 King Fahd Road", "Riyadh 12233"],
        &["RIYADH 12233", "SAUDI ARABIA"],
    ),
    (["Storgatan 1", "", "112 34", "Stockholm", "", "SE"], &["Storgatan 1", "112 34 Stockholm"], &[]),
    (
        ["16 Sandilands Road", "", "546080", "Singapore", "", "SG"],
        &["16 Sandilands Road", "SINGAPORE 546080"],
        &["SINGAPORE"],
    ),
    (
        ["Slovenska cesta 1", "", "1000", "Ljubljana", "", "SI"],
        &["Slovenska cesta 1", "1000 Ljubljana"],
        &["SI-1000 LJUBLJANA", "SLOVENIA"],
    ),
    (
        ["111 Chaengwattana Road", "", "10210", "Laksi", "TH-10", "TH"],
        &["111 Chaengwattana Road", "Laksi", "BANGKOK 10210"],
        &["LAKSI", "BANGKOK 10210", "THAILAND"],
    ),
    (
        ["Mithatpaşa Cad. 19", "", "06420", "Yenişehir", "Ankara", "TR"],
        &["Mithatpaşa Cad. 19", "06420 Yenişehir/Ankara"],
        &["06420 YENİŞEHİR/ANKARA", "TÜRKIYE"],
    ),
    (
        ["55 Jinshan S. Rd", "Sec. 2", "106409", "Da'an Dist.", "TPE", "TW"],
        &["55 Jinshan S. Rd", "Sec. 2", "Da'an Dist., Taipei City 106409"],
        &["DA'AN DIST., TAIPEI CITY 106409", "TAIWAN"],
    ),
    (
        ["вул. Хрещатик 22", "", "01001", "Київ", "", "UA"],
        &["вул. Хрещатик 22", "Київ", "01001"],
        &["КИЇВ", "01001", "UKRAINE"],
    ),
    (
        ["1960 W Chelsea Ave", "Ste 2006R", "18104", "Allentown", "Pennsylvania", "US"],
        &["1960 W Chelsea Ave", "Ste 2006R", "ALLENTOWN, PA 18104"],
        &["UNITED STATES"],
    ),
    (
        ["66 Tràng Tiền", "", "100000", "Hoàn Kiếm", "VN-HN", "VN"],
        &["66 Tràng Tiền", "Hoàn Kiếm", "Hà Nội 100000"],
        &["HOÀN KIẾM", "HÀ NỘI 100000", "VIETNAM"],
    ),
];

/// The lines from abroad: the domestic lines, with the last ones replaced.
fn abroad(home: &[String], differs: &[&str]) -> Vec<String> {
    let kept = (home.len() + 1).saturating_sub(differs.len()).min(home.len());
    home.iter().take(kept).cloned().chain(differs.iter().map(|line| (*line).to_owned())).collect()
}

#[test]
fn labels_match_the_published_forms() {
    let mut wrong = Vec::new();
    for (fields, at_home, differs) in PUBLISHED {
        let address = address(fields);
        let mut expected: Vec<String> = at_home.iter().map(|line| (*line).to_owned()).collect();
        if !expected.iter().any(|line| line == "Ada Example") {
            let is_capital = ["CA", "HU"].contains(&fields[5]);
            expected.insert(0, if is_capital { "ADA EXAMPLE" } else { "Ada Example" }.to_owned());
        }
        let home = label(&address, fields[5]);
        if home != expected {
            wrong.push(format!("{fields:?}: {home:?}, expected {expected:?}"));
        }
        let expected = abroad(&expected, differs);
        let from_sweden = label(&address, "SE");
        if from_sweden != expected {
            wrong.push(format!("{fields:?} from Sweden: {from_sweden:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_have_the_same_lines_without_capitals() {
    for (fields, at_home, _) in PUBLISHED {
        let address = address(fields);
        let read = read(&address, fields[5], "en");
        let lowered = |lines: &[String]| lines.iter().map(|line| line.to_lowercase()).collect::<Vec<_>>();
        assert_eq!(lowered(&read), lowered(&label(&address, fields[5])), "{fields:?}");
        assert!(read.iter().any(|line| line.contains(fields[3])), "the city as it was typed: {read:?}, {at_home:?}");
    }
}
