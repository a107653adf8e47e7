"""Puts expressions to a Firestore emulator by its public HTTP interface, many to a ruleset.

The emulator is expected at FIRESTORE_EMULATOR_HOST (default 127.0.0.1:8086).
"""
import base64, json, os, urllib.error, urllib.request

HOST = os.environ.get("FIRESTORE_EMULATOR_HOST", "127.0.0.1:8086")


def call(method, path, body=None, auth=None):
    r = urllib.request.Request(f"http://{HOST}{path}", method=method,
                               data=None if body is None else json.dumps(body).encode())
    r.add_header("Content-Type", "application/json")
    if auth == "owner":
        r.add_header("Authorization", "Bearer owner")
    elif auth is not None:
        part = lambda d: base64.urlsafe_b64encode(json.dumps(d).encode()).decode().rstrip("=")
        claims = {"sub": "u1", "user_id": "u1", "iat": 1700000000, "exp": 4000000000, **auth}
        r.add_header("Authorization", f"Bearer {part({'alg': 'none', 'type': 'JWT'})}.{part(claims)}.")
    try:
        with urllib.request.urlopen(r, timeout=120) as f:
            status, text = f.status, f.read().decode()
    except urllib.error.HTTPError as e:
        status, text = e.code, e.read().decode()
    return status, json.loads(text) if text.strip() else None


class Emulator:
    def __init__(self, project):
        self.project = project
        self.documents = f"/v1/projects/{project}/databases/(default)/documents"

    def put(self, source):
        return call("PUT", f"/emulator/v1/projects/{self.project}:securityRules",
                    {"rules": {"files": [{"name": "security.rules", "content": source}]}}, "owner")

    def ask(self, questions, operation, request, chunk=150):
        """What each condition comes to: {'value': …}, {'message': …}, {'unknown': True} or {'compile': …}.

        `request(i, question)` makes the request whose rule is the i-th of the chunk, on collection `c{i}`.
        """
        out = []
        for i in range(0, len(questions), chunk):
            out += self._ask(questions[i:i + chunk], operation, request)
        return out

    def _ask(self, questions, operation, request):
        source = "rules_version = '2';\nservice cloud.firestore {\n match /databases/{database}/documents {\n"
        for i, q in enumerate(questions):
            source += f"match /c{i}/{{id}} {{ allow {operation}: if\n{q['expr']}\n; }}\n"
        source += " }\n}\n"
        status, body = self.put(source)
        if status != 200:
            if len(questions) == 1:
                return [{"compile": body["error"]["message"]}]
            m = len(questions) // 2
            return self._ask(questions[:m], operation, request) + self._ask(questions[m:], operation, request)
        answers = [request(i, q) for i, q in enumerate(questions)]
        _, report = call("GET", f"/emulator/v1/projects/{self.project}:ruleCoverage", auth="owner")
        nodes = {n["sourcePosition"]["line"]: n for n in report.get("report", [])}
        out = []
        for i, (status, body) in enumerate(answers):
            values = nodes.get(5 + 3 * i, {}).get("values")
            if status == 500 or not values:
                out.append({"status": status})
                continue
            value = values[-1]["value"]
            if "undefined" not in value:
                out.append({"value": value})
            elif "causeMessage" in value["undefined"]:
                out.append({"message": value["undefined"]["causeMessage"]})
            else:
                out.append({"unknown": True})
        return out
