"""The pages of shoes: each figure equals that of `shoes list` and `shoes show`, and each button and form has its effect."""

import datetime
import random
import sqlite3
import time
import unittest
from contextlib import closing

from support.browser import MISSING, Browser, By
from support.harness import ProgramTest
from support.page_cells import value
from support.page_figures import PageFigures
from support.page_states import State
from support.times import instant

LAST = datetime.date(2025, 12, 31)


@unittest.skipIf(MISSING, MISSING)
class ShoePages(ProgramTest):
    def setUp(self):
        super().setUp()
        self.state = State(self, "worn", LAST)
        export, _ = self.generate("export.zip", "--years", "1", "--seed", "7", "--density", "0.1", "--no-travel")
        self.state.read(export)
        self.address = self.state.dashboard().url
        self.browser = Browser(self)
        self.figures = PageFigures(self, self.browser, self.address, self.state.command)

    def shoes(self):
        return {shoe["model"]: shoe for shoe in self.state.command("shoes", "list")["shoes"]}

    def rows(self, query):
        with closing(sqlite3.connect(f"file:{self.state.data}/healthsync.sqlite?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def add(self, **details):
        self.browser.visit(self.address + "/view/shoes", audit=False)
        self.browser.fill(**details)
        self.browser.press("Add shoes")
        return self.shoes()[details["model"]]

    def test_figures(self):
        self.add(brand="Salomon", model="Speedcross 6", emoji="👟", color="#aa3300", purchased="2025-01-02", price="139.95 EUR")
        self.add(brand="Nike", model="Pegasus", price="90 USD")
        self.add(brand="Never", model="Worn", price="10 GBP")
        chance = random.Random(3)
        for model, count in (("Speedcross 6", 110), ("Pegasus", 12)):
            for day in chance.sample(range(300), count):
                first = chance.randrange(6, 20)
                self.state.command("shoes", "assign", model, "--day", LAST - datetime.timedelta(day),
                                   "--hours", f"{first}-{first + chance.randrange(3)}")
        self.browser.visit(self.address + "/view/shoes")
        self.browser.press("Start session: Nike Pegasus")
        self.state.command("shoes", "archive", "Worn")
        self.collection()
        for shoe in self.shoes().values():
            self.one(shoe)
        self.state.command("shoes", "stop")
        self.state.command("shoes", "archive", "Pegasus")
        self.collection()
        self.one(self.shoes()["Pegasus"])

    def facts_of(self, shoe):
        return {name: shoe[member] for name, member in (
            ("Distance", "walkingDistanceKilometres"), ("Steps", "steps"), ("Worn", "wornMinutes"),
            ("Cost per kilometre", "costPerKilometre")) if shoe[member] is not None}

    def name_of(self, shoe):
        return " ".join(filter(None, [shoe["emoji"], shoe["brand"], shoe["model"]]))

    def near(self, found, wanted, shoe, began):
        """Compares the figures of a pair. If it is being worn, the page shows a longer time worn than the command before it,
        at most by the time since `began`, the instant before the command."""
        self.assertEqual(list(found), list(wanted))
        for name in wanted:
            later = (time.monotonic() - began) / 60 if name == "Worn" and shoe["wornNow"] else 0
            difference = value(found[name]) - wanted[name]
            self.assertTrue(-1e-4 <= difference <= later + 1e-4, (shoe["model"], name, difference, later))

    def collection(self):
        began = time.monotonic()
        shoes = self.shoes().values()
        sections = self.figures.show("/view/shoes")
        current = [shoe for shoe in shoes if not shoe["archivedAt"]]
        cards = sections[:len(current)]
        self.assertEqual([card["heading"] for card in cards], [self.name_of(shoe) for shoe in current])
        for card, shoe in zip(cards, current):
            self.near(card["facts"], self.facts_of(shoe), shoe, began)
            self.assertEqual("worn now" in card["text"], shoe["wornNow"])
            self.assertEqual("default" in card["text"], shoe["default"])
        rows = self.figures.section(sections, heading="Archive")["tables"][0]["rows"]
        archived = [shoe for shoe in shoes if shoe["archivedAt"]]
        self.assertEqual([row[0]["text"] for row in rows], [self.name_of(shoe) for shoe in archived])
        for row, shoe in zip(rows, archived):
            self.figures.same([value(cell) for cell in row[1:]],
                              [shoe[name] for name in ("steps", "walkingDistanceKilometres", "wornMinutes")])

    def one(self, shoe):
        began = time.monotonic()
        output = self.state.command("shoes", "show", shoe["id"])
        shoe, worn = output["shoe"], output["sessions"]
        sections = self.figures.show(f"/view/shoe?id={shoe['id']}")
        section = self.figures.section(sections, id="shoe")
        self.assertEqual(section["heading"], self.name_of(shoe))
        facts = section["facts"]
        known = self.facts_of(shoe)
        self.near({name: facts[name] for name in facts if name in known}, known, shoe, began)
        self.assertEqual(facts["Sessions"]["values"], [shoe["sessionCount"]])
        for name, member in (("First worn", "wornSince"), ("Last worn", "lastWorn"), ("Archived", "archivedAt")):
            if shoe["wornNow"] and name == "Last worn":
                continue
            times = [instant(time) for time in facts.get(name, {"times": []})["times"]]
            self.assertEqual(times, [instant(shoe[member])] if shoe[member] else [], name)
        self.assertEqual(facts.get("Bought", {"times": []})["times"], [shoe["purchased"]] if shoe["purchased"] else [])
        self.assertEqual(facts.get("Color", {"text": None})["text"], shoe["color"])
        price = f"{shoe['price']['amount']:.2f} {shoe['price']['currency']}"
        self.assertEqual((facts["Price"]["values"], facts["Price"]["text"]), ([shoe["price"]["amount"]], price))
        listed = self.figures.section(sections, heading="Sessions")
        if not worn:
            return self.assertIn("Never worn", listed["text"])
        table, latest = listed["tables"][0], sorted(worn, key=lambda one: instant(one["start"]))[:-101:-1]
        self.assertEqual(len(table["rows"]), min(100, len(worn)))
        self.assertIn(str(len(worn)), table["caption"])
        for row, session in zip(table["rows"], latest, strict=True):
            self.assertEqual(instant(row[0]["times"][0]), instant(session["start"]))
            if session["end"] is None:
                self.assertEqual(row[1]["text"], "worn now")
                continue
            self.assertEqual(instant(row[1]["times"][0]), instant(session["end"]))
            length = (instant(session["end"]) - instant(session["start"])).total_seconds() / 60
            self.assertAlmostEqual(value(row[2]), length, delta=1e-4)

    def test_every_button_and_form_changes_the_database(self):
        first = self.add(brand="Salomon", model="One", emoji="👟", color="red", purchased="2025-01-02", price="139.95 EUR")
        self.assertEqual((first["default"], first["price"], first["purchased"], first["color"]),
                         (True, {"amount": 139.95, "currency": "EUR"}, "2025-01-02", "red"))
        second = self.add(brand="Nike", model="Two")
        page = f"{self.address}/view/shoe?id={second['id']}"
        self.browser.visit(page)
        self.browser.press("Start session: Nike Two")
        self.assertTrue(self.shoes()["Two"]["wornNow"])
        self.assertEqual(self.rows("SELECT shoe_id, end_ms FROM shoe_session"), [(second["id"], None)])
        self.browser.press("End session: Nike Two")
        self.assertFalse(self.shoes()["Two"]["wornNow"])
        self.browser.press("Make default: Nike Two")
        self.assertEqual([shoe["default"] for shoe in self.shoes().values()], [False, True])
        self.browser.fill(brand="Nike & Söhne", model="Two", emoji="🥾", price="80 CHF")
        self.browser.press("Save")
        changed = self.shoes()["Two"]
        self.assertEqual((changed["brand"], changed["emoji"], changed["price"], changed["id"]),
                         ("Nike & Söhne", "🥾", {"amount": 80, "currency": "CHF"}, second["id"]))
        self.browser.fill(emoji="", price="", color="")
        self.browser.press("Save")
        self.assertEqual([self.shoes()["Two"][name] for name in ("emoji", "price")], [None, None])
        self.browser.press("Archive: Nike & Söhne Two")
        self.assertTrue(self.shoes()["Two"]["archivedAt"])
        self.assertEqual(self.rows("SELECT count(*) FROM shoe WHERE archived_at_ms IS NOT NULL"), [(1,)])
        self.browser.press("Restore: Nike & Söhne Two")
        self.assertIsNone(self.shoes()["Two"]["archivedAt"])
        before = self.shoes()
        for wrong in ({"price": "much"}, {"color": "#12345"}, {"emoji": "no emoji"}):
            self.browser.visit(page, audit=False)
            self.browser.fill(**wrong)
            self.browser.press("Save", is_rejected=True)
            self.assertTrue(self.browser.driver.find_elements(By.CSS_SELECTOR, "[role=alert]"), wrong)
        self.assertEqual(self.shoes(), before)
        self.browser.visit(page, audit=False)
        self.browser.press("Delete: Nike & Söhne Two")
        self.assertEqual(self.shoes(), before, "the first press only asks")
        self.browser.press("Delete permanently")
        self.assertEqual(list(self.shoes()), ["One"])
        self.assertEqual(self.rows("SELECT count(*) FROM shoe_session"), [(0,)])


if __name__ == "__main__":
    unittest.main()
