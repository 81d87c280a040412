// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Something wrong with a fixture directory.
package struct Finding: Hashable, Sendable {
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    /// The subject of a finding, by which tools tell findings apart.
    package enum Kind: String, CaseIterable, Sendable {
        /// The content of a fixture, or the way fixtures stand to each other.
        case fixture
        /// Text that looks like a secret.
        case secret
        /// A recording: an interrupted recording, or a recorded stub that is too old.
        case recording
    }

    package var place: Place
    package var severity: Severity
    package var text: String
    package var kind: Kind

    package init(_ severity: Severity, _ text: String, at place: Place, kind: Kind = .fixture) {
        self.severity = severity
        self.kind = kind
        self.text = text
        self.place = place
    }
}

extension Finding {
    /// The finding with its path behind that of the fixture directory.
    package func located(in directory: String) -> Finding {
        var finding = self
        finding.place = place.located(in: directory)
        return finding
    }
}

extension Finding: CustomStringConvertible {
    /// `path:line:column: error|warning: text (/json/pointer)`; line and column are left out for a whole file.
    package var description: String {
        // A finding is one line, whatever names and values it has.
        "\(position): \(severity.rawValue): \(message)".printable
    }

    /// `path:line:column`; `path` for a whole file.
    package var position: String { place.line > 0 ? "\(place.path):\(place.line):\(place.column)" : place.path }

    /// The text, with the way to the value.
    package var message: String { place.pointer.isEmpty ? text : "\(text) (\(place.pointer))" }
}

extension Finding: Comparable {
    /// Sorts by path in byte order, then by place, then by text.
    package static func < (left: Finding, right: Finding) -> Bool {
        if left.place.path.precedesInBytes(right.place.path) { return true }
        if right.place.path.precedesInBytes(left.place.path) { return false }
        let leftPosition = (left.place.line, left.place.column)
        let rightPosition = (right.place.line, right.place.column)
        return leftPosition == rightPosition ? left.text.precedesInBytes(right.text) : leftPosition < rightPosition
    }
}
