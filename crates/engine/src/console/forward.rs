//! A console around another one. A borrowed or boxed console is a console.

use super::interface::Console;

/// Writes the methods of a [`Console`] that has another one inside: each calls the same method of that one. Methods named after `but`
/// are left out, and stand beside it.
///
/// ```
/// use maxout_engine::console::{Console, Error, Simulated};
/// use maxout_engine::gamepad::Buttons;
///
/// /// A console with a gamepad whose button B is broken.
/// struct Worn(Simulated);
///
/// impl Console for Worn {
///     maxout_engine::pass_on!(self.0, but step);
///
///     fn step(&mut self, buttons: Buttons) -> Result<(), Error> {
///         self.0.step(buttons & !Buttons::B)
///     }
/// }
/// ```
#[macro_export]
macro_rules! pass_on {
    ($self:ident.$console:tt $(, but $($own:ident),+)?) => {
        $crate::pass_on!(@all $self ($self.$console) [$($($own)+)?]);
    };
    (**$self:ident) => {
        $crate::pass_on!(@all $self (**$self) []);
    };
    (@all $self:ident $console:tt $own:tt) => {
        $crate::pass_on!(@each $self $console $own
            name step reset resets polled taken_over is_shared jumped ram processor poke set_video picture save_state restore_state);
    };
    (@each $self:ident $console:tt $own:tt $($method:ident)+) => {
        $($crate::pass_on!(@unless $method $own $self $console);)+
    };
    // The name of the method is in the list: it is left out.
    (@unless name [name $($own:ident)*] $self:ident $console:tt) => {};
    (@unless step [step $($own:ident)*] $self:ident $console:tt) => {};
    (@unless reset [reset $($own:ident)*] $self:ident $console:tt) => {};
    (@unless resets [resets $($own:ident)*] $self:ident $console:tt) => {};
    (@unless polled [polled $($own:ident)*] $self:ident $console:tt) => {};
    (@unless taken_over [taken_over $($own:ident)*] $self:ident $console:tt) => {};
    (@unless is_shared [is_shared $($own:ident)*] $self:ident $console:tt) => {};
    (@unless jumped [jumped $($own:ident)*] $self:ident $console:tt) => {};
    (@unless ram [ram $($own:ident)*] $self:ident $console:tt) => {};
    (@unless processor [processor $($own:ident)*] $self:ident $console:tt) => {};
    (@unless poke [poke $($own:ident)*] $self:ident $console:tt) => {};
    (@unless set_video [set_video $($own:ident)*] $self:ident $console:tt) => {};
    (@unless picture [picture $($own:ident)*] $self:ident $console:tt) => {};
    (@unless save_state [save_state $($own:ident)*] $self:ident $console:tt) => {};
    (@unless restore_state [restore_state $($own:ident)*] $self:ident $console:tt) => {};
    (@unless $method:ident [$_other:ident $($own:ident)*] $self:ident $console:tt) => {
        $crate::pass_on!(@unless $method [$($own)*] $self $console);
    };
    // It is not.
    (@unless name [] $self:ident $console:tt) => {
        fn name(&$self) -> &'static str { $console.name() }
    };
    (@unless step [] $self:ident $console:tt) => {
        fn step(&mut $self, buttons: $crate::gamepad::Buttons) -> Result<(), $crate::console::Error> { $console.step(buttons) }
    };
    (@unless reset [] $self:ident $console:tt) => {
        fn reset(&mut $self, reset: $crate::console::Reset) { $console.reset(reset) }
    };
    (@unless resets [] $self:ident $console:tt) => {
        fn resets(&$self) -> bool { $console.resets() }
    };
    (@unless polled [] $self:ident $console:tt) => {
        fn polled(&$self) -> bool { $console.polled() }
    };
    (@unless taken_over [] $self:ident $console:tt) => {
        fn taken_over(&$self) -> Option<$crate::gamepad::Buttons> { $console.taken_over() }
    };
    (@unless is_shared [] $self:ident $console:tt) => {
        fn is_shared(&$self) -> bool { $console.is_shared() }
    };
    (@unless jumped [] $self:ident $console:tt) => {
        fn jumped(&$self) -> bool { $console.jumped() }
    };
    (@unless ram [] $self:ident $console:tt) => {
        fn ram(&$self) -> &$crate::ram::Ram { $console.ram() }
    };
    (@unless processor [] $self:ident $console:tt) => {
        fn processor(&$self) -> Option<$crate::console::Processor> { $console.processor() }
    };
    (@unless poke [] $self:ident $console:tt) => {
        fn poke(&mut $self, address: u16, value: u8) { $console.poke(address, value) }
    };
    (@unless set_video [] $self:ident $console:tt) => {
        fn set_video(&mut $self, video: $crate::console::Video) { $console.set_video(video) }
    };
    (@unless picture [] $self:ident $console:tt) => {
        fn picture(&mut $self) -> Option<$crate::console::Picture> { $console.picture() }
    };
    (@unless save_state [] $self:ident $console:tt) => {
        fn save_state(&$self) -> Result<$crate::console::SavedState, $crate::console::Error> { $console.save_state() }
    };
    (@unless restore_state [] $self:ident $console:tt) => {
        fn restore_state(&mut $self, state: &$crate::console::SavedState) -> Result<(), $crate::console::Error> {
            $console.restore_state(state)
        }
    };
}

impl<C: Console + ?Sized> Console for &mut C {
    crate::pass_on!(**self);
}

impl<C: Console + ?Sized> Console for Box<C> {
    crate::pass_on!(**self);
}
