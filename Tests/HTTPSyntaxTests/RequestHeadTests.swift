// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiHTTPSyntax

/// A head as bytes and ranges, and Base64 in all of its dialects, beside readers that go by texts.
@Suite(.supervised) struct RequestHeadTests {
    private static func head(_ fields: [(String, [UInt8])]) -> RequestHead {
        var head = RequestHead()
        func range(_ bytes: [UInt8]) -> ByteRange {
            let start = head.bytes.count
            head.bytes += bytes
            return ByteRange(start, head.bytes.count)
        }
        for (name, value) in fields {
            head.fields.append(.init(name: range(Array(name.utf8)), value: range(value)))
        }
        return head
    }

    @Test func `a range is compared with a text of its length, byte for byte`() {
        for text in ["", "a", "Gzip", "gzip", "gzi", "gzipp", "gzIq", "grip", "\u{301}gzi"] {
            let head = Self.head([("x", Array(text.utf8))])
            let value = head.fields[0].value
            #expect(
                head.equals(value, "gzip") == (text == "gzip")
                    && head.equals(value, Array("gzip".utf8)) == (text == "gzip"))
            #expect(head.equalsIgnoringCase(value, "gzip") == (text == "gzip" || text == "Gzip"))
            #expect(head.equals(value, "") == text.isEmpty && head.equals(value, []) == text.isEmpty)
            #expect(head.string(value) == text && value.isEmpty == text.isEmpty && value.count == text.utf8.count)
        }
    }

    @Test func `a list has the members that stand between its commas`() {
        var random = SplitMix(seed: 4)
        for _ in 0..<2000 {
            let text = (0..<random.below(8)).map { _ in random.pick(["a", "A", "b", ",", ",", " ", "\t"]) }.joined()
            let head = Self.head([("x", Array(text.utf8)), ("y", Array(",a".utf8))])
            let members = text.lowercased().split(separator: ",").map {
                $0.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }
            }.map { String($0.reversed()) }
            #expect(head.hasMember("a", in: head.fields[0].value) == members.contains("a"), "\(text)")
            #expect(head.hasMember("ab", in: head.fields[0].value) == members.contains("ab"), "\(text)")
        }
    }

    @Test func `the value of a field is the first, or the only one`() {
        for count in 0...3 {
            var fields: [(String, [UInt8])] = (0..<count).map { ($0 == 1 ? "hOST" : "Host", Array("\($0)".utf8)) }
            fields.append(("Hos", [0x39]))
            let head = Self.head(fields)
            #expect(head.firstValue("host").map(head.string) == (count > 0 ? "0" : nil))
            #expect(head.onlyValue("host").map(head.string) == (count == 1 ? "0" : nil))
        }
    }

    @Test func `a byte beyond ASCII is found at each place`() {
        for count in 0...20 {
            var head = RequestHead()
            head.bytes = Array(repeating: 0x7F, count: count)
            #expect(head.isASCII)
            for place in 0..<count {
                head.bytes[place] = 0x80
                #expect(!head.isASCII)
                head.bytes[place] = 0x7F
            }
        }
    }

    @Test func `a value that is not UTF-8 is read as ISO 8859-1, and known as it was sent`() {
        let values: [[UInt8]] = [Array("a".utf8), [0x61, 0xE9], Array("é".utf8), [0x80]]
        var head = Self.head(values.map { ("x", $0) })
        head.readLatin1()
        #expect(head.fields.map { head.string($0.value) } == ["a", "aé", "é", "\u{80}"])
        #expect(head.fields.map { Array(head.sentValue(of: $0)) } == values)
        head.reset()
        #expect(
            head.bytes.isEmpty && head.fields.isEmpty && head.version == .http11 && !head.isSecure && head.query == nil)
    }

    @Test(
        arguments: [("/a?b?c", "/a", "b?c"), ("/a?", "/a", ""), ("/a", "/a", nil), ("?", "", "")]
            as [(String, String, String?)])
    func `a target is parted at its first question mark`(target: String, path: String, query: String?) {
        var head = RequestHead()
        head.bytes = Array("x\(target)".utf8)
        head.target = ByteRange(1, head.bytes.count)
        head.splitTarget(at: head.bytes.firstIndex(of: 0x3F))
        #expect(head.string(head.path) == path && head.query.map(head.string) == query)
    }

    @Test func `a head is rewritten in its query and its lines, but for Host`() throws {
        let rewrite = { (bytes: [UInt8]) in
            Array(String(decoding: bytes, as: UTF8.self).replacing("http://a", with: "b").utf8)
        }
        var head = Self.head([("hOST", Array("http://a".utf8)), ("X", Array("y".utf8))])
        #expect(head.rewritten(by: rewrite) == nil)
        let start = head.bytes.count
        head.bytes += Array("/p?u=http://a".utf8)
        head.target = ByteRange(start, head.bytes.count)
        head.splitTarget(at: head.bytes.firstIndex(of: 0x3F))
        let other = try #require(head.rewritten(by: rewrite))
        #expect(other.string(other.target) == "/p?u=b" && other.query.map(other.string) == "u=b")
        #expect(other.fields.map { other.string($0.value) } == ["http://a", "y"])
        let line = try #require(Self.head([("X", Array("http://a/".utf8))]).rewritten(by: rewrite))
        #expect(line.fields.map { line.string($0.value) } == ["b/"])
    }

    // MARK: Base64

    /// The bytes by their bits, of a text that is cut into digits and padding first.
    private static func decoded(_ text: String, _ dialect: Base64.Dialect) -> [UInt8]? {
        let all = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        let signs: [Character: Int] =
            switch dialect.alphabet {
            case .standard: ["+": 62, "/": 63]
            case .url: ["-": 62, "_": 63]
            case .both: ["+": 62, "/": 63, "-": 62, "_": 63]
            }
        let isLenient = dialect.padding == .ignored
        var (bits, digits, pads, isPadded) = ("", 0, 0, false)
        for character in text.unicodeScalars.map(Character.init) {
            if let value = all.firstIndex(of: character) ?? signs[character] {
                if isPadded, !isLenient { return nil }
                let binary = String(value, radix: 2)
                bits += String(repeating: "0", count: 6 - binary.count) + binary
                digits += 1
            } else if character == "=" {
                (pads, isPadded) = (pads + 1, true)
            } else if !(dialect.skipsSpace && (" \n\t\r".contains(character) || isLenient && character == "\0")) {
                return nil
            }
        }
        let isWhole = digits % 4 != 1
        switch dialect.padding {
        case .none: if pads > 0 || !isWhole { return nil }
        case .exact: if !isWhole || pads > 0 && (digits + pads) % 4 != 0 || pads > 2 { return nil }
        case .atMostTwo: if pads > 2 || !isWhole { return nil }
        case .ignored: break
        }
        return stride(from: 0, through: bits.count - 8, by: 8).map {
            UInt8(bits.dropFirst($0).prefix(8), radix: 2) ?? 0
        }
    }

    @Test func `each dialect of Base64 takes what it is for, and nothing else`() {
        var random = SplitMix(seed: 6)
        let dialects: [Base64.Dialect] = [
            .written, .token, .found, .lenient, .init(alphabet: .url, padding: .exact, skipsSpace: false),
        ]
        let signs = ["A", "z", "9", "f", "+", "/", "-", "_", "=", "=", " ", "\n", "\0", "!", "é"]
        var read = 0
        for _ in 0..<4000 {
            var text = (0..<random.below(7)).map { _ in random.pick(random.chance(70) ? Array(signs.prefix(4)) : signs)
            }.joined()
            if random.chance(50) { text += String(repeating: "=", count: random.below(4)) }
            for dialect in dialects {
                let (found, expected) = (Base64.decode(text, dialect), Self.decoded(text, dialect))
                if found != expected {
                    Issue.record("\(text.debugDescription) \(dialect) \(String(describing: found))")
                }
                read += found == nil ? 0 : 1
            }
        }
        #expect(read > 4000)
        for count in 0...40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + 7) }
            #expect(Base64.decode(Base64.text(of: bytes), .written) == bytes)
            #expect(Base64.decode(Base64.text(of: bytes, pads: false), .found) == bytes)
            #expect(Base64.text(of: bytes).utf8.count == (count + 2) / 3 * 4)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `other bytes take the place of those before, be they more or fewer`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var head = RequestHead()
        for _ in 0..<100 {
            let bytes = (0..<random.below(40)).map { _ in UInt8(random.below(256)) }
            bytes.withUnsafeBufferPointer { head.replaceBytes(with: $0) }
            #expect(head.bytes == bytes)
        }
        head.replaceBytes(with: UnsafeBufferPointer(start: nil, count: 0))
        #expect(head.bytes.isEmpty)
    }
}
