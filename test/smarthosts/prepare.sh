#!/usr/bin/env bash
# Fills a folder with Postfix, Exim and OpenSMTPD of Debian, each in a root of its own for chroot. Installs nothing: the packages are only unpacked.
set -eu
folder=${1:?usage: prepare.sh FOLDER}
mkdir -p "$folder/packages"
cd "$folder/packages"
apt-get download -q postfix libsasl2-modules exim4-daemon-light libidn12 opensmtpd >/dev/null

# Copies what the programs of a root load.
complete() {
  local root=$1
  export LD_LIBRARY_PATH="$root/usr/lib/postfix:$root/usr/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu"
  find "$root" -type f -perm -u+x -exec ldd {} + 2>/dev/null | grep -oE '/[^ ]+\.so[^ ]*' | sort -u | while read -r library; do
    case "$library" in "$root"/*) continue ;; esac
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
  unset LD_LIBRARY_PATH
  mkdir -p "$root/etc" "$root/dev" "$root/tmp" "$root/run" "$root/var/empty" "$root/var/log"
  chmod 755 "$root" "$root/var/empty"
  chmod 1777 "$root/tmp"
  for device in "null 3" "zero 5" "random 8" "urandom 9"; do
    set -- $device
    [ -e "$root/dev/$1" ] || mknod -m 666 "$root/dev/$1" c 1 "$2"
  done
  cat >"$root/etc/passwd" <<USERS
root:x:0:0::/:/bin/false
postfix:x:7001:7001::/:/bin/false
nobody:x:7002:7002::/:/bin/false
Debian-exim:x:7003:7003::/:/bin/false
opensmtpd:x:7004:7004::/var/empty:/bin/false
opensmtpq:x:7005:7005::/var/empty:/bin/false
USERS
  cat >"$root/etc/group" <<GROUPS
root:x:0:
postfix:x:7001:
nogroup:x:7002:
nobody:x:7002:
Debian-exim:x:7003:
opensmtpd:x:7004:
opensmtpq:x:7005:
postdrop:x:7006:
mail:x:7007:
GROUPS
  printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
  printf 'passwd: files\ngroup: files\nhosts: files\n' >"$root/etc/nsswitch.conf"
  printf 'mx.example.test\n' >"$root/etc/mailname"
  printf 'nameserver 127.0.0.1\n' >"$root/etc/resolv.conf"
  printf 'tcp 6 TCP\n' >"$root/etc/protocols"
  printf 'smtp 25/tcp\n' >"$root/etc/services"
}

for name in postfix exim4-daemon-light opensmtpd; do
  root=$folder/${name%%4-*}
  rm -rf "$root"
  mkdir -p "$root"
  dpkg -x "$name"_*.deb "$root"
  [ "$name" != postfix ] || dpkg -x libsasl2-modules_*.deb "$root"
  [ "$name" != exim4-daemon-light ] || dpkg -x libidn12_*.deb "$root"
  complete "$root"
done
