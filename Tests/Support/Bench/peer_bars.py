"""The same export imported by programs of others, each alternating with `historical`."""

import shutil

# Package, program, its arguments (with {zip}, {xml} and {out}), and the least ratio to `historical`; 0 for no bar.
PEERS = [
    ("healthkit-to-sqlite==1.0.1", "healthkit-to-sqlite", ["{zip}", "{out}.db"], 40),
    ("atlas-db==0.2.11", "atlas", ["parquet", "-o", "{out}.parquet", "{xml}"], 0),
    ("apple-health-export-mcp==0.1.1", "apple-health-export-mcp-ingest", ["--db", "{out}.db", "{zip}"], 0),
    ("vitalog==0.2.3", "vitalog", ["load", "apple", "--file", "{zip}", "--db", "{out}.duckdb"], 0),
]


def peers(bench):
    archive = bench.export(bench.years)
    for package, program, words, bar in PEERS:
        name = package.split("==")[0]
        python = bench.venv(package)
        if not python:
            print(f"{name}: cannot be installed; the comparison of historical is skipped")
            continue
        folder = bench.out / "theirs"
        values = {"zip": archive, "xml": bench.xml(bench.years), "out": folder / name}

        def prepare():
            bench.fresh()
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

        command = [str(python.with_name(program)), *(word.format(**values) for word in words)]
        try:
            ours, theirs = bench.paired(
                f"{name} / historical, {bench.years} years", bench.historical(archive), [command], bar, prepare,
                at_least=True, runs=min(bench.runs, 3))
        except RuntimeError as error:
            print(f"{name}: {error}")
            continue
        bench.imports.setdefault("healthsync historical", ours)
        bench.imports[package.replace("==", " ")] = theirs
    shutil.rmtree(bench.out / "theirs", ignore_errors=True)
