// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Undoes the codings of content as it comes (RFC 9110 §8.4): gzip of one or more members, deflate in zlib's frame or bare, br, and zstd of
/// one or more frames.
///
/// It keeps the bytes that were pushed last and the windows of the codings: 32 KiB for gzip and deflate, 16 MiB for br,
/// 8 MiB for zstd. A few bytes can stand for gigabytes: a caller that keeps the result sets a limit, a caller that passes it
/// on uses `push` and `pull`.
package final class StreamDecoder {
    /// A chain of more codings than this is not undone. 5, as in libcurl.
    package static let chainLimit = 5

    /// The value of Content-Encoding.
    package let codings: String
    private let limit: Int
    private let factor: Int
    /// How many bytes have been pushed.
    private var coded = 0
    /// In the order of undoing: the coding that was applied last comes first.
    private let stages: [DecodingStage]
    /// The bytes that have come if there is nothing to undo.
    private var plain: [UInt8] = []
    private var passed = 0
    private var failure: DecodingFailure?

    /// nil if one of the codings is unknown, or there are more than five.
    ///
    /// - Parameters:
    ///   - codings: the value of Content-Encoding, of several lines joined by commas.
    ///   - limit: the bytes that the content, and the data between two codings, may come to.
    ///   - factor: how many times the coded bytes they may come to if that is more than the limit.
    package init?(codings: String, limit: Int = .max, factor: Int = 0) {
        var stages: [DecodingStage] = []
        for name in codings.utf8.split(separator: UInt8(ascii: ",")).reversed() {
            switch Self.name(Substring(name)) {
            case "", "identity": break
            case "gzip", "x-gzip": stages.append(DecodingStage(Inflater(isGzip: true)))
            case "deflate": stages.append(DecodingStage(Inflater(isGzip: false)))
            #if Brotli
                case "br": stages.append(DecodingStage(BrotliReader()))
            #endif
            #if Zstd
                case "zstd": stages.append(DecodingStage(ZstandardReader()))
            #endif
            default: return nil
            }
        }
        guard stages.count <= Self.chainLimit else { return nil }
        self.codings = codings
        self.limit = limit
        self.factor = factor
        self.stages = stages
    }

    /// Whether there is nothing to undo.
    package var isIdentity: Bool { stages.isEmpty }

    /// The content that these bytes and those before them make, as far as it has not been returned yet.
    package func decode(_ bytes: [UInt8]) throws(DecodingFailure) -> [UInt8] {
        push(bytes)
        guard let first = try pull() else { return [] }
        var output = first
        while let more = try pull() { output += more }
        return output
    }

    /// Takes the next bytes of the coded content, which `pull` makes something of.
    package func push(_ bytes: [UInt8]) {
        coded += bytes.count
        if let first = stages.first { first.push(bytes) } else { plain += bytes }
    }

    /// The next bytes of the content, at most 64 KiB if there is a coding; nil if more must be pushed first.
    package func pull() throws(DecodingFailure) -> [UInt8]? {
        if let failure { throw failure }
        guard !isIdentity else { return try pullPlain() }
        do throws(StageError) {
            return try pull(from: stages.count - 1)
        } catch {
            switch error {
            case .broken(let text): throw fail(.broken(text))
            case .limit: throw fail(.tooLarge(limit: allowed))
            }
        }
    }

    /// The content is over, and all of it pulled: throws if a coding has not ended.
    ///
    /// No byte at all is empty content, as servers send it with any coding.
    package func finish() throws(DecodingFailure) {
        if let failure { throw failure }
        guard stages.allSatisfy(\.isComplete) else { throw fail(.truncated) }
    }

    /// The bytes that those which have come may make.
    private var allowed: Int {
        let (product, isTooMuch) = coded.multipliedReportingOverflow(by: factor)
        return max(limit, isTooMuch ? .max : product)
    }

    private func pull(from index: Int) throws(StageError) -> [UInt8]? {
        while true {
            if let bytes = try stages[index].pull(limit: allowed) { return bytes }
            guard index > 0, let more = try pull(from: index - 1) else { return nil }
            stages[index].push(more)
        }
    }

    private func pullPlain() throws(DecodingFailure) -> [UInt8]? {
        guard !plain.isEmpty else { return nil }
        passed += plain.count
        guard passed <= allowed else { throw fail(.tooLarge(limit: allowed)) }
        defer { plain = [] }
        return plain
    }

    private func fail(_ reason: DecodingFailure.Reason) -> DecodingFailure {
        let failure = DecodingFailure(codings: codings, reason: reason)
        self.failure = failure
        return failure
    }

    /// In lower case and without white space around it.
    private static func name(_ member: Substring) -> String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = member.utf8.firstIndex(where: { !isBlank($0) }),
            let last = member.utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return member[first...last].lowercased()
    }
}

/// Limits on the size of decoded content: a few bytes can stand for gigabytes.
package struct DecodedLimit: Sendable {
    /// Bytes it may come to, however few were transferred. 256 MiB.
    package var bytes = 256 * 1024 * 1024
    /// How many times the transferred bytes it may come to if that is more. 100.
    package var factor = 100

    package init() {}

    /// Nil if one of the codings is not known.
    package func decoder(of codings: String) -> StreamDecoder? {
        StreamDecoder(codings: codings, limit: bytes, factor: factor)
    }
}
