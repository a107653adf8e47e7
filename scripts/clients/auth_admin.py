"""The Admin SDK for Python against an Authentication server: every call of `firebase_admin.auth` but those of tenants.

Usage: auth_admin.py HOST:PORT

What is expected is what the SDK documents, and what production answers. Prints a line a check; exits 1 if one failed.
"""
import datetime
import json
import os
import sys
import time
import urllib.request

host = sys.argv[1]
os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = host
os.environ["GOOGLE_CLOUD_PROJECT"] = "demo-real-clients"

import firebase_admin  # noqa: E402
from firebase_admin import auth, exceptions  # noqa: E402

PROJECT = "demo-real-clients"
failed = 0
passed = 0


def check(name, ok, seen=None):
    global failed, passed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {seen!r}")


def refused(name, kind, call):
    try:
        seen = call()
    except kind as error:
        check(name, True)
        return error
    except Exception as error:  # noqa: BLE001: whatever else comes is the finding
        check(name, False, error)
        return None
    check(name, False, seen)
    return None


def as_app(name, body):
    """What an app of this project would call: the Admin SDK signs nobody in."""
    request = urllib.request.Request(
        f"http://{host}/identitytoolkit.googleapis.com/v1/accounts:{name}",
        json.dumps({**body, "returnSecureToken": True, "targetProjectId": PROJECT}).encode(),
        {"Content-Type": "application/json", "Authorization": "Bearer owner"})
    with urllib.request.urlopen(request) as response:
        return json.load(response)


firebase_admin.initialize_app(options={"projectId": PROJECT})
urllib.request.urlopen(urllib.request.Request(
    f"http://{host}/emulator/v1/projects/{PROJECT}/accounts", method="DELETE")).close()

# Accounts.
alice = auth.create_user(
    uid="alice", email="alice@example.com", email_verified=False, password="secret1", display_name="Alice",
    phone_number="+15555550100", photo_url="http://localhost/a.png", disabled=False)
check("create_user", alice.uid == "alice" and alice.email == "alice@example.com", alice.uid)
anonymous = auth.create_user()
check("create_user, nothing given", len(anonymous.uid) == 28 and anonymous.email is None, anonymous.uid)
refused("create_user, uid taken", auth.UidAlreadyExistsError, lambda: auth.create_user(uid="alice"))
refused("create_user, address taken", auth.EmailAlreadyExistsError, lambda: auth.create_user(email="alice@example.com"))
refused("create_user, number taken", auth.PhoneNumberAlreadyExistsError,
        lambda: auth.create_user(phone_number="+15555550100"))

for name, user in [
    ("get_user", auth.get_user("alice")), ("get_user_by_email", auth.get_user_by_email("alice@example.com")),
    ("get_user_by_phone_number", auth.get_user_by_phone_number("+15555550100")),
]:
    check(name, (user.uid, user.display_name, user.phone_number, user.photo_url, user.disabled, user.email_verified)
          == ("alice", "Alice", "+15555550100", "http://localhost/a.png", False, False), user._data)
    check(name + ", providers", sorted(p.provider_id for p in user.provider_data) == ["password", "phone"],
          [p.provider_id for p in user.provider_data])
    check(name + ", time", abs(user.user_metadata.creation_timestamp / 1000 - time.time()) < 60,
          user.user_metadata.creation_timestamp)
refused("get_user, nobody", auth.UserNotFoundError, lambda: auth.get_user("nobody"))
refused("get_user_by_email, nobody", auth.UserNotFoundError, lambda: auth.get_user_by_email("n@example.com"))
refused("get_user_by_phone_number, nobody", auth.UserNotFoundError,
        lambda: auth.get_user_by_phone_number("+15555550199"))

found = auth.get_users([
    auth.UidIdentifier("alice"), auth.EmailIdentifier("alice@example.com"), auth.PhoneIdentifier("+15555550199"),
    auth.UidIdentifier(anonymous.uid), auth.ProviderIdentifier("google.com", "g1"),
])
check("get_users", {u.uid for u in found.users} == {"alice", anonymous.uid}, [u.uid for u in found.users])
check("get_users, not found", len(found.not_found) == 2, found.not_found)

changed = auth.update_user("alice", email="al@example.com", display_name=auth.DELETE_ATTRIBUTE,
                           photo_url=auth.DELETE_ATTRIBUTE, phone_number=auth.DELETE_ATTRIBUTE, password="secret2",
                           email_verified=True)
check("update_user", (changed.email, changed.display_name, changed.phone_number, changed.photo_url,
                      changed.email_verified) == ("al@example.com", None, None, None, True), changed._data)
refused("update_user, nobody", auth.UserNotFoundError, lambda: auth.update_user("nobody", display_name="x"))
entered = as_app("signInWithPassword", {"email": "al@example.com", "password": "secret2"})
check("update_user, password", entered["localId"] == "alice", entered)

# Claims.
auth.set_custom_user_claims("alice", {"admin": True, "level": 3})
check("set_custom_user_claims", auth.get_user("alice").custom_claims == {"admin": True, "level": 3},
      auth.get_user("alice").custom_claims)
auth.set_custom_user_claims("alice", None)
check("set_custom_user_claims, gone", not auth.get_user("alice").custom_claims, auth.get_user("alice").custom_claims)
refused("set_custom_user_claims, nobody", auth.UserNotFoundError,
        lambda: auth.set_custom_user_claims("nobody", {"a": 1}))

# Lists.
uids = sorted(user.uid for user in auth.list_users().iterate_all())
check("list_users", uids == sorted(["alice", anonymous.uid]), uids)
page = auth.list_users(max_results=1)
check("list_users, page", len(page.users) == 1 and page.has_next_page, page.users)
rest = page.get_next_page()
check("list_users, next page", len(rest.users) == 1 and rest.users[0].uid != page.users[0].uid, rest.users)
check("list_users, hash", any(u.password_hash and u.password_salt for u in auth.list_users().users))

# Custom tokens, ID tokens, revocation.
token = auth.create_custom_token("alice", {"device": "a"})
session = as_app("signInWithCustomToken", {"token": token.decode()})
claims = auth.verify_id_token(session["idToken"])
check("verify_id_token", claims["uid"] == "alice" and claims["device"] == "a"
      and claims["firebase"]["sign_in_provider"] == "custom", claims)
check("verify_id_token, revocation looked at", auth.verify_id_token(session["idToken"], check_revoked=True)["uid"] == "alice")
refused("verify_id_token, nonsense", auth.InvalidIdTokenError, lambda: auth.verify_id_token("a.b.c"))
refused("verify_id_token, a custom token", auth.InvalidIdTokenError, lambda: auth.verify_id_token(token))

cookie = auth.create_session_cookie(session["idToken"], datetime.timedelta(minutes=5))
shown = auth.verify_session_cookie(cookie, check_revoked=True)
check("create_session_cookie", shown["uid"] == "alice" and shown["exp"] - shown["iat"] == 300
      and shown["iss"] == f"https://session.firebase.google.com/{PROJECT}", shown)
refused("create_session_cookie, bad token", exceptions.InvalidArgumentError,
        lambda: auth.create_session_cookie("x", datetime.timedelta(minutes=5)))

# Whole seconds count: a token of the second of the revocation is good still.
time.sleep(1.1)
auth.revoke_refresh_tokens("alice")
check("revoke_refresh_tokens", abs(auth.get_user("alice").tokens_valid_after_timestamp / 1000 - time.time()) < 60)
refused("verify_id_token, revoked", auth.RevokedIdTokenError,
        lambda: auth.verify_id_token(session["idToken"], check_revoked=True))
refused("verify_session_cookie, revoked", auth.RevokedSessionCookieError,
        lambda: auth.verify_session_cookie(cookie, check_revoked=True))
check("verify_id_token, revocation not looked at", auth.verify_id_token(session["idToken"])["uid"] == "alice")
auth.update_user("alice", disabled=True)
refused("verify_id_token, disabled", auth.UserDisabledError,
        lambda: auth.verify_id_token(session["idToken"], check_revoked=True))
auth.update_user("alice", disabled=False)

# Links.
settings = auth.ActionCodeSettings("https://app.example/next?x=1", handle_code_in_app=True)
for name, call, mode in [
    ("generate_password_reset_link", auth.generate_password_reset_link, "resetPassword"),
    ("generate_email_verification_link", auth.generate_email_verification_link, "verifyEmail"),
    ("generate_sign_in_with_email_link", auth.generate_sign_in_with_email_link, "signIn"),
]:
    link = call("al@example.com", settings)
    check(name, f"mode={mode}&" in link and "continueUrl=https%3A%2F%2Fapp.example%2Fnext%3Fx%3D1" in link, link)
refused("generate_password_reset_link, nobody", auth.EmailNotFoundError,
        lambda: auth.generate_password_reset_link("nobody@example.com"))

# Imports.
result = auth.import_users([
    auth.ImportUserRecord("i1", email="i1@example.com", custom_claims={"a": 1}, display_name="I"),
    auth.ImportUserRecord("i2", email="i2@example.com", provider_data=[
        auth.UserProvider("g2", provider_id="google.com", email="i2@gmail.com", display_name="G")]),
])
check("import_users", (result.success_count, result.failure_count) == (2, 0), result.errors)
check("import_users, claims", auth.get_user("i1").custom_claims == {"a": 1})
check("import_users, provider", auth.get_users([auth.ProviderIdentifier("google.com", "g2")]).users[0].uid == "i2")
result = auth.import_users(
    [auth.ImportUserRecord("s1", email="s1@example.com", password_hash=bytes.fromhex(
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d83"
        "60cbdfa2cc0640"), password_salt=b"NaCl")],
    hash_alg=auth.UserImportHash.standard_scrypt(memory_cost=1024, parallelization=16, block_size=8,
                                                 derived_key_length=64))
check("import_users, a hash of RFC 7914", result.failure_count == 0, result.errors)
entered = as_app("signInWithPassword", {"email": "s1@example.com", "password": "password"})
check("import_users, its password", entered["localId"] == "s1", entered)

# Providers of one's own, which the official emulator does not answer.
oidc = auth.create_oidc_provider_config("oidc.line", client_id="c", issuer="https://access.line.me",
                                        display_name="LINE", enabled=True)
check("create_oidc_provider_config", (oidc.provider_id, oidc.client_id, oidc.enabled) == ("oidc.line", "c", True), oidc._data)
check("update_oidc_provider_config", auth.update_oidc_provider_config("oidc.line", display_name="Line").display_name == "Line")
check("get_oidc_provider_config", auth.get_oidc_provider_config("oidc.line").issuer == "https://access.line.me")
check("list_oidc_provider_configs", [c.provider_id for c in auth.list_oidc_provider_configs().iterate_all()] == ["oidc.line"])
auth.delete_oidc_provider_config("oidc.line")
refused("get_oidc_provider_config, gone", auth.ConfigurationNotFoundError,
        lambda: auth.get_oidc_provider_config("oidc.line"))
saml = auth.create_saml_provider_config(
    "saml.acme", idp_entity_id="entity", sso_url="https://acme.example/sso", x509_certificates=["cert"],
    rp_entity_id="rp", callback_url="https://app.example/__/auth/handler", display_name="Acme", enabled=True)
check("create_saml_provider_config", (saml.provider_id, saml.idp_entity_id, saml.x509_certificates, saml.rp_entity_id)
      == ("saml.acme", "entity", ["cert"], "rp"), saml._data)
check("update_saml_provider_config", auth.update_saml_provider_config("saml.acme", sso_url="https://b.example").sso_url
      == "https://b.example")
check("get_saml_provider_config", auth.get_saml_provider_config("saml.acme").idp_entity_id == "entity")
check("list_saml_provider_configs", [c.provider_id for c in auth.list_saml_provider_configs().iterate_all()] == ["saml.acme"])
auth.delete_saml_provider_config("saml.acme")
refused("get_saml_provider_config, gone", auth.ConfigurationNotFoundError,
        lambda: auth.get_saml_provider_config("saml.acme"))

# Deletion.
auth.delete_user("alice")
refused("delete_user", auth.UserNotFoundError, lambda: auth.get_user("alice"))
refused("delete_user, nobody", auth.UserNotFoundError, lambda: auth.delete_user("alice"))
refused("verify_id_token, deleted", auth.UserNotFoundError,
        lambda: auth.verify_id_token(session["idToken"], check_revoked=True))
gone = auth.delete_users(["i1", "i2", "s1", anonymous.uid, "nobody"])
check("delete_users", (gone.success_count, gone.failure_count) == (5, 0), gone.errors)
check("delete_users, all gone", not list(auth.list_users().iterate_all()))

print(f"firebase-admin: {passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
