#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| maxout_fuzz_targets::run("tas_stages", bytes));
