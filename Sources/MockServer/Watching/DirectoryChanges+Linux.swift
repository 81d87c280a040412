// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if os(Linux)
    import CPlatform
    import Dispatch
    import Glibc

    /// Tells of changes below a directory, by inotify: one watch a directory, renewed after each change.
    ///
    /// `@unchecked Sendable`: the variables are touched only on `queue`, which is serial.
    final class DirectoryChanges: @unchecked Sendable {
        private let root: String
        private let queue: DispatchQueue
        private let settling: DispatchTimeInterval
        private let changed: @Sendable () -> Void
        private let descriptor: Int32
        private let source: any DispatchSourceRead
        private var isSettling = false

        private static let mask = UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF)

        init?(
            directory: String, queue: DispatchQueue, settling: DispatchTimeInterval,
            changed: @escaping @Sendable () -> Void
        ) {
            let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor >= 0 else { return nil }
            self.descriptor = descriptor
            root = directory
            self.queue = queue
            self.settling = settling
            self.changed = changed
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.readEvents() }
            source.setCancelHandler { _ = close(descriptor) }
            watchAll(below: directory)
            source.activate()
        }

        deinit {
            source.cancel()
        }

        func stop() {
            source.cancel()
        }

        /// Which file it was does not matter: the directory is read anew.
        private func readEvents() {
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            guard !isSettling else { return }
            isSettling = true
            queue.asyncAfter(deadline: .now() + settling) { [weak self] in self?.settle() }
        }

        private func settle() {
            isSettling = false
            // Watches first: what is written from here on is told of again.
            watchAll(below: root)
            changed()
        }

        /// A directory that is watched already keeps its watch.
        private func watchAll(below directory: String) {
            guard inotify_add_watch(descriptor, directory, Self.mask) >= 0, let stream = opendir(directory) else {
                return
            }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                guard entry.pointee.d_type == DT_DIR || entry.pointee.d_type == DT_UNKNOWN else { continue }
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { watchAll(below: directory + "/" + name) }
            }
        }
    }
#endif
