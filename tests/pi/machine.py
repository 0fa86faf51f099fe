"""A Raspberry Pi to test on: a Debian tree in a container with its own systemd and a network that can be unplugged."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from tests.checkout import CHECKOUT
from tests.stock_image import ROOT_AT, SECTOR

SHARED = CHECKOUT.parent / "shared"
PROGRAM = "/opt/crokinole-table/current/bin"
HOST_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
WITH_US = ("setpriv", "--pdeathsig", "TERM")  # what it starts ends when the tests are killed
REBOOT = 133  # systemd-nspawn's exit status when the container wants to start again
PATIENCE = 120.0  # s for a boot or an end, on a busy machine


def folder():
    """Where prepare.sh puts the trees."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crokinole-table" / "pi"


class Pi:
    """A copy of the tree SUITE, switched on by `boot`. Use it in a `with` statement: nothing of it stays."""

    def __init__(self, suite, image=None):
        """With an `image`, what its root file system holds instead, under a name of its own."""
        self.suite = suite
        self._name = f"{suite}-image" if image else suite
        self._image = image
        self._checkout = "/usr/local/src/crokinole-table" if image else "/home/technician/crokinole-table"
        self.root = folder() / f"{self._name}.running"
        self._log = folder() / f"{self._name}.console"
        self._network = f"crokinole-{self._name}"
        self._container = None
        self._cable = None

    def __enter__(self):
        self._clear()
        if self._image:
            unpack(self._image, self.root)
        else:
            subprocess.run(["cp", "-a", folder() / self.suite, self.root], check=True)
            copy_checkout(self.root / "home/technician/crokinole-table")
            subprocess.run(["chroot", self.root, "chown", "-R", "technician:", "/home/technician"], check=True)
        pip_as_here(self.root)
        subprocess.run(["ip", "netns", "add", self._network], check=True)
        return self

    def __exit__(self, *_):
        self.switch_off()
        self.unplug()
        self._clear()

    def _clear(self):
        """Of this run, or of one that was interrupted."""
        subprocess.run(["ip", "netns", "delete", self._network], check=False, stderr=subprocess.DEVNULL)
        subprocess.run(["rm", "-rf", "--one-file-system", self.root], check=True)

    # power

    def boot(self, *, overlay=False):
        """Switch it on, with the overlay file system if asked, and wait until systemd has started all there is."""
        caches = []
        for name, place in ((f"{self.suite}.packages", "/var/cache/apt/archives"), ("pip", "/root/.cache/pip")):
            (folder() / name / "partial").mkdir(parents=True, exist_ok=True)
            caches.append(f"--bind={folder() / name}:{place}")
        more = ["--volatile=overlay"] if overlay else []
        if SHARED.exists():  # the pictures with truth, which unit tests look for beside the checkout
            more.append(f"--bind-ro={SHARED}:/home/technician/shared")
        with self._log.open("wb") as log:
            self._container = subprocess.Popen(
                [
                    *WITH_US,
                    *("systemd-nspawn", "--quiet", f"--directory={self.root}", f"--machine=pi-{self._name}", "--boot"),
                    *("--register=no", "--keep-unit", "--resolv-conf=off", "--timezone=off", "--link-journal=no"),
                    *("--capability=all", "--system-call-filter=bpf"),  # for DeviceAllow
                    f"--network-namespace-path=/run/netns/{self._network}",
                    *caches,
                    *more,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
                start_new_session=True,
            )
        self._wait_for_systemd()

    def wait_for_screen(self):
        """Return when the screen runs: systemd starts it again after 5 s where its session was not ready yet."""
        wait_for(
            lambda: self.says("systemctl is-active crokinole-screen", user="root", check=False) == "active",
            "the screen does not run",
        )

    def reboot(self):
        """As `sudo reboot` does."""
        self.run("sudo systemctl reboot", check=False)
        assert self._container.wait(PATIENCE) == REBOOT
        self.boot()

    def switch_off(self):
        """Shut it down."""
        container = self._container
        if container is None:
            return
        self._container = None
        first = self._children(container.pid)
        for pid in first:
            os.kill(pid, signal.SIGRTMIN + 4)  # systemd's signal for poweroff
        try:
            container.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(container.pid, signal.SIGKILL)
            for pid in first:
                os.kill(pid, signal.SIGKILL)
            container.wait()

    def _wait_for_systemd(self):
        def up():
            assert self._container.poll() is None, self._log.read_text("utf-8", "replace")[-2000:]
            first = self._children(self._container.pid)
            if not first or not Path(f"/proc/{first[0]}/root/run/systemd/private").exists():
                return False
            state = self.run("systemctl is-system-running", user="root", check=False).stdout.strip()
            return state in ("running", "degraded")

        wait_for(up, "systemd did not start")

    @staticmethod
    def _children(pid):
        try:
            return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
        except OSError:
            return []

    def _first_process(self):
        return self._children(self._container.pid)[0]

    # network

    def plug_in(self):
        """Give it a network, by this computer's."""
        ready, told = os.pipe()
        self._cable = subprocess.Popen(
            [
                *WITH_US,
                *("slirp4netns", "--configure", "--mtu=65520", "--disable-host-loopback", f"--ready-fd={told}"),
                *("--netns-type=path", f"/run/netns/{self._network}", "tap0"),
            ],
            pass_fds=(told,),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(told)
        with os.fdopen(ready, "rb") as pipe:
            assert pipe.read(1), "slirp4netns does not start"
        # as in any network of a house: without it avahi speaks to nobody
        subprocess.run(["ip", "-n", self._network, "link", "set", "tap0", "multicast", "on"], check=True)

    def unplug(self):
        """Take the network away: there is no interface any more."""
        if self._cable is not None:
            self._cable.terminate()
            self._cable.wait()
            self._cable = None

    # what is done on it

    def run(self, command, *, user="technician", check=True):
        """A shell command as this user types it, in the checkout; what it prints, and its status."""
        inside = ["nsenter", "--target", str(self._first_process()), "--all", "--"]
        if user != "root":
            inside += ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", f"--uid={user}"]
            inside += [f"--working-directory={self._checkout}", "--service-type=exec", "--"]
        done = subprocess.run(
            [*inside, "bash", "-c", command],
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"},
        )
        if check and done.returncode != 0:
            said = f"{done.stdout}{done.stderr}\nThe service's log:\n{self.log()}" if user != "root" else done.stderr
            raise AssertionError(f"{command}\nended with {done.returncode} on {self.suite}\n{said}")
        return done

    def says(self, command, **options):
        """What a command prints on its standard output."""
        return self.run(command, **options).stdout.strip()

    def edit(self, path, change):
        """Change a text file on it, by its absolute path."""
        file = self.root / path.lstrip("/")
        file.write_text(change(file.read_text("utf-8")), "utf-8")

    # the table on it

    def get(self, path):
        """The table's answer on port 80, decoded from JSON."""
        return json.loads(self.says(f"curl --silent --show-error --fail --max-time 60 http://localhost{path}"))

    def command(self, **wanted):
        """One command of the scorer at the table's own screen; the state that it leads to."""
        curl = "curl --silent --show-error --fail-with-body --cookie /tmp/jar --cookie-jar /tmp/jar"
        curl += " --header 'Content-Type: application/json'"
        session = json.loads(self.says(f"{curl} --data '{{}}' http://localhost/api/session"))
        curl += f" --header 'X-CSRF-Token: {session['token']}'"
        return json.loads(self.says(f"{curl} --data '{json.dumps(wanted)}' http://localhost/api/command"))

    def systemctl(self, verb, unit="crokinole-table"):
        """`systemctl start` or `restart`.

        systemd may remove the control group that it has just made for a unit, and then fails to start it
        (https://github.com/systemd/systemd/issues/41278). Only after that it is started a second time.
        """
        done = self.run(f"sudo systemctl {verb} {unit}", check=False)
        if done.returncode != 0:
            said = f"{done.stderr}\n{self.log(unit)}"
            assert "Failed to spawn executor" in said or "status=219/CGROUP" in said, said
            self.run(f"sudo systemctl start {unit}")

    def log(self, unit="crokinole-table"):
        """What a service has said last."""
        return self.says(f"journalctl --lines 40 --unit {unit} --no-pager --output cat", user="root", check=False)


def wait_for(condition, otherwise, seconds=PATIENCE):
    """Return when the condition holds; fail with `otherwise` when it takes longer than the seconds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, otherwise
        time.sleep(0.2)


def unpack(image, to):
    """What the kernel's own ext4 finds in the root file system of an image."""
    command = 'mount -o "loop,ro,offset=$1" "$2" /mnt && cp -a /mnt "$3"'
    offset = str(ROOT_AT * SECTOR)
    # in a namespace of its own, so that no mount outlives it
    subprocess.run(["unshare", "--mount", "bash", "-c", command, "unpack", offset, image, to], check=True)


def copy_checkout(to):
    """What git knows of the checkout, as it is now, new files included."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True,
        cwd=CHECKOUT,
        capture_output=True,
    ).stdout
    to.mkdir(parents=True)
    there = b"\0".join(name for name in names.split(b"\0") if name and (CHECKOUT / os.fsdecode(name)).is_file())
    pack = ["tar", "-c", "--null", "-T", "-"]
    packed = subprocess.run(pack, check=True, cwd=CHECKOUT, input=there, capture_output=True)
    subprocess.run(["tar", "-x", "-C", to], check=True, input=packed.stdout)


def pip_as_here(root):
    """Let pip in the tree reach its index the way it is reached from here."""
    if HOST_CERTIFICATES.exists():
        shutil.copy(HOST_CERTIFICATES, root / "etc/pip-certificates.crt")
    listed = subprocess.run(["python3", "-m", "pip", "config", "list"], check=True, capture_output=True, text=True)
    lines = ["[global]", "cert = /etc/pip-certificates.crt"]
    for line in listed.stdout.splitlines():
        name, _, value = line.partition("=")
        if name in ("global.index-url", ":env:.index-url", "global.trusted-host", "global.proxy"):
            lines.append(f"{name.rsplit('.', 1)[1]} = {value.strip(chr(39))}")
    (root / "etc/pip.conf").write_text("\n".join(lines) + "\n", "utf-8")
