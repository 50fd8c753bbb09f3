"""The variations that XML allows: quotes, escapes, spaces, comments, prologs.

`Style` selects its habits once per document and then writes values, tags and noise with them.
All output is well-formed XML 1.0; expat determines its content.
"""

import string

NAMED = {"<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;", "'": "&apos;"}
TRAP = (
    '<Record type="HKQuantityTypeIdentifierStepCount" sourceName="trap" unit="count" '
    'startDate="2020-01-01 00:00:00 +0000" endDate="2020-01-01 00:01:00 +0000" value="666"/>'
)
HALF_TRAPS = [
    "<Record ", "<Record type='HK", 'type="HKQuantityTypeIdentifierStepCount"', "/>", "</Record>",
    "</HealthData>", "<Correlation>", "</Correlation>", '"', "'", "<MetadataEntry key=\"a\" value='b'/>",
]
FOREIGN_NAMES = [
    "xtype", "typeX", "Type", "startDateTime", "StartDate", "start", "values", "Value", "unitX",
    "hk:value", "data-value", "_private.name", "größe", "名", "deviceId", "sourceNameX", "endDates",
]
DTD = """<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 11 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!ATTLIST Record
  type          CDATA #REQUIRED
  unit          CDATA #IMPLIED
  value         CDATA #IMPLIED
  sourceName    CDATA #REQUIRED
  device        CDATA #IMPLIED
  startDate     CDATA #REQUIRED
  endDate       CDATA #REQUIRED
>
<!-- Note: Any Records that appear as children of a correlation also appear as "top-level" records. -->
]>"""


class Style:
    """The habits of one writer. All randomness comes from `rng`, so a seed determines every byte."""

    def __init__(self, rng, prolog_traps=False):
        self.rng = rng
        self.prolog_traps = prolog_traps
        self.line_end = rng.choice(["\n", "\n", "\n", "\r\n", "\r\n", "\r"])
        self.single_quotes = rng.choice([0, 0, 0.5, 1])
        self.references = rng.choice([0, 0, 0.02, 0.3])
        self.shuffled = rng.random() < 0.5
        self.foreign = rng.choice([0, 0.1, 0.6])
        self.wild_space = rng.choice([0, 0, 0.1, 0.5])
        self.noise = rng.choice([0, 0.05, 0.4])
        self.one_line = rng.random() < 0.2
        self.open_close = rng.choice([0, 0.2, 1])

    def chance(self, probability):
        return probability > 0 and self.rng.random() < probability

    def space(self, least=1):
        """Returns white space inside a tag: at least `least` characters."""
        if not self.chance(self.wild_space):
            return " " * least
        count = self.rng.randint(least, least + 4)
        return "".join(self.rng.choice([" ", "\t", self.line_end]) for _ in range(count))

    def reference(self, character):
        """Returns one of the references to a character."""
        forms = [f"&#{ord(character)};", f"&#x{ord(character):x};", f"&#x{ord(character):X};",
                 f"&#{ord(character):07d};", f"&#x{ord(character):08X};"]
        if character in NAMED:
            forms += [NAMED[character]] * 3
        return self.rng.choice(forms)

    def quoted(self, text):
        """Returns an attribute value with its quotes."""
        quote = "'" if self.chance(self.single_quotes) else '"'
        pieces = []
        for character in text:
            if character in "<&" or character == quote or self.chance(self.references):
                pieces.append(self.reference(character))
            elif character == " " and self.chance(self.wild_space * 0.1):
                pieces.append(self.rng.choice(["\t", "\n", "\r\n", "\r", " ", "&#32;"]))
            elif character in "\t\n\r" and self.chance(0.5):
                pieces.append(self.reference(character))
            else:
                pieces.append(character)
        return quote + "".join(pieces) + quote

    def tag(self, name, attributes):
        """Returns `<name a="b"` without its end, with the attributes in this writer's order."""
        attributes = list(attributes)
        if self.chance(self.foreign):
            for foreign in self.rng.sample(FOREIGN_NAMES, self.rng.randint(1, 3)):
                attributes.append((foreign, self.rng.choice(HALF_TRAPS + [TRAP, "", "a > b"])))
        if self.shuffled:
            self.rng.shuffle(attributes)
        written = [f"<{name}"]
        for key, value in attributes:
            around = (self.space(0), self.space(0)) if self.chance(self.wild_space) else ("", "")
            written.append(f"{self.space()}{key}{around[0]}={around[1]}{self.quoted(value)}")
        return "".join(written)

    def element(self, name, attributes, children=()):
        """Returns a whole element; an empty one is self-closing at random."""
        tag = self.tag(name, attributes)
        if not children and not self.chance(self.open_close):
            return tag + self.space(0) + "/>"
        inside = "".join(self.between() + child for child in children)
        if children or self.chance(0.3):
            inside += self.between()
        return f"{tag}{self.space(0)}>{inside}</{name}{self.space(0)}>"

    def between(self):
        """Returns the text between two elements: space, and sometimes noise."""
        space = "" if self.one_line else self.line_end + " " * self.rng.choice([0, 1, 1, 2, 8])
        if self.chance(self.noise):
            space += self.rng.choice([self.comment, self.instruction, self.cdata, self.text])()
            space += "" if self.one_line else self.line_end
        return space

    def _traps(self, forbidden):
        pieces = self.rng.sample(HALF_TRAPS + [TRAP] * 4 + ["-->", "]]>", "?>", "&", "&#", "é 🏃"], 3)
        text = (" " + self.line_end).join(pieces)
        for sequence in forbidden:
            text = text.replace(sequence, "")
        return text

    def comment(self):
        padding = "x" * self.rng.choice([0, 0, 0, 100, 70_000]) if self.chance(0.1) else ""
        return f"<!-- {self._traps(['--'])}{padding} -->"

    def instruction(self):
        target = self.rng.choice(["health", "Record", "xml-stylesheet", "HealthData"])
        return f"<?{target} {self._traps(['?>'])} ?>"

    def cdata(self):
        return f"<![CDATA[{self._traps([']]>'])}]]>"

    def text(self):
        words = ["Record", 'type="x"', "/>", ">", "'", "&lt;Record", "&amp;", "]] >", "--", "&#60;", "é"]
        return " ".join(self.rng.sample(words, 4))

    def prolog(self):
        """Returns byte order mark, declaration, comments and document type; each may be missing."""
        parts = ["\ufeff"] if self.chance(0.15) else [""]
        if self.chance(0.8):
            parts.append(self.rng.choice([
                '<?xml version="1.0" encoding="UTF-8"?>', "<?xml version='1.0' encoding='utf-8' ?>",
                '<?xml version="1.0"?>', '<?xml version = "1.0" encoding="UTF-8" standalone="yes"?>',
            ]) + self.line_end)
        if self.chance(self.noise):
            parts.append(self._prolog_noise() + self.line_end)
        if self.chance(0.6):
            name = self.rng.choice([DTD, DTD, "<!DOCTYPE HealthData>", "<!DOCTYPE HealthData []>"])
            parts.append(name.replace("\n", self.line_end) + self.line_end)
        if self.chance(self.noise * 0.5):
            parts.append(self._prolog_noise() + self.line_end)
        return "".join(parts)

    def _prolog_noise(self):
        noise = self.rng.choice([self.comment, self.instruction])()
        if self.prolog_traps:
            return f'<!-- <HealthData locale="trap"> {TRAP} -->' + noise
        return noise.replace("HealthData", "Other")

    def number(self):
        """Returns a decimal number as exports print it."""
        digits = "".join(self.rng.choice(string.digits) for _ in range(self.rng.randint(1, 12)))
        whole = str(self.rng.randint(0, self.rng.choice([9, 300, 20_000])))
        return whole if self.chance(0.5) else f"{whole}.{digits}"
