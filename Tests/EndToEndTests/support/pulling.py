"""A server on which posts of phones wait, and the machine that pulls them."""

import json

from support.harness import Server
from support.watch import ZONE, InboxTest, authorize, send


class PullTest(InboxTest):
    """A test with a receiving server. Users and phones are created by commands on the server."""

    def serve(self, *words, folder="served", **options):
        self.server = Server(self, *words, folder=folder, **options)
        return self.server

    def phone(self, user="anna", name="phone", *words, folder="served"):
        """Pairs a phone of a user; returns what the command prints."""
        store = words or ("--data-dir", folder)
        return self.json_of("pair", name, "--user", user, "--address", "https://health.example", *store)

    def inbox_token(self, user="anna", scope="inbox", *words, folder="served"):
        store = words or ("--data-dir", folder)
        return self.json_of("token", "create", "--user", user, "--scope", scope, *store)["token"]

    def post(self, request, token=None, place="bearer"):
        """Sends a request of a phone to the inbox of the server."""
        return send(self.server.url + "/inbox", authorize(request, token, place) if token else request)

    def accept(self, request, token=None, place="bearer"):
        answer = self.post(request, token, place)
        self.assertTrue(answer.accepted, f"{request.method} {request.path}: {answer.status} {answer.body[:400]}")
        return answer

    def options(self, token, data="data", url=None):
        self.environment["HEALTHSYNC_TOKEN"] = token
        return ("--server", url or self.server.url, "--config", self.config, "--zone", ZONE, "--data-dir", data)

    def pull(self, token, data="data", url=None):
        """Pulls and imports; returns what the command prints."""
        return self.json_of("pull", *self.options(token, data, url))

    def waiting(self, token):
        """Returns the posts that wait on the server."""
        status, _, body = self.server.request("GET", "/api/v1/inbox/posts", headers={"Authorization": f"Bearer {token}"})
        self.assertEqual(status, 200, body)
        return json.loads(body)["posts"]

    def files(self, folder="served"):
        """Returns the files of posts on the server, also of those that are being received."""
        inboxes = self.folder / folder / "server/received.db-inbox"
        return sorted(path for path in inboxes.rglob("*") if path.is_file() and path.name != "healthsync.lock")
