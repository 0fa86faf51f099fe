"""The club's pages: organiser, hall, players' phones, boards. They know the hub by `controller.club.api` alone."""

from web_ui.club.app import create_club_app

__all__ = ["create_club_app"]
