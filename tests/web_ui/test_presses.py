"""A pad that is redrawn by the answer to one touch while it is pressed for the next loses no point."""

from tests.web_ui.test_thumb import by_hand, page  # noqa: F401 - the phone


def test_the_answer_to_one_touch_does_not_take_the_next_one_away(played, page):  # noqa: F811
    by_hand(page, played)
    held = []
    page.route("**/api/**", lambda route: route.continue_() if held else held.append(route))
    pad = page.locator(".pad.side-A .of-15")
    pad.click()
    pad.hover()
    page.mouse.down()
    while not held:
        page.wait_for_timeout(1)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        held[0].continue_()
    page.wait_for_function("() => localStorage.taps === '[]'")
    page.mouse.up()
    page.wait_for_selector(".pad.side-A .sum:has-text('30')")
