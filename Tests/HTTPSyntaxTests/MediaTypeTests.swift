// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

/// The one form of the spellings of a media type.
@Suite(.supervised) struct MediaTypeTests {
    @Test func `the spellings that RFC 9110 takes for one have one form`() {
        let spellings = [
            "text/html;charset=utf-8", "Text/HTML;Charset=\"utf-8\"", "text/html; charset=\"utf-8\"",
            "text/html;charset=UTF-8", " text/html\t;; CHARSET=utf-8 ; ", "text/html; charset=\"ut\\f-8\"",
        ]
        for spelling in spellings { #expect(MediaType.form(of: spelling) == "text/html; charset=utf-8") }
        #expect(MediaType.form(of: "a/b; Charset=\"UTF 8\"; X=\"Y Z\"") == "a/b; charset=\"utf 8\"; x=\"Y Z\"")
    }

    @Test func `types of text are known by their names and suffixes, in any case`() {
        for type in [
            "text/x", "Application/JSON; charset=a", "a/b+json", "application/xml", "a/b+XML", "application/x-yaml",
            "application/yaml", "a/b+yaml", "application/graphql", "application/x-www-form-urlencoded",
        ] { #expect(MediaType.isTextual(type), "\(type)") }
        for type in ["", ";", "text", "image/png", "application/jsonx", "application/octet-stream; a=text/x", "a/json"]
        {
            #expect(!MediaType.isTextual(type), "\(type)")
        }
    }

    @Test(arguments: [
        "", "json", "text/", "/html", "text/html, text/plain", "text/html charset=a", "text/html; charset",
        "text/html; =a", "text/html; a=", "text/html; a b=c", "text/html; a=b c", "a/b; x=\"", "a/b; x=\"y",
    ])
    func `a text that is not a media type has no form`(text: String) {
        #expect(MediaType.form(of: text) == nil)
    }

    @Test func `a value keeps its case and the quotes it needs, and the order of parameters counts`() {
        #expect(MediaType.form(of: "a/b;X=\"Y z\";v=\"\"") == "a/b; x=\"Y z\"; v=\"\"")
        #expect(MediaType.form(of: "a/b;x=\"\\\"\\\\\"") == "a/b; x=\"\\\"\\\\\"")
        #expect(MediaType.form(of: "a/b;x=1;y=2") != MediaType.form(of: "a/b;y=2;x=1"))
        #expect(MediaType.form(of: "a/b;x=Y") != MediaType.form(of: "a/b;x=y"))
    }

    @Test func `a type in any other spelling has its form, and one with another value has another`() {
        var random = SplitMix(seed: 5)
        func name() -> String {
            String(
                (0..<Int.random(in: 1...6, using: &random)).map { _ in "abcxyz+-.".randomElement(using: &random) ?? "a"
                })
        }
        func spelled(_ name: String) -> String { Bool.random(using: &random) ? name.uppercased() : name }
        func blank() -> String { ["", " ", "\t", "  "].randomElement(using: &random) ?? "" }
        for _ in 0..<2_000 {
            let (type, subtype) = (name(), name())
            let parameters = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                (name: [name(), "charset"].randomElement(using: &random) ?? "a", value: name())
            }
            let form = "\(type)/\(subtype)" + parameters.map { "; \($0.name)=\($0.value)" }.joined()
            #expect(MediaType.form(of: form) == form)
            let other = parameters.map { parameter in
                let value = parameter.name == "charset" ? spelled(parameter.value) : parameter.value
                let quoted = Bool.random(using: &random) ? "\"\(value)\"" : value
                return "\(blank());\(blank())\(spelled(parameter.name))=\(quoted)"
            }
            #expect(
                MediaType.form(of: blank() + spelled(type) + "/" + spelled(subtype) + other.joined() + blank()) == form)
            if !parameters.isEmpty { #expect(MediaType.form(of: form + "0") != form) }
        }
    }
}
