#!/usr/bin/env python3
"""The original step server as its documentation describes it, with Flask and flask-cors.

    step_app_server.py --record FILE

Sends it the requests of the step app and writes requests and answers to FILE, with which the answers of the program are
compared. Needs flask and flask-cors from PyPI; only to record the answers again.
"""

import argparse
import json

EXCHANGES = [
    ("GET", "/health", None, {}),
    ("GET", "/steps", None, {}),
    ("POST", "/steps", {"samples": []}, {}),
    ("POST", "/steps", {"samples": [
        {"uuid": "550E8400-E29B-41D4-A716-446655440000", "startDate": "2024-01-15T08:00:00Z", "endDate": "2024-01-15T09:00:00Z",
         "count": 1250, "sourceBundleId": "com.apple.health", "sourceDeviceName": "iPhone 15"},
        {"uuid": "550E8400-E29B-41D4-A716-446655440001", "startDate": "2024-01-15T09:00:00Z",
         "endDate": "2024-01-15T10:00:00Z", "count": 0, "sourceBundleId": "com.apple.health"}]}, {}),
    ("GET", "/steps", None, {}),
    ("GET", "/steps", None, {"Origin": "https://steps.example"}),
    ("POST", "/steps", {"sample": []}, {}),
    ("POST", "/steps", {"samples": 1}, {}),
    ("POST", "/steps", {"samples": [1]}, {}),
    ("OPTIONS", "/steps", None, {}),
    ("OPTIONS", "/steps", None, {"Origin": "https://steps.example", "Access-Control-Request-Method": "POST",
                                 "Access-Control-Request-Headers": "content-type"}),
    ("OPTIONS", "/steps", None, {"Origin": "https://steps.example", "Access-Control-Request-Method": "BREW"}),
    ("DELETE", "/steps", None, {"Origin": "https://steps.example"}),
    ("DELETE", "/steps", None, {}),
    ("GET", "/steps", None, {}),
]
HEADERS = ["Access-Control-Allow-Origin", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Allow", "Vary"]


def application(origins):
    import flask
    import flask_cors

    server, stored = flask.Flask(__name__), []
    flask_cors.CORS(server, origins=origins)
    # The members in the order of the documentation.
    server.json.sort_keys = False

    @server.get("/health")
    def health():
        return {"status": "ok"}

    @server.get("/steps")
    def steps():
        return {"samples": stored, "total": len(stored), "storedCount": len(stored)}

    @server.post("/steps")
    def save():
        body = flask.request.get_json(silent=True)
        if not isinstance(body, dict) or "samples" not in body:
            return {"error": 'Invalid request body. Expected {"samples": [...]}'}, 400
        if not isinstance(body["samples"], list):
            return {"error": "samples must be a list"}, 400
        if not all(isinstance(sample, dict) for sample in body["samples"]):
            return {"error": "Each sample must be a JSON object"}, 400
        stored.extend(body["samples"])
        return {"saved": len(body["samples"]), "message": "Success"}

    @server.delete("/steps")
    def delete():
        found = bool(stored)
        stored.clear()
        return {"message": "All steps deleted successfully" if found else "No steps file to delete"}

    return server.test_client()


def record(origins):
    client, answers = application(origins), []
    for method, path, body, headers in EXCHANGES:
        answer = client.open(path, method=method, json=body, headers=headers)
        answers.append({
            "method": method, "path": path, "body": body, "headers": headers, "status": answer.status_code,
            "answer": answer.get_json(silent=True),
            "answerHeaders": {name: answer.headers[name] for name in HEADERS if name in answer.headers}})
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", required=True)
    recorded = {name: record(origins) for name, origins in
                {"*": "*", "https://steps.example": ["https://steps.example"]}.items()}
    with open(parser.parse_args().record, "w") as file:
        json.dump(recorded, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
