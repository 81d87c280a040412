// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO

#if os(Linux)
    import CMockapiPlatform
    import Dispatch
    import Glibc

    /// Reports changes below a directory, or of one file, by inotify: one watch a directory, renewed after each change.
    ///
    /// The directories on the way to it are watched too, for the names that the way goes through: the directory may be moved away, made
    /// again, or be a symbolic link that is made to lead elsewhere.
    ///
    /// `@unchecked Sendable`: the variables are touched by `init` and, from then on, only on `queue`, which is serial.
    final class DirectoryChanges: @unchecked Sendable {
        private let root: String
        private let queue: DispatchQueue
        private let settling: DispatchTimeInterval
        private let failed: @Sendable (String) -> Void
        private let changed: @Sendable () -> Void
        private let descriptor: Int32
        private let source: any DispatchSourceRead
        private var isSettling = false
        /// Whether the last look could not watch all.
        private var hasFailed = false
        /// The watches of the directory and of those below.
        private var inner: Set<Int32> = []
        /// The watches of the directories on the way, and the names in them that count.
        private var outer: [Int32: Set<String>] = [:]
        /// The parts that inotify does not report.
        private var looked = LookedAt()
        private var isLooking = false
        private var isStopped = false
        /// Called once when something is looked at.
        private var tellLooking: (@Sendable () -> Void)?
        /// Whether all is looked at, and nothing watched.
        private let looksOnly: Bool

        private static let outerMask = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
        private static let innerMask = outerMask | UInt32(IN_CLOSE_WRITE | IN_MODIFY | IN_DELETE_SELF)
        /// How long after a look the next one comes: 1 s, and ten times the duration of the last.
        private static let pause = 1_000_000_000
        /// The time a look is taken to last at most: an hour.
        private static let longestLook = 3_600_000_000_000
        /// Links that a way may go through, as in the kernel.
        private static let linkLimit = 40

        init?(
            directory: String, queue: DispatchQueue, settling: DispatchTimeInterval, looksOnly: Bool,
            looking: @escaping @Sendable () -> Void, failed: @escaping @Sendable (String) -> Void,
            changed: @escaping @Sendable () -> Void
        ) {
            let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
            guard descriptor >= 0 else {
                failed(Self.words(of: errno, limit: "max_user_instances"))
                return nil
            }
            self.descriptor = descriptor
            root = directory
            self.queue = queue
            self.settling = settling
            self.failed = failed
            self.changed = changed
            self.looksOnly = looksOnly
            tellLooking = looking
            source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.readEvents() }
            source.setCancelHandler { _ = close(descriptor) }
            watchAll()
            source.activate()
            queue.async { [weak self] in self?.lookLater(0) }
        }

        deinit {
            source.cancel()
        }

        func stop() {
            source.cancel()
            queue.async { [weak self] in self?.isStopped = true }
        }

        /// Looks at the parts that inotify does not report, some time from now.
        ///
        /// - Parameter spent: how long the last look took, in nanoseconds.
        private func lookLater(_ spent: UInt64) {
            guard !looked.isEmpty, !isLooking, !isStopped else { return }
            isLooking = true
            tellLooking?()
            tellLooking = nil
            let pause = max(Self.pause, min(Int(clamping: spent), Self.longestLook) * 10)
            queue.asyncAfter(deadline: .now() + .nanoseconds(pause)) { [weak self] in self?.look() }
        }

        private func look() {
            isLooking = false
            guard !isStopped else { return }
            let start = Clock.monotonic()
            let haveChanged = looked.haveChanged
            let spent = Clock.monotonic() - start
            if haveChanged {
                watchAll()
                changed()
            }
            lookLater(spent)
        }

        private func readEvents() {
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            var counts = false
            while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
                counts =
                    buffer.withUnsafeBytes { self.counts(UnsafeRawBufferPointer(rebasing: $0[..<count])) } || counts
            }
            guard counts, !isSettling else { return }
            isSettling = true
            queue.asyncAfter(deadline: .now() + settling) { [weak self] in self?.settle() }
        }

        /// Whether an event is of the directory, of a file below it, or of the way to it.
        private func counts(_ events: UnsafeRawBufferPointer) -> Bool {
            let headLength = MemoryLayout<inotify_event>.size
            var place = 0
            while place + headLength <= events.count {
                let event = events.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                let nameStart = place + headLength
                place = nameStart + Int(event.len)
                // Events that were lost may have been any.
                if event.mask & UInt32(IN_Q_OVERFLOW) != 0 || inner.contains(event.wd) { return true }
                guard let names = outer[event.wd], place <= events.count else { continue }
                if names.contains(String(decoding: events[nameStart..<place].prefix { $0 != 0 }, as: UTF8.self)) {
                    return true
                }
            }
            return false
        }

        private func settle() {
            isSettling = false
            // Watches first: a change from here on is reported again.
            watchAll()
            changed()
            lookLater(0)
        }

        /// Watches the present directories; a directory that is watched already keeps its watch, and a directory that has moved loses it.
        private func watchAll() {
            let before = inner.union(outer.keys)
            inner = []
            outer = [:]
            looked = LookedAt()
            var failure: Int32 = 0
            watchWay(&failure)
            let mounts = BlindMounts()
            let real = realpath(root, nil)
            let start = real.map { String(cString: $0) } ?? root
            free(real)
            watchTree(root, real: start, mounts, &failure)
            for file in mounts.files(below: start) { looked.add(file) }
            for watch in before.subtracting(inner).subtracting(outer.keys) { inotify_rm_watch(descriptor, watch) }
            if failure != 0, !hasFailed { failed(Self.words(of: failure, limit: "max_user_watches")) }
            hasFailed = failure != 0
        }

        /// Watches each directory in which a name of the way to the root is looked up, before that is done.
        private func watchWay(_ failure: inout Int32) {
            var names = root.split(ascii: "/").map(String.init)[...]
            var directory = ""
            if !root.hasPrefix("/") {
                guard let current = getcwd(nil, 0) else { return }
                directory = String(cString: current)
                free(current)
                if directory == "/" { directory = "" }
            }
            var links = 0
            while let name = names.popFirst() {
                if name == "." { continue }
                if name == ".." {
                    directory = directory.lastIndex(of: "/").map { String(directory[..<$0]) } ?? ""
                    continue
                }
                if let watch = watch(directory.isEmpty ? "/" : directory, Self.outerMask, &failure) {
                    outer[watch, default: []].insert(name)
                }
                var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
                let count = readlink("\(directory)/\(name)", &target, target.count)
                if count <= 0 {
                    directory += "/" + name
                    continue
                }
                links += 1
                if links > Self.linkLimit { return }
                let text = String(decoding: target[..<count], as: UTF8.self)
                if text.hasPrefix("/") { directory = "" }
                names = text.split(ascii: "/").map(String.init) + names
            }
        }

        private func watchTree(_ directory: String, real: String, _ mounts: BlindMounts, _ failure: inout Int32) {
            if !looksOnly {
                let isFile = directory == root && FileStatus(path: directory)?.kind == .file
                guard let watch = watch(directory, Self.innerMask, &failure, isFile: isFile) else { return }
                inner.insert(watch)
            }
            let isBlind = looksOnly || mounts.hold(real)
            if isBlind { looked.add(directory) }
            guard let stream = opendir(directory) else { return }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let mayBeDirectory = entry.pointee.d_type == DT_DIR || entry.pointee.d_type == DT_UNKNOWN
                guard mayBeDirectory || isBlind else { continue }
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                if isBlind, entry.pointee.d_type != DT_DIR { looked.add(directory + "/" + name) }
                if mayBeDirectory, name != ".", name != ".." {
                    watchTree("\(directory)/\(name)", real: "\(real)/\(name)", mounts, &failure)
                }
            }
        }

        /// Adds to the watched events of a directory; nil if it is gone, may not be read, or the system has no watch left.
        private func watch(
            _ directory: String, _ mask: UInt32, _ failure: inout Int32, isFile: Bool = false
        ) -> Int32? {
            let kind = isFile ? 0 : UInt32(IN_ONLYDIR)
            let watch = inotify_add_watch(descriptor, directory, mask | UInt32(IN_MASK_ADD) | kind)
            if watch >= 0 { return watch }
            // A missing directory is reported once it comes, and a directory that may not be read is a finding of the load.
            if ![ENOENT, ENOTDIR, EACCES].contains(errno) { failure = errno }
            return nil
        }

        private static func words(of code: Int32, limit: String) -> String {
            let hint = code == ENOSPC || code == EMFILE ? "; raise fs.inotify.\(limit)" : ""
            return SystemError(call: "", code: code).words + hint
        }
    }
#endif
