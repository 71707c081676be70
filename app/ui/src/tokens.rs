//! A merchant's brand as CSS custom properties: typeface, corners, and a colour corrected until all text on it and in it is legible.
//!
//! Colours are computed in OKLCH, whose lightness matches what the eye perceives. Hue and chroma stay, lightness moves until the
//! contrast suffices. `style/tokens.css` names the backgrounds that count.

use domain::branding::{Branding, Corners, Font};

/// The contrast that text needs is 4.5 (WCAG 2.2, 1.4.3). The rest is margin for rounding.
const ENOUGH: f64 = 4.55;

/// Below this chroma a colour is grey and does not tint the neutral colours.
const GREY: f64 = 0.02;

/// A colour that has to darken by more than this under white text turns into another colour: yellow becomes olive.
const SAME_COLOUR: f64 = 0.06;

/// The darkest background of light pages and the lightest one of dark pages, as lightness and chroma: `style/tokens.css` has them.
const LIGHT_GROUND: (f64, f64) = (0.952, 0.006);
const DARK_GROUND: (f64, f64) = (0.272, 0.011);
/// Dark text on a bright fill.
const INK: (f64, f64) = (0.18, 0.03);
/// Lightness changes by so much per try. The eye does not notice a single step.
const DARKER: f64 = -0.005;
const LIGHTER: f64 = 0.005;
/// The brand colour of `style/tokens.css`, for mail of merchants without a colour of their own.
const DEFAULT_MAIL_COLOR: &str = "#2f6f5e";

#[derive(Debug, Clone, Copy)]
struct Oklch {
    lightness: f64,
    chroma: f64,
    hue: f64,
}

/// The custom properties that differ from `style/tokens.css`. `None` without any.
pub fn custom_properties(branding: &Branding) -> Option<String> {
    let color = branding.color.as_deref().and_then(color);
    let font = typeface(branding.font).map(|names| format!("--font:{names}"));
    let corners = match branding.corners {
        Corners::Square => Some("--radius:0px".to_owned()),
        Corners::Soft => None,
        Corners::Round => Some("--radius:1.25rem".to_owned()),
    };
    let all: Vec<String> = [color, font, corners].into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(";"))
}

/// Fonts of a kind that devices have, best first. Arabic letters come from a later font of the list.
fn typeface(font: Font) -> Option<&'static str> {
    Some(match font {
        Font::System => return None,
        Font::Grotesque => "Inter,\"Helvetica Neue\",\"Nimbus Sans\",Arimo,Arial,sans-serif",
        Font::Humanist => "\"Gill Sans Nova\",\"Gill Sans\",Seravek,Ubuntu,Calibri,\"DejaVu Sans\",sans-serif",
        Font::Geometric => "Avenir,\"Avenir Next\",Montserrat,Corbel,\"URW Gothic\",sans-serif",
        Font::Rounded => {
            "ui-rounded,\"SF Pro Rounded\",\"Arial Rounded MT\",Quicksand,Nunito,\"Hiragino Maru Gothic ProN\",sans-serif"
        }
        Font::Serif => "Charter,\"Bitstream Charter\",\"Sitka Text\",\"Iowan Old Style\",Cambria,\"Noto Serif\",serif",
        Font::Slab => "Rockwell,\"Rockwell Nova\",\"Roboto Slab\",\"DejaVu Serif\",\"Sitka Small\",serif",
    })
}

/// The custom properties of a colour such as `#2f6f5e`. `None` for any other notation.
fn color(color: &str) -> Option<String> {
    let brand = Oklch::from_hex(color)?;
    let tint = if brand.chroma < GREY { 0.0 } else { 1.0 };
    let ground = |(lightness, chroma): (f64, f64)| Oklch { lightness, chroma: chroma * tint, hue: brand.hue };
    let on_light = brand.readable_on(ground(LIGHT_GROUND), DARKER);
    let on_dark = brand.readable_on(ground(DARK_GROUND), LIGHTER);
    let ink = ground(INK);
    let (fill, on_fill) = brand.fill(on_light, ink);
    Some(format!(
        "--brand:{};--brand-fill:{};--on-brand:{};--brand-dark:{};--on-brand-dark:{};--brand-hue:{:.1};--brand-tint:{tint}",
        on_light.css(),
        fill.css(),
        on_fill.css(),
        on_dark.css(),
        ink.css(),
        brand.hue,
    ))
}

/// The brand colour for mail, darkened until white text on it is legible. Mail programs support neither custom properties nor OKLCH.
pub fn mail_color(branding: &Branding) -> String {
    let brand = branding.color.as_deref().and_then(Oklch::from_hex);
    brand.map_or_else(|| DEFAULT_MAIL_COLOR.to_owned(), |brand| brand.readable_on(WHITE, DARKER).hex())
}

const WHITE: Oklch = Oklch { lightness: 1.0, chroma: 0.0, hue: 0.0 };

#[expect(clippy::many_single_char_names, reason = "the formulas' own letters")]
impl Oklch {
    /// The fill of a button on a light page, and the colour of its text. A bright colour stays and takes dark text if white text would
    /// turn it into another colour.
    fn fill(self, corrected: Self, ink: Self) -> (Self, Self) {
        let shown = self.shown();
        let turns_another = shown.lightness - corrected.lightness > SAME_COLOUR;
        if turns_another && shown.contrast(ink) >= ENOUGH { (shown, ink) } else { (corrected, WHITE) }
    }

    fn from_hex(color: &str) -> Option<Self> {
        let digits = color.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        let channel = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        let linear = |value: u8| {
            let value = f64::from(value) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let (red, green, blue) = (linear(channel(0)?), linear(channel(2)?), linear(channel(4)?));
        let l = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let m = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let s = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        let lightness = 0.210_454_255_3 * l + 0.793_617_785 * m - 0.004_072_046_8 * s;
        let a = 1.977_998_495_1 * l - 2.428_592_205 * m + 0.450_593_709_9 * s;
        let b = 0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766 * s;
        Some(Self { lightness, chroma: a.hypot(b), hue: b.atan2(a).to_degrees().rem_euclid(360.0) })
    }

    /// Linear sRGB. Values outside 0 to 1 are colours that a screen cannot show.
    fn rgb(self) -> [f64; 3] {
        let (sin, cos) = self.hue.to_radians().sin_cos();
        let (a, b) = (self.chroma * cos, self.chroma * sin);
        let l = (self.lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let m = (self.lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let s = (self.lightness - 0.089_484_177_5 * a - 1.291_485_548 * b).powi(3);
        [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
        ]
    }

    /// The same colour with its chroma reduced until a screen can show it.
    fn shown(self) -> Self {
        let fits = |color: Self| color.rgb().iter().all(|channel| (-0.000_1..=1.000_1).contains(channel));
        let mut color = Self { lightness: self.lightness.clamp(0.0, 1.0), ..self };
        while color.chroma > 0.0 && !fits(color) {
            color.chroma = (color.chroma - 0.002).max(0.0);
        }
        color
    }

    fn luminance(self) -> f64 {
        let [red, green, blue] = self.rgb().map(|channel| channel.clamp(0.0, 1.0));
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance() + 0.05, other.luminance() + 0.05);
        one.max(two) / one.min(two)
    }

    /// Moves the lightness by `step` until the colour is legible on a background.
    fn readable_on(self, ground: Self, step: f64) -> Self {
        let mut color = self.shown();
        while color.contrast(ground) < ENOUGH && (0.0..=1.0).contains(&(color.lightness + step)) {
            color = Self { lightness: color.lightness + step, ..self }.shown();
        }
        color
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 255, as it is held between")]
    fn hex(self) -> String {
        let encoded = self.rgb().map(|channel| {
            let channel = channel.clamp(0.0, 1.0);
            let value = if channel <= 0.003_130_8 { channel * 12.92 } else { 1.055 * channel.powf(1.0 / 2.4) - 0.055 };
            (value * 255.0).round() as u8
        });
        let [red, green, blue] = encoded;
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    fn css(self) -> String {
        format!("oklch({:.3} {:.3} {:.1})", self.lightness, self.chroma, self.hue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIGHTEST_DARK: Oklch = Oklch { lightness: 0.272, chroma: 0.0, hue: 0.0 };
    const DARKEST_LIGHT: Oklch = Oklch { lightness: 0.952, chroma: 0.0, hue: 0.0 };

    #[test]
    fn mail_gets_the_colour_itself_if_white_is_legible_on_it() {
        let of = |color: &str| mail_color(&Branding { color: Some(color.to_owned()), ..Branding::default() });
        assert_eq!(of("#2f6f5e"), "#2f6f5e");
        assert_eq!(of("#0000ff"), "#0000ff");
        assert!(Oklch::from_hex(&of("#ffee00")).unwrap().contrast(WHITE) >= 4.5);
    }

    #[test]
    fn every_colour_becomes_legible() {
        for color in [
            "#2f6f5e", "#ffffff", "#000000", "#ffee00", "#ff0000", "#0000ff", "#00ff00", "#888888", "#ffd1dc",
            "#001122",
        ] {
            let brand = Oklch::from_hex(color).unwrap();
            let (light, dark) = (brand.readable_on(DARKEST_LIGHT, DARKER), brand.readable_on(LIGHTEST_DARK, LIGHTER));
            assert!(light.contrast(DARKEST_LIGHT) >= 4.5, "{color} in light");
            assert!(light.contrast(WHITE) >= 4.5, "white on {color}");
            assert!(dark.contrast(LIGHTEST_DARK) >= 4.5, "{color} in the dark");
            let ink = Oklch { lightness: 0.18, chroma: 0.03, hue: brand.hue };
            assert!(dark.contrast(ink) >= 4.5, "ink on {color}");
            let (fill, on_fill) = brand.fill(light, ink);
            assert!(fill.contrast(on_fill) >= 4.5, "words on {color}");
        }
    }

    #[test]
    fn a_legible_colour_stays_as_it_is() {
        let brand = Oklch::from_hex("#2f6f5e").unwrap();
        let light = brand.readable_on(DARKEST_LIGHT, DARKER);
        assert!((light.lightness - brand.lightness).abs() < 0.001, "{light:?} {brand:?}");
        assert!((Oklch::from_hex("#ffffff").unwrap().lightness - 1.0).abs() < 0.001);
    }

    #[test]
    fn a_bright_colour_stays_bright_under_dark_text() {
        let filled = |color: &str| {
            let brand = Oklch::from_hex(color).unwrap();
            let (fill, words) =
                brand.fill(brand.readable_on(DARKEST_LIGHT, DARKER), Oklch { lightness: 0.18, ..brand });
            (fill.hex(), words.lightness < 0.5)
        };
        assert_eq!(filled("#ffcc00"), ("#ffcc00".to_owned(), true));
        assert_eq!(filled("#2f6f5e"), ("#2f6f5e".to_owned(), false));
    }

    #[test]
    fn only_hex_colours_enter_the_style() {
        assert!(color("#2f6f5e").unwrap().starts_with("--brand:oklch(0."));
        assert!(color("#808080").unwrap().ends_with("--brand-tint:0"));
        for bad in ["red", "#12345", "#1234567", "#zzzzzz", "", "#éé00"] {
            assert!(color(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn unchanged_properties_are_not_written() {
        assert_eq!(custom_properties(&Branding::default()), None);
        let square = Branding { corners: Corners::Square, font: Font::Serif, ..Branding::default() };
        let style = custom_properties(&square).unwrap();
        assert!(style.starts_with("--font:Charter,") && style.ends_with(",serif;--radius:0px"), "{style}");
    }
}
