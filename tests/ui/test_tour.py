"""Five steps, each seen to be done by the user's own hand."""

from __future__ import annotations

from pathlib import Path

from gradviz.ui.asking.tour import STEPS
from gradviz.ui.widgets.tour_card import TourCard
from tests.ui.conftest import App


def at(app: App) -> int | None:
    return app.window.tour.at


def begun(app: App) -> TourCard:
    app.window.action("tour").trigger()
    app.settle()
    assert app.window.tour.card is not None
    return app.window.tour.card


def test_the_start_page_offers_it_until_it_was_seen(app: App) -> None:
    gallery = app.window.stage.gallery
    assert not gallery.tour.isHidden()
    gallery.tour.click()
    app.settle()
    assert at(app) == 0
    assert gallery.tour.isHidden()
    assert app.window.settings["toured"] is True


def test_it_goes_on_when_the_user_did_what_was_asked(app: App, tmp_path: Path) -> None:
    window, card = app.window, begun(app)
    player = window.player
    assert (at(app), card.isVisible(), card.count.text()) == (0, True, "1 / 5")
    window.starting.choose("sum")
    app.settle()
    assert at(app) == 1
    assert player.position == player.last  # not played yet: that it stands there does not count
    player.set_speed(4.0)
    player.play()
    app.qtbot.waitUntil(lambda: at(app) == 2, timeout=20_000)
    window.starting.choose("ones")
    app.settle()
    assert at(app) == 3
    window.starting.choose("onehot:0")
    app.settle()
    assert at(app) == 4
    window.commands.export(tmp_path / "mine.svg")
    assert (tmp_path / "mine.svg").exists()
    assert at(app) == len(STEPS)
    card.next.click()
    assert at(app) is None
    assert not card.isVisible()


def test_steps_can_be_passed_over_and_the_tour_be_left(app: App) -> None:
    card = begun(app)
    card.next.click()
    assert at(app) == 1
    card.leave.click()
    assert at(app) is None
    assert not card.isVisible()
    app.window.starting.choose("sum")
    app.settle()
    assert not card.isVisible()  # nothing brings it back


def test_its_words_follow_the_language_and_its_place_the_window(app: App) -> None:
    card = begun(app)
    for _step in STEPS[1:]:
        card.next.click()
    assert card.next.text() == "Export…"
    app.window.resize(1000, 640)
    app.qtbot.waitUntil(lambda: app.window.rect().contains(card.geometry()))
    app.window.commands.set_language("zh")
    app.settle()
    assert card.next.text() == "导出…"
