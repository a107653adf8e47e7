"""Records `Corpus/rule-coverage.json`: requests to a running official emulator, and its `:ruleCoverage` afterwards.

    python3 Corpus/tools/rule_coverage.py 127.0.0.1:PORT

Values with times or tokens, which are those of the recording, are replaced by an ellipsis.
"""

import base64
import json
import sys
import urllib.error
import urllib.request

FILE = "Corpus/rule-coverage.json"


def call(host, method, path, body=None, uid=None):
    headers = {"content-type": "application/json"}
    if uid is not None:
        headers["authorization"] = "Bearer " + token(uid)
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://{host}{path}", method=method, data=data, headers=headers)
    try:
        return json.load(urllib.request.urlopen(request))
    except urllib.error.HTTPError as error:
        return {"error": error.code}


def token(uid):
    claims = {
        "iss": "https://securetoken.google.com/demo", "aud": "demo", "sub": uid, "user_id": uid, "iat": 1767225600,
        "exp": 4102444800, "auth_time": 1767225600, "firebase": {"sign_in_provider": "custom", "identities": {}},
    }

    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return part({"alg": "none", "typ": "JWT"}) + "." + part(claims) + "."


def stripped(value):
    text = json.dumps(value)
    return "…" if any(word in text for word in ('"timestampValue"', '"iss"', '"time"')) else value


def node(reported):
    result = {"sourcePosition": reported["sourcePosition"]}
    if "values" in reported:
        result["values"] = [{"value": stripped(v["value"]), "count": v["count"]} for v in reported["values"]]
    if "children" in reported:
        result["children"] = [node(child) for child in reported["children"]]
    return result


def main(host):
    recording = json.load(open(FILE))
    files = {"rules": {"files": [{"name": "security.rules", "content": recording["rules"]}]}}
    call(host, "PUT", "/emulator/v1/projects/demo:securityRules", files)
    root = "/v1/projects/demo/databases/(default)/documents"
    name = "projects/demo/databases/(default)/documents/"
    for request in recording["requests"]:
        if "get" in request:
            call(host, "GET", f"{root}/{request['get']}", uid=request["uid"])
            continue
        if "list" in request:
            call(host, "POST", root + ":runQuery", {"structuredQuery": request["list"]}, uid=request["uid"])
            continue
        write = {"delete": name + request["delete"]} if "delete" in request else {
            "update": {"name": name + request["create"], "fields": {request["data"]: {"integerValue": "1"}}},
            "currentDocument": {"exists": False},
        }
        call(host, "POST", root + ":commit", {"writes": [write]}, uid=request["uid"])
    answer = call(host, "GET", "/emulator/v1/projects/demo:ruleCoverage")
    recording["report"] = [node(reported) for reported in answer["report"]]
    with open(FILE, "w") as file:
        json.dump(recording, file, indent=1, ensure_ascii=False)
        file.write("\n")


main(sys.argv[1])
