// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// An article on the command line: its place in the list, or its id.
///
/// One to three digits are a place, from 1 to 999; any other text that begins with a letter or a digit is an id.
enum ArticleReference: ExpressibleByArgument, Hashable {
    case place(Int)
    case id(String)

    static let help: ArgumentHelp = "Its place in the list, from 1 to 999, or its id."

    init?(argument: String) {
        if argument.utf8.count <= 3, argument.utf8.allSatisfy(Self.isDigit), let place = Int(argument) {
            guard place > 0 else { return nil }
            self = .place(place)
            return
        }
        // An id that needs no escape in a path (RFC 3986 §2.3), and is neither an option nor a dot segment.
        guard let first = argument.utf8.first, Self.isLetter(first) || Self.isDigit(first),
            argument.utf8.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || "-._~".utf8.contains($0) })
        else { return nil }
        self = .id(argument)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
