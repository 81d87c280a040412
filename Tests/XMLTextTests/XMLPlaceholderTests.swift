// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
import MockapiTestSupport
import MockapiXMLText
import Testing

/// The texts that placeholders stand for.
@Suite(.supervised) struct XMLPlaceholderTests {
    private func matches(_ placeholder: String, _ text: String) throws -> Bool {
        var options = XMLEquality.Options()
        options.hasPlaceholders = true
        return try XMLEquality("<a>${xmlunit.\(placeholder)}</a>", options: options)
            .matches(try XMLDocument(parsing: "<a>\(text)</a>"))
    }

    private func check(_ placeholder: String, _ expected: [(text: String, isMatch: Bool)]) throws {
        for (text, isMatch) in expected {
            #expect(try matches(placeholder, text) == isMatch, "\(placeholder): \(text)")
        }
    }

    @Test func `a number has digits, and perhaps a sign, a fraction and an exponent`() throws {
        var random = SplitMix(seed: 4)
        let parts = ["+", "-", ".", "e", "E", "0", "12", "7", "x", " "]
        var texts: Set<String> = ["/", ":", "1e:", "1/", ".5", "1.", "-.5e+1", "e1", "+", "1e", "1e-", "1.e1", "5e5"]
        for _ in 0..<400 {
            texts.insert(
                (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in parts.randomElement(using: &random) }
                    .joined())
        }
        try check(
            "isNumber",
            texts.map { text in
                let text = text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
                return (text, text.wholeMatch(of: /[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?/) != nil)
            })
    }

    @Test func `a date and time without a format is of ISO 8601`() throws {
        let dates = [
            "2020-01-31", "1999-12-01", "2020-13-01", "2020-00-10", "2020-01-32", "2020-1-1", "20200131", "2020/01/31",
            "x",
        ]
        let separators = ["T", " ", "t", ""]
        let times = [
            "15:00", "00:00:00", "23:59:59", "24:00", "12:60", "12:00:60", "1:00", "12", "12:00:00.5", "12:00:00.",
            "12:00.25", "12:00:00.5x", "",
        ]
        let offsets = ["", "Z", "z", "+01:00", "-0130", "+23", "+24", "+01:60", "+1", "+", "Z+01:00"]
        var all: [(String, Bool)] = []
        for date in dates {
            let isDate = date == "2020-01-31" || date == "1999-12-01"
            all.append((date, isDate))
            for separator in isDate ? separators : ["T"] {
                for time in isDate ? times : ["15:00"] {
                    for offset in isDate && separator == "T" ? offsets : ["", "Z"] {
                        let isTime = ["15:00", "00:00:00", "23:59:59", "12:00:00.5", "12:00.25"].contains(time)
                        let isOffset = ["", "Z", "+01:00", "-0130", "+23"].contains(offset)
                        let isAll = isDate && (separator == "T" || separator == " ") && isTime && isOffset
                        if separator + time + offset != "", time != "24:00" || offset.isEmpty {
                            all.append(
                                (
                                    date + separator + time + offset,
                                    isAll || isDate && separator == " " && time + offset == ""
                                ))
                        }
                    }
                }
            }
        }
        try check("isDateTime", all)
    }

    private static let fields: [(format: String, range: ClosedRange<Int>)] = [
        ("yyyy", 0...9999), ("uuuu", 0...9999), ("MM", 1...12), ("LL", 1...12), ("dd", 1...31), ("HH", 0...23),
        ("kk", 1...24), ("hh", 1...12),
        ("KK", 0...11), ("mm", 0...59), ("ss", 0...59), ("SSSSSSSSS", 0...999_999_999), ("DDD", 1...366),
    ]

    @Test func `each field of a format has its range`() throws {
        for (format, range) in Self.fields {
            func padded(_ number: Int) -> String {
                let digits = String(number)
                return String(repeating: "0", count: max(0, format.utf8.count - digits.utf8.count)) + digits
            }
            for number in Set([0, 1, range.lowerBound, range.upperBound, range.upperBound + 1]) {
                // Between texts, and among further digits.
                let isWithin = range.contains(number)
                #expect(
                    try matches("isDateTime('['\(format)']')", "[\(padded(number))]") == isWithin, "\(format) \(number)"
                )
                let other = format == "dd" ? "HH" : "dd"
                #expect(
                    try matches("isDateTime(\(format)\(other))", padded(number) + "07") == isWithin,
                    "\(format) \(number)")
                #expect(
                    try matches("isDateTime(\(other)\(format))", "23" + padded(number)) == isWithin,
                    "\(format) \(number)")
            }
            for text in ["", "x", "-1", "1x", "/", ":"] {
                #expect(try !matches("isDateTime(\(format))", text), "\(format) \(text)")
            }
        }
    }

    @Test func `a format has words, zones, letters as they stand, and fields of one letter`() throws {
        let cases: [(String, [String], [String])] = [
            (
                "d.M.yy", ["1.2.20", "31.12.2020", "01.02.99"],
                ["1.13.20", "32.1.20", "1.2", "1.2.20.", "001.2.20", "1.2.2"]
            ),
            ("H:mm", ["9:05", "09:05", "23:59"], ["24:05", "9:5", "009:05", "9.05"]),
            ("SSSSSS", ["123456", "123456789", "12"], ["1", "1234567890"]),
            ("ss.S", ["01.5", "01.123456789"], ["01.", "01.1234567890"]),
            ("d MMM yyyy", ["1 Jan 2020", "1 März 2020"], ["1 1 2020", "1  2020", "1 01 2020"]),
            ("EEE, h a", ["Mon, 12 AM", "x, 1 pm"], ["Mon 12 AM", ", 1 pm", "Mon, 13 AM", "Mon, 1 "]),
            (
                "HHX", ["12Z", "12+01", "12-01:30", "12UTC", "12GMT", "12+0130"],
                ["12", "12z", "12+1", "12+", "1201", "12ZZ", "12*01", "12UT"]
            ),
            ("HHZ", ["12+0100", "12Z"], ["12 +0100"]), ("HHz", ["12GMT"], ["12CET"]),
            ("yyyy'T'MM", ["2020T01"], ["2020t01", "2020T", "202001"]), ("HH''mm", ["12'30"], ["1230", "12''30"]),
            ("HH'x", ["12x"], ["12"]),
            ("HH'at'mm", ["12at30"], ["12a30"]), ("QQ", ["x", "Q"], ["1", ""]), ("HH[mm", ["12[30"], ["1230"]),
        ]
        for (format, texts, others) in cases {
            for text in texts { #expect(try matches("isDateTime(\(format))", text), "\(format): \(text)") }
            for text in others { #expect(try !matches("isDateTime(\(format))", text), "\(format): \(text)") }
        }
    }

    @Test func `a pattern is found anywhere, within the work that may be done`() throws {
        try check("matchesRegex(b+)", [("abc", true), ("ac", false)])
        try check("matchesRegex(^b$)", [("b", true), ("ab", false)])
        try check("matchesRegex", [("anything", true)])
        try check("matchesRegex(\\(x\\))", [("(x)", true), ("x", false)])
        var options = XMLEquality.Options()
        options.hasPlaceholders = true
        let equality = try XMLEquality("<a>${xmlunit.matchesRegex(^(a+)+$)}</a>", options: options)
        let text = String(repeating: "a", count: 60)
        #expect(equality.outcome(try XMLDocument(parsing: "<a>\(text)!</a>")) == .givenUp)
        #expect(equality.outcome(try XMLDocument(parsing: "<a>aa!</a>")) == .different)
        #expect(equality.outcome(try XMLDocument(parsing: "<a>\(text)</a>")) == .equal)
    }

    @Test(
        arguments: [
            ("<a>${xmlunit.ignore}<b/></a>", "<a>x<b/></a>", []),
            ("<a>${xmlunit.ignore}<b/></a>", "<a>x<c/></a>", ["/a/b: expected <b>, got <c>"]),
            ("<a> ${xmlunit.ignore} </a>", "<a/>", []),
            ("<a i='${xmlunit.ignore}' j='1'/>", "<a j='1' k='2'/>", [#"/a/@k: got "2", which is not expected"#]),
            ("<a i='${xmlunit.ignore}'/>", "<a i='3'/>", []),
            ("<a i='${xmlunit.ignore}'/>", "<a j='3'/>", [#"/a/@j: got "3", which is not expected"#]),
            ("<a i='${xmlunit.isNumber}'/>", "<a/>", [#"/a/@i: expected "${xmlunit.isNumber}", which is missing"#]),
            ("<a>x ${xmlunit.ignore}</a>", "<a>x y</a>", [#"/a/text(): expected "x ${xmlunit.ignore}", got "x y""#]),
            ("<a>${ xmlunit.ignore }</a>", "<a>y</a>", []),
            ("<a>${xmlunit.isNumber}</a>", "<a>${xmlunit.isNumber}</a>", []),
            (
                "<a><?x ${xmlunit.ignore}?></a>", "<a><?x y?></a>",
                [#"/a/processing-instruction(): expected "${xmlunit.ignore}", got "y""#]
            ),
            ("<a>${xmlunit.ignore}</a>", "<a><b><c/></b><?x y?>z</a>", []),
            ("<a><b>${xmlunit.ignore}</b></a>", "<a><b/><b/></a>", ["/a/b[2]: got <b>, which is not expected"]),
        ] as [(String, String, [String])])
    func `a placeholder stands where it is the whole text`(expected: String, actual: String, differences: [String])
        throws
    {
        var options = XMLEquality.Options()
        options.hasPlaceholders = true
        let found = try XMLEquality(expected, options: options).differences(try XMLDocument(parsing: actual))
        #expect(found.map(\.description) == differences)
    }
}
