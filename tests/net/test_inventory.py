from tests.net.inventory import disagreements


def test_what_is_kept_is_there_what_is_gone_stays_gone_and_what_is_new_is_marked():
    assert not (found := disagreements()), "\n".join(found)
