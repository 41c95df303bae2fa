#!/bin/sh
# Build the cartridge: build.sh OUT.nes [moved|habits]
# With "moved", the same program is built with its variables at other RAM addresses, for tests.
# With "habits", it keeps the RAM map and the rules, and does everything else otherwise, for tests.
# Needs only ca65 and ld65 (package cc65). The output has the same bytes on every machine.
set -eu

case "$#-${2:-}" in
1-) define= ;;
2-moved) define="-D MOVED_RAM" ;;
2-habits) define="-D OTHER_HABITS" ;;
*)
    echo "usage: $0 OUT.nes [moved|habits]" >&2
    exit 2
    ;;
esac
for tool in ca65 ld65; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "$0: $tool not found; install cc65 (Debian: apt install cc65)" >&2
        exit 1
    }
done

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086 # an empty define must give no argument
ca65 $define -I "$here/src" -o "$work/maxout.o" "$here/src/main.s"
ld65 -C "$here/maxout.cfg" -o "$work/maxout.nes" "$work/maxout.o"
mv "$work/maxout.nes" "$1"
