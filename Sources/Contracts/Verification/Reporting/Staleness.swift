// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Fixtures that nobody has looked at for long.
package enum Staleness {
    /// Adds a warning to each fixture that was recorded so long ago and could not be verified now.
    ///
    /// - Parameter seconds: the age from which on it is reported.
    package static func add(
        to verdicts: inout [FixtureVerdict], _ fixtures: [VerifiedFixture], olderThan seconds: Int
    ) {
        let now = Int(time(nil))
        let dates = Dictionary(fixtures.map { ($0.name, $0.recordedAt) }, uniquingKeysWith: { first, _ in first })
        for index in verdicts.indices {
            switch verdicts[index].state {
            case .skipped, .unchecked: break
            default: continue
            }
            guard let text = dates[verdicts[index].name] ?? nil, let timestamp = Self.seconds(of: text),
                now - timestamp > seconds
            else { continue }
            let finding = DriftFinding(
                .warning, .fixtureStale, at: "", recorded: text, received: "\((now - timestamp) / 86_400) days ago",
                site: .status)
            verdicts[index].findings.append(
                LocatedFinding(finding, file: verdicts[index].path, line: verdicts[index].line))
        }
    }

    /// Seconds since 1970 of a timestamp in RFC 3339 form, in UTC.
    static func seconds(of text: String) -> Int? {
        let parts = text.split { !$0.isASCII || !$0.isNumber }.prefix(6).map { Int($0) ?? -1 }
        guard parts.count == 6, parts.allSatisfy({ $0 >= 0 }), (1...12).contains(parts[1]) else { return nil }
        let days = GregorianDay(year: parts[0], month: parts[1], day: parts[2]).daysSince1970
        return days * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5]
    }
}
