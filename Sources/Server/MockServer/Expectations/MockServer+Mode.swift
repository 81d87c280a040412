// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension MockServer {
    /// Where the responses of a test come from.
    ///
    /// The URL of the live service is that of the mode, or else the `upstream` that the test names.
    public struct Mode: Sendable, Hashable {
        package enum Kind: String, CaseIterable, Sendable {
            case replay
            case record
            case recordAll = "record-all"
            case passthrough
            case live
        }

        package let kind: Kind
        package let url: String?

        package init(_ kind: Kind, _ url: String? = nil) {
            self.kind = kind
            self.url = url
        }

        /// Fixtures and stubs respond; any other request is a miss.
        public static let replay = Mode(.replay)

        /// Fixtures respond; any other request goes to the service, and is recorded into them.
        public static let record = Mode(.record)
        /// Fixtures; any other request goes to this service, and is recorded.
        public static func record(from url: String) -> Mode { Mode(.record, url) }

        /// Every request goes to the service, and is recorded into the fixtures; none of them is used.
        public static let recordAll = Mode(.recordAll)
        /// This service, for everything; it is recorded again.
        public static func recordAll(from url: String) -> Mode { Mode(.recordAll, url) }

        /// Fixtures respond; any other request goes to the service, and is not recorded.
        public static let passthrough = Mode(.passthrough)
        /// Fixtures; any other request goes to this service, and is not recorded.
        public static func passthrough(to url: String) -> Mode { Mode(.passthrough, url) }

        /// Everything is asked of the service, whatever fixtures and stubs there are.
        public static let live = Mode(.live)
        /// This service, whatever fixtures and stubs there are.
        public static func live(at url: String) -> Mode { Mode(.live, url) }
    }
}
