"""Requests of phone apps, written from the published documentation of each app and not from the code of this project."""
