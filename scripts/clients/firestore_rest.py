"""google-cloud-firestore over its REST transport against a Firestore server: as a server and as a user.

Usage: firestore_rest.py FIRESTORE AUTH      (each HOST:PORT)

The user signs up at AUTH, and calls with the ID token. Where the official emulator is installed the same calls are put to
it, and every result that the client can read must be the same. Prints a line for each difference; exits 1 if there was one.
"""
import datetime
import json
import pathlib
import sys
import urllib.request

from google.api_core import exceptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter, Or
from google.cloud.firestore_v1.services.firestore import client as api
from google.cloud.firestore_v1.services.firestore.transports import FirestoreRestTransport

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Corpus/tools"))
import parity_sides  # noqa: E402

PROJECT = "demo-real-clients"
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /lists/{list} {
      allow get, list: if request.auth != null && resource.data.owner == request.auth.uid;
      allow create: if request.resource.data.owner == request.auth.uid;
      allow update, delete: if resource.data.owner == request.auth.uid;
    }
  }
}
"""


def client(host, token):
    transport = FirestoreRestTransport(host=host, url_scheme="http", credentials=AnonymousCredentials())
    session = transport._session
    plain_request = session.request

    def request(*args, headers=None, **kwargs):
        return plain_request(*args, headers={**(headers or {}), "Authorization": "Bearer " + token}, **kwargs)

    session.request = request
    made = firestore.Client(project=PROJECT, credentials=AnonymousCredentials())
    made._firestore_api_internal = api.FirestoreClient(transport=transport)
    return made


def plain(value):
    """A result in a form in which equal ones are equal."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in sorted(value.items())}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, datetime.datetime):
        return "NOW" if value.year >= 2026 else value.isoformat()
    if isinstance(value, firestore.DocumentReference):
        return "reference " + value.path
    if isinstance(value, firestore.GeoPoint):
        return [value.latitude, value.longitude]
    if isinstance(value, float) and value != value:
        return "NaN"
    if isinstance(value, bytes):
        return value.hex()
    return value


def snapshot(s):
    return {"id": s.id, "exists": s.exists, "data": plain(s.to_dict())}


class Transcript:
    def __init__(self):
        self.lines = []

    def note(self, name, call):
        try:
            seen = plain(call())
        except exceptions.GoogleAPICallError as error:
            # The words of a refusal are compared elsewhere, request by request.
            seen = f"{type(error).__name__}"
        except ValueError as error:
            # The client cannot read the official emulator's arrays, which end in an empty line.
            seen = f"unreadable: {error}".strip()
        self.lines.append((name, seen))
        return seen


def as_server(host):
    t = Transcript()
    db = client(host, "owner")
    note = t.note
    lists = db.collection("lists")
    when = datetime.datetime(2020, 1, 2, 3, 4, 5, 678901, tzinfo=datetime.timezone.utc)
    values = {
        "owner": "server", "n": 1, "x": 1.5, "nan": float("nan"), "none": None, "yes": True, "when": when, "bytes": b"\x00\xff",
        "place": firestore.GeoPoint(1, -2), "ref": lists.document("other"), "map": {"a": {"b": [1, "two", {"c": 3}]}}, "empty": {}, "none_of": [],
    }
    note("set", lambda: bool(lists.document("all").set(values).update_time))
    note("get", lambda: snapshot(lists.document("all").get()))
    note("get of a missing one", lambda: snapshot(lists.document("nope").get()))
    note("get of fields", lambda: snapshot(lists.document("all").get(["n", "map.a"])))
    note("create", lambda: bool(lists.document("new").create({"n": 2, "owner": "bob"}).update_time))
    note("create twice", lambda: lists.document("new").create({}))
    note("update", lambda: bool(lists.document("new").update({"tags": ["a"], "map.a": 1}).update_time))
    note("update of a missing one", lambda: lists.document("nope").update({"a": 1}))
    note("transforms", lambda: bool(lists.document("new").update({
        "n": firestore.Increment(5), "tags": firestore.ArrayUnion(["a", "b"]), "at": firestore.SERVER_TIMESTAMP, "map.a": firestore.DELETE_FIELD})))
    note("after transforms", lambda: snapshot(lists.document("new").get()))
    note("merge", lambda: bool(lists.document("new").set({"map": {"z": 1}}, merge=True)))
    note("after merge", lambda: snapshot(lists.document("new").get()))
    note("add", lambda: len(lists.add({"n": 9})[1].id))
    note("get_all", lambda: sorted((snapshot(s) for s in db.get_all([lists.document("all"), lists.document("nope")], ["n"])), key=lambda s: s["id"]))
    for i in range(8):
        db.collection("q").document(f"d{i}").set({"i": i, "even": i % 2 == 0, "tags": [i, "t"], "group": f"g{i % 3}"})
        db.collection("q").document(f"d{i}").collection("sub").document("s").set({"i": i})
    q = db.collection("q")
    f = lambda field, op, value: FieldFilter(field, op, value)
    ids = lambda query: [s.id for s in query.get()]
    note("where ==", lambda: ids(q.where(filter=f("even", "==", True))))
    note("where >", lambda: ids(q.where(filter=f("i", ">", 5))))
    note("where in", lambda: ids(q.where(filter=f("group", "in", ["g0", "g2"])).order_by("i", direction="DESCENDING")))
    note("where not-in", lambda: ids(q.where(filter=f("group", "not-in", ["g0"]))))
    note("array-contains", lambda: ids(q.where(filter=f("tags", "array_contains", 3))))
    note("array-contains-any", lambda: ids(q.where(filter=f("tags", "array_contains_any", [3, 4]))))
    note("or", lambda: ids(q.where(filter=Or([f("i", "==", 1), f("i", "==", 6)]))))
    note("order, limit, offset", lambda: ids(q.order_by("i").offset(2).limit(3)))
    note("limit to last", lambda: ids(q.order_by("i").limit_to_last(2)))
    note("cursors", lambda: ids(q.order_by("i").start_after({"i": 2}).end_at({"i": 5})))
    note("cursor at a document", lambda: ids(q.order_by("group").start_at(q.document("d4").get())))
    note("select", lambda: [snapshot(s) for s in q.select(["i"]).order_by("i").limit(2).get()])
    note("collection group", lambda: sorted(s.reference.path for s in db.collection_group("sub").get()))
    note("count", lambda: q.count().get()[0][0].value)
    note("sum", lambda: q.sum("i").get()[0][0].value)
    note("avg", lambda: q.avg("i").get()[0][0].value)
    note("list_documents", lambda: sorted(d.id for d in q.list_documents()))
    note("collections", lambda: sorted(c.id for c in db.collections()))
    note("subcollections", lambda: sorted(c.id for c in q.document("d1").collections()))

    def batch():
        b = db.batch()
        b.set(q.document("b1"), {"i": 100})
        b.update(q.document("d0"), {"i": 50})
        b.delete(q.document("d7"))
        return len(b.commit())
    note("batch", batch)
    note("after the batch", lambda: [snapshot(s) for s in q.order_by("i").get()])

    def bad_batch():
        b = db.batch()
        b.set(q.document("b2"), {"i": 1})
        b.update(q.document("missing"), {"i": 1})
        return b.commit()
    note("batch that fails", bad_batch)
    note("nothing of it", lambda: snapshot(q.document("b2").get()))

    @firestore.transactional
    def increase(transaction, reference):
        value = reference.get(transaction=transaction).get("i")
        transaction.update(reference, {"i": value + 1})
        return value + 1
    note("transaction", lambda: increase(db.transaction(), q.document("d1")))
    note("after the transaction", lambda: snapshot(q.document("d1").get()))

    @firestore.transactional
    def read(transaction):
        return [s.id for s in q.where(filter=f("i", "<", 4)).get(transaction=transaction)]
    note("read-only transaction", lambda: read(db.transaction(read_only=True)))

    def bulk():
        writer = db.bulk_writer()
        for i in range(30): writer.create(db.collection("bulk").document(f"x{i}"), {"i": i})
        writer.close()
        return db.collection("bulk").count().get()[0][0].value
    note("bulk writer", bulk)
    note("delete", lambda: bool(q.document("d2").delete()))
    note("delete with a precondition", lambda: q.document("nope").delete(option=db.write_option(exists=True)))
    note("recursive delete", lambda: db.recursive_delete(q.document("d3")))
    note("after it", lambda: [s.id for s in db.collection_group("sub").get()])
    return t.lines


def as_user(host, token, uid):
    t = Transcript()
    db = client(host, token)
    note = t.note
    lists = db.collection("lists")
    mine, other = lists.document("mine"), lists.document("all")
    note("create mine", lambda: bool(mine.create({"owner": uid, "n": 1}).update_time))
    note("create another's", lambda: lists.document("x").create({"owner": "bob"}))
    note("get mine", lambda: mine.get().get("n"))
    note("get another's", lambda: other.get())
    note("get a missing one", lambda: lists.document("nope").get())
    note("update mine", lambda: bool(mine.update({"n": 2})))
    note("update another's", lambda: other.update({"n": 2}))
    f = FieldFilter("owner", "==", uid)
    note("list mine", lambda: [s.id for s in lists.where(filter=f).get()])
    note("list all", lambda: [s.id for s in lists.get()])
    note("count mine", lambda: lists.where(filter=f).count().get()[0][0].value)
    note("count all", lambda: lists.count().get()[0][0].value)
    note("collections", lambda: [c.id for c in db.collections()])

    def batch():
        b = db.batch()
        b.set(lists.document("second"), {"owner": uid})
        b.set(lists.document("third"), {"owner": "bob"})
        return len(b.commit())
    note("batch with another's", batch)
    note("nothing of it", lambda: [s.id for s in lists.where(filter=f).get()])

    @firestore.transactional
    def increase(transaction):
        value = mine.get(transaction=transaction).get("n")
        transaction.update(mine, {"n": value + 1})
        return value + 1
    note("transaction", lambda: increase(db.transaction()))
    note("delete mine", lambda: bool(mine.delete()))
    note("delete another's", lambda: other.delete())
    return t.lines


def put(host, method, path, body=None, caller={"Authorization": "Bearer owner"}):
    request = urllib.request.Request(
        f"http://{host}{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={**caller, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or b"{}")


def run(host, token, uid):
    put(host, "DELETE", f"/emulator/v1/projects/{PROJECT}/databases/(default)/documents")
    put(host, "PUT", f"/emulator/v1/projects/{PROJECT}:securityRules", {"rules": {"files": [{"name": "firestore.rules", "content": RULES}]}})
    return [("server: " + n, v) for n, v in as_server(host)] + [("user: " + n, v) for n, v in as_user(host, token, uid)]


def main():
    host, auth = sys.argv[1:3]
    account = put(auth, "POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any", {"returnSecureToken": True}, {})
    token, uid = account["idToken"], account["localId"]
    ours = run(host, token, uid)
    failed = 0
    # Without the official emulator: what must be so in any case.
    facts = {
        "server: get of a missing one": {"id": "nope", "exists": False, "data": None}, "server: create twice": "Conflict",
        "server: update of a missing one": "NotFound", "server: count": 8, "server: sum": 28, "server: avg": 3.5, "server: transaction": 2,
        "server: bulk writer": 30, "user: create mine": True, "user: create another's": "Forbidden", "user: get another's": "Forbidden",
        "user: list mine": ["mine"], "user: list all": "Forbidden", "user: count all": "Forbidden", "user: transaction": 3,
        "user: batch with another's": "Forbidden", "user: nothing of it": ["mine"], "user: delete another's": "Forbidden",
    }
    seen = dict(ours)
    for name, value in facts.items():
        if seen.get(name) != value:
            failed += 1
            print(f"FAILED {name}: {seen.get(name)!r} instead of {value!r}")
    if parity_sides.jar() is not None:
        address, process = parity_sides.start()
        try:
            official = dict(run(address, token, uid))
        finally:
            if process: process.terminate()
        unreadable = [name for name, value in official.items() if str(value).startswith("unreadable")]
        # What the client works out of several calls fails with one of them.
        dependent = ["server: transaction", "server: after the transaction", "user: transaction", "server: after it"]
        for name, value in ours:
            if official[name] != value and name not in unreadable and name not in dependent:
                failed += 1
                print(f"DIFFERENT {name}\n  official {official[name]!r}\n  ours     {value!r}")
        print(f"google-cloud-firestore over REST: {len(ours)} calls, {failed} differences from the official emulator, of whose answers "
              f"the client cannot read {len(unreadable)}")
    else:
        print(f"google-cloud-firestore over REST: {len(ours)} calls, {failed} of {len(facts)} facts do not hold (the official emulator is not installed)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
