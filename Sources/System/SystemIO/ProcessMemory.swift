// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

#if os(Linux)
    import CMockapiPlatform
    import Dispatch
#endif

/// The heap of a process that is a server and nothing else; a process that only has a server in it keeps malloc as it has set it.
package enum ProcessMemory {
    /// Bytes from which a block is mapped by itself. 128 KiB: the contents of requests, which come in all sizes at once, would else leave
    /// gaps in the heap that nothing fits into.
    private static let blockSize: Int32 = 128 * 1024
    /// Free bytes that the heap keeps at its end. 4 MiB.
    private static let spareSize: Int32 = 4 * 1024 * 1024

    /// Whether memory is given back after bursts.
    private static let isGivenBack = Atomic<Bool>(false)
    private static let returns = Atomic<Int>(0)

    /// Makes freed memory go back to the system, for the whole process: large blocks at once, since the bodies of a few large
    /// requests would else stay for good, the rest when a loop has come to rest after a burst.
    ///
    /// It is to be called before there are threads.
    package static func giveBackWhenFreed() {
        #if os(Linux)
            cplatform_map_large_blocks(blockSize, spareSize)
            // Each thread of Dispatch would else have a heap of its own, and keep the memory of a burst.
            cplatform_limit_arenas(Int32(clamping: Processors.usable))
        #endif
        isGivenBack.store(true, ordering: .relaxed)
    }

    /// Whether loops are to call `giveBack` when they come to rest.
    package static var isReturned: Bool { isGivenBack.load(ordering: .relaxed) }

    /// How often memory has been given back.
    package static var returnCount: Int { returns.load(ordering: .relaxed) }

    /// Gives memory that a large load has left free back to the system, on the calling thread, if memory is given back: it takes
    /// milliseconds.
    package static func giveBackAfterLoad() {
        #if os(Linux)
            guard isReturned else { return }
            returnNow()
        #endif
    }

    /// Bytes by which the process may have grown since memory was given back. 4 MiB.
    private static let growth = 4 * 1024 * 1024
    /// Resident bytes of the process when memory was given back, or fewer if it has shrunk since; 0 before that.
    private static let settled = Atomic<Int>(0)
    /// Whether work has ended since the last look that leaves memory free when its response has been sent.
    private static let isDue = Atomic<Bool>(false)

    /// Gives memory that is free back to the system, on the calling thread, if the process has grown since the last time; for threads beside the
    /// loops, after work that takes much memory. The next work looks again, since a response that is large is free only when it has been sent.
    package static func giveBackIfGrown() {
        isDue.store(true, ordering: .relaxed)
        look()
    }

    /// The same before other work, if such work has ended since the last time; whether it has.
    package static func giveBackIfDue() -> Bool {
        guard isDue.load(ordering: .relaxed), isDue.exchange(false, ordering: .relaxed) else { return false }
        look()
        return true
    }

    private static func look() {
        #if os(Linux)
            guard isReturned else { return }
            let resident = Int(clamping: cplatform_resident_bytes())
            guard resident > 0 else { return }
            let before = settled.min(resident, ordering: .relaxed).newValue
            // One of several threads that see the same growth gives it back.
            guard resident - before > growth,
                settled.compareExchange(expected: before, desired: resident, ordering: .relaxed).exchanged
            else { return }
            returnNow(settledBefore: before == 0 ? nil : before)
        #endif
    }

    /// Bytes of content that leave as much memory free when they have come, in pieces, and are dropped. 256 KiB.
    private static let largeContent = 256 * 1024

    /// The same before content of a size is read beside the loops, if it is large.
    package static func giveBack(before size: Int) {
        if size > largeContent { look() }
    }

    /// Gives unused memory back to the system, on a thread of its own: it takes milliseconds.
    package static func giveBack() {
        #if os(Linux)
            DispatchQueue.global(qos: .utility).async { returnNow() }
        #endif
    }

    #if os(Linux)
        /// - Parameter before: the resident bytes that were settled before the process grew; nil if they do not matter.
        private static func returnNow(settledBefore before: Int? = nil) {
            cplatform_give_back_memory()
            let resident = Int(clamping: cplatform_resident_bytes())
            // Half of the growth that is still there counts as settled, and the next work looks again: it may be a response that has yet to be sent.
            let left = before.map { max(0, resident - $0) / 2 } ?? 0
            settled.store(resident - left, ordering: .relaxed)
            if left > growth { isDue.store(true, ordering: .relaxed) }
            returns.wrappingAdd(1, ordering: .relaxed)
        }
    #endif
}
