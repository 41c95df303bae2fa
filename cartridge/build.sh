#!/bin/sh
# Build the cartridge: build.sh OUT.nes
# Needs only ca65 and ld65 (package cc65). The output does not depend on time or place.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: $0 OUT.nes" >&2
    exit 2
fi
for tool in ca65 ld65; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "$0: $tool not found; install cc65 (Debian: apt install cc65)" >&2
        exit 1
    }
done

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ca65 -I "$here/src" -o "$work/maxout.o" "$here/src/main.s"
ld65 -C "$here/maxout.cfg" -o "$work/maxout.nes" "$work/maxout.o"
mv "$work/maxout.nes" "$1"
