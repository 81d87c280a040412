// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Contents in which nothing is a secret though much looks like one.
package enum Harmless {
    /// Each counts as one document.
    package static let all: [Specimen] =
        json.map { Specimen($0, .body("application/json"), "{\($0)}", secret: "") }
        + (documents + programs).map { Specimen($0.1, .body($0.0), $0.1, secret: "") }
        + queries.map { Specimen("?\($0.0)=\($0.1)", .query($0.0), $0.1, secret: "") }
        + lines.map { Specimen("\($0.0): \($0.1)", .header($0.0), $0.1, secret: "") }
        + paths.map { path in
            let parts = path.split(separator: "/").map(String.init)
            return Specimen(path, .path(Array(parts.dropLast())), parts.last ?? "", secret: "")
        }

    static func made(_ pattern: String, _ seed: UInt64 = 1) -> String { Specimen.made(pattern, seed: seed) }

    /// 64 numbers of four bytes in Base64.
    private static let embedding =
        "zczMPc3MTL6amRk+mpkZvs3MzD2amZk+AACAvs3MTD4zM7O+mpkZPs3MzL2amZm9AAAAPzMzs77NzEy+mpkZPs3MzD2amRk+"
        + "AACAPjMzsz7NzEw+mpkZvpqZmb3NzMy9MzMzP83MTD8AAAA/mpkZP83MzL6amZm+AACAvjMzs77NzEy+"
    /// Samples of a sine in bytes.
    private static let wave =
        "gIaMkpifpauxt7zCx8zR1trf4+fq7fDz9ff5+/z9/v7//v79/Pv59/Xz8O3q5+Pf2tbRzMfCvLexq6WfmJKMhoB5c21nYFpUTkhDPTgzLikl"
        + "IBwYFRIPDAoIBgQDAgEBAAEBAgMEBggKDA8SFRgcICUpLjM4PUNITlRaYGdtc3k="

    private static let json: [String] = [
        // Keys that are public.
        #""key_id": "568250167242549743", "key": "\#(made("<b43>"))=""#, #""key": "pk_live_\#(made("<a24>"))""#,
        #""publishableKey": "pk_test_\#(made("<a99>"))""#, #""stripe": {"key": "pk_live_\#(made("<a60>", 3))"}"#,
        #""recaptcha_site_key": "6L\#(made("<a38>"))""#, #""sitekey": "\#(made("<a40>"))""#,
        #""hcaptcha": {"siteKey": "\#(made("<h8>-<h4>-<h4>-<h4>-<h12>"))"}"#,
        #""applicationServerKey": "B\#(made("<u86>"))""#, #""vapidPublicKey": "BP\#(made("<u85>"))""#,
        #""publicKey": "\#(made("<b43>", 5))=""#,
        #""host_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI\#(made("<b43>", 6))""#,
        #""host_key": "AAAAC3NzaC1lZDI1NTE5AAAAI\#(made("<b43>", 6))""#,
        #""ssh_key": "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC\#(made("<b200>", 7)) ann@example.com""#,
        #""public_key": "\#(made("<b44>", 8))""#, #""verify_key": "\#(made("<b43>", 9))=""#,
        #""pubkey": "\#(made("<h64>", 9))""#,
        #""keys": [{"kty": "RSA", "kid": "\#(made("<u27>"))", "n": "\#(made("<u340>"))", "e": "AQAB"}]"#,
        #""keys": [{"kty": "OKP", "crv": "Ed25519", "x": "\#(made("<u43>", 10))"}]"#,
        #""x5t#S256": "\#(made("<u43>", 11))""#,
        #""certificate": "MIID\#(made("<b300>", 12))""#, #""x509Certificate": "MIIC\#(made("<b200>", 13))""#,
        #""spki": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\#(made("<b86>", 14))""#,
        #""client_token_public": false, "public_api_key": "\#(made("<h32>"))""#,
        #""supabase": "sb_publishable_\#(made("<a31>"))""#,
        #""dkim": "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GN\#(made("<b200>", 15))""#,
        // Addresses and transactions of chains of blocks.
        #""to": "\#(made("<543>", 16))""#, #""account": "\#(made("<544>", 17))""#,
        #""destination": "1\#(made("<533>", 18))""#,
        #""recipient": "3\#(made("<533>", 19))""#, #""payTo": "bc1q\#(made("<l38>", 20))""#,
        #""txid": "\#(made("<h64>", 21))""#, #""from": "0x\#(made("<h40>", 22))""#,
        #""signature": "0x\#(made("<h130>", 23))""#, #""input": "0xa9059cbb\#(made("<h128>", 24))""#,
        #""token": "0x\#(made("<h40>", 25))""#, #""validator": "cosmosvaloper1\#(made("<l38>", 26))""#,
        #""mint": "\#(made("<544>", 27))""#, #""cid": "Qm\#(made("<544>", 28))""#,
        #""ipfs": "bafybei\#(made("<l52>", 29))""#, #""wallet_address": "T\#(made("<533>", 30))""#,
        // Places in lists.
        #""bookmark": "\#(made("<u64>", 31))""#, #""marker": "\#(made("<b48>", 32))""#,
        #""pageState": "\#(made("<h80>", 33))""#, #""pageState": "\#(made("<b80>", 33))""#,
        #""continue": "\#(made("<u120>", 34))""#, #""metadata": {"continue": "\#(made("<b140>", 35))"}"#,
        #""nextToken": "\#(made("<b90>", 36))""#, #""NextMarker": "\#(made("<b60>", 37))""#,
        #""nextPageToken": "\#(made("<u60>", 38))""#, #""pagingState": "\#(made("<u60>", 39))""#,
        #""cursor": "\#(made("<u90>", 40))""#, #""endCursor": "\#(made("<b40>", 41))==""#,
        #""_scroll_id": "\#(made("<b70>", 42))==""#, #""continuationToken": "\#(made("<b88>", 43))""#,
        #""syncToken": "\#(made("<u30>", 44))=""#, #""after": "\#(made("<u36>", 45))""#,
        #""LastEvaluatedKey": {"id": {"S": "7102220"}}"#, #""nextSyncToken": "C\#(made("<u31>", 46))""#,
        #""deltaToken": "\#(made("<u80>", 47))""#, #""resumeToken": {"_data": "82\#(made("<h80>", 47).uppercased())"}"#,
        // Numbers and samples in Base64.
        #""embedding": "\#(embedding)""#, #""values": "\#(embedding)""#, #""waveform": "\#(wave)""#,
        #""peaks": "\#(wave)""#, #""sound": "\#(wave)""#,
        #""thumbnail": "/9j/4AAQSkZJRgABAQEASABIAAD/\#(made("<b120>", 48))""#,
        #""icon": "data:image/png;base64,iVBORw0KGgo\#(made("<b120>", 49))""#,
        #""svg": "data:image/svg+xml;base64,PHN2ZyB4bWxucz0i\#(made("<b60>", 50))""#,
        #""font": "d09GMgABAAAAA\#(made("<b119>", 51))""#, #""blurhash": "LEHV6nWB2yk8pyo0adR*.7kCMdnj""#,
        #""lqip": "\#(made("<b80>", 52))""#, #""polyline": "_p~iF~ps|U_ulLnnqC_mqNvxq`@""#,
        // Words that are called tokens, and what people read.
        #""token": "COVID-19""#,
        #""tokens": [{"token": "Hello", "logprob": -0.1}, {"token": "World2026", "logprob": -0.2}]"#,
        #""tokens": ["COVID-19", "GPT-4", "is", "2nd"]"#,
        #""tokens": [{"token": "covid-19", "start_offset": 0, "end_offset": 8, "type": "<ALPHANUM>", "position": 0}]"#,
        #""key": "test-feature-flag-Test-Archive_a_feature_flag_returns_OK_response-1776888948""#,
        #""key": "variant-Test-Get_a_feature_flag_returns_OK_response-1776888956-1""#,
        #""name": "Test-Get_all_SLOs_returns_OK_response-1704322487""#,
        #""name": "Test-Edit_an_API_key_returns_OK_response-1652349128""#,
        #""url": "https://api.example.com/webhooks/Test-Update_a_webhook_returns_OK_response-1652349062""#,
        #""token": "USDC", "decimals": 6"#, #""token": "WETH9", "symbol": "WETH""#,
        ##""token": "color.primary.500", "value": "#aabbcc""##, #""token": "1990s""#,
        ###""token": "##ing", "pos": "X""###,
        #""entities": [{"word": "Berlin", "token": "Berlin-Mitte", "start": 4, "end": 10}]"#,
        #""pwd": "/home/user""#, #""pwd": "/var/www/html""#, #""pwd": "C:\\Users\\ann""#,
        #""env": {"PWD": "/srv/app", "OLDPWD": "/"}"#, #""pin": "560001""#,
        #""address": {"city": "Bengaluru", "pin": "560001"}"#,
        #""state": "KA", "pin": "560034", "line1": "12 MG Road""#, #""csrftoken": "+\\""#,
        #""query": {"tokens": {"csrftoken": "+\\"}}"#, #""password": "Passwort""#, #""password": "Mot de passe""#,
        #""login": {"password": "Contraseña", "forgotPassword": "Vergessen?"}"#,
        #""labels": {"password": "Geheimwort", "token": "Marke"}"#, #""password": "Must be at least 8 characters""#,
        #""resetPassword": "Zurücksetzen""#, #""errors": {"password": ["is too short (minimum is 12 characters)"]}"#,
        #""properties": {"password": {"type": "string", "format": "password", "minLength": 8}}"#,
        #""parameters": [{"name": "token", "in": "query", "schema": {"type": "string"}}]"#,
        #""name": "api_key", "in": "header", "type": "apiKey""#, #""fields": ["username", "password", "token"]"#,
        #""required": ["client_id", "client_secret"]"#,
        #""grant_types_supported": ["authorization_code", "refresh_token", "password"]"#,
        #""token_endpoint_auth_methods_supported": ["client_secret_basic", "private_key_jwt"]"#,
        #""authorization_code": {"enabled": true}, "device_code": null"#,
        #""has_password": true, "password_changed_at": "2026-10-29T13:04:51Z""#,
        #""token_type": "Bearer", "expires_in": 3600, "scope": "read write""#,
        #""secret": true, "csrf": false, "session": null"#, #""session": {"track": "Keynote", "room": "A1"}"#,
        #""auth": {"required": true, "type": "oauth2"}"#, #""key": "home.title.welcome2""#, #""key": "A minor""#,
        #""primary_key": "id", "foreign_key": "user_id""#, #""Key": "uploads/2026/11/photo-1503023345310.jpg""#,
        #""objectKey": "2026/11/22/7102220/original.png""#, #""sortKey": "ORDER#2026-11-22#7102220""#,
        #""secret_santa": "Ann and Bob 2026", "keyboard": "QWERTY-102""#,
        #""signature": "Kind regards, Ann Bolton, Tel. 555-0100""#, #""pass": "season-2026""#,
        #""passes": 12, "passed": true"#,
        #""compass": "NNE12345", "bypass": "A12345678""#, #""turkey": "Thanksgiving2026", "monkey": "Capuchin12345""#,
        #""ticket": "PROJ-12345", "code": "E1234567890""#, #""authors": ["Ann Bolton 1984"]"#,
        #""otp_enabled": true, "pin_count": 12, "mfa": ["sms", "totp"]"#, #""key": "value", "value": "key""#,
        ##""name": "color", "value": "#A3F5C9""##, #""name": "size", "value": "XXL-2026""#,
        #""name": "session", "value": "morning""#,
        #""name": "Password", "value": "Password", "type": "label""#, #""key": "PROJ-1234", "value": 12"#,
        #""settings": [{"name": "theme", "value": "solarized-dark2"}]"#, #""token": {"value": 12, "unit": "points"}"#,
        // Identifiers and digests.
        #""id": "\#(made("<a20>", 53))", "uid": "\#(made("<a28>", 54))""#, #""user_id": "auth0|\#(made("<h24>", 55))""#,
        #""customer": "cus_\#(made("<a14>", 56))", "payment_intent": "pi_\#(made("<a24>", 57))""#,
        #""payment_method": "pm_\#(made("<a24>", 58))", "charge": "ch_\#(made("<a24>", 59))""#,
        #""object": "price_\#(made("<a24>", 60))""#, #""node_id": "MDQ6VXNlcjU4MzIzMQ==""#,
        #""node_id": "R_kgDO\#(made("<a6>", 61))""#,
        #""sha": "\#(made("<h40>", 62))", "digest": "sha256:\#(made("<h64>", 63))""#,
        #""integrity": "sha512-\#(made("<b86>", 64))==""#, #""_integrity": "sha1-\#(made("<b27>", 65))=""#,
        #""etag": "\#(made("<b27>", 66))""#,
        #""md5Hash": "\#(made("<b22>", 67))==", "crc32c": "\#(made("<b6>", 68))==""#,
        #""checksum": "\#(made("<b43>", 69))=""#, #""narHash": "sha256-\#(made("<b43>", 70))=""#,
        #""fingerprint": "SHA256:\#(made("<b43>", 71))""#,
        #""trace_id": "\#(made("<h32>", 72))", "span_id": "\#(made("<h16>", 73))""#,
        #""ksuid_id": "\#(made("<a27>", 74))""#, #""requestId": "\#(made("<b44>", 75))=""#,
        #""x-amz-id-2": "\#(made("<b76>", 75))""#,
        #""videoId": "\#(made("<a11>", 76))", "channelId": "UC\#(made("<a22>", 77))", "playlistId": "PL\#(made("<a32>", 78))""#,
        #""place_id": "ChIJ\#(made("<u23>", 79))""#, #""fileId": "1\#(made("<u32>", 80))""#,
        #""photo": "https://lh3.googleusercontent.com/a/ACg8oc\#(made("<u44>", 81))=s96-c""#,
        #""picture": "https://cdn.example.com/\#(made("<a32>", 82))/w300.jpg""#,
        #""avatar_url": "https://cdn.discordapp.com/avatars/1234567890/\#(made("<h32>", 83)).png""#,
        #""cover": "https://i.scdn.co/image/ab67616d0000b273\#(made("<h24>", 84))""#,
        #""href": "https://api.example.com/v1/playlists/\#(made("<a22>", 85))/tracks""#,
        #""video": "https://stream.example.com/\#(made("<a44>", 86)).m3u8""#,
        #""verification": "google-site-verification=\#(made("<u43>", 87))""#,
        #""records": [{"type": "TXT", "content": "google-site-verification=\#(made("<u43>", 88))"}]"#,
        #""challenge": "\#(made("<u43>", 89))""#, #""credentialId": "\#(made("<u86>", 90))""#,
        #""nonce": "\#(made("<u43>", 91))""#, #""code_challenge": "\#(made("<u43>", 92))""#,
        #""geohash": "u33dc0cpke7v", "plus_code": "9F4MGC2M+H4""#, #""serialNumber": "C02\#(made("<A9>", 93))""#,
        #""vin": "1HGCM82633A004352""#,
        #""iban": "DE89370400440532013000", "bic": "COBADEFFXXX""#,
        #""isbn": "978-3-16-148410-0", "doi": "10.1000/182""#,
        #""mac": "00:1A:2B:3C:4D:5E", "ip": "2001:db8::ff00:42:8329""#,
        #""geometry": "0101000020E6100000\#(made("<h32>", 94).uppercased())""#,
        #""name": "iPhone15ProMax256GBNaturalTitanium""#,
        #""className": "MuiButtonBase-root MuiIconButton-colorPrimary2 css-1a2b3c4""#,
        #""function": "applicationDidFinishLaunchingWithOptions2Async""#,
        #""mappings": "AAAA,SAASA,IAAT,CAAaC,CAAb,EAAgB;\#(made("<a20>", 95)),AAAB""#,
        #""alphabet": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/""#,
        #""fen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1""#,
        #""dna": "ACGTACGTTAGCCGATCGATCGGATCTAGCTAGCTTAGC""#, ##""color": "#A1B2C3D4""##,
    ]

    private static let block = (0..<4).map { made("<b64>", UInt64($0 + 100)) }.joined(separator: "\n")

    private static let documents: [(String, String)] = [
        ("text/plain", "pong"), ("text/plain", "OK\n"), ("text/plain", "1.24.0-beta.3+build.20261121"),
        ("text/plain", "i-0abcd1234ef567890"), ("text/plain", made("<h40>", 2) + "\n"),
        ("text/plain", made("<h8>-<h4>-<h4>-<h4>-<h12>")), ("text/plain", "ip-10-0-0-17.eu-west-1.compute.internal"),
        ("text/plain", "2001:db8::ff00:42:8329\n"), ("text/plain", "uploads/2026/11/HeroImage2024Final.jpg"),
        ("text/plain", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n\(block)\n=ab3d\n-----END PGP PUBLIC KEY BLOCK-----\n"),
        (
            "application/x-pem-file",
            "-----BEGIN CERTIFICATE-----\n\(block)\n\(made("<b36>"))\n-----END CERTIFICATE-----\n"
        ),
        (
            "text/plain",
            "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\(made("<b28>"))\n\(made("<b58>"))==\n-----END PUBLIC KEY-----\n"
        ), ("text/plain", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI\(made("<b43>", 3)) ann@example.com\n"),
        ("text/plain", "github.com ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQC\(made("<b300>", 4))\n"),
        (
            "text/plain",
            "example.org v1.2.3 h1:\(made("<b43>", 5))=\nexample.org v1.2.3/go.mod h1:\(made("<b43>", 6))=\n"
        ),
        (
            "text/plain",
            "\"a@^1.0.0\":\n  version \"1.0.3\"\n  resolved \"https://registry.example.com/a/-/a-1.0.3.tgz#\(made("<h40>", 7))\"\n  integrity sha512-\(made("<b86>", 8))==\n"
        ), ("text/plain", "[[package]]\nname = \"a\"\nchecksum = \"\(made("<h64>", 9))\"\n"),
        ("text/plain", "256 SHA256:\(made("<b43>", 10)) ann@example.com (ED25519)\n"),
        (
            "text/plain",
            "commit \(made("<h40>", 11))\nAuthor: Ann <ann@example.com>\n\n    Merge 6dcb09b into 7f3a2c1\n"
        ), ("text/plain", "Content-Transfer-Encoding: base64\n\n\(block)\n\(made("<b20>"))==\n"),
        (
            "text/html",
            "<form><label>Password</label><input type=\"password\" name=\"password\" placeholder=\"Password\"></form>"
        ), ("text/html", "<input name=\"token\" value=\"\"><input type='password' name='pwd' value=''>"),
        ("text/html", "<meta name=\"google-site-verification\" content=\"\(made("<u43>", 12))\">"),
        ("text/html", "<div class=\"g-recaptcha\" data-sitekey=\"6Le\(made("<u37>", 13))\"></div>"),
        (
            "text/html",
            "<script src=\"/a.js\" integrity=\"sha384-\(made("<b64>", 14))\" crossorigin=\"anonymous\"></script>"
        ), ("text/html", "<script nonce=\"\(made("<u32>", 15))\">run()</script>"),
        ("text/html", "<div class=\"Layout-main--wide_Content-2024 Button_root__3xK9a sc-bdVaJa kTxYzQ\">x</div>"),
        ("text/html", "<img src=\"https://lh3.googleusercontent.com/\(made("<u60>", 16))=w300\">"),
        ("text/html", "<link href=\"https://fonts.gstatic.com/s/roboto/v30/\(made("<a30>", 17)).woff2\">"),
        (
            "text/html",
            "<table><tr><th>Password</th><th>Token</th></tr><tr><td>Required</td><td>Optional</td></tr></table>"
        ), ("text/html", "<dl><dt>Token</dt><dd>A word of the text</dd><dt>Secret</dt><dd>None</dd></dl>"),
        ("text/html", "<p>Send <code>Authorization: Bearer YOUR_TOKEN</code> or <code>?token=&lt;token&gt;</code></p>"),
        ("text/html", "<a href=\"/password/reset\">Forgot your password?</a> <a href=\"/invite/team-2026\">Invite</a>"),
        ("text/html", "<option value=\"token\">Token</option><option value=\"secret\">Secret</option>"),
        ("text/html", "<path d=\"M10H90V90H10Zm20h5v5h-5zM30A5a5V1h2Q3T4zC8c2\"/>"),
        (
            "application/javascript",
            "function login(user,password){return post(\"/login\",{user:user,password:password})}"
        ),
        (
            "application/javascript",
            "const token=getToken(),key=\"theme\";if(password==\"\"){show(\"Enter your password\")}"
        ), ("application/javascript", "var t={password:\"Passwort\",token:\"Token\",secret:\"Geheimnis\"};"),
        (
            "application/javascript",
            "!function(e){e.exports={tokenize:function(e){return e.split(\" \")},csrf:!0,auth:useAuthContext2()}}"
        ),
        (
            "application/javascript",
            "const alphabet=\"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_\";"
        ),
        (
            "application/javascript",
            "//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozfQ\(made("<b60>", 18))"
        ),
        (
            "text/css",
            ".token.password{color:#a1b2c3}.key:hover{background:url(data:image/png;base64,iVBORw0KGgo\(made("<b80>", 19)))}"
        ), ("text/css", "@font-face{font-family:x;src:url(data:font/woff2;base64,d09GMgABAAAAA\(made("<b100>", 20)))}"),
        ("text/plain", "login.title=Sign in\nlogin.password=Password\nlogin.token=Token\n"),
        ("text/plain", "login.password=Passwort\nlogin.forgot=Passwort vergessen?\nlogin.secret=Geheim\n"),
        ("application/yaml", "de:\n  password: Passwort\n  password_hint: Mindestens 8 Zeichen\n  token: Marke\n"),
        (
            "application/yaml",
            "components:\n  securitySchemes:\n    token:\n      type: http\n      scheme: bearer\n  schemas:\n    Login:\n      properties:\n        password:\n          type: string\n          format: password\n"
        ), ("application/yaml", "token: ${TOKEN}\npassword: ${DB_PASSWORD}\nsecret: <your secret>\n"),
        ("text/plain", "TOKEN=\nPASSWORD=\nSECRET=${SECRET}\nAPI_KEY=<your-key>\n"),
        ("text/plain", "PASSWORD=********\nTOKEN=xxxxxxxx\nSECRET=[FILTERED]\n"),
        ("text/plain", "csrf=disabled\nsession=true\nauth=none\njwt=enabled\n"),
        ("text/plain", "password_file=/run/secrets/db\nkey_path=/etc/ssl/private/a.pem\n"),
        ("text/csv", "id,token,count\n1,Hello,3\n2,COVID-19,1\n"), ("text/csv", "name,value\ntheme,dark\nsize,12\n"),
        ("text/csv", "key,en,de\npassword,Password,Passwort\ntoken,Token,Marke\n"),
        ("text/csv", "date,session,room\n2026-11-22,morning,A1\n"),
        ("text/tab-separated-values", "sha\tpath\n\(made("<h40>", 21))\ta.txt\n"),
        (
            "text/markdown",
            "| Parameter | Type | Description |\n|---|---|---|\n| token | string | The token to use |\n| password | string | Your password |\n"
        ), ("text/markdown", "| Field | Required |\n|---|---|\n| password | yes |\n| api_key | no |\n"),
        ("text/markdown", "Use `--token TOKEN` or set `API_KEY=your-key`.\n"),
        (
            "text/plain",
            "Usage: shop [options]\n  --password string   Password for the database\n  --token TOKEN       Token to use\n  -u, --user USER     user and password\n"
        ), ("text/plain", "Token: expired\n"), ("text/plain", "Password: required\n"),
        ("text/plain", "The password is too short. Secret questions are no secret; keys are on the table.\n"),
        ("application/sql", "CREATE TABLE users (id INT, password VARCHAR(255) NOT NULL, token TEXT);"),
        ("application/sql", "INSERT INTO posts (id, title, slug) VALUES (1, 'On passwords', 'on-passwords-2026');"),
        ("application/sql", "SELECT id, password FROM users WHERE token IS NULL;"),
        ("application/sql", "UPDATE users SET password = NULL, token = '' WHERE id = 7;"),
        ("text/plain", "2026-10-29T13:04:51Z INFO login user=ann result=ok took=3ms request_id=\(made("<h32>", 22))\n"),
        (
            "text/plain",
            "10.0.0.7 - - [29/Oct/2026:13:04:51 +0000] \"GET /a?page=2 HTTP/1.1\" 200 512 \"-\" \"Mozilla/5.0\"\n"
        ), ("text/plain", "panic: token 12 at /srv/app/parser.go:42\n"),
        ("text/plain", "Deployed photo-1503023345310-bd7c1de61c7d to production-eu-west-1-cluster-2\n"),
        (
            "application/xml",
            "<urlset><url><loc>https://example.com/2026/11/22/an-article-on-tokens-and-passwords</loc></url></urlset>"
        ),
        (
            "application/xml",
            "<resources><string name=\"password\">Password</string><string name=\"login_password\">Mot de passe</string></resources>"
        ),
        (
            "application/xml",
            "<md:KeyDescriptor><ds:X509Certificate>MIID\(made("<b300>", 23))</ds:X509Certificate></md:KeyDescriptor>"
        ),
        (
            "application/xml",
            "<plist><dict><key>CFBundleName</key><string>Shop</string><key>Token</key><true/></dict></plist>"
        ), ("application/xml", "<add key=\"Theme\" value=\"solarized-dark2\"/>"),
        ("application/xml", "<xs:element name=\"password\" type=\"xs:string\"/>"),
        ("application/graphql", "query ($token: String!) { session(token: $token) { user { name } } }"),
        ("application/graphql", "type User { password: String token: String! }"),
        (
            "text/calendar",
            "BEGIN:VCALENDAR\nUID:\(made("<a26>", 24))@google.com\nSUMMARY:Pass the token\nEND:VCALENDAR\n"
        ), ("text/vtt", "WEBVTT\n\n00:00.000 --> 00:04.000\nThe key to the secret is a token.\n"),
        ("application/x-ndjson", "{\"id\":\"\(made("<a20>", 25))\"}\n{\"token\":\"GPT-4\"}\n"),
        (
            "text/plain",
            "example.com. 300 IN TXT \"v=spf1 include:_spf.example.com ~all\"\nexample.com. IN DNSKEY 257 3 13 \(made("<b86>", 26))==\n"
        ), ("text/plain", "$ npm install\nadded 12 packages in 3s\n"),
        (
            "text/plain",
            "Lorem ipsum dolor sit amet, consectetuer adipiscing elit; donaudampfschifffahrtsgesellschaft.\n"
        ),
    ]

    private static let queries: [(String, String)] = [
        ("q", "what is a token? Bearer tokens"), ("code", "US"), ("code", "E12345"), ("key", "title"), ("token", ""),
        ("sort", "-released_at"), ("cursor", made("<u60>", 201)), ("pageToken", made("<u40>", 202)),
        ("id", made("<h8>-<h4>-<h4>-<h4>-<h12>")), ("v", made("<h40>")), ("since", "2026-10-29T13:04:51.000Z"),
        ("session", "morning"), ("url", "https://images.example.com/uploads/2026/a.png"), ("t", "1700000000"),
        ("t", "1h2m3s"), ("k", "shoes"),
        ("fields", "id,name,token,password"), ("continue", made("<u60>", 203)), ("marker", made("<b60>", 204)),
        ("etag", made("<b40>", 205)), ("ixid", made("<b60>", 206)), ("address", made("<544>", 207)),
        ("grant_type", "authorization_code"), ("response_type", "code"),
        ("scope", "read:user repo:status"), ("redirect_uri", "https://example.com/callback"),
        ("code_challenge", made("<u43>", 208)), ("filter", "createdAt ge 2026-10-29T00:00:00Z"),
        ("q", "iPhone15ProMax256GB"), ("pub_key", "pk_live_" + made("<a24>", 209)),
    ]
}
