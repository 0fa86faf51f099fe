import pytest

from controller.tools.findings import OURS, ROOMS, Mend, examine_installation


def test_alone_in_its_environment_it_is_well():
    assert examine_installation().text
    assert examine_installation({room: [OURS, OURS] for room in ROOMS} | {"flask": ["Flask"]}).text


def test_another_package_of_the_same_name_is_reported_with_what_to_do():
    with pytest.raises(Mend, match="controller with other-thing") as told:
        examine_installation({room: [OURS] for room in ROOMS} | {"controller": [OURS, "other-thing"]})
    assert "venv" in str(told.value)
