"""Pyrebase4 against an Authentication server: what a client of an app does, under the names of before (v3).

Usage: auth_pyrebase.py HOST:PORT

Pyrebase knows of no emulator: each https://NAME/… that it asks for is asked as http://HOST:PORT/NAME/… instead.
Prints what failed; exits 1 if anything did.
"""
import base64
import json
import sys

import requests

host = sys.argv[1]
send = requests.sessions.Session.request


def rewritten(self, method, url, *args, **more):
    return send(self, method, url.replace("https://", f"http://{host}/", 1), *args, **more)


requests.sessions.Session.request = rewritten

import pyrebase  # noqa: E402: after what it uses is rewritten

failed = 0
passed = 0


def check(name, ok, seen=None):
    global failed, passed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"FAILED {name}: {seen!r}")


def refused(name, message, call):
    try:
        seen = call()
    except requests.exceptions.HTTPError as error:
        seen = error.args[1] if len(error.args) > 1 else str(error)
        found = json.loads(seen)["error"]["message"] if seen.startswith("{") else seen
        check(name, found.startswith(message), seen)
        return
    check(name, False, seen)


emulator = f"http://{host}/emulator/v1/projects/"
# The project of calls that name none is the server's to say: an ID token tells which.
auth = pyrebase.initialize_app({
    "apiKey": "any", "authDomain": "localhost", "databaseURL": "http://localhost", "storageBucket": "none"}).auth()
anna = auth.sign_in_anonymous()
project = json.loads(base64.urlsafe_b64decode(anna["idToken"].split(".")[1] + "=="))["aud"]
requests.delete(emulator + project + "/accounts")


def mail(kind):
    codes = requests.get(emulator + project + "/oobCodes").json()["oobCodes"]
    return [code for code in codes if code["requestType"] == kind][-1]["oobCode"]


refused("get_account_info, thrown away", "USER_NOT_FOUND", lambda: auth.get_account_info(anna["idToken"]))
alice = auth.create_user_with_email_and_password("alice@example.com", "secret1")
check("create_user", alice["email"] == "alice@example.com" and alice["expiresIn"] == "3600", alice)
refused("create_user, taken", "EMAIL_EXISTS",
        lambda: auth.create_user_with_email_and_password("alice@example.com", "secret1"))
refused("create_user, weak", "WEAK_PASSWORD",
        lambda: auth.create_user_with_email_and_password("bob@example.com", "12345"))
entered = auth.sign_in_with_email_and_password("alice@example.com", "secret1")
check("sign_in", entered["localId"] == alice["localId"] and entered["registered"] is True, entered)
check("sign_in, who it is", auth.current_user["localId"] == alice["localId"], auth.current_user)
refused("sign_in, wrong", "INVALID_PASSWORD",
        lambda: auth.sign_in_with_email_and_password("alice@example.com", "secret2"))
refused("sign_in, nobody", "EMAIL_NOT_FOUND", lambda: auth.sign_in_with_email_and_password("n@example.com", "secret2"))
fresh = auth.refresh(entered["refreshToken"])
check("refresh", fresh["userId"] == alice["localId"] and fresh["idToken"], fresh)
refused("refresh, unknown", "INVALID_REFRESH_TOKEN", lambda: auth.refresh("x"))
user = auth.get_account_info(fresh["idToken"])["users"][0]
check("get_account_info", user["localId"] == alice["localId"] and user["emailVerified"] is False, user)
auth.send_email_verification(fresh["idToken"])
check("send_email_verification", bool(mail("VERIFY_EMAIL")))
auth.send_password_reset_email("alice@example.com")
reset = auth.verify_password_reset_code(mail("PASSWORD_RESET"), "secret2")
check("verify_password_reset_code", reset["email"] == "alice@example.com", reset)
entered = auth.sign_in_with_email_and_password("alice@example.com", "secret2")
custom = auth.sign_in_with_custom_token(json.dumps({"uid": "from-a-server", "claims": {"role": "x"}}))
check("sign_in_with_custom_token", custom["isNewUser"] is True, custom)
changed = auth.change_email(entered["idToken"], "al@example.com")
check("change_email", changed["email"] == "al@example.com" and changed["idToken"], changed)
changed = auth.change_password(changed["idToken"], "secret3")
check("change_password", changed["idToken"] and changed["refreshToken"], changed)
# It sends a text where the API has a list: the official emulator refuses it too.
refused("update_profile, one attribute to delete", "Invalid JSON payload received. /deleteAttribute must be array",
        lambda: auth.update_profile(changed["idToken"], display_name="Al", delete_attribute="PHOTO_URL"))
deleted = auth.delete_user_account(changed["idToken"])
check("delete_user_account", deleted["kind"] == "identitytoolkit#DeleteAccountResponse", deleted)
refused("delete_user_account, again", "USER_NOT_FOUND", lambda: auth.delete_user_account(changed["idToken"]))

print(f"Pyrebase4: {passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
