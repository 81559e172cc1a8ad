#!/bin/bash
# Makes the initramfs of the test VMs: busybox, our init and guest scripts, and the given programs
# with every shared library they name.
#   tests/vm/initramfs.sh OUT.cpio PROGRAM...
set -euo pipefail

out=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

libraries_of() { # a static program has none
  ldd "$1" 2>/dev/null | awk '/=> \//{print $3} /^\t\//{print $1}' || true
}

add_program() {
  local library
  install -D -s "$1" "$root/bin/$(basename "$1")" 2>/dev/null || install -D "$1" "$root/bin/$(basename "$1")"
  for library in $(libraries_of "$1"); do
    [[ -e $root$library ]] || install -D "$(readlink -f "$library")" "$root$library"
  done
}

mkdir -p "$root"/{bin,proc,sys,dev,tmp,run,etc,var/lib}
install "$(command -v busybox)" "$root/bin/busybox"
"$root/bin/busybox" --list | while read -r applet; do
  [[ $applet == busybox ]] || ln -s busybox "$root/bin/$applet"
done
echo 'root:x:0:0:root:/:/bin/sh' >"$root/etc/passwd"
echo vm >"$root/etc/hostname"
# setpriv of util-linux, not busybox's: it knows the capabilities' names and all three sets.
rm -f "$root/bin/setpriv"
add_program "$(command -v setpriv)"
for program in "$@"; do add_program "$program"; done
install "$here"/guest/*.sh "$root/"
mv "$root/init.sh" "$root/init"
mkdir -p "$(dirname "$out")"
(cd "$root" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0) >"$out"
