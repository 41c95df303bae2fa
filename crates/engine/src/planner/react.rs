//! A reaction time: the next box is used only some frames after the spawn.

use super::falling::Falling;
use super::plan::Plan;
use super::settings::Settings;
use super::sight::Sight;
use crate::gamepad::Buttons;

/// Plans with the reaction time of the settings. `plan` is called without the next box first.
/// If the piece has not landed when the reaction time is over, `plan` is called again with the
/// next box, after the frames (the opening) that were pressed meanwhile.
///
/// # Errors
/// Those of `plan`.
pub fn react<E>(
    settings: &Settings,
    falling: &Falling,
    mut plan: impl FnMut(&[Buttons], Sight) -> Result<Option<Plan>, E>,
) -> Result<Option<Plan>, E> {
    let blind_frames = settings.reaction_frames.saturating_sub(falling.control_frame) as usize;
    if blind_frames == 0 {
        return plan(&[], Sight::WithNext);
    }
    let Some(blind) = plan(&[], Sight::WithoutNext)? else { return Ok(None) };
    if blind.promises.len() <= blind_frames {
        return Ok(Some(blind));
    }
    // The buttons pressed before the next box came into use stay; the rest is planned again.
    let opening: Vec<Buttons> = (0..blind_frames).map(|frame| blind.timeline.get(frame)).collect();
    Ok(plan(&opening, Sight::WithNext)?.or(Some(blind)))
}
