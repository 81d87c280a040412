// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSecrets
import MockapiSecretsSupport
import MockapiTestSupport

/// The rows of `Redactions.txt`: each value in each format, under each name, behind each word of a link, and texts that are nearly sound.
///
/// Each row has an eighth of the values, the next row the next eighth: those that are kept, how many a placeholder alone stands for, and the
/// text that is written for any other. Rows of one text that is cut or changed have a sign for each: `.` it is kept, `x` it is not.
enum RedactionTable {
    /// Values at the bounds of what is called a token, a word, a phrase, a number, a blank.
    static let values: [String] =
        [
            "", "-", "1", "123", "1234", "12345", "123456", "12345678", "123456789012", "1234567890123456", "1.5",
            "a", "abcd", "abcde", "horse", "secret", "abcdefg", "abcdefgh", "monkey12", "Monkey12", "p4ssw0rd",
            "hunter7", "zq!x", "zq!xy", "zq!xyz", "Letmein", "LETMEIN9", "ab1", "ab12c", "ab12cd", "ab12cd3",
            "ab12cd3e",
            "aBcDeFgH", "aBcDeFgHiJkL", "aBcDeFgHiJkLmN", "abcDEFghiJKLmno", "ABCDEFGHIJKLMNOP", "abcdefghijklmnop",
            "aaaaaaaaaaaaaaaa", "a1a1a1a1a1a1a1a1", "COVID-19", "team_2026", "team_20261", "color.primary.500",
            "paramSetA", "param-set-a-12345678", "GL_COMPRESSED_SRGB8_ALPHA8_ASTC_5x4", "org.example.SessionDump",
            "o.example.SessionDump", "org.Example.Dump", "example.SessionDump", "$HOME", "$home", "${X}", "$(x)", "$1",
            "$123", "%X%", "%X", "X%", "[x]", "[x", "x]", "<x>", "<x", "x>", "&lt;x&gt;", "****", "a****b", "***b",
            "xxxx", "x-x_x.", "{{x}}", "null", "none", "n/a", "true", "required", "Bearer", "nonesuch",
            "Confirm your password", "must be 8 characters", "token is expired", "Enter the code", "one two",
            "p@ss w0rd", "p@ss w0rd more", "correct horse battery", "correct horse battery staple",
            "correct horse battery staple 12", "Correct Horse Battery Staple", "the horse and battery",
            "пароль номер один", "пароль", "mot de passe 1", "ann@example.com", "/v1/users/me/things",
            "/v1/services/XsjdElScZGjm", "https://example.com/x", "2026-11-20", "2026-11-20T10:00:00Z", "12:30:00",
            "10.0.0.7", "application/json", "de-CH", "report.pdf", "0x742d35Cc", "#a1b2c3", "1f2e3d4c", "true1234",
            "k9Trw4-Zq81mB", "Kx9-ab!", "a=b&c=d", "a:b", "a,b;c", "it's", "say \\\"x\\\"", "a\\nb", "%41%42c1d2e3f4",
            "YWJjZGVmZ2hpamts", "YWJjZGVmZw==", "redacted.x", "Bearer abc12345", "Basic YW5uOm9wZW4=",
        ]
        + [
            "<a4>", "<a6>", "<a7>", "<a8>", "<a9>", "<a11>", "<a12>", "<a15>", "<a16>", "<a19>", "<a20>", "<a23>",
            "<a24>", "<a31>", "<a32>", "<a40>", "<a64>", "<h8>", "<h15>", "<h16>", "<h31>", "<h32>", "<h40>", "<h64>",
            "<l8>", "<l16>", "<l20>", "<l32>", "<A8>", "<A16>", "<A20>", "<A32>", "<d16>", "<d20>", "<u22>", "<u43>",
            "<b43>=", "<b86>==", "<h8>-<h4>-4<h3>-a<h3>-<h12>", "<a8>.<a8>", "<a8>-<a8>", "<a8>_<a8>", "<A4>-<A4>-<A4>",
            "user_<a8>", "user-<d9>", "<l5><d2>", "<a20>.png", "/a/<a24>", "<a24>/b", "<544>", "<a8> <a8>",
            // At the bounds of files in Base64, of slugs, of parts, and of signs at the end.
            "iVBORw0KGgoAAAANSUhEUgA", "iVBORw0KGgoAAAANSUhEUgAA", "iVBORw0KGgoAAAANSUhEUgAA<a231>",
            "iVBORw0KGgoAAAANSUhEUgAA<a232>", "<a255>", "<a256>", "<a1023>", "<a1024>",
            "set-of-params-of-31-letters-1-ab",
            "set-of-params-of-32-letters-1-abc", "set-of-params-of-33-letters-1-abcd", "ab.cd", "ab.cde", "abc.d1",
            "x.Y.z",
            ";", "x;", "<a16>;", "<a16>,", "\"<a16>\";", "é", "aé<d4>", "ABCD1234", "<d7>a", "<d8>-", "<A7>1",
            "aB-cDeFgH-iJkLmN",
            "aB-cDeFgH-iJkLm", "aBcDeF-gHiJkLmN-oP", "<l7>1", "<l11>1", "<l12>1", "<d15>", "<d17>", "<l3>-<l3>-<d4>",
        ].enumerated().map { Specimen.made($1, seed: UInt64($0) &+ 700) }

    /// An eighth of the values, each time another one.
    private static func some(_ number: Int) -> [String] {
        values.indices.filter { ($0 + number) % 8 == 0 }.map { values[$0] }
    }

    private static let names = [
        "password", "new_password", "reset_password", "user.password", "login[password]", "x-password", "pwd", "pass",
        "pw", "passphrase", "psk", "token", "Token", "access_token", "nextPageToken", "page_token", "pageToken",
        "tokens", "api_key", "API-KEY", "publicApiKey", "public_key", "site_key", "sort_key", "primary_key", "key",
        "keys", "api_keys", "secret", "client_secret", "secrets", "private_key", "pin", "PIN", "otp", "totp", "cvv",
        "cvc", "mfa_code", "sms_code", "code", "ticket", "t", "k", "tk", "tok", "appid", "magic", "invite", "sig",
        "signature", "hmac", "sid", "session", "sessionId", "JSESSIONID", "auth", "authorization", "credentials",
        "assertion", "code_verifier", "recovery_codes", "accesskey", "jwt", "csrf", "id", "note", "name", "user",
        "username", "email", "X-Amz-Signature", "X-Amz-Date", "$password", "pass word", "@token", "tokenizer",
        "password_hint", "has_password", "a_key_of_more_than_forty_letters_is_no_secret_key",
        "aVeryLongNameOfASecretThatGoesOnToken",
    ]

    private static let words = [
        "reset", "invite", "verify", "token", "magic-link", "confirm", "unsubscribe", "secret", "keys", "hooks",
        "share",
        "users", "v1", "", "feeds", "webhooks", "s", "d", "session", "files",
    ]

    private static let lines: [(name: String, form: @Sendable (String) -> String)] = [
        ("Set-Cookie", { "session=\($0); Path=/" }), ("Set-Cookie", { "theme=\($0)" }),
        ("Set-Cookie", { "xsid=\($0)" }), ("Cookie", { "si=\($0)" }),
        ("Set-Cookie", { "a=1; b=\"\($0)\"; Secure" }), ("Cookie", { "a=\($0); b=1" }), ("X-Note", { $0 }),
        ("X-Note", { "Bearer \($0)" }), ("X-Note", { "see \($0), or not" }), ("X-Api-Key", { $0 }),
        ("X-Request-Id", { $0 }), ("ETag", { "\"\($0)\"" }), ("Location", { "/in?code=\($0)&state=x#a" }),
        ("Location", { "https://a.example.com/reset/\($0)?x=1" }), ("Location", { "https://u:\($0)@a.example.com/" }),
        ("Location", { "/cb#access_token=\($0)" }), ("Link", { "<https://a.example.com/?token=\($0)>; rel=\"next\"" }),
        ("Refresh", { "0; url=/in?token=\($0)" }), ("WWW-Authenticate", { "Digest realm=\"a\", nonce=\"\($0)\"" }),
        ("WWW-Authenticate", { "Bearer realm=\($0), error=\"x\"" }), ("Authorization", { "Basic \($0)" }),
        ("Authorization", { "Bearer \($0)" }), ("Proxy-Authorization", { $0 }),
        ("Content-Disposition", { "attachment; filename=\"\($0)\"" }),
        ("Authentication-Info", { "nextnonce=\"\($0)\"" }),
        ("Content-Security-Policy", { "script-src 'nonce-\($0)'" }), ("X-Amz-Security-Token", { $0 }),
        ("Content-Type", { "multipart/form-data; boundary=\($0)" }), ("Date", { $0 }), ("reason", { $0 }),
    ]

    // MARK: Rows

    static let parts: [@Sendable () -> [String]] = [
        formats, named, linked, headers, cut, surrounded, mutated, guessed,
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A row of values, by what becomes of them.
    private static func row(_ title: String, kept: [String], rest: [String]) -> String {
        ([title, "kept " + (kept.isEmpty ? "none" : kept.map { "‹\($0)›" }.joined(separator: " "))] + rest)
            .joined(separator: " | ")
    }

    private static func row(
        _ title: String, _ values: [String],
        _ redact: (Redactor, String) -> (front: String, back: String, value: String)
    ) -> String {
        var (kept, placeholders, others) = ([String](), 0, [String]())
        for value in values {
            let redactor = Redactor()
            let (front, back, written) = redact(redactor, value)
            if written.utf8.elementsEqual((front + value + back).utf8) {
                kept.append(value)
                continue
            }
            let bytes = Array(written.utf8)
            let isAround =
                bytes.count >= front.utf8.count + back.utf8.count && bytes.starts(with: front.utf8)
                && bytes.suffix(back.utf8.count).elementsEqual(back.utf8)
            let middle = text(Array(bytes.dropFirst(front.utf8.count).dropLast(back.utf8.count)))
            if isAround, redactor.name(of: middle) != nil {
                placeholders += 1
            } else {
                others.append("‹\(value)› → " + (isAround ? middle : written).prefix(160))
            }
        }
        return row(title, kept: kept, rest: ["\(placeholders) redacted"] + others)
    }

    private static func split(_ text: (String) -> String) -> (front: String, back: String) {
        let parts = text("\u{1}").split(separator: "\u{1}", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    private static func formats() -> [String] {
        Specimen.texts.enumerated().flatMap { number, format in
            ["password", "api_key"].enumerated().flatMap { second, name in
                let (front, back) = split { format.text(name, $0) }
                let values = some(number * 3 + second).filter { format.name.hasSuffix("*") || !$0.contains(" ") }
                let unseen = values.filter { value in
                    SecretScan.findings(in: Array((front + value + back).utf8), isText: true).isEmpty
                }
                return [
                    row("\(name) in \(format.name)", values) { redactor, value in
                        let bytes = Array((front + value + back).utf8)
                        return (front, back, text(redactor.text(bytes, mediaType: format.type, of: .response).value))
                    },
                    row(
                        "\(name) in \(format.name), scanned", kept: unseen,
                        rest: ["\(values.count - unseen.count) found"]),
                ]
            }
        }
    }

    private static func named() -> [String] {
        names.enumerated().flatMap { number, name in
            let (front, back, type) = [
                ("a=1&\(name)=", "&b=2", "application/x-www-form-urlencoded"),
                ("It has \(name): ", " now", "text/plain"),
            ][number % 2]
            return [
                row("\(name) in a query", some(number)) { ("", "", $0.query(name, $1).value) },
                row("\(name) in a line", some(number + 3)) { ("", "", $0.header(name, $1).value) },
                row("\(name) in JSON", some(number * 3)) { redactor, value in
                    let (front, back) = ("{\"a\": {\"\(name)\": \"", "\"}}")
                    let bytes = Array((front + value + back).utf8)
                    return (front, back, text(redactor.text(bytes, mediaType: "application/json", of: .response).value))
                },
                row("\(name) in \(type)", some(number * 3 + 1)) { redactor, value in
                    let bytes = Array((front + value + back).utf8)
                    return (front, back, text(redactor.text(bytes, mediaType: type, of: .request).value))
                },
            ]
        }
    }

    private static func linked() -> [String] {
        words.enumerated().flatMap { number, word in
            [nil, "rotate", "a.pdf"].enumerated().map { second, next in
                row("/\(word)/*\(next.map { "/" + $0 } ?? "")", some(number * 3 + second)) { redactor, value in
                    ("", "", redactor.path(segment: value, at: next == nil ? nil : 2, behind: word, before: next).value)
                }
            }
        }
    }

    private static func headers() -> [String] {
        lines.enumerated().flatMap { number, line in
            let (front, back) = split(line.form)
            return [
                row("\(line.name): \(line.form("*"))", some(number) + some(number + 4)) { redactor, value in
                    (front, back, redactor.header(line.name, front + value + back).value)
                },
                // What a request's line is learnt for stands in a text later.
                row("\(line.name): \(line.form("*")), learnt", some(number + 2) + some(number + 6)) { redactor, value in
                    redactor.learn([(name: line.name, value: front + value + back)])
                    return ("so ", " it", text(redactor.learnt(Array("so \(value) it".utf8)).value))
                },
            ]
        }
    }

    /// Secrets of known issuers, and values at random, of each length.
    private static func cut() -> [String] {
        let made = ["<a70>", "<h70>", "<l70>", "<A70>", "<u70>", "<b70>", "<d30>"].map { pattern in
            Planted(pattern, Specimen.made(pattern, seed: 77))
        }
        return (Planted.shapes + made).enumerated().flatMap { number, shape in
            let all = Array(shape.text)
            let lengths = (1...all.count).filter { all.count <= 32 || $0 % 3 == number % 3 }
            let parts = lengths.map { String(all.prefix($0)) }
            func signs(_ redact: (Redactor, String) -> Bool) -> String {
                parts.map { redact(Redactor(), $0) ? "x" : "." }.joined()
            }
            return [
                "\(shape.kind) \(number) in a text | "
                    + signs { $0.text(Array("is \($1) so".utf8), mediaType: "text/plain", of: .response).isRedacted },
                "\(shape.kind) \(number) in bytes | "
                    + signs {
                        $0.binary([0xFF, 0xD8, 0xFF, 0] + Array($1.utf8) + [0, 1], mediaType: "", of: .response)
                            .isRedacted
                    },
            ]
        }
    }

    /// A value at random between two others, which may make a name, a path or a part of a word of it.
    private static func surrounded() -> [String] {
        let fronts = [
            "", " ", "x ", ", ", "{ ", "(", "\"", " \"", "x \"", "x, \"", "{\"", "{ \"", "'", "é", "a", "/", "=", "?",
            ":", "|",
            "\\n", "\\", "a.", "-", "<b>", "a: ", "a: \"", "a://", "@", "#",
        ]
        let backs = [
            "", " ", ".", ". ", ".x", "!", "?\"", ":", ": ", ":x", "\"", "\":", "\" :", "\": 1", "'", "':", "\\n",
            "\\\":", "\\\"",
            "é", ")", "]", "`", "/", "/x", "-", "<", "|", ";", ",", ".png", "@a.example", "=", "==", "(", "%20",
        ]
        return ["<a40>", "<h32>", "<u43>"].enumerated().flatMap { number, pattern in
            let run = Specimen.made(pattern, seed: 900 &+ UInt64(number))
            return fronts.enumerated().filter { number == 0 || $0.offset % 2 == number % 2 }.map { _, front in
                let signs = backs.map { back in
                    let bytes = Array((front + run + back).utf8)
                    let isRedacted = Redactor().text(bytes, mediaType: "text/plain", of: .response).isRedacted
                    return isRedacted ? SecretScan.findings(in: bytes, isText: true).isEmpty ? "r" : "x" : "."
                }
                return "\(front)\(pattern) | \(signs.joined())"
            }
        }
    }

    /// Texts with a sign or two that are others, as they are written then.
    private static func mutated() -> [String] {
        var random = SplitMix(seed: 41)
        let signs = Array("{}[]<>/=&;:,\"'\n#x7 -\\%|@$(".utf8)
        func mutate(_ text: [UInt8]) -> [UInt8] {
            var text = text
            for _ in 0..<random.pick([1, 1, 2]) where !text.isEmpty {
                let place = random.below(text.count)
                switch random.below(4) {
                case 0: text[place] = random.pick(signs)
                case 1: text.remove(at: place)
                case 2: text.insert(random.pick(signs), at: place)
                default: text.removeSubrange(place..<min(text.count, place + 1 + random.below(8)))
                }
            }
            return text
        }
        let written = Specimen.texts.flatMap { format in
            (0..<8).map { round in
                let (name, value) = (
                    ["password", "client_secret"][round % 2], ["Kx9-abQ4!z", "k9Trw4Zq81mB"][round / 2 % 2]
                )
                let bytes = mutate(Array(format.text(name, value).utf8))
                let redaction = Redactor().text(bytes, mediaType: format.type, of: .response)
                let shown = redaction.isRedacted ? text(redaction.value) : "stays: " + text(bytes)
                let found = SecretScan.findings(in: bytes, isText: true).map { "\($0.kind) \($0.line):\($0.column)" }
                return "\(format.name): \(shown) \(found)"
            }
        }
        let others = (Harmless.all + Specimen.places).map { specimen in
            let signs = (0..<4).map { _ in
                let bytes = mutate(specimen.content)
                let redactor = Redactor()
                let isRedacted =
                    switch specimen.place {
                    case .body(let type): redactor.text(bytes, mediaType: type, of: .response).isRedacted
                    case .requestBody(let type): redactor.text(bytes, mediaType: type, of: .request).isRedacted
                    case .binary(let type): redactor.binary(bytes, mediaType: type, of: .response).isRedacted
                    case .query(let name): redactor.query(name, text(bytes)).isRedacted
                    case .path(let front): redactor.path(segment: text(bytes), behind: front.last ?? "").isRedacted
                    case .header(let name): redactor.header(name, text(bytes)).isRedacted
                    }
                return isRedacted ? "x" : "."
            }
            return "\(specimen.name.prefix(24)) | \(signs.joined())"
        }
        return written + others
    }

    /// What somebody could find by trying.
    private static func guessed() -> [String] {
        func guessable(_ isGuessable: ([UInt8]) -> Bool) -> String {
            values.filter { isGuessable(Array($0.utf8)) }.map { "‹\($0)›" }.joined(separator: " ")
        }
        return [
            "guessed | " + guessable { SecretScan.isGuessable($0) },
            "guessed of a content | " + guessable { SecretScan.isGuessable($0, of: nil) },
            "guessed of a line | " + guessable { SecretScan.isGuessable(line: $0) },
        ] + names.map { name in "guessed of \(name) | " + guessable { SecretScan.isGuessable($0, of: name) } }
    }
}
