// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Darwin)
    import CoreServices
    import Dispatch

    /// Reports changes below a directory, by file system events.
    ///
    /// `@unchecked Sendable`: the stream is set up in `init` and torn down once, in `stop`, on `queue`.
    final class DirectoryChanges: @unchecked Sendable {
        private let queue: DispatchQueue
        private var stream: FSEventStreamRef?
        private let changed: @Sendable () -> Void

        init?(
            directory: String, queue: DispatchQueue, settling: DispatchTimeInterval, looksOnly: Bool,
            looking: @escaping @Sendable () -> Void, failed: @escaping @Sendable (String) -> Void,
            changed: @escaping @Sendable () -> Void
        ) {
            self.queue = queue
            self.changed = changed
            let latency = if case .milliseconds(let count) = settling { Double(count) / 1000 } else { 0.1 }
            var context = FSEventStreamContext()
            context.info = Unmanaged.passUnretained(self).toOpaque()
            let callback: FSEventStreamCallback = { _, info, _, _, _, _ in
                guard let info else { return }
                Unmanaged<DirectoryChanges>.fromOpaque(info).takeUnretainedValue().changed()
            }
            stream = FSEventStreamCreate(
                nil, callback, &context, [directory] as CFArray, FSEventStreamEventId(kFSEventStreamEventIdSinceNow),
                latency,
                FSEventStreamCreateFlags(kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagWatchRoot))
            guard let stream else {
                failed("the file system reports none")
                return nil
            }
            FSEventStreamSetDispatchQueue(stream, queue)
            FSEventStreamStart(stream)
        }

        deinit {
            tearDown()
        }

        func stop() {
            queue.sync { tearDown() }
        }

        private func tearDown() {
            guard let stream else { return }
            FSEventStreamStop(stream)
            FSEventStreamInvalidate(stream)
            FSEventStreamRelease(stream)
            self.stream = nil
        }
    }
#endif
