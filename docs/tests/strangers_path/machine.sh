#!/usr/bin/env bash
# A machine of its own for one script: private /etc, /opt, /srv, /var, /run and /root on top of this machine's, its own
# processes, and a network that is nothing but a loopback. All of it is gone with the last process.
#
#   unshare --mount --net --pid --uts --fork --kill-child --mount-proc machine.sh SCRATCH WHEELS CLONE SCRIPT
set -euo pipefail
scratch=$1 wheels=$2 clone=$3 script=$4

mount -t tmpfs -o mode=0755 tmpfs "$scratch"
for folder in etc opt srv var run root; do
    mkdir -p "$scratch/$folder/upper" "$scratch/$folder/work"
    mount -t overlay overlay \
        -o "lowerdir=/$folder,upperdir=$scratch/$folder/upper,workdir=$scratch/$folder/work" "/$folder"
done
ip link set lo up
# A machine has an address that is no loopback; without one the resolver answers nobody who asks for such.
ip address add 198.51.100.7/32 dev lo

# There is no systemd here: what stands in for it starts the units that were installed, as they say.
mkdir -p "$scratch/bin"
cp "$(dirname "$0")/systemctl" "$scratch/bin/systemctl"
export PATH="$scratch/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# There is no network: apt keeps the versions that are installed, and pip finds what it wants in a folder.
echo 'APT::Get::Upgrade "false";' > /etc/apt/apt.conf.d/99no-upgrade
export PIP_NO_INDEX=1 PIP_FIND_LINKS=$wheels PIP_DISABLE_PIP_VERSION_CHECK=1 HOME=/root
cd "$clone"
exec bash "$script"
