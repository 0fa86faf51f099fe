"""The club's pages: organiser, hall, players' phones, boards. Their only access is `controller.club.desk`."""

from web_ui.club.app import create_club_app

__all__ = ["create_club_app"]
