// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser

/// A number of bytes on the command line: `512`, `64KiB`, `16MiB`.
struct ByteSize: ExpressibleByArgument, CustomStringConvertible {
    let bytes: Int

    init(_ bytes: Int) {
        self.bytes = bytes
    }

    init?(argument: String) {
        let digits = argument.prefix { $0.isNumber }
        let factors = ["": 1, "B": 1, "KiB": 1024, "MiB": 1024 * 1024]
        guard let number = Int(digits), let factor = factors[String(argument.dropFirst(digits.count))],
            number <= Int.max / factor
        else { return nil }
        bytes = number * factor
    }

    var description: String {
        if bytes > 0, bytes % (1024 * 1024) == 0 { return "\(bytes / (1024 * 1024))MiB" }
        if bytes > 0, bytes % 1024 == 0 { return "\(bytes / 1024)KiB" }
        return "\(bytes)"
    }

    var defaultValueDescription: String { description }
}
