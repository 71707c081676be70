//! The sounds of the scan page.

use wasm_bindgen::JsValue;
use web_sys::AudioContext;

/// Plays a short sound: high for what is accepted, low for what is unknown. Browsers may keep it silent until somebody has pressed a
/// key on the page.
pub fn play(sound: &str) {
    let tone = match sound {
        "accepted" => 880.0,
        "unknown" => 220.0,
        _ => return,
    };
    let _ = beep(tone);
}

fn beep(tone: f32) -> Result<(), JsValue> {
    let context = AudioContext::new()?;
    let (oscillator, gain) = (context.create_oscillator()?, context.create_gain()?);
    oscillator.frequency().set_value(tone);
    gain.gain().set_value(0.1);
    oscillator.connect_with_audio_node(&gain)?;
    gain.connect_with_audio_node(&context.destination())?;
    oscillator.start()?;
    oscillator.stop_with_when(context.current_time() + 0.15)
}
