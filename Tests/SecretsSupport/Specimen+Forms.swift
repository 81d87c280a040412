// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Secrets that people choose, and the ways in which texts write them.
extension Specimen {
    /// Phrases, signs and letters of other alphabets.
    package static let chosen = [
        "correct horse battery staple", "Correct Horse Battery Staple", "p@ss w0rd & <more>", "Größe über alles 7",
        "it's \"quoted\" back\\slash", "日本語のパスワード", "a+b c%d&e=f/g", "naïve café 42!", "purple-monkey-dishwasher",
        "open sesame, please", "tab\tand line", "zażółć gęślą jaźń", "пароль номер один", "Tr0ub4dor&3",
        "<script>alert(1)", "100% sure?", "😀 grinning 2026", "a'b''c;--", "semi;colon,comma",
    ]

    /// A text in which a secret stands under names that tell nothing, as the formats of the web write it.
    package static func written(_ secret: String) -> [Specimen] {
        texts(secret).map { Specimen("\(secret) in \($0.name)", .body($0.type), $0.text, secret: secret) }
    }

    private static func texts(_ secret: String) -> [(name: String, type: String, text: String)] {
        let (json, ascii) = (quoted(secret), quoted(secret, isASCII: true))
        let inner = quoted("{\"echo\": \"\(ascii)\"}")
        let (percent, page) = (percentEncoded(secret), marked(secret, "&quot;", "&#39;"))
        let form = percent.replacing("%20", with: "+")
        let (web, program) = ("application/x-www-form-urlencoded", "application/javascript")
        return [
            ("JSON", "application/json", "{\"echo\": \"\(json)\"}"),
            ("a sentence in JSON", "application/json", "{\"message\": \"Ann has sent \(json) today\"}"),
            ("JSON in ASCII", "application/json", "{\"echo\": \"\(ascii)\"}"),
            ("JSON in JSON", "application/json", "{\"log\": \"\(inner)\"}"),
            (
                "a script in a page", "text/html",
                "<script>var x = {\"echo\": \"\(quoted(secret, "<>&'", isASCII: true))\"};</script>"
            ),
            ("a script", program, "callback({\"echo\": \"\(quoted(secret, "<>&"))\"});"),
            (
                "a string in single quotes", program,
                "say('\(secret.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))')"
            ),
            ("a form", web, "a=1&note=\(percent)&b=2"), ("a form with plus signs", web, "a=1&note=\(form)&b=2"),
            ("a form in small letters", web, "a=1&note=\(lowercased(form))"),
            ("a URL", "text/plain", "see https://a.example.com/x?q=\(percent) there"),
            (
                "a URL within a URL", "text/plain",
                "see https://a.example.com/?to=\(percentEncoded("https://b.example.com/?q=" + percent)) there"
            ),
            ("a page", "text/html", "<p>Hello \(page) bye</p>"),
            ("an attribute", "text/html", "<input name=\"note\" value=\"\(page)\">"),
            ("a page of Go", "text/html", "<p title=\"\(marked(secret, "&#34;", "&#39;"))\">x</p>"),
            ("XML", "application/xml", "<e>\(marked(secret, "&quot;", "&apos;"))</e>"),
            ("a page with numbers", "text/html", "<p>\(numbered(secret, radix: 10))</p>"),
            ("a page with hexadecimal numbers", "text/html", "<p>\(numbered(secret, radix: 16))</p>"),
            ("CDATA", "application/xml", "<e><![CDATA[\(secret)]]></e>"),
            ("a text", "text/plain", "It was \(secret) after all\n"),
            ("CSV", "text/csv", "id,note\n1,\"\(secret.replacing("\"", with: "\"\""))\"\n"),
            ("YAML", "application/yaml", "note: '\(secret.replacing("'", with: "''"))'\n"),
            ("SQL", "application/sql", "INSERT INTO a (note) VALUES ('\(secret.replacing("'", with: "''"))');"),
        ]
    }

    /// As a string of JSON writes it.
    package static func quoted(_ text: String, _ signs: String = "", isASCII: Bool = false) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\t": quoted += "\\t"
            case _ where signs.unicodeScalars.contains(scalar) || isASCII && !scalar.isASCII:
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    private static func marked(_ text: String, _ quote: String, _ apostrophe: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: quote).replacing("'", with: apostrophe)
    }

    private static func numbered(_ text: String, radix: Int) -> String {
        text.unicodeScalars.map { scalar in
            guard !scalar.isASCII || "&<>\"'".unicodeScalars.contains(scalar) else { return String(scalar) }
            return "&#\(radix == 16 ? "x" : "")\(String(scalar.value, radix: radix));"
        }.joined()
    }

    /// With the digits of percent-encoding in small letters.
    private static func lowercased(_ text: String) -> String {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        return ([String(parts[0])] + parts.dropFirst().map { $0.prefix(2).lowercased() + $0.dropFirst(2) })
            .joined(separator: "%")
    }
}
