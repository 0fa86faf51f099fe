"""The wheel, as `python -m build` makes it: from the sdist, with everything that the packages hold."""

import shutil
import subprocess
import sys
import zipfile

from tests.checkout import CHECKOUT
from tests.slow import slow

PACKAGES = ("hardware", "firmware_bridge", "controller", "web_ui")


def build(kind, source, into):
    code = f"import sys; from setuptools import build_meta; print(build_meta.build_{kind}(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", code, into], cwd=source, capture_output=True, text=True, check=True)
    return into / done.stdout.splitlines()[-1]


@slow
def test_a_wheel_made_from_the_sdist_holds_every_file_of_the_packages(tmp_path):
    source, unpacked, dist = (tmp_path / name for name in ("source", "unpacked", "dist"))
    for name in PACKAGES:
        shutil.copytree(CHECKOUT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, source)
    files = {str(one.relative_to(source)) for name in PACKAGES for one in (source / name).rglob("*") if one.is_file()}
    dist.mkdir()
    unpacked.mkdir()
    subprocess.run(["tar", "-xf", build("sdist", source, dist), "-C", unpacked], check=True)
    (tree,) = unpacked.iterdir()
    with zipfile.ZipFile(build("wheel", tree, dist)) as wheel:
        assert files - set(wheel.namelist()) == set()
