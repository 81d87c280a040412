// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder that recordings by the admin API are made in.
@Suite(.supervised) struct RecordingFolderTests {
    @Test func `a folder that cannot have its name is not left under another`() throws {
        let parent = try TemporaryDirectory()
        try parent.write("mockapi-recording-7/a.txt", "another's")
        let lock = try FileLock(folder: parent.path + "/mockapi-recording-7", waits: false)
        let error = #expect(throws: SystemError.self) { try RecordingFolder(in: parent.path, number: 7) }
        #expect(error?.call == "rename")
        #expect(access(parent.path + "/mockapi-7", F_OK) != 0)
        #expect(parent.text("mockapi-recording-7/a.txt") == "another's")
        withExtendedLifetime(lock) {}
    }

    @Test func `a folder is there as long as its value`() throws {
        let parent = try TemporaryDirectory()
        do {
            let folder = try RecordingFolder(in: parent.path, number: 7)
            #expect(folder.path == parent.path + "/mockapi-recording-7")
            #expect(access(folder.path, W_OK) == 0)
        }
        #expect(access(parent.path + "/mockapi-recording-7", F_OK) != 0)
    }
}
