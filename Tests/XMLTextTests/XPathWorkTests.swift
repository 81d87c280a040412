// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
import MockapiTestSupport
import MockapiXMLText
import Testing

/// Each function and operator of XPath pays for the letters that it is given, beside what it takes to put them together.
@Suite(.supervised) struct XPathWorkTests {
    private static let text = String(repeating: "en ", count: 40_000)
    private static let document = "<a xml:lang='\(text)' xml:id='\(text)'>\(text)</a>"
    /// A unit pays for four bytes at most.
    private static let least = text.utf8.count / 4

    private static let ofNames: [XPathFunction] = [.name, .localName, .namespaceURI]
    /// Functions that look at nodes, or at whether there is a text; or hand one on.
    private static let withoutLetters: Set<XPathFunction> = [
        .last, .position, .count, .boolean, .not, .string, .true, .false,
    ]
    private static let ofLetters = XPathFunction.allCases.filter {
        !withoutLetters.contains($0) && !ofNames.contains($0)
    }

    /// The units that an expression takes; its result is not read.
    private static func paid(_ expression: String, in document: String = document) throws -> Int {
        let meter = Meter(.max)
        _ = try XPath(parsing: "boolean(\(expression))").evaluate(try XMLDocument(parsing: document), meter: meter)
        return meter.paid
    }

    @Test(arguments: ofLetters)
    func `a function pays for each text that it is given, wherever that stands`(function: XPathFunction) throws {
        let given = function == .sum ? "/a" : "string(/a)"
        let before = try Self.paid(given)
        for count in function.arity.clamped(to: 0...4) {
            for place in 0..<count {
                let arguments = (0..<count).map { $0 == place ? given : "'1'" }.joined(separator: ", ")
                let own = try Self.paid("\(function.rawValue)(\(arguments))") - before
                #expect(own >= Self.least, "\(arguments): \(own)")
            }
        }
    }

    @Test(
        arguments: XPathFunction.allCases.filter { $0.arity.contains(0) && ($0 == .string || ofLetters.contains($0)) })
    func `a function without arguments pays for the text of the node`(function: XPathFunction) throws {
        let own = try Self.paid("/a[\(function.rawValue)()]") - Self.paid("/a[true()]")
        #expect(own >= Self.least, "\(own)")
    }

    @Test(arguments: ofNames, ["/*", ""])
    func `a function of names pays for the name`(function: XPathFunction, argument: String) throws {
        let name = String(repeating: "n", count: Self.least)
        let document = "<\(name) xmlns='\(name)'/>"
        let own =
            try Self.paid("/*[\(function.rawValue)(\(argument))]", in: document)
            - Self.paid("/*[boolean(\(argument.isEmpty ? "true()" : argument))]", in: document)
        // The function beside it is a call, too.
        #expect(own >= name.utf8.count / 4 - Meter.step, "\(own)")
    }

    @Test func `a function that looks at attributes pays for their values`() throws {
        for expression in ["/a[lang('en')]", "id('en')"] { #expect(try Self.paid(expression) >= Self.least) }
    }

    @Test(arguments: ["=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "div", "mod"])
    func `an operator pays for both texts that it is given`(name: String) throws {
        let own = try Self.paid("string(/a) \(name) string(/a)") - 2 * Self.paid("string(/a)")
        // The operands alone are two calls.
        #expect(own >= 2 * Self.least - 4 * Meter.step, "\(own)")
    }
}
