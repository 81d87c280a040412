// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Results as JUnit XML, in what GitLab, Jenkins and the actions of GitHub all read.
///
/// The text of a failure has all there is to say, since GitLab shows nothing else of it.
package struct JUnitReport: Sendable {
    package struct Case: Sendable {
        package enum Result: Sendable {
            case pass
            case failure(message: String, text: String)
            case skipped(String)
        }

        package let className: String
        package let name: String
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
    /// In seconds since 1970.
    private let startedAt: Double

    package init(name: String, cases: [Case], startedAt: Double) {
        self.name = name
        self.cases = cases
        self.startedAt = startedAt
    }

    package var xml: String {
        let failures = cases.count { if case .failure = $0.result { true } else { false } }
        let skipped = cases.count { if case .skipped = $0.result { true } else { false } }
        let time = Self.seconds(cases.reduce(0) { $0 + $1.time })
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="\(XMLText.escape(name))" tests="\(cases.count)" failures="\(failures)" errors="0" \
            skipped="\(skipped)" time="\(time)" timestamp="\(Timestamp.text(startedAt))" hostname="localhost">
            \(cases.map(Self.text).joined(separator: "\n"))
              </testsuite>
            </testsuites>

            """
    }

    private static func text(_ testCase: Case) -> String {
        let head =
            "    <testcase classname=\"\(XMLText.escape(testCase.className))\" name=\"\(XMLText.escape(testCase.name))\""
            + " time=\"\(seconds(testCase.time))\""
        switch testCase.result {
        case .pass: return head + "/>"
        case .skipped(let why):
            return head + ">\n      <skipped message=\"\(XMLText.escape(why))\"/>\n    </testcase>"
        case .failure(let message, let text):
            return head + ">\n      <failure message=\"\(XMLText.escape(message))\" type=\"contract\">"
                + "\(XMLText.escape(text))</failure>\n    </testcase>"
        }
    }

    private static func seconds(_ time: Double) -> String {
        let milliseconds = Int((time * 1_000).rounded())
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
