"""Every form of every page: requests from other sites, with other methods or under other host names change nothing."""

import datetime
import unittest
import urllib.parse

from support.harness import Peer, ProgramTest, Server
from support.page_forms import FORM, Forms, Site
from support.page_states import State, waking

DAY = datetime.date(2024, 3, 1)


class Writes(ProgramTest):
    def assert_rejected(self, site, address, fields, has_host):
        """Checks that each invalid way to send a form gets its status and changes nothing."""
        body = urllib.parse.urlencode(fields)
        token = dict(fields).get("form_token")
        without = urllib.parse.urlencode([field for field in fields if field[0] != "form_token"])
        own, before = site.own(), site.dump()
        elsewhere = f"http://{site.host.rsplit(':', 1)[0]}:1"
        wrong = [
            ("another site", 403, "POST", site.own(Origin="https://evil.example"), body),
            ("another port", 403, "POST", site.own(Origin=elsewhere), body),
            ("a name that begins the same", 403, "POST", site.own(Origin=f"http://{site.host}.evil.example"), body),
            ("no origin", 403, "POST", {"Content-Type": FORM}, body),
            ("no origin and cross-site", 403, "POST", {"Content-Type": FORM, "Sec-Fetch-Site": "cross-site"}, body),
            ("an opaque origin", 403, "POST", site.own(Origin="null"), body),
            ("cross-site", 403, "POST", site.own(Sec_Fetch_Site="cross-site"), body),
            ("same-site", 403, "POST", site.own(Sec_Fetch_Site="same-site"), body),
            ("text", 403, "POST", {**own, "Content-Type": "text/plain"}, body),
            ("JSON", 403, "POST", {**own, "Content-Type": "application/json"}, "{}"),
            ("parts", 403, "POST", {**own, "Content-Type": "multipart/form-data; boundary=x"}, "--x--"),
            ("no type", 403, "POST", {"Origin": own["Origin"]}, body),
            ("PUT", 405, "PUT", own, body), ("DELETE", 405, "DELETE", own, None), ("PATCH", 405, "PATCH", own, body),
            ("too long", 413, "POST", own, body + "&x=" + "y" * 70_000),
        ]
        if token:
            wrong += [
                ("no token", 403, "POST", own, without),
                ("a wrong token", 403, "POST", own, body.replace(token, token[::-1])),
                ("an empty token", 403, "POST", own, body.replace(token, "")),
                ("another process's token", 403, "POST", own, body.replace(token, self.foreign_token)),
                ("the token in the address", 403, "POST", own, without),
                ("GET", 405, "GET", {}, None),
            ]
        if has_host:
            wrong += [
                ("another host", 421, "POST", {**own, "Host": "evil.example"}, body),
                ("another host with its own origin", 421, "POST", {**own, "Host": "evil.example", "Origin": "http://evil.example"}, body),
                ("another host, by GET", 421, "GET", {"Host": f"evil.example:{site.host.rsplit(':', 1)[1]}"}, None),
            ]
        for name, status, method, headers, sent in wrong:
            in_address = name in ("GET", "the token in the address")
            answer, _ = site.ask(method, f"{address}?{body}" if in_address else address, headers, sent)
            self.assertEqual(answer.status, status, (address, name))
            self.assertIsNone(answer.getheader("Set-Cookie"), (address, name))
            if status == 405:
                self.assertTrue(answer.getheader("Allow"), (address, name))
        self.assertEqual(site.dump(), before, address)

    def changes(self, site, address, fields, is_seen_once=False):
        """Checks that the unchanged form has an effect, so that the rejected requests would have had one."""
        before = site.dump()
        answer, _ = site.ask("POST", address, site.own(Sec_Fetch_Site="same-origin"), urllib.parse.urlencode(fields))
        self.assertEqual(answer.status, 200 if is_seen_once else 303, address)
        self.assertNotEqual(site.dump(), before, address)

    def test_dashboard(self):
        peer = Peer(self)
        peer.script([{"match": "POST *", "do": "reject_ids", "ids": [f"steps/hour/{DAY}/{DAY}T08:00:00Z"], "times": None}])
        state = State(self, "home", DAY, zone="UTC")
        state.read(state.lines(waking(DAY, "Watch", "Watch")), peer.url, status=3)
        other = State(self, "other", DAY, zone="UTC")
        other.wear("A", "B", None)
        away = Site(other.dashboard().url, [])
        self.foreign_token = dict(away.forms("/view/shoes")["/view/shoes/add"])["form_token"]
        for model in ("One", "Two", "Three"):
            state.wear("Maker", model, None)
        state.command("shoes", "start", "Two")
        state.command("shoes", "archive", "Three")
        state.command("pair", "anna")
        ids = {shoe["model"]: shoe["id"] for shoe in state.command("shoes", "list")["shoes"]}
        site = Site(state.dashboard(peer.url).url, [state.data / "healthsync.sqlite", state.data / "devices.sqlite"])
        pages = [f"/view/journal?day={DAY}", "/view/sync", "/view/devices", "/view/shoes"] + [f"/view/shoe?id={identity}" for identity in ids.values()]
        forms = site.forms(*pages)
        verbs = ("add", "edit", "start", "stop", "default", "archive", "unarchive", "delete")
        runs = {f"/view/sync/{name}" for name in ("retry", "sync", "send", "pause", "verify", "clear")}
        self.assertEqual(
            set(forms), {"/view/journal/assign", "/view/journal/clear", "/view/devices/pair", "/view/devices/revoke"}
            | runs | {f"/view/shoes/{verb}" for verb in verbs})
        for address, fields in forms.items():
            values = {"brand": "New", "model": "Shoe", "price": "1 EUR"} if address.endswith(("add", "edit")) else {}
            if address.endswith("pair"):
                # An inbox that only this machine reaches proposes no address for phones.
                self.assertEqual(dict(fields)["address"], "")
                values = {"name": "ben", "address": "https://health.example.org"}
            forms[address] = [(name, values.get(name, value)) for name, value in fields]
            self.assert_rejected(site, address, forms[address], has_host=True)
        delivering = {address: forms.pop(address) for address in runs}
        # In an order in which each form has an effect: an archived pair can neither be worn nor become the default.
        asked = [(address, forms.pop(address)) for address in ("/view/shoes/delete", "/view/devices/revoke")]
        for address in sorted(forms, key=lambda address: (*map(address.endswith, ("unarchive", "archive", "stop", "start")), address)):
            self.changes(site, address, forms[address], is_seen_once=address.endswith("pair"))
        for address, fields in asked:
            before = site.dump()
            answer, question = site.ask("POST", address, site.own(), urllib.parse.urlencode(fields))
            self.assertEqual((answer.status, site.dump()), (200, before), "the first response asks for confirmation")
            self.changes(site, address, dict(Forms(question).found)[address])
        pause = state.data / "healthsync.paused"
        self.assertFalse(pause.exists())
        answer, _ = site.ask("POST", "/view/sync/pause", site.own(), urllib.parse.urlencode(delivering["/view/sync/pause"]))
        self.assertEqual((answer.status, pause.exists()), (303, True))
        self.changes(site, "/view/sync/retry", delivering["/view/sync/retry"])

    def test_server(self):
        state = State(self, "home", DAY)
        server = Server(self, "--config", state.configuration)
        admin, reader = server.token("read", "ingest", "admin"), server.token("read", user="ben")
        site = Site(server.url, [server.database, server.database.parent / "received.db-tokens"])
        self.foreign_token = "0" * 64
        login = [("token", admin)]
        self.assert_rejected(site, "/login", login, has_host=True)
        for token in (reader, admin):
            site.cookie = {}
            answer, _ = site.ask("POST", "/login", site.own(), urllib.parse.urlencode([("token", token)]))
            self.assertEqual(answer.status, 303)
            cookie = answer.getheader("Set-Cookie")
            for word in ("__Host-healthsync=", "HttpOnly", "SameSite=Strict", "Secure", "Path=/"):
                self.assertIn(word, cookie)
            site.cookie = {"Cookie": cookie.split(";")[0]}
            if token == reader:
                of_reader, self.foreign_token = dict(site.cookie), dict(site.forms("/")["/logout"])["form_token"]
        forms = site.forms("/", "/view/tokens")
        self.assertEqual(set(forms), {"/logout", "/view/tokens/create", "/view/tokens/pair", "/view/tokens/revoke"})
        for address, fields in forms.items():
            self.assert_rejected(site, address, fields, has_host=True)
            before, of_admin = site.dump(), site.cookie
            for cookie, status in (({}, 403), (of_reader, 403), ({"Cookie": "__Host-healthsync=" + "0" * 64}, 403)):
                site.cookie = cookie
                answer, _ = site.ask("POST", address, site.own(), urllib.parse.urlencode(fields))
                self.assertEqual(answer.status, status, address)
            # The reader's own form token allows only a logout.
            site.cookie = of_reader
            if address != "/logout":
                own = [(name, self.foreign_token if name == "form_token" else value) for name, value in fields]
                answer, _ = site.ask("POST", address, site.own(), urllib.parse.urlencode(own))
                self.assertEqual(answer.status, 403, address)
            site.cookie = of_admin
            self.assertEqual(site.dump(), before, address)
        self.changes(site, "/view/tokens/create", forms["/view/tokens/create"], is_seen_once=True)
        answer, _ = site.ask("POST", "/logout", site.own(), urllib.parse.urlencode(forms["/logout"]))
        self.assertEqual(answer.status, 303)
        self.assertEqual(site.ask("GET", "/view/tokens")[0].status, 303, "logged out")
        site.cookie = {}
        answer, _ = site.ask("POST", "/login", site.own(), urllib.parse.urlencode(login))
        site.cookie = {"Cookie": answer.getheader("Set-Cookie").split(";")[0]}
        before, fields = site.dump(), site.forms("/view/tokens")["/view/tokens/revoke"]
        answer, question = site.ask("POST", "/view/tokens/revoke", site.own(), urllib.parse.urlencode(fields))
        self.assertEqual((answer.status, site.dump()), (200, before), "the first response asks for confirmation")
        self.changes(site, "/view/tokens/revoke", dict(Forms(question).found)["/view/tokens/revoke"])


if __name__ == "__main__":
    unittest.main()
