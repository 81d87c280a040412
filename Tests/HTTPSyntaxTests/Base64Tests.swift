// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

/// The readers and the writer of Base64, each as strict as those are who use it.
@Suite(.supervised) struct Base64Tests {
    /// RFC 4648 §10.
    private static let vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test(arguments: vectors) func `the RFC's examples are written and read`(_ plain: String, _ coded: String) {
        #expect(Base64.text(of: Array(plain.utf8)) == coded)
        #expect(Base64.text(of: Array(plain.utf8), pads: false) == String(coded.prefix { $0 != "=" }))
        #expect(Base64.decode(coded, .written) == Array(plain.utf8))
        #expect(Base64.decode(coded, .found) == Array(plain.utf8))
        #expect(Base64.decode(coded, .lenient) == Array(plain.utf8))
        #expect(Base64.decode(String(coded.prefix { $0 != "=" }), .token) == Array(plain.utf8))
    }

    @Test func `all bytes come back in either alphabet`() {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Base64.text(of: bytes, pads: false)
        #expect(Base64.decode(text, .written) == bytes)
        let url = text.replacing("+", with: "-").replacing("/", with: "_")
        #expect(Base64.decode(url, .token) == bytes)
        for dialect in [Base64.Dialect.found, .lenient] {
            #expect(Base64.decode(text, dialect) == bytes)
            #expect(Base64.decode(url, dialect) == bytes)
        }
        #expect(Base64.decode(url, .written) == nil)
        #expect(Base64.decode(text, .token) == nil)
    }

    @Test func `an alphabet has 64 digits, whose last two are its own`() {
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        #expect(Base64.digits(of: .standard) == digits + "+/" && Base64.digits(of: .both) == digits + "+/")
        #expect(Base64.digits(of: .url) == digits + "-_")
    }

    @Test func `what people write may have white space, and its padding is right or not there`() {
        #expect(Base64.decode(" Zm9v\r\n\tYg = =", .written) == Array("foob".utf8))
        for text in ["Zm9vYg=", "Zm9v=", "Zg===", "Z", "Zg==Zg==", "Zg-_", "Zm9v!"] {
            #expect(Base64.decode(text, .written) == nil, "\(text)")
        }
    }

    @Test func `a value of HTTP2-Settings has neither padding nor white space`() {
        for text in ["Zg==", "Zm9v Yg", "Z", "Zm9vY"] { #expect(Base64.decode(text, .token) == nil, "\(text)") }
    }

    @Test func `a run of digits may end in one or two pads, whatever its length`() {
        #expect(Base64.decode("Zm9v==", .found) == Array("foo".utf8))
        for text in ["Zm9v===", "Zm9vY", "Zm9 v", "Zm=9v"] { #expect(Base64.decode(text, .found) == nil, "\(text)") }
    }

    @Test func `templates read all that has nothing but digits, white space and pads`() {
        #expect(Base64.decode("Zm9\u{1}v=Yg", .lenient) == Array("foob".utf8))
        #expect(Base64.decode("Zm9vY", .lenient) == Array("foo".utf8))
        #expect(Base64.decode("Zm9v!", .lenient) == nil)
    }
}
