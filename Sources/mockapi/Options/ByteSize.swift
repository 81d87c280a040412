// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// A number of bytes on the command line: `512`, `64KiB`, `16MiB`, `1GiB`.
struct ByteSize: ExpressibleByArgument, CustomStringConvertible {
    /// 1 TiB: what is larger is no size that anybody meant, and could not be reckoned with.
    static let most = 1 << 40

    /// A number larger than the most is the most and one more.
    let bytes: Int

    init(_ bytes: Int) {
        self.bytes = bytes
    }

    init?(argument: String) {
        let digits = argument.prefix { $0.isNumber }
        let factors = ["": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let factor = factors[String(argument.dropFirst(digits.count))]
        else { return nil }
        let number = Int(digits) ?? .max
        bytes = number <= Self.most / factor ? number * factor : Self.most + 1
    }

    var description: String {
        if bytes > 0, bytes % (1024 * 1024) == 0 { return "\(bytes / (1024 * 1024))MiB" }
        if bytes > 0, bytes % 1024 == 0 { return "\(bytes / 1024)KiB" }
        return "\(bytes)"
    }

    var defaultValueDescription: String { description }
}
