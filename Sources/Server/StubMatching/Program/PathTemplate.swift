// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The pieces of a `urlPathTemplate`: literals, variables of one segment or a part of it, and `**` for any rest.
package struct PathTemplate: Hashable {
    enum Piece: Hashable {
        case literal([UInt8])
        case variable(String)
        /// `**`; its name is its number among those of the template, counted from 0.
        case rest(String)
    }

    let pieces: [Piece]

    init(_ text: String) {
        var pieces: [Piece] = []
        var literal: [UInt8] = []
        var rests = 0
        let bytes = Array(text.utf8)
        var index = 0
        func flush() {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = []
        }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "{"), let end = bytes[index...].firstIndex(of: UInt8(ascii: "}")) {
                flush()
                // The operators of RFC 6570 are not part of the name, as in WireMock.
                let name = bytes[index + 1..<end].filter { !".;*".utf8.contains($0) }
                pieces.append(.variable(String(decoding: name, as: UTF8.self)))
                index = end + 1
            } else if bytes[index...].starts(with: "**".utf8) {
                flush()
                pieces.append(.rest(String(rests)))
                rests += 1
                index += 2
            } else {
                literal.append(bytes[index])
                index += 1
            }
        }
        flush()
        self.pieces = pieces
    }

    /// The names of variables and rests in order.
    var names: [String] {
        pieces.compactMap {
            switch $0 {
            case .literal: nil
            case .variable(let name), .rest(let name): name
            }
        }
    }

    /// The text that a segment of the template asks for.
    enum Segment: Hashable {
        case literal([UInt8])
        /// A segment with a variable in it.
        case wild
        /// `**`: this segment's remainder and all that follow.
        case rest
    }

    /// The segments up to and with the first that holds a `**`.
    var segments: [Segment] {
        var segments: [Segment] = []
        var literal: [UInt8] = []
        var isWild = false
        func flush() {
            segments.append(isWild ? .wild : .literal(literal))
            literal = []
            isWild = false
        }
        for piece in pieces {
            switch piece {
            case .rest: return segments + [.rest]
            case .variable: isWild = true
            case .literal(let bytes):
                for byte in bytes {
                    if byte == ASCII.slash { flush() } else { literal.append(byte) }
                }
            }
        }
        flush()
        return segments
    }
}
