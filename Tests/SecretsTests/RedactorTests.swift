// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets
import MockapiSecretsSupport
import MockapiTestSupport
import Testing

@Suite(.supervised) struct RedactorTests {
    private func json(_ text: String, _ redactor: Redactor = Redactor(), _ side: MessageSide = .response) -> String {
        String(decoding: redactor.text(Array(text.utf8), mediaType: "application/json", of: side).value, as: UTF8.self)
    }

    @Test func `a secret in JSON is named by its path, and all else stays as it was written`() {
        let text =
            "{ \"data\" : [ { \"n\": 1.50, \"token\":\"\(Planted.value)\" ,\"u\": \"\\u00e9\\/\" } ],\r\n\t\"x\": null }\n"
        #expect(
            json(text)
                == "{ \"data\" : [ { \"n\": 1.50, \"token\":\"redacted.response.data.0.token\" ,\"u\": \"\\u00e9\\/\" } ],\r\n\t\"x\": null }\n"
        )
    }

    @Test(arguments: ["", ",\"q\":\"a=b&c=d\"", ",\"n\":[1,{\"x\":null}]"])
    func `JSON that is called a form, as by curl, is read as JSON`(rest: String) {
        let text = "{\"user\":{\"password\":\"hunter2\"}\(rest)}"
        let redaction = Redactor().text(
            Array(text.utf8), mediaType: "application/x-www-form-urlencoded", of: .request)
        #expect(
            String(decoding: redaction.value, as: UTF8.self)
                == "{\"user\":{\"password\":\"redacted.request.user.password\"}\(rest)}")
    }

    @Test func `a secret within an escaped string is replaced alone`() {
        #expect(
            json("{\"u\": \"\\u003ca\\/b?\\u0074oken=\(Planted.value)\\u0026c=\\ud83d\\ude00\"}")
                == "{\"u\": \"\\u003ca\\/b?\\u0074oken=redacted.query.token\\u0026c=\\ud83d\\ude00\"}")
    }

    @Test func `numbers are replaced where they are a password or a code, and become strings`() {
        #expect(
            json("{\"pin\": 1234, \"otp\": \"123456\", \"password\": 42, \"count\": 1234, \"pin2\": true}")
                == "{\"pin\": \"redacted.response.pin\", \"otp\": \"redacted.response.otp\", \"password\": \"redacted.response.password\", \"count\": 1234, \"pin2\": true}"
        )
    }

    @Test func `two secrets of one place stay apart in a message, and a rotated one is no difference between messages`()
    {
        let redactor = Redactor()
        let (first, second) = (Planted.random(40, seed: 5), Planted.random(40, seed: 6))
        let text = { (value: String) in "Bearer \(value)" }
        #expect(redactor.header("X-Note", text(first)).value == "Bearer redacted.header.X-Note")
        #expect(redactor.header("X-Note", text(second)).value == "Bearer redacted.header.X-Note")
        let both = Redactor().header("X-Note", "\(text(first)), \(text(second)), \(text(first))")
        #expect(
            both.value
                == "Bearer redacted.header.X-Note, Bearer redacted.header.X-Note-2, Bearer redacted.header.X-Note")
        #expect(both.placeholders == ["redacted.header.X-Note", "redacted.header.X-Note-2"])
    }

    @Test func `a secret of the headers is found in every text, in each way of writing it`() {
        let redactor = Redactor()
        let secret = "aB3/x+9=\"Q\\7z"
        redactor.learn([
            ("authorization", "Bearer \(secret)"), ("Cookie", "theme=dark; sid=\"s3ss10nValue\"; lang=en-US"),
        ])
        let written =
            "{\"echo\": \"aB3\\/x+9=\\\"Q\\\\7z\", \"url\": \"https://example.com/\(secret.percentEncoded)/s3ss10nValue\", \"theme\": \"dark\"}"
        #expect(
            json(written, redactor)
                == "{\"echo\": \"redacted.header.Authorization\", \"url\": \"https://example.com/redacted.header.Authorization/redacted.cookie.sid\", \"theme\": \"dark\"}"
        )
        #expect(redactor.path(segment: "s3ss10nValue", at: 2).value == "redacted.cookie.sid")
        #expect(redactor.query("q", "x s3ss10nValue").value == "x redacted.cookie.sid")
        let binary = [UInt8(0), 0xFF] + Array("s3ss10nValue".utf8)
        #expect(
            redactor.scan(binary, isText: false)
                == [SecretFinding(kind: "the secret that is elsewhere redacted.cookie.sid", line: 1, column: 3)])
    }

    @Test func `user and password of Basic authentication are found together, apart and as they were sent`() {
        let redactor = Redactor()
        redactor.learn([("Authorization", "Basic " + "YW5uYmVsbGE6b3BlbiBzZXNhbWU=")])
        #expect(
            json(
                #"{"a": "annbella:open sesame", "b": "say open sesame!", "c": "YW5uYmVsbGE6b3BlbiBzZXNhbWU=", "d": "reopen sesames"}"#,
                redactor)
                == #"{"a": "redacted.header.Authorization.credentials", "b": "say redacted.header.Authorization.password!", "c": "redacted.header.Authorization", "d": "reopen sesames"}"#
        )
    }

    @Test func `a value that is learnt late is replaced where it stood earlier in the text`() {
        #expect(
            json("{\"a\": \"x \(Planted.value)\", \"token\": \"\(Planted.value)\"}")
                == "{\"a\": \"x redacted.response.token\", \"token\": \"redacted.response.token\"}")
    }

    @Test func `a name in JSON that is a secret is replaced, and is in no placeholder`() {
        let key = "gh" + "p_" + Planted.random(36)
        #expect(
            json("{\"map\": {\"\(key)\": {\"password\": \"open\"}}}")
                == "{\"map\": {\"redacted.response.map.name\": {\"password\": \"redacted.response.map.name.password\"}}}"
        )
    }

    @Test func `values at the paths of the rules are replaced, whatever they are`() {
        var rules = RedactionRules()
        rules.jsonPaths = ["$.user.email", "$.items[*].n", "$..gone", "$.list[1]"]
        let text =
            #"{"user": {"email": "ann@example.com", "note": "of ann@example.com"}, "items": [{"n": 1}, {"n": null}], "a": {"gone": {"x": [1, "]"]}}, "list": [true, false]}"#
        #expect(
            json(text, Redactor(rules))
                == #"{"user": {"email": "redacted.response.user.email", "note": "of ann@example.com"}, "items": [{"n": "redacted.response.items.0.n"}, {"n": null}], "a": {"gone": "redacted.response.a.gone"}, "list": [true, "redacted.response.list.1"]}"#
        )
    }

    @Test func `a path of the rules that is none is found in everything that would be written`() {
        var rules = RedactionRules()
        rules.jsonPaths = ["$.a["]
        #expect(
            Redactor(rules).scan([], isText: true) == [
                SecretFinding(
                    kind:
                        "\"$.a[\" is not a JSON path: expected a number, '*' or a name in quotes at character 5; write a path such as $.user.email or $.items[*].token",
                    line: 1, column: 1)
            ])
    }

    @Test func `a placeholder is at most 100 bytes of unreserved characters`() {
        let name = String(repeating: "é/ ", count: 60)
        let redaction = Redactor().query(name + "[token]", Planted.value)
        let bytes = Array(redaction.value.utf8)
        #expect(bytes.count <= 100)
        #expect(
            bytes.allSatisfy { "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-".utf8.contains($0) })
        #expect(redaction.value.hasPrefix("redacted.query.--"))
    }

    @Test func `a name that holds its secret names no placeholder`() {
        // Cut off, so that it is not JSON.
        let text = "{\"x\": 1, \"\(Planted.value)token\": \"\(Planted.value)\","
        let redactor = Redactor()
        let once = redactor.text(Array(text.utf8), mediaType: "application/json", of: .response)
        #expect(
            String(decoding: once.value, as: UTF8.self) == "{\"x\": 1, \"redacted.nametoken\": \"redacted.name\",")
        #expect(once.placeholders == ["redacted.name"])
        #expect(redactor.text(once.value, mediaType: "application/json", of: .response).value == once.value)
    }

    @Test(arguments: ["redacted", "redacted.", "y=redacted", "a1b2=redact"])
    func `a secret that placeholders begin with is not looked for in them`(secret: String) {
        let redactor = Redactor()
        redactor.learn([("Authorization", secret), ("Cookie", "token=\(secret)")])
        let text = Array("?k=v&x=redacted.place&y=redacted.place&a1b2=redacted.place".utf8)
        #expect(redactor.text(text, mediaType: "text/plain", of: .request).value == text)
    }

    @Test(arguments: [
        "password", "projects", "production", "12345678", "forgot-password", "2026-10-29",
    ])
    func `a secret that is also a word is replaced in its place and in those of its kind alone`(word: String) {
        let redactor = Redactor()
        let login = json(#"{"username":"admin","password":"\#(word)"}"#, redactor, .request)
        #expect(login == #"{"username":"admin","password":"redacted.request.password"}"#)
        redactor.learn([("Authorization", "Basic YWRtaW46cGFzc3dvcmQ=")])
        let text = """
            {"fields":["username","\(word)"],"\(word)":"a \(word) b","env":"\(word)","id":12345678,"at":"2026-10-29T10:00:00Z",\
            "note":"put back: redacted.request.password"}
            """
        #expect(json(text, redactor) == text)
        for segment in ["v1", word, "forgot-password", "my_\(word)_x"] {
            #expect(redactor.path(segment: segment).value == segment)
        }
        #expect(redactor.header("X-Env", "\(word), of \(word)").placeholders == [])
        #expect(redactor.query("q", word).value == word)
        #expect(redactor.scan(Array((login + text).utf8), isText: true) == [])
        #expect(
            json(#"{"user":{"password":"\#(word)"}}"#, redactor)
                == #"{"user":{"password":"redacted.response.user.password"}}"#)
        #expect(
            redactor.text(Array("password=\(word)&env=\(word)".utf8), mediaType: "text/plain", of: .request).value
                == Array("password=redacted.request.password&env=\(word)".utf8))
    }

    @Test func `a short secret that stands in a placeholder is not replaced there`() {
        let redactor = Redactor()
        let line = redactor.header("Set-Cookie", "session2024=abcdefgh1").value
        #expect(line == "session2024=redacted.cookie.session2024")
        redactor.learn([("Authorization", "Bearer session2024")])
        let text = Array("of session2024: redacted.cookie.session2024".utf8)
        let redaction = redactor.text(text, mediaType: "text/plain", of: .response)
        #expect(
            String(decoding: redaction.value, as: UTF8.self)
                == "of redacted.header.Authorization: redacted.cookie.session2024")
        #expect(redactor.scan(redaction.value, isText: true) == [])
    }

    @Test func `a short secret that stands in a placeholder hides none that stands elsewhere`() {
        let redactor = Redactor()
        _ = redactor.header("Set-Cookie", "session2024=abcdefgh1")
        redactor.learn([("Authorization", "Bearer session2024")])
        let text = "a=redacted.cookie.session2024&me:k9Trw4Zq81mBx7Lp2@i.example/?b=1"
        let redaction = redactor.text(
            Array(text.utf8), mediaType: "application/x-www-form-urlencoded", of: .response)
        #expect(
            String(decoding: redaction.value, as: UTF8.self)
                == "a=redacted.cookie.session2024&me:redacted.response.credentials@i.example/?b=1")
        #expect(redaction.placeholders == ["redacted.response.credentials"])
    }

    @Test func `a secret in the name of a field or a parameter is in no placeholder`() {
        let type = "application/x-www-form-urlencoded"
        let form = "me:k9Trw4Zq81mBx7Lp2@i.example/?token=\(Planted.value)&id_token=k9Trw4Zq"
        let once = Redactor().text(Array(form.utf8), mediaType: type, of: .response)
        #expect(
            String(decoding: once.value, as: UTF8.self)
                == "me:redacted.response.credentials@i.example/?token=redacted.name&id_token=redacted.response.id_token"
        )
        #expect(Redactor().text(once.value, mediaType: type, of: .response).value == once.value)
        let name = "https://me:hunter2@i.example/?token"
        #expect(Redactor().query(name, Planted.value).value == "redacted.name")
        #expect(Redactor().query("a", "?b=c&token=\(Planted.value)").value == "?b=c&token=redacted.query.token")

        let redactor = Redactor()
        redactor.learn([("Cookie", "gh" + "p_\(Planted.random(36))=\(Planted.value)")])
        #expect(redactor.query("a", Planted.value).value == "redacted.name")
    }

    @Test func `a secret that is met behind the name that holds it is in no placeholder`() {
        #expect(
            json(#"{"of": {"a8f3k2m9x1": {"token": "\#(Planted.value)"}}, "sid": "a8f3k2m9x1"}"#)
                == #"{"of": {"redacted.response.sid": {"token": "redacted.name"}}, "sid": "redacted.response.sid"}"#)
    }

    @Test func `what is redacted has no finding and stays as it is`() {
        let texts: [(String, String)] =
            Planted.shapes.flatMap { planted in
                [
                    (planted.text, "text/plain"),
                    ("{\"a\": \"\(planted.text.replacing("\n", with: "\\n"))\"}", "application/json"),
                    ("a=\(planted.text.percentEncoded)&token=\(Planted.value)", "application/x-www-form-urlencoded"),
                    ("<x y=\"\(planted.text)\"/>", ""), (planted.text + planted.text, "text/html"),
                ]
            }
            + Planted.names.map {
                ("{\"\($0)\": \"\(Planted.random(30))\", \"b\": \"\($0)=\(Planted.value)\"}", "application/json")
            }
            + [(Innocent.json, "application/json"), (Innocent.page, "text/html")]
        let redactor = Redactor()
        for (text, type) in texts {
            let once = redactor.text(Array(text.utf8), mediaType: type, of: .response)
            #expect(redactor.scan(once.value, isText: true) == [], "\(type)")
            #expect(SecretScan.findings(in: once.value, isText: true) == [], "\(type)")
            let twice = redactor.text(once.value, mediaType: type, of: .response)
            #expect(twice.value == once.value)
            #expect(twice.placeholders == [])
        }
        for planted in Planted.shapes {
            for redact in [
                { redactor.header("Link", $0) }, { redactor.query("a", $0) },
                { redactor.header("Set-Cookie", "a=\($0)") },
            ] {
                let once = redact(planted.text)
                #expect(redactor.scan(Array(once.value.utf8), isText: true) == [])
                if !once.value.hasPrefix("a=") { #expect(redact(once.value).value == once.value) }
            }
        }
    }

    @Test func `long texts of one sort are read in one pass`() {
        let redactor = Redactor()
        redactor.learn([("Authorization", "Bearer \(Planted.random(40))")])
        let size = 4 * 1024
        for unit in [
            "a", "[", "eyJ", "eyJhbGciOiJI-", "eyJ.", "token=", "token=\"", "sk-", "-----BEGIN PRIV" + "ATE KEY-----",
            "://", "://a:", "1:AA", "=", ":", "{\"",
            "redacted.", "Bearer ", "a=b&", "<a b='", "%41", "\\u0041",
        ] {
            let text = Array(String(repeating: unit, count: size / unit.utf8.count).utf8)
            let redaction = redactor.text(text, mediaType: "text/plain", of: .response)
            #expect(redaction.value.count <= text.count + 100 * redaction.placeholders.count || redaction.isRedacted)
            #expect(redactor.scan(redaction.value, isText: true) == [], "\(unit)")
        }
    }

    // A comparison with the first line at each byte would take minutes.
    @Test(.timeLimit(.minutes(1))) func `a multipart content of hyphens is looked through in one go`() {
        let text = String(repeating: "-", count: 30_000) + "\n" + String(repeating: "-", count: 200_000)
        let redaction = Redactor().text(Array(text.utf8), mediaType: "multipart/form-data; boundary=-", of: .request)
        #expect(redaction.value == Array(text.utf8))
    }
}
