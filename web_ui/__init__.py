"""The scoreboard: pages, event stream and commands over `controller.api`."""
