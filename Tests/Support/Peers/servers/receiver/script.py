"""The fault script of the receiving server.

A script is a JSON list of rules:

    {"match": "POST /api/v1/progress", "times": 2, "after": 0, "do": "status",
     "status": 503, "headers": {"Retry-After": "1"}, "body": {...}}

match   "METHOD /path", `*` and `?` allowed in both; default "* *"
times   how often the rule fires, null for always; default 1
after   how many requests it skips first; default 0
store   whether the request is stored although the response is faulty; default by kind

The first rule that fires applies. Kinds with `*` depend on the members of the body and
neither count nor fire if no member matches. Responses after storing contain the true
results, unless the kind changes them.

status            `status` (503), `headers`, `body` (object, list or raw text)
unauthorized      401 with `WWW-Authenticate: Basic`
redirect          `status` (307) to `location` (/elsewhere)
close             closes the connection before the body is read
close_after_store stores durably, closes the connection before responding
garbage           200 with `body` ("<html>…"); `store` false
truncate          the full Content-Length, half of the response; `store` true
slow              a delay of `seconds` (5), `when` "after" storing (default) or "before" it; another script ends it
huge_body         200 and `size` (10,000,000) bytes of JSON; `store` false
too_large *       413 for more than `limit` records
reject_ids *      200, members with an id in `ids` are rejected with `reason`
reject_all_422 *  `status` (422) without results if a member's id is in `ids`
retry_items *     200, members in `ids` (default: all) get `retry` and are not stored
forget *          200, members in `ids` (or the first `count`) are neither stored nor reported
sparse            results only for members that were not created; counts for all
"""

import fnmatch
import threading

NEEDS_MEMBERS = {"too_large", "reject_ids", "reject_all_422", "retry_items", "forget"}
STORES = {"close_after_store", "truncate", "slow", "reject_ids", "retry_items", "forget", "sparse"}
KINDS = NEEDS_MEMBERS | STORES | {"status", "unauthorized", "redirect", "close", "garbage", "huge_body"}
FIELDS = {"match", "times", "after", "do", "store", "status", "headers", "body", "location", "seconds",
          "when", "size", "limit", "ids", "reason", "count"}


class Rule:
    """A rule and how often it fired."""

    def __init__(self, entry):
        if not isinstance(entry, dict) or entry.get("do") not in KINDS:
            raise ValueError(f"`do` must be one of {', '.join(sorted(KINDS))}")
        if unknown := set(entry) - FIELDS:
            raise ValueError(f"unknown members {sorted(unknown)}")
        self.entry = entry
        self.kind = entry["do"]
        self.method, _, self.path = entry.get("match", "* *").partition(" ")
        self.left = entry.get("times", 1)
        self.skip = entry.get("after", 0)
        self.ids = {str(identity).lower() for identity in entry.get("ids", [])}
        self.stores = entry.get("store", self.kind in STORES)
        self.replaced = threading.Event()

    def get(self, name, default=None):
        return self.entry.get(name, default)

    def matches(self, method, path):
        return fnmatch.fnmatchcase(method, self.method) and fnmatch.fnmatchcase(path, self.path or "*")

    def concerns(self, ids):
        """Whether a rule that depends on members matches these."""
        if self.kind == "too_large":
            return len(ids) > self.get("limit", 0)
        if self.kind in ("reject_ids", "reject_all_422"):
            return any(identity in self.ids for identity in ids)
        return bool(self.chosen(ids))

    def chosen(self, ids):
        """Returns the positions of the members that a rule affects."""
        if self.ids:
            return {index for index, identity in enumerate(ids) if identity in self.ids}
        default = 1 if self.kind == "forget" else len(ids)
        return set(range(min(self.get("count", default), len(ids))))

    def fires(self):
        """Counts a request and returns whether the rule applies to it."""
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.left is None:
            return True
        self.left -= 1
        return self.left >= 0


class Script:
    """The current rules, which PUT /script replaces while the server runs."""

    def __init__(self, entries=()):
        self._lock = threading.Lock()
        self._rules = []
        self.replace(entries)

    def replace(self, entries):
        if not isinstance(entries, (list, tuple)):
            raise ValueError("a script is a list of rules")
        rules = [Rule(entry) for entry in entries]
        with self._lock:
            former, self._rules = self._rules, rules
        for rule in former:
            rule.replaced.set()

    def rule_for(self, method, path, read_ids):
        """Returns the rule that applies to a request, or None. `read_ids()` reads the body and
        returns the ids of its members; it is called only if a rule depends on them."""
        with self._lock:
            rules = [rule for rule in self._rules if rule.matches(method, path)]
        for rule in rules:
            if rule.kind in NEEDS_MEMBERS and not rule.concerns(read_ids()):
                continue
            with self._lock:
                if rule.fires():
                    return rule
        return None
