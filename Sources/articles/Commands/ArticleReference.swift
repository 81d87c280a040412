// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// An article on the command line: its place in the list, or its id.
///
/// One to three digits are a place, from 1 to 999; anything else is an id.
enum ArticleReference: ExpressibleByArgument, Hashable {
    case place(Int)
    case id(String)

    static let help: ArgumentHelp = "Its place in the list, from 1 to 999, or its id."

    init?(argument: String) {
        if argument.count <= 3, let place = Int(argument) {
            guard place > 0 else { return nil }
            self = .place(place)
            return
        }
        // What needs no escape in a path (RFC 3986 §2.3) and is no dot segment.
        let isPlain = argument.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: "-._~".utf8.contains(byte)
            }
        }
        guard isPlain, argument.contains(where: { $0 != "." }) else { return nil }
        self = .id(argument)
    }
}
