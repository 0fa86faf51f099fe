"""The club's hub: tables' reports and the organiser's decisions, combined into the evening's tournament."""
