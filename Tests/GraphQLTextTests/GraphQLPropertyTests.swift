// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiGraphQLText
import MockapiTestSupport
import Testing

/// Documents at random, each made of parts whose order counts or does not, and written in ways that all mean the same.
@Suite(.supervised) struct GraphQLPropertyTests {
    private indirect enum Part {
        case word(String)
        /// A string by its value.
        case string(String)
        case ordered([Part])
        case unordered([Part])

        /// The text that parts share if they ask for the same, and only then.
        var meaning: String {
            switch self {
            case .word(let word): word
            case .string(let value): "'\(value)'"
            case .ordered(let parts): "<" + parts.map(\.meaning).joined(separator: " ") + ">"
            case .unordered(let parts): "{" + parts.map(\.meaning).sorted().joined(separator: " ") + "}"
            }
        }
    }

    private struct Maker {
        var random: SplitMix

        mutating func pick<Element>(_ choices: [Element]) -> Element {
            choices[Int.random(in: 0..<choices.count, using: &random)]
        }
        mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &random) < share }
        mutating func several(_ least: Int, _ make: (inout Maker) -> Part) -> [Part] {
            (0..<Int.random(in: least...3, using: &random)).map { _ in make(&self) }
        }
        mutating func name() -> Part {
            .word(pick(["a", "b", "c", "_x1", "on1", "type", "query", "fragment", "true"]))
        }
        mutating func within(_ open: String, _ parts: [Part], _ close: String, ordered: Bool = false) -> Part {
            .ordered([.word(open), ordered ? .ordered(parts) : .unordered(parts), .word(close)])
        }

        mutating func value(_ depth: Int, isConstant: Bool) -> Part {
            switch Int.random(in: 0..<(depth > 2 ? 6 : 9), using: &random) {
            case 0: return .word(pick(["1", "0", "-0", "-12", "1.5", "0.0", "1e5", "-1.20E+3", "9e-1"]))
            case 1: return .word(pick(["E", "true", "null", "a"]))
            case 2, 3:
                return .string(
                    pick([
                        "", "a", " a b ", "q\"", "\\", "\n", "a\n  b", "é😀", "\u{8}\u{C}\r\t/", "\u{1}\u{1F}", "#,",
                        "\"\"\"",
                    ]))
            case 4 where !isConstant: return .ordered([.word("$"), name()])
            case 6: return within("[", several(0) { $0.value(depth + 1, isConstant: isConstant) }, "]", ordered: true)
            case 7:
                return within(
                    "{", several(0) { .ordered([$0.name(), .word(":"), $0.value(depth + 1, isConstant: isConstant)]) },
                    "}")
            default: return .word(pick(["7", "F"]))
            }
        }

        mutating func arguments(isConstant: Bool) -> [Part] {
            guard chance(0.4) else { return [] }
            return [
                within("(", several(1) { .ordered([$0.name(), .word(":"), $0.value(0, isConstant: isConstant)]) }, ")")
            ]
        }

        mutating func directives(isConstant: Bool) -> Part {
            guard chance(0.3) else { return .unordered([]) }
            return .unordered(several(1) { .ordered([.word("@"), $0.name()] + $0.arguments(isConstant: isConstant)) })
        }

        mutating func selections(_ depth: Int) -> Part { within("{", several(1) { $0.selection(depth) }, "}") }

        mutating func selection(_ depth: Int) -> Part {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return .ordered([.word("..."), name(), directives(isConstant: false)])
            case 1 where depth < 3:
                let type: [Part] = chance(0.7) ? [.word("on"), name()] : []
                return .ordered([.word("...")] + type + [directives(isConstant: false), selections(depth + 1)])
            default:
                let alias: [Part] = chance(0.3) ? [name(), .word(":")] : []
                let inner: [Part] = depth < 3 && chance(0.3) ? [selections(depth + 1)] : []
                return .ordered(
                    alias + [name()] + arguments(isConstant: false) + [directives(isConstant: false)] + inner)
            }
        }

        mutating func type(_ depth: Int) -> Part {
            let inner: [Part] = depth < 3 && chance(0.3) ? [.word("["), type(depth + 1), .word("]")] : [name()]
            return .ordered(inner + (chance(0.3) ? [.word("!")] : []))
        }

        mutating func variable() -> Part {
            let standard: [Part] = chance(0.4) ? [.word("="), value(0, isConstant: true)] : []
            return .ordered([.word("$"), name(), .word(":"), type(0)] + standard + [directives(isConstant: true)])
        }

        mutating func definition() -> Part {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                return .ordered([
                    .word("fragment"), name(), .word("on"), name(), directives(isConstant: false), selections(0),
                ])
            case 1:
                let about: [Part] = chance(0.4) ? [.string(pick(["a", "\n b"]))] : []
                let extended: [Part] = about.isEmpty && chance(0.3) ? [.word("extend")] : []
                let fields = within(
                    "{", several(1) { .ordered([$0.name(), .word(":"), $0.type(0)]) }, "}", ordered: true)
                return .ordered(about + extended + [.word(pick(["type", "input", "interface"])), name(), fields])
            default:
                let name: [Part] = chance(0.6) ? [name()] : []
                let variables: [Part] = chance(0.4) ? [within("(", several(1) { $0.variable() }, ")")] : []
                let word = pick(["query", "mutation", "subscription"])
                return .ordered([.word(word)] + name + variables + [directives(isConstant: false), selections(0)])
            }
        }

        // MARK: Writing

        mutating func space() -> String {
            pick([" ", " ", "\n", "\t", ",", "\r\n", " ,\u{FEFF} ", "# x \" {\n", "#\r", "  "])
        }

        mutating func written(_ part: Part) -> String {
            switch part {
            case .word(let word):
                // A sign needs no space around it.
                return ["{", "}", "(", ")", "[", "]", ":", "=", "!", "@", "$"].contains(word) && chance(0.5)
                    ? word : space() + word + space()
            case .string(let value):
                return space() + (isBlock(value) && chance(0.4) ? block(value) : quoted(value)) + space()
            case .ordered(let parts): return parts.map { written($0) }.joined()
            case .unordered(let parts): return parts.shuffled(using: &random).map { written($0) }.joined()
            }
        }

        private func isBlock(_ value: String) -> Bool {
            let lines = value.split(separator: "\n", omittingEmptySubsequences: false)
            let isInline = value.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }
            return isInline && !value.hasSuffix("\"") && !value.hasSuffix("\\") && lines.first?.first == "a"
                && lines.count < 3
        }

        private mutating func block(_ value: String) -> String {
            let pad = pick(["", "  ", "\t"])
            let end = pick(["\n", "\r\n", "\r"])
            let lines = value.split(separator: "\n").map { pad + $0 }.joined(separator: end)
            return "\"\"\"" + pick([end, "  \(end)\t\(end)"]) + lines + pick([end, "\(end)    ", ""]) + "\"\"\""
        }

        private mutating func quoted(_ value: String) -> String {
            var output = "\""
            for scalar in value.unicodeScalars {
                if scalar.value < 0x10000, scalar.value < 0x20 && scalar != "\t" || chance(0.2) {
                    let digits = String(scalar.value, radix: 16, uppercase: chance(0.5))
                    let short: [Unicode.Scalar: String] = [
                        "\u{8}": "b", "\u{C}": "f", "\n": "n", "\r": "r", "\t": "t", "/": "/", "\"": "\"", "\\": "\\",
                    ]
                    if let sign = short[scalar], chance(0.5) {
                        output += "\\" + sign
                    } else {
                        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                    }
                } else if scalar == "\"" || scalar == "\\" {
                    output += "\\\(scalar)"
                } else if scalar.value >= 0x10000, chance(0.5) {
                    output += scalar.utf16.map { "\\u" + String($0, radix: 16) }.joined()
                } else {
                    output.unicodeScalars.append(scalar)
                }
            }
            return output + "\""
        }

        /// The same with one word or string changed.
        mutating func changed(_ part: Part) -> Part {
            switch part {
            case .word(let word): return .word(["a", "b", "c"].contains(word) ? pick(["a", "b", "c", "d"]) : word)
            case .string(let value): return .string(pick([value + "x", value + " ", " " + value, value]))
            case .ordered(var parts):
                if let index = parts.indices.randomElement(using: &random) { parts[index] = changed(parts[index]) }
                return .ordered(parts)
            case .unordered(var parts):
                if let index = parts.indices.randomElement(using: &random) { parts[index] = changed(parts[index]) }
                return .unordered(parts)
            }
        }
    }

    @Test func `documents are equal if their parts are, however those are written`() throws {
        var maker = Maker(random: SplitMix(seed: UInt64(Thoroughness.rounds(7, thorough: .random(in: 0..<1 << 31)))))
        var (same, different) = (0, 0)
        for _ in 0..<Thoroughness.rounds(600, thorough: 20_000) {
            let part = Part.unordered(maker.several(1) { $0.definition() })
            let first = maker.written(part)
            let document = try GraphQLDocument(parsing: first)
            let again = maker.written(part)
            #expect(try GraphQLDocument(parsing: again) == document, "\(first)\n\(again)")
            let other = maker.changed(part)
            let text = maker.written(other)
            let isEqual = try GraphQLDocument(parsing: text) == document
            #expect(isEqual == (other.meaning == part.meaning), "\(first)\n\(text)")
            if isEqual { same += 1 } else { different += 1 }
        }
        #expect(same > 50 && different > 50)
    }
}
