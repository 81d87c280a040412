// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A number of bytes on the command line: `512`, `64KiB`, `16M`, `10MB`, `1TiB`.
struct ByteSize: CustomStringConvertible {
    /// 1 TiB: nobody means a larger size, and sums with it could overflow.
    static let most = 1 << 40

    private static let factors = [
        "": 1, "b": 1, "k": 1 << 10, "kib": 1 << 10, "kb": 1_000, "m": 1 << 20, "mib": 1 << 20, "mb": 1_000_000,
        "g": 1 << 30, "gib": 1 << 30, "gb": 1_000_000_000,
        "t": 1 << 40, "tib": 1 << 40, "tb": 1_000_000_000_000,
    ]

    /// A number larger than the most is the most and one more.
    let bytes: Int

    init(_ bytes: Int) {
        self.bytes = bytes
    }

    @Sendable static func parse(_ argument: String) throws -> ByteSize {
        let digits = argument.prefix { $0.isNumber }
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let factor = factors[argument.dropFirst(digits.count).lowercased()]
        else {
            throw ValueFailure(
                description:
                    "sizes are whole numbers of bytes, or of KiB, MiB, GiB and TiB (K, M, G, T), or of kB, MB, GB and TB, such as 16MiB"
            )
        }
        let number = Int(digits) ?? .max
        return ByteSize(number <= most / factor ? number * factor : most + 1)
    }

    var description: String {
        if bytes > 0, bytes % (1024 * 1024) == 0 { return "\(bytes / (1024 * 1024))MiB" }
        if bytes > 0, bytes % 1024 == 0 { return "\(bytes / 1024)KiB" }
        return "\(bytes)"
    }
}
