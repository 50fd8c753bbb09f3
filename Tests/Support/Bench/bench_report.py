"""Writes the rows of a measurement as JSON, and the comparisons with other programs as bars in SVG."""

import html
import json
import os
import pathlib
import platform
import re
import subprocess
import sys

WIDTH, NAME, ROW = 720, 250, 26


def machine():
    """Returns what the figures depend on."""
    info = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    return {"cpu": found[1] if found else platform.processor(), "cores": os.cpu_count(), "system": platform.platform(),
            "load": os.getloadavg()[0]}


def write_json(bench):
    version = subprocess.run([bench.binary, "--version"], capture_output=True, text=True).stdout.strip()
    report = {"version": version, "machine": machine(), "command": " ".join(sys.argv), "rows": bench.rows,
              "imports": bench.imports}
    (bench.out / "bench.json").write_text(json.dumps(report, indent=1) + "\n")


def groups(bench):
    """Returns titles with bars: a name, a value and its text."""
    if bench.imports:
        yield (f"Import of {bench.years} years, seconds (less is better)",
               [(name, seconds, f"{seconds:.1f}") for name, seconds in sorted(bench.imports.items(), key=lambda bar: bar[1])])
    for row in bench.rows:
        rates = re.match(r"([\d,]+) against ([\d,]+) a second", row["seen"])
        if rates and row["name"].startswith("serve / Flask"):
            values = [float(rate.replace(",", "")) for rate in rates.groups()]
            yield (f"Samples a second, {row['name'].split(': ')[1]} (more is better)",
                   [("healthsync serve", values[0], rates[1]), ("Flask server", values[1], rates[2])])


def write_svg(bench):
    """Writes bars that are readable on light and dark backgrounds; nothing without a comparison."""
    lines, y = [], 0
    for title, bars in groups(bench):
        y += ROW + 8
        lines.append(f'<text x="0" y="{y - 8}" font-weight="bold">{html.escape(title)}</text>')
        largest = max(value for _, value, _ in bars)
        for name, value, text in bars:
            width = max(1, (WIDTH - NAME - 90) * value / largest)
            color = "#2f7d5b" if name.startswith("healthsync") else "#8a8f98"
            lines.append(f'<text x="0" y="{y + 16}">{html.escape(name)}</text>'
                         f'<rect x="{NAME}" y="{y + 3}" width="{width:.1f}" height="{ROW - 8}" rx="3" fill="{color}"/>'
                         f'<text x="{NAME + width + 6:.1f}" y="{y + 16}">{text}</text>')
            y += ROW
    if lines:
        (bench.out / "bench.svg").write_text(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 8}" viewBox="0 0 {WIDTH} {y + 8}" '
            'font-family="system-ui, sans-serif" font-size="14" fill="#7a7f87">\n' + "\n".join(lines) + "\n</svg>\n")
