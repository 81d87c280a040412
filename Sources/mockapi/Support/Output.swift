// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The two streams of the command: results on one, everything else on the other.
enum Output {
    /// Writes a line to standard output, at once.
    static func result(_ line: String) {
        write(line + "\n", to: STDOUT_FILENO)
    }

    /// Writes a line to standard error, at once.
    static func note(_ line: String) {
        write(line + "\n", to: STDERR_FILENO)
    }

    /// Writes to one of the streams without ending the line.
    static func part(_ text: String, isResult: Bool) {
        write(text, to: isResult ? STDOUT_FILENO : STDERR_FILENO)
    }

    static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
    static var resultIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0) }
            // Nobody reads any more.
            if count < 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
