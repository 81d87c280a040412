// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Results as JUnit XML, valid by the schema of Jenkins (`junit-10.xsd`) and by that of Ant's dialect (`JUnit.xsd`) at once.
///
/// Ant's wants every element of a suite, in one order, and each attribute that is written here; Jenkins' allows them. The text of a failure has
/// all there is to say, since GitLab shows nothing else of it. No two cases have one name: some readers drop the second.
package struct JUnitReport: Sendable {
    package struct Case: Sendable {
        package enum Result: Sendable {
            case pass
            case failure(message: String, text: String)
            /// The result could not be determined.
            case error(message: String, text: String)
            case skipped(String)
        }

        package let className: String
        package fileprivate(set) var name: String
        /// In seconds.
        package let time: Double
        package let result: Result

        package init(className: String, name: String, time: Double = 0, result: Result) {
            self.className = className
            self.name = name
            self.time = time
            self.result = result
        }
    }

    package let name: String
    package let cases: [Case]
    package var properties: [(name: String, value: String)] = []
    /// The notes on possible improvements, and other lines.
    package var output = ""
    /// In seconds since 1970.
    private let startedAt: Double

    /// - Parameter cases: if two have one name, the second gets ` #2` behind it.
    package init(name: String, cases: [Case], startedAt: Double) {
        self.name = name
        self.startedAt = startedAt
        var numbers: [String: Int] = [:]
        self.cases = cases.map { one in
            var one = one
            let first = one.name
            while numbers["\(one.className)\n\(one.name)"] != nil {
                let number = (numbers["\(one.className)\n\(first)"] ?? 1) + 1
                numbers["\(one.className)\n\(first)"] = number
                one.name = "\(first) #\(number)"
            }
            numbers["\(one.className)\n\(one.name)"] = 1
            return one
        }
    }

    package var xml: String {
        let failures = cases.count { if case .failure = $0.result { true } else { false } }
        let errors = cases.count { if case .error = $0.result { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.result { true } else { false } }
        let time = Self.seconds(cases.reduce(0) { $0 + $1.time })
        let lines = properties.map { name, value in
            "      <property name=\"\(Self.escape(name))\" value=\"\(Self.escape(value))\"/>\n"
        }.joined()
        let name = Self.escape(name.isEmpty ? "mockapi" : name)
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="\(name)" tests="\(cases.count)" failures="\(failures)" errors="\(errors)" \
            skipped="\(skipped)" time="\(time)" timestamp="\(Self.timestamp(startedAt))" hostname="localhost" id="0" \
            package="mockapi">
                <properties>\(lines.isEmpty ? "" : "\n" + lines + "    ")</properties>
            \(cases.map { Self.text($0) + "\n" }.joined())\
                <system-out>\(Self.escape(output))</system-out>
                <system-err></system-err>
              </testsuite>
            </testsuites>

            """
    }

    private static func text(_ testCase: Case) -> String {
        let head =
            "    <testcase classname=\"\(escape(testCase.className))\" name=\"\(escape(testCase.name))\""
            + " time=\"\(seconds(testCase.time))\""
        switch testCase.result {
        case .pass: return head + "/>"
        case .skipped(let why):
            return head + ">\n      <skipped message=\"\(escape(why))\"/>\n    </testcase>"
        case .failure(let message, let text):
            return head + ">\n      <failure message=\"\(escape(message))\" type=\"contract\">"
                + "\(escape(text))</failure>\n    </testcase>"
        case .error(let message, let text):
            return head + ">\n      <error message=\"\(escape(message))\" type=\"undecided\">"
                + "\(escape(text))</error>\n    </testcase>"
        }
    }

    /// Seconds with three places, or with six if those say more: many a request takes less than a millisecond.
    static func seconds(_ time: Double) -> String {
        let microseconds = Report.microseconds(time)
        let rest = String(microseconds % 1_000_000)
        let places = String(repeating: "0", count: 6 - rest.count) + rest
        return "\(microseconds / 1_000_000)." + (places.hasSuffix("000") ? String(places.prefix(3)) : places)
    }

    /// `yyyy-MM-ddTHH:mm:ss` in UTC, without a zone, as Ant's schema has it.
    private static func timestamp(_ time: Double) -> String {
        let text = Date(timeIntervalSince1970: time).formatted(.iso8601)
        return text.hasSuffix("Z") ? String(text.dropLast()) : text
    }

    /// Escapes marks, and writes U+FFFD for characters that XML 1.0 does not allow (§2.2).
    private static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t", "\r": result += "&#\(scalar.value);"
            default:
                let isAllowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                result.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
            }
        }
        return result
    }
}

extension Report {
    /// A suite with a case for each verdict; a known failure is skipped, as it is for the exit code.
    package var junit: JUnitReport {
        let name = "\(command) of \(subject)" + (label.isEmpty ? "" : ": \(label)")
        var junit = JUnitReport(
            name: name,
            cases: cases.map { one in
                JUnitReport.Case(
                    className: "\(command).\(subject)" + (label.isEmpty ? "" : ": \(label)"),
                    name: one.title.isEmpty ? one.id : "\(one.id): \(one.title)",
                    time: one.duration, result: Self.junit(one))
            }, startedAt: startedAt)
        junit.properties = facts.map { ($0.name, $0.value) }
        junit.output = cases.filter { !$0.isBad && !$0.note.isEmpty }.map { "\($0.id): \($0.note)\n" }.joined()
        return junit
    }

    /// The seen result: readers show it as the headline of a failure.
    private static func headline(_ one: Case) -> String {
        let line = one.seen.prefix { $0 != "\n" }
        return line.isEmpty ? one.title : String(line)
    }

    private static func junit(_ one: Case) -> JUnitReport.Case.Result {
        let text = one.told.map { "\($0.name): \($0.text)" }.joined(separator: "\n")
        if one.isKnown { return .skipped("known: \(one.note)\n\(text)") }
        switch one.result {
        case .pass: return .pass
        case .notApplicable: return .skipped(one.seen)
        case .fail: return .failure(message: headline(one), text: text)
        case .error: return .error(message: headline(one), text: text)
        }
    }
}
