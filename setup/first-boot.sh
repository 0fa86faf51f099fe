#!/usr/bin/env bash
# On a card made by make-image.sh: installs the table when the Pi is first switched on, and then takes its own service
# away. raspberry-pi.sh gets these options; without --name, the name that the Pi was given by the Imager is kept.
set -euo pipefail
unit=/etc/systemd/system/crokinole-table-first-boot.service

echo "The crokinole table is being installed: some minutes, once. Leave the Pi switched on and in the network."
# trixie gets its user, its name and its Wi-Fi from cloud-init, at the same time as this
if command -v cloud-init >/dev/null; then cloud-init status --wait >/dev/null || true; fi
case " $* " in
    *" --name "*) ;;
    *)
        name=$(hostname)
        [ "$name" = raspberrypi ] || set -- --name "${name,,}" "$@" ;;
esac
if ! "$(dirname "$(readlink -f "$0")")/raspberry-pi.sh" "$@"; then
    echo "The crokinole table is not installed yet: see above. It is tried again in a minute."
    exit 1
fi
rm -f "$unit" /etc/systemd/system/multi-user.target.wants/crokinole-table-first-boot.service
systemctl daemon-reload
