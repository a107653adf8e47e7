import Identity
import JSON

/// How a web app hears who signed in: the SDK keeps an invisible frame of ours in its page, to which the pop-up talks.
enum ProviderRelay {
  /// The page in the pop-up, or after a redirect, that hands the event over.
  static func web(_ response: String, appName: String, _ call: AuthCall, nonce: String) -> HTTPResponse {
    let key = call.query("apiKey") ?? ""
    let event: JSONObject = [
      "type": .string(call.query("authType") ?? "signInViaPopup"),
      "eventId": call.query("eventId").map(JSONValue.string) ?? .null,
      "urlResponse": .string(response), "sessionId": "not-used-by-this-server", "postBody": .null,
      "tenantId": (call.query("tenantId") ?? call.query("tid")).map(JSONValue.string) ?? .null, "error": .null,
    ]
    let target = call.query("redirectUrl").flatMap { WebAddress($0)?.isSafeToVisit == true ? $0 : nil }
    let data: JSONObject = [
      "apiKey": .string(key), "appName": .string(appName), "storageKey": .string(key + ":" + appName),
      "event": .object(event), "redirectUrl": target.map(JSONValue.string) ?? .null,
    ]
    var page = HTMLPage(
      "Signing in", "<p id=\"status\" role=\"status\">Going back to the app …</p>")
    page.script = (
      """
      (function () {
        var data = \(Encoded.script(.object(data)));
        var status = document.getElementById('status');
        function toFrame() {
          var sent = false;
          if (!window.opener) { return sent; }
          for (var i = 0; i < window.opener.frames.length; i++) {
            try {
              var frame = window.opener.frames[i];
              var query = new URLSearchParams(frame.location.search);
              if (query.get('apiKey') === data.apiKey && query.get('appName') === data.appName) {
                frame.postMessage(
                  { eventType: 'sendAuthEvent', data: { authEvent: data.event, storageKey: data.storageKey } },
                  window.location.origin);
                sent = true;
              }
            } catch (ignored) { /* A frame of somebody else. */ }
          }
          return sent;
        }
        if (/popup/i.test(data.event.type)) {
          if (toFrame()) { status.textContent = 'Done. You can close this window.'; }
          else { status.textContent = 'The app that opened this window cannot be found. Close it and try again.'; }
        } else {
          sessionStorage['firebase:redirectEvent:' + data.storageKey] = JSON.stringify(data.event);
          if (data.redirectUrl) { window.location.replace(data.redirectUrl); }
          else { status.textContent = 'The app gave no address to go back to (redirectUrl).'; }
        }
      })();
      """, nonce
    )
    return page.reply()
  }

  /// The frame in the app's page. The SDK talks to it with a script of Google's, which it has loaded itself already.
  static func iframe(_ call: AuthCall) throws(IdentityError) -> HTTPResponse {
    let nonce = call.server.randomText(22)
    let html = """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Relay of the Authentication server</title></head>
      <body>
      <script nonce="\(nonce)">
      (function () {
        var query = new URLSearchParams(location.search);
        var key = query.get('apiKey') + ':' + query.get('appName');
        var place = 'firebase:redirectEvent:' + key;
        var parent = null;
        function send(event) {
          parent.send(
            'authEvent',
            { type: 'authEvent', authEvent: event || { type: 'unknown', error: { code: 'auth/no-auth-event' } } },
            function () {}, gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
        }
        window.addEventListener('message', function (message) {
          var data = message.data;
          if (message.origin !== location.origin || !data || data.eventType !== 'sendAuthEvent') { return; }
          if (!data.data || data.data.storageKey !== key) { return; }
          if (parent) { send(data.data.authEvent); }
          else { sessionStorage[place] = JSON.stringify(data.data.authEvent); }
        });
        window.gapi_onload = function () {
          gapi.load('gapi.iframes', {
            timeout: 10000,
            callback: function () {
              parent = gapi.iframes.getContext().getParentIframe();
              parent.register('webStorageSupport', function () {
                return { status: 'ACK', webStorageSupport: true };
              }, gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER);
              var event = null;
              try { event = JSON.parse(sessionStorage[place] || 'null'); } catch (ignored) { event = null; }
              delete sessionStorage[place];
              send(event);
            }
          });
        };
      })();
      </script>
      <script src="https://apis.google.com/js/api.js"></script>
      </body>
      </html>

      """
    return HTTPResponse(html: html, scripts: "'nonce-\(nonce)' https://apis.google.com", frames: "*")
  }
}
