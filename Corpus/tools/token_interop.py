#!/usr/bin/env python3
"""ID tokens that other people's libraries sign and check: PyJWT and google-auth.

  token_interop.py record      writes Corpus/tokens/signed.json: a key pair, a certificate, tokens that both libraries signed
  token_interop.py live DIR    makes new ones in DIR, has our tests check them and sign their own, and checks those
  token_interop.py --found     whether the libraries are installed

They come from PyPI: pip install pyjwt google-auth cryptography requests.
"""
import datetime
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROJECT = "demo-project"


def libraries():
    import jwt  # noqa: F401
    import cryptography  # noqa: F401
    from google.auth import crypt, jwt as google_jwt  # noqa: F401
    from google.oauth2 import id_token  # noqa: F401


def key_pair(start, days):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "securetoken.system.gserviceaccount.com")])
    begin = datetime.datetime.fromtimestamp(start, datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=days)).sign(key, hashes.SHA256()))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    return private, certificate.public_bytes(serialization.Encoding.PEM).decode()


def payloads(now):
    """The shapes of section 2a, by hand."""
    def token(firebase, **claims):
        return {**claims, "auth_time": now - 60, "user_id": "U", "firebase": firebase, "iat": now, "exp": now + 3600,
                "aud": PROJECT, "iss": f"https://securetoken.google.com/{PROJECT}", "sub": "U"}
    return [
        token({"identities": {}, "sign_in_provider": "anonymous"}, provider_id="anonymous"),
        token({"identities": {"email": ["a@b.c"]}, "sign_in_provider": "password"}, email="a@b.c", email_verified=False),
        token({"identities": {"apple.com": ["001.abc"]}, "sign_in_provider": "apple.com"}),
        token({"identities": {"email": ["ü@b.c"], "google.com": ["1"]}, "sign_in_provider": "google.com"},
              name="Ä 日本 😀", picture="https://p/x?y=1&z=2", email="ü@b.c", email_verified=True),
        token({"identities": {"phone": ["+15555550100"]}, "sign_in_provider": "phone"}, phone_number="+15555550100"),
        token({"identities": {}, "sign_in_provider": "custom", "tenant": "t-1"}, role="admin", level=3, nested={"a": [1, None]}),
        token({"identities": {"email": ["a@b.c"]}, "sign_in_provider": "password", "second_factor_identifier": "F",
               "sign_in_second_factor": "totp"}, email="a@b.c", email_verified=True),
    ]


def signed_by_them(private, key_id, now):
    import jwt
    from google.auth import crypt, jwt as google_jwt

    cases = []
    for payload in payloads(now):
        cases.append({"by": "pyjwt", "payload": payload,
                      "token": jwt.encode(payload, private, algorithm="RS256", headers={"kid": key_id}, sort_headers=True)})
        cases.append({"by": "google-auth", "payload": payload,
                      "token": google_jwt.encode(crypt.RSASigner.from_string(private, key_id), payload).decode()})
    return cases


def record():
    now = 1_767_225_600
    private, certificate = key_pair(now - 86_400, 36_500)
    other, _ = key_pair(now - 86_400, 36_500)
    document = {"project": PROJECT, "now": now + 10, "keyID": "recorded-1", "privateKey": private, "certificate": certificate,
                "otherPrivateKey": other, "tokens": signed_by_them(private, "recorded-1", now)}
    target = ROOT / "Corpus" / "tokens" / "signed.json"
    target.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n")
    print(f"{len(document['tokens'])} tokens in {target.relative_to(ROOT)}")


def live(folder):
    import jwt
    from cryptography import x509
    from google.oauth2 import id_token

    folder = pathlib.Path(folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    now = int(time.time())
    private, certificate = key_pair(now - 86_400, 30)
    theirs = {"project": PROJECT, "now": now + 10, "keyID": "live-1", "certificate": certificate, "privateKey": private,
              "tokens": signed_by_them(private, "live-1", now)}
    (folder / "theirs.json").write_text(json.dumps(theirs))
    ours_path = folder / "ours.json"
    ours_path.unlink(missing_ok=True)
    subprocess.run(["swift", "test", "--filter", "IdentityTests.TokenInterop"], cwd=ROOT, check=True,
                   env={**os.environ, "TOKEN_INTEROP": str(folder)})
    ours = json.loads(ours_path.read_text())

    def request(*_, **__):
        class Response:
            status = 200
            data = json.dumps(ours["certificates"]).encode()
        return Response()

    for token in ours["tokens"]:
        header = jwt.get_unverified_header(token)
        public = x509.load_pem_x509_certificate(ours["certificates"][header["kid"]].encode()).public_key()
        by_pyjwt = jwt.decode(token, public, algorithms=["RS256"], audience=PROJECT, leeway=5,
                              issuer=f"https://securetoken.google.com/{PROJECT}",
                              options={"require": ["exp", "iat", "sub", "aud", "iss"]})
        by_google = id_token.verify_firebase_token(token, request, audience=PROJECT, clock_skew_in_seconds=5)
        assert by_pyjwt == by_google, (by_pyjwt, by_google)
        changed = token[:-6] + ("A" if token[-6] != "A" else "B") + token[-5:]
        try:
            jwt.decode(changed, public, algorithms=["RS256"], audience=PROJECT)
        except jwt.InvalidSignatureError:
            pass
        else:
            raise AssertionError("a changed signature passes")
    print(f"we take {len(theirs['tokens'])} tokens of PyJWT and google-auth; they take our {len(ours['tokens'])}")
    assert ours["tokens"]


def main(arguments):
    if arguments == ["--found"]:
        try:
            libraries()
        except ImportError:
            return 1
        return 0
    if arguments == ["record"]:
        record()
    elif len(arguments) == 2 and arguments[0] == "live":
        live(arguments[1])
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
