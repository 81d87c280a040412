// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockServer

/// Directories on mounts of which the system tells no changes.
@Suite(.supervised) struct LookingTests {
    @Test func `what the system does not tell of is looked at, and that is said once`() async throws {
        let directory = try TemporaryDirectory(["a.json": "1", "folder/b.json": "1"])
        let (changes, notes) = (Counter(), Counter())
        let made = FixtureWatcher(
            directory: directory.path, looksOnly: true, looking: { notes.add() }, failed: { _ in },
            changed: { changes.add() })
        let watcher = try #require(made)
        try directory.write("a.json", "22")
        #expect(try await until({ changes.count }) { $0 >= 1 })
        let before = changes.count
        try directory.write("folder/new/c.json", "1")
        #expect(try await until({ changes.count }) { $0 > before })
        let after = changes.count
        try directory.write("folder/new/c.json", "22")
        #expect(try await until({ changes.count }) { $0 > after })
        #expect(notes.count == 1)
        watcher.stop()
    }

    private final class Counter: Sendable {
        private let number = Atomic(0)

        var count: Int { number.load(ordering: .relaxed) }

        func add() { number.wrappingAdd(1, ordering: .relaxed) }
    }

    #if os(Linux)
        @Test func `mounts of networks and hosts are known by their names`() {
            let mounts = BlindMounts(
                list: """
                    22 1 0:21 / / rw,relatime shared:1 - overlay overlay rw
                    36 22 0:31 / /mnt/my\\040mocks rw,noatime - fuse.bindfs bindfs rw
                    37 22 0:32 / /nfs rw - nfs4 host:/x rw
                    38 37 0:33 / /nfs/local rw shared:2 master:1 - ext4 /dev/sda rw
                    39 22 0:34 / /c rw - 9p drvfs rw
                    40 22 0:34 / /host rw - virtiofs host rw
                    41 22 0:34 / /twice rw - cifs host rw
                    42 22 0:34 / /twice rw - tmpfs none rw
                    broken
                    """)
            let blind = [
                "/mnt/my mocks", "/mnt/my mocks/a", "/mnt/my", "/nfs", "/nfs/b/c", "/nfs/local", "/nfs/local/d",
                "/c/x",
                "/cc", "/host", "/twice", "/",
            ].filter { mounts.hold($0) }
            #expect(blind == ["/mnt/my mocks", "/mnt/my mocks/a", "/nfs", "/nfs/b/c", "/c/x", "/host"])
            #expect(BlindMounts().hold("/proc") == false)
        }
    #endif
}
