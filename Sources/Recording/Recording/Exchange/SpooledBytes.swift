// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Bytes that are held in memory while they are few or text, and in a temporary file from then on.
struct SpooledBytes {
    private let mediaType: String
    /// The directory of a file; nil if all stays in memory.
    private let directory: String?
    /// Bytes it may come to.
    private let largest: Int
    private var memory: [UInt8] = []
    private var file: (path: String, descriptor: Int32)?
    private var size = 0
    /// The hash of the bytes in the file.
    private var hash = StreamHash()
    /// Nil until there are too many bytes to leave it open.
    private var isText: Bool?
    private var failure: RecordingError?

    /// Bytes that are waited for before it is looked whether they are text.
    private let looksBehind: Int

    /// Bytes that show the kind of the content. 64 KiB.
    private static let tellingSize = 64 * 1024

    /// - Parameter announced: how many bytes there will be, if that is known.
    init(mediaType: String, directory: String?, largest: Int, announced: Int? = nil) {
        self.mediaType = mediaType
        self.directory = directory
        self.largest = largest
        looksBehind = announced ?? 0 > ContentSpool.memoryLimit ? Self.tellingSize : ContentSpool.memoryLimit
    }

    mutating func append(_ bytes: [UInt8]) {
        guard failure == nil else { return }
        size += bytes.count
        if size > largest {
            return fail("the content is more than \(largest) bytes, and is not recorded; raise --max-recorded-body")
        }
        if let file {
            hash.combine(bytes)
            write(bytes, to: file.descriptor)
            return
        }
        if memory.isEmpty { memory = bytes } else { memory += bytes }
        guard memory.count > looksBehind else { return }
        let isText = isText ?? MediaType.isText(mediaType: mediaType, head: memory)
        self.isText = isText
        if !isText, let directory {
            openFile(in: directory)
        } else if memory.count > ContentSpool.textLimit {
            fail(
                isText
                    ? "the content is text of more than \(ContentSpool.textLimit) bytes, which is too much to keep secrets out of"
                    : "the content is more than \(ContentSpool.textLimit) bytes, which is too much to hold in memory")
        }
    }

    private mutating func openFile(in directory: String) {
        do throws(RecordingError) {
            let (name, descriptor) = try WorkFolder.makeFile(in: directory)
            file = ("\(directory)/\(UnfinishedRecording.folder)/\(name)", descriptor)
        } catch {
            return fail(error.description)
        }
        guard let descriptor = file?.descriptor else { return }
        hash.combine(memory)
        write(memory, to: descriptor)
        memory = []
    }

    private mutating func write(_ bytes: [UInt8], to descriptor: Int32) {
        do throws(SystemError) {
            try FileWriter.writeAll(bytes, to: descriptor)
        } catch {
            fail("\(directory ?? "") cannot be written: \(error.words)")
        }
    }

    var hasFailed: Bool { failure != nil }

    mutating func fail(_ text: String) {
        if failure == nil { failure = RecordingError(text) }
        discard()
    }

    mutating func finish() throws(RecordingError) -> SpooledContent.Storage {
        if let failure { throw failure }
        guard let file else { return .bytes(memory) }
        close(file.descriptor)
        self.file = nil
        return .file(path: file.path, size: size)
    }

    /// The fingerprint of the file's bytes; nil if there is no file.
    var fingerprint: Fingerprint? { file == nil ? nil : hash.value }

    /// Removes the file.
    mutating func discard() {
        memory = []
        guard let file else { return }
        close(file.descriptor)
        WorkFolder.removeFile(file.path)
        self.file = nil
    }
}
