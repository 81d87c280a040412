// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiContentCodings
import MockapiFixtures
package import MockapiHTTPWire

/// Collects the content of a response as it passes: text in memory, since its secrets must not reach the disk, the rest
/// in a file.
///
/// Used by one task at a time.
package final class ContentSpool {
    /// Bytes of text; a longer one is not recorded. 32 MiB.
    package static let textLimit = 32 * 1024 * 1024
    /// Bytes of other content that are held in memory; beyond, they go to a file. 1 MiB.
    package static let memoryLimit = 1024 * 1024
    /// Bytes as they were transferred that are kept beside the decoded ones, in case these are not of their coding. 32 MiB.
    package static let rawLimit = 32 * 1024 * 1024

    /// Bytes of a body on the disk if nobody says otherwise. 1 GiB.
    package static let largestBody = 1024 * 1024 * 1024

    private let mediaType: String
    private let directory: String?
    private let largest: Int
    /// The value of Content-Encoding, in lower case; empty if nothing was coded.
    private let codings: String
    private var decoder: StreamDecoder?
    private var content: SpooledBytes
    /// The bytes as they came, if they are decoded; nil if there were too many.
    private var raw: [UInt8]? = []
    private var transferred = 0
    private var note: String?

    /// - Parameters:
    ///   - head: its Content-Type and Content-Encoding decide where the bytes go.
    ///   - directory: where a temporary file goes; nil if all stays in memory.
    ///   - limit: how large coded content may get when it is decoded.
    ///   - largest: bytes of content, without its coding, that are recorded.
    package init(
        _ head: ReceivedHead, directory: String?, limit: DecodedLimit = DecodedLimit(), largest: Int = largestBody
    ) {
        mediaType = head.first("content-type").map(head.string) ?? ""
        self.directory = directory
        self.largest = largest
        codings = head.joined("content-encoding").lowercased()
        let decoder = codings.isEmpty ? nil : limit.decoder(of: codings)
        if codings.isEmpty || decoder?.isIdentity ?? false {
            let announced = head.first("content-length").flatMap { Int(head.string($0)) }
            content = SpooledBytes(
                mediaType: mediaType, directory: directory, largest: largest, announced: announced)
        } else if let decoder {
            self.decoder = decoder
            content = SpooledBytes(mediaType: mediaType, directory: directory, largest: largest)
        } else {
            note = "the coding \(codings) is not known: the content is stored as it came"
            content = SpooledBytes(mediaType: Self.unknownType, directory: directory, largest: largest)
        }
    }

    /// The media type of content that is stored in its coding.
    private static let unknownType = "application/octet-stream"

    /// Whether the content cannot be kept whatever still comes; `finish` says why.
    package var hasFailed: Bool { content.hasFailed }

    /// Takes the next bytes as they were transferred; `store` keeps their decoded form.
    package func push(_ bytes: [UInt8]) {
        transferred += bytes.count
        guard let decoder else { return content.append(bytes) }
        keepRaw(bytes)
        decoder.push(bytes)
    }

    /// Keeps the next bytes of the content, 64 KiB at most, since a few that came may stand for very many.
    ///
    /// - Returns: false once all that has come is kept.
    package func store() -> Bool {
        guard let decoder else { return false }
        do throws(DecodingFailure) {
            guard let piece = try decoder.pull() else { return false }
            content.append(piece)
            if content.hasFailed { stopDecoding() }
            return !content.hasFailed
        } catch {
            if case .tooLarge = error.reason {
                stopDecoding()
                content.fail("\(error), and is not recorded")
            } else {
                storeAsItCame(error)
            }
            return false
        }
    }

    private func stopDecoding() {
        decoder = nil
        raw = nil
    }

    private func keepRaw(_ bytes: [UInt8]) {
        guard let count = raw?.count else { return }
        if count + bytes.count <= Self.rawLimit { raw?.append(contentsOf: bytes) } else { raw = nil }
    }

    /// Goes on with the bytes as they come, after those that came.
    private func storeAsItCame(_ failure: DecodingFailure) {
        decoder = nil
        content.discard()
        content = SpooledBytes(mediaType: Self.unknownType, directory: directory, largest: largest)
        note = "the content is stored as it came: \(failure)"
        guard let raw else {
            return content.fail("\(failure), after more than \(Self.rawLimit) bytes of it")
        }
        content.append(raw)
        self.raw = nil
    }

    /// The content, once it has come whole.
    ///
    /// - Throws: if it is more than can be recorded, or its file cannot be written.
    package func finish() throws(RecordingError) -> SpooledContent {
        if let decoder {
            do throws(DecodingFailure) {
                try decoder.finish()
            } catch {
                storeAsItCame(error)
            }
        }
        let isDecoded = decoder != nil
        let fingerprint = content.fingerprint
        var spooled = SpooledContent(
            try content.finish(), decodedFrom: isDecoded && transferred > 0 ? Self.canonical(codings) : nil,
            transferred: transferred, note: note)
        spooled.streamed = fingerprint
        return spooled
    }

    /// Lets go of the content of a response that has not come whole.
    package func discard() {
        content.discard()
    }

    private static func canonical(_ codings: String) -> String {
        codings == "x-gzip" ? "gzip" : codings
    }
}
