// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// How old recordings may be that a test uses.
public struct RecordingAge: Sendable, Hashable {
    let days: Int
    let fails: Bool

    /// A recording that is older fails the test.
    public static func failing(afterDays days: Int) -> RecordingAge { RecordingAge(days: days, fails: true) }
    /// A recording that is older is warned of.
    public static func warning(afterDays days: Int) -> RecordingAge { RecordingAge(days: days, fails: false) }

    /// The text about a stub that was recorded too long ago; nil for any other, and for a stub that was not recorded.
    ///
    /// - Parameter now: in seconds since 1970.
    func text(on stub: Stub, now: Double) -> String? {
        guard stub.isRecorded, let at = stub.source["recorded"]?["at"]?.string, let then = DateText.seconds(at) else {
            return nil
        }
        let age = Int((now - then) / 86_400)
        guard age > days else { return nil }
        return "was recorded \(age) days ago, on \(at.prefix(10)), and may be \(days) days old: record it again"
    }
}

extension LoadedFixtures {
    /// Warnings of the recordings that are older than so many days.
    ///
    /// - Parameter now: in seconds since 1970.
    package func expired(afterDays days: Int, now: Double) -> [Finding] {
        let age = RecordingAge.warning(afterDays: days)
        return served.set.stubs.compactMap { stub in
            age.text(on: stub, now: now).map { Finding(.warning, "it \($0)", at: stub.place, kind: .recording) }
        }
    }
}
