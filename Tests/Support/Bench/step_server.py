"""The step server that the receiving server replaces, in the usual form: Flask, a line for each sample appended to a file,
no sync, no deduplication.

    step_server.py FILE PORT
"""

import json
import logging
import os
import sys

from flask import Flask, jsonify, request

app = Flask(__name__)
FILE = sys.argv[1]


@app.get("/health")
def health():
    return jsonify({"status": "ok"})


@app.post("/steps")
def save_steps():
    data = request.get_json(silent=True)
    if data is None:
        return jsonify({"error": "Invalid JSON"}), 400
    if not isinstance(data, dict) or "samples" not in data:
        return jsonify({"error": 'Invalid request body. Expected {"samples": [...]}'}), 400
    samples = data["samples"]
    if not isinstance(samples, list):
        return jsonify({"error": "samples must be a list"}), 400
    if not all(isinstance(sample, dict) for sample in samples):
        return jsonify({"error": "Each sample must be a JSON object"}), 400
    with open(FILE, "a") as file:
        for sample in samples:
            file.write(json.dumps(sample) + "\n")
    return jsonify({"saved": len(samples), "message": "Success"})


@app.get("/steps")
def get_steps():
    samples = []
    if os.path.exists(FILE):
        with open(FILE) as file:
            samples = [json.loads(line) for line in file]
    return jsonify({"samples": samples, "total": len(samples)})


@app.delete("/steps")
def delete_steps():
    if not os.path.exists(FILE):
        return jsonify({"message": "No steps file to delete"})
    os.remove(FILE)
    return jsonify({"message": "All steps deleted successfully"})


if __name__ == "__main__":
    # The time to print a line for every request would be measured too.
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    app.run(port=int(sys.argv[2]), threaded=True)
