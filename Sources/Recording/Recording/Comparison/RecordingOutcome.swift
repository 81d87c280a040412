// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The outcome of an exchange.
package struct RecordingOutcome: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case new
        case changed
        case unchanged
        /// The recording has another name now.
        case renamed
        /// The response came, and its status is not recorded.
        case leftOut
        /// Nothing was written, though the response came.
        case refused
        /// The response did not come whole.
        case failed
    }

    /// The user's next step.
    package enum Advice: Sendable, Hashable {
        /// To let the proxy respond to preflights.
        case answerPreflights
        /// To name these JSON paths as volatile, if their values differ each time.
        case markVolatile([String])
    }

    /// A request's content in a file of its own.
    package struct ContentFile: Sendable, Hashable {
        /// Relative to the fixture directory.
        package var path: String
        package var size: Int
    }

    package var kind: Kind
    package var advice: Advice?
    /// Files that were written, or that are as they were, relative to the fixture directory.
    package var files: [String]
    /// Method and target, without secrets.
    package var request: String
    package var origin: String
    package var status: Int?
    /// The media type in short, such as `vnd.api+json`.
    package var mediaType: String
    /// The coding that was undone.
    package var coding: String?
    /// Bytes of the body as it is stored.
    package var size: Int
    /// The parts that were replaced or left out: names of header fields of the request, and placeholders.
    package var redacted: [String]
    /// The content of a new recording's request, if a matcher reads it from a file.
    package var content: ContentFile?
    /// Notes in words on the changes, the refusal, or the parts that were left out.
    package var notes: [String]

    package init(
        _ kind: Kind, request: String, origin: String, files: [String] = [], status: Int? = nil, mediaType: String = "",
        coding: String? = nil, size: Int = 0, redacted: [String] = [], notes: [String] = []
    ) {
        self.kind = kind
        self.files = files
        self.request = request
        self.origin = origin
        self.status = status
        self.mediaType = mediaType
        self.coding = coding
        self.size = size
        self.redacted = redacted
        self.notes = notes
    }
}
