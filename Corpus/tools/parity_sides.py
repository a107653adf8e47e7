"""The two sides of a parity question: the official emulator, asked over HTTP, and our `rules-answer`."""
import base64, gzip, hashlib, http.client, json, os, re, socket, subprocess, time, urllib.parse

MAIN = "com.google.cloud.datastore.emulator.firestore.CloudFirestore"
OUR_TIME = "2026-01-01T00:00:00.123Z"


def jar():
    """Where the emulator is installed; None when it is not."""
    if os.environ.get("FIRESTORE_EMULATOR_JAR"):
        return os.environ["FIRESTORE_EMULATOR_JAR"]
    try:
        text = subprocess.run(["dpkg", "-L", "google-cloud-cli-firestore-emulator"], capture_output=True, text=True).stdout
    except OSError:
        return None
    return next((line for line in text.splitlines() if line.endswith("firestore-emulator.jar")), None)


def start():
    """A running emulator: (host:port, process or None)."""
    if os.environ.get("FIRESTORE_EMULATOR_HOST"):
        return os.environ["FIRESTORE_EMULATOR_HOST"], None
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    process = subprocess.Popen(["java", "-cp", jar(), MAIN, "start", "--host=127.0.0.1", f"--port={port}"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.1)
    return f"127.0.0.1:{port}", process


def token(claims):
    part = lambda d: base64.urlsafe_b64encode(json.dumps(d).encode()).decode().rstrip("=")
    return f"{part({'alg': 'none', 'type': 'JWT'})}.{part(claims)}."


def plain(value):
    """A reported value in a form in which equal values are equal: canonical JSON, times of requests blanked."""
    def tidy(x):
        if isinstance(x, dict):
            if "undefined" in x and len(x) == 1:
                cause = x["undefined"].get("causeMessage")
                return {"error": cause} if cause is not None else {"unknown": True}
            if "floatValue" in x:
                return {"floatValue": str(float(x["floatValue"]))}
            return {k: tidy(v) for k, v in x.items()}
        if isinstance(x, list):
            return [tidy(v) for v in x]
        return "NOW" if isinstance(x, str) and (x == OUR_TIME or x.startswith(plain.today)) else x
    return json.dumps(tidy(value), sort_keys=True, ensure_ascii=True)


plain.today = time.strftime("%Y-%m-%dT%H", time.gmtime())[:10]


class Emulator:
    """Asked over HTTP. `answers` is a file in which its answers are kept, for questions that were asked before."""
    def __init__(self, host, project, answers=None):
        self.host, self.project = host, project
        self.known, self.file = {}, None
        if answers:
            if os.path.exists(answers):
                with gzip.open(answers, "rt") as file:
                    try:
                        self.known = {key: answer for key, answer in map(json.loads, file)}
                    except (EOFError, ValueError):
                        pass
            self.file = gzip.open(answers, "at", compresslevel=3)
        self.database = f"/v1/projects/{project}/databases/(default)/documents"
        self.connection = http.client.HTTPConnection(host, timeout=120)

    def call(self, method, path, body=None, auth=None):
        headers = {"Content-Type": "application/json"}
        if auth == "owner":
            headers["Authorization"] = "Bearer owner"
        elif auth is not None:
            headers["Authorization"] = "Bearer " + token(auth)
        data = None if body is None else json.dumps(body).encode("utf-8", "surrogatepass")
        for attempt in (0, 1):
            try:
                self.connection.request(method, path, data, headers)
                answer = self.connection.getresponse()
                text = answer.read().decode("utf-8", "replace")
                break
            except (http.client.HTTPException, OSError):
                self.connection.close()
                self.connection = http.client.HTTPConnection(self.host, timeout=120)
                if attempt:
                    raise
        return answer.status, json.loads(text) if text.strip() else None

    def ask(self, question, again=False):
        if self.file is None:
            return self.asked(question)
        asked = json.dumps([question["rules"], question["documents"], question["requests"]])
        key = hashlib.sha1(asked.encode()).hexdigest()[:20]
        if again or key not in self.known:
            self.known[key] = self.asked(question)
            self.file.write(json.dumps([key, self.known[key]]) + "\n")
        return self.known[key]

    def asked(self, question):
        rules = question["rules"]
        status, body = self.call("PUT", f"/emulator/v1/projects/{self.project}:securityRules",
                                 {"rules": {"files": [{"name": "security.rules", "content": rules}]}}, "owner")
        if status == 500:
            return None
        if status != 200:
            return {"accepted": False, "text": body["error"]["message"], "answers": []}
        findings = sorted((i.get("sourcePosition", {}).get("line", 0), i.get("sourcePosition", {}).get("column", 0), i["description"])
                          for i in (body or {}).get("issues", []))
        out = {"accepted": True, "findings": findings, "answers": [], "nodes": []}
        if not question["requests"]:
            return out
        self.call("DELETE", f"/emulator/v1/projects/{self.project}/databases/(default)/documents", auth="owner")
        writes = [{"update": {"name": f"projects/{self.project}/databases/(default)/documents" + urllib.parse.unquote(path),
                              "fields": json.loads(json.dumps(fields).replace("projects/PROJECT/", f"projects/{self.project}/"))}}
                  for path, fields in question["documents"].items()]
        if writes:
            status, body = self.call("POST", self.database + ":commit", {"writes": writes}, "owner")
            assert status == 200, body
        # The report adds up, so that what one round of requests added is told by the counts.
        before, rounds = {}, question["requests"]
        for i, request in enumerate(rounds):
            out["answers"].append(self.request(request))
            if i + 1 == len(rounds) or rounds[i + 1].get("round", 0) != request.get("round", 0):
                out["nodes"].append(self.report(before))
        return out

    def report(self, before):
        """(offset, how many around it start there too, values) of every node; those whose counts grew since `before`."""
        status, body = self.call("GET", f"/emulator/v1/projects/{self.project}:ruleCoverage", auth="owner")
        nodes = []
        if status == 200:
            for root in body.get("report", []):
                self.flatten(root, None, 0, nodes)
        out = []
        for number, (offset, chain, values) in enumerate(nodes):
            # One error may be listed for several places that it came from.
            counts, grown = {}, []
            for value, count in values:
                counts[value] = counts.get(value, 0) + count
            for value, count in counts.items():
                if before.get((number, value), 0) < count:
                    grown.append(value)
                before[number, value] = count
            out.append((offset, chain, grown))
        return out

    def request(self, request):
        url, auth = self.database + request["path"], request.get("auth")
        if "others" in request or "increments" in request:
            status, body = self.call("POST", self.database + ":commit", {"writes": [self.write(w) for w in [request] + request.get("others", [])]}, auth)
        elif request["method"] == "get":
            status, body = self.call("GET", url, None, auth)
        elif request["method"] == "delete":
            status, body = self.call("DELETE", url, None, auth)
        else:
            query = ["updateMask.fieldPaths=" + f for f in request.get("mask", [])]
            if "exists" in request:
                query.append("currentDocument.exists=" + str(request["exists"]).lower())
            status, body = self.call("PATCH", url + ("?" + "&".join(query) if query else ""), {"fields": self.fields(request["data"])}, auth)
        if status == 403:
            return {"allowed": False, "message": body["error"]["message"].strip().replace(self.project, "PROJECT")}
        return {"allowed": None if status == 500 else True, "message": None, "status": status}

    def fields(self, data):
        return json.loads(json.dumps(data).replace("projects/PROJECT/", f"projects/{self.project}/"))

    def write(self, write):
        """A write of a commit."""
        name = self.database[4:] + urllib.parse.unquote(write["path"])
        if "data" not in write:
            return {"delete": name}
        out = {"update": {"name": name, "fields": self.fields(write["data"])}}
        if "mask" in write:
            out["updateMask"] = {"fieldPaths": write["mask"]}
        if "exists" in write:
            out["currentDocument"] = {"exists": write["exists"]}
        if "increments" in write:
            out["updateTransforms"] = [{"fieldPath": f, "increment": {"integerValue": str(n)}} for f, n in write["increments"].items()]
        return out

    def flatten(self, node, start, chain, into):
        offset = node["sourcePosition"].get("currentOffset", 0)
        chain = chain + 1 if offset == start else 0
        into.append((offset, chain, [(plain(v["value"]), v.get("count", 0)) for v in node.get("values", [])]))
        for child in node.get("children", []):
            self.flatten(child, offset, chain, into)


class Ours:
    def __init__(self, program):
        self.program = program
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, question):
        data = json.dumps({k: question[k] for k in ("rules", "documents", "requests")} | {"nodes": True})
        data = data.replace("projects/PROJECT/", "projects/p/")
        self.process.stdin.write(data.encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            code = self.process.wait()
            self.process = subprocess.Popen([self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            return {"failed": f"ended with {code}", "accepted": None, "answers": [], "findings": []}
        answer = json.loads(line)
        if "failed" in answer:
            return {"accepted": None, "answers": [], "findings": [], **answer}
        answer["text"] = "\n".join(["Error compiling rules:"] + [f"L{f[0]}:{f[1]} {f[2]}" for f in answer["findings"]])
        for one in answer["answers"]:
            one["nodes"] = [(offset, chain, literal, plain(value)) for offset, chain, literal, value in one.get("nodes", [])]
        return answer


WARNING = re.compile(r"L\d+:\d+ (Unused |Invalid (type|variable name|function name|method name|service name)|Incorrect number|Ternary operator|"
                     r"The sub-expressions|Call to service function|Ruleset uses old)")


def first_error(text):
    """Of the text of a failed compilation the first line that is not a warning."""
    lines = text.split("\n")[1:]
    return next((line for line in lines if not WARNING.match(line)), lines[0] if lines else "")
