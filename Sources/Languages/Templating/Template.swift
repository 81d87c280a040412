// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
package import MockapiMetering

/// A text with expressions in the dialect of Handlebars that WireMock's users write, parsed once and rendered for each request.
///
/// Nothing is escaped for HTML, as in WireMock. No template reads a file or the environment, and none loops without a bound.
package final class Template: Sendable {
    /// The differences between implementations of Handlebars that people have templates for.
    package enum Dialect: Sendable {
        /// A line that holds nothing but tags of blocks or comments leaves nothing behind, as in Handlebars' own specification.
        case handlebars
        /// The ends of such lines stay, and `@first` prints `first`: Handlebars.java as WireMock sets it up.
        case wireMock
    }

    /// Limits on a template and its rendering.
    package enum Limits {
        /// Bytes of a template's text. 1 MiB.
        package static let source = 1024 * 1024
        /// Blocks and sub-expressions inside of each other. 64.
        package static let depth = 64
        /// Branches of one block by `else if`. 256.
        package static let branches = 256
        /// Bytes that a template renders to. 16 MiB.
        package static let output = 16 * 1024 * 1024
        /// Expressions and rounds of loops of one rendering; every 64 bytes of text that is made is one more. 1,000,000.
        package static let steps = 1_000_000
    }

    let nodes: [TemplateNode]
    package let dialect: Dialect
    private let lines: LineMap

    /// - Throws: the first mistake, with its line and column.
    package convenience init(
        parsing text: String, dialect: Dialect = .handlebars
    ) throws(TemplateError) {
        try self.init(parsing: Array(text.utf8), dialect: dialect)
    }

    /// - Throws: the first mistake, with its line and column.
    package init(parsing source: [UInt8], dialect: Dialect = .handlebars) throws(TemplateError) {
        self.dialect = dialect
        lines = LineMap(source)
        do throws(TemplateFailure) {
            guard source.count <= Limits.source else {
                throw TemplateFailure(0, "the template is larger than 1 MiB")
            }
            var tokens = try TemplateScanner.tokens(of: source)
            if dialect == .handlebars { TemplateScanner.dropStandaloneLines(&tokens, source) }
            nodes = try TemplateParser.nodes(of: tokens, source, dialect)
        } catch {
            throw TemplateError(error, LineMap(source))
        }
    }

    /// Whether a text has anything to render: without `{{` it stays as it is.
    package static func isNeeded(for text: some Collection<UInt8>) -> Bool {
        var last: UInt8 = 0
        for byte in text {
            if byte == UInt8(ascii: "{"), last == byte { return true }
            last = byte
        }
        return false
    }

    /// Renders with a model whose members are the names of the template's outermost scope.
    ///
    /// - Throws: why it cannot be rendered, with the line and the column of the expression at fault.
    package func render(
        _ model: TemplateValue, _ surroundings: TemplateSurroundings
    ) throws(TemplateError) -> [UInt8] {
        var spent = 0
        return try render(model, surroundings, spent: &spent)
    }

    /// The same, paid for by a meter that all templates of a response share, with the number of steps it took: all that were allowed, if a helper ran out of them and gave less than it otherwise would.
    package func render(
        _ model: TemplateValue, _ surroundings: TemplateSurroundings, meter: Meter = Meter(), spent: inout Int
    ) throws(TemplateError) -> [UInt8] {
        var renderer = Renderer(model, surroundings, dialect, meter)
        defer { spent = renderer.spent }
        do throws(TemplateFailure) {
            return try renderer.output(of: nodes)
        } catch {
            throw TemplateError(error, lines)
        }
    }

    /// Calls with a function that renders a part of this template; failures are reported by their places in it.
    func rendered<Result>(_ body: () throws(TemplateFailure) -> Result) throws(TemplateError) -> Result {
        do throws(TemplateFailure) {
            return try body()
        } catch {
            throw TemplateError(error, lines)
        }
    }

    /// The same as text.
    package func text(_ model: TemplateValue, _ surroundings: TemplateSurroundings) throws(TemplateError) -> String {
        String(decoding: try render(model, surroundings), as: UTF8.self)
    }
}

/// Why a template cannot be parsed or rendered, and where.
package struct TemplateError: Error, Hashable, Sendable {
    /// Counted from 1, as the column is, which counts bytes.
    package let line: Int
    package let column: Int
    package let message: String

    init(_ failure: TemplateFailure, _ lines: LineMap) {
        let position = lines.position(of: failure.offset)
        line = position.line
        column = position.column
        message = failure.message
    }
}

extension TemplateError: CustomStringConvertible {
    /// `line 2, column 7: …`.
    package var description: String { "line \(line), column \(column): \(message)" }
}

/// The inputs that a rendering takes from outside of the template and its model.
package struct TemplateSurroundings: Sendable {
    /// The time that `now` gives.
    package enum Clock: Sendable {
        /// Milliseconds since 1970.
        case frozen(Int64)
        case live(@Sendable () -> Int64)

        var now: Int64 {
            switch self {
            case .frozen(let now): now
            case .live(let now): now()
            }
        }
    }

    package var clock: Clock
    /// The source that random values are drawn from: the same state gives the same values.
    package var random: TemplateRandom
    /// The name that `hostname` gives.
    package var hostname: String
    /// Steps that a rendering may take; a rendering that needs more ends with an error.
    package var steps: Int

    package init(
        clock: Clock, random: TemplateRandom, hostname: String = "localhost", steps: Int = Template.Limits.steps
    ) {
        self.clock = clock
        self.random = random
        self.hostname = hostname
        self.steps = min(steps, Template.Limits.steps)
    }
}

/// Random values that can be had again.
package struct TemplateRandom: Sendable {
    /// SplitMix64 (Steele, Lea, Flood, 2014).
    private var state: UInt64

    package init(_ state: UInt64) {
        self.state = state
    }

    /// - Parameters:
    ///   - salt: a number that tells this template from others.
    ///   - number: a number that tells this rendering from others.
    package init(seed: UInt64, salt: UInt64, number: UInt64) {
        state = seed
        state = next() ^ salt
        state = next() ^ number
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number from 0 to below a bound above 0, each as likely but for one part in 2⁶⁴ of the bound.
    package mutating func below(_ bound: UInt64) -> UInt64 {
        next().multipliedFullWidth(by: max(1, bound)).high
    }

    /// A number from 0 to below 1, of 53 random bits.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A UUID of version 4 (RFC 9562 §5.4), in lower case.
    package mutating func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for var word in [high, low] {
            for _ in 0..<16 {
                if [8, 13, 18, 23].contains(text.count) { text.append(UInt8(ascii: "-")) }
                text.append(Hexadecimal.lowercaseDigits[Int(word >> 60)])
                word <<= 4
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
