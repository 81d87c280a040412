// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO

/// Files and directories that are looked at again and again, since the system reports no changes to them.
struct LookedAt {
    /// The parts of a status that change with a file's content, or with the names in a directory.
    private struct Stamp: Equatable {
        let size: Int
        let modified: Int
        let inode: UInt64

        init?(_ path: String) {
            guard let status = FileStatus(path: path) else { return nil }
            size = status.size
            modified = status.modified
            inode = status.inode
        }
    }

    private var paths: [(path: String, stamp: Stamp?)] = []

    var isEmpty: Bool { paths.isEmpty }

    mutating func add(_ path: String) {
        paths.append((path, Stamp(path)))
    }

    /// Whether one of them has changed since it was added: one call of the system each.
    var haveChanged: Bool { paths.contains { Stamp($0.path) != $0.stamp } }
}

#if os(Linux)
    /// The mounts of this process for which inotify reports nothing, or not all: changes made elsewhere, on the host or by another client.
    struct BlindMounts {
        /// File systems by their names, or the beginnings of them (proc(5)): of networks, and those by which containers and virtual machines see
        /// folders of their host.
        private static let kinds = [
            "fuse", "virtiofs", "9p", "nfs", "cifs", "smb", "ceph", "afs", "vboxsf", "prl_fs", "vmhgfs", "drvfs",
            "fakeowner", "lustre", "glusterfs", "gpfs", "ocfs2", "gfs2",
        ]
        /// Bytes of the list of mounts. 4 MiB.
        private static let limit = 4 * 1024 * 1024

        private var mounts: [(path: String, isBlind: Bool)] = []

        /// Reads the list as it is now.
        init() {
            let bytes = (try? FileReader.readAnything("/proc/self/mountinfo", limit: Self.limit)) ?? nil
            self.init(list: String(decoding: bytes ?? [], as: UTF8.self))
        }

        /// - Parameter list: lines such as `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`.
        init(list: String) {
            for line in list.split(ascii: "\n") {
                let words = line.split(ascii: " ")
                guard words.count > 6, let dash = words[6...].firstIndex(of: "-"), dash + 1 < words.count else {
                    continue
                }
                let kind = words[dash + 1]
                mounts.append((Self.unescaped(words[4]), Self.kinds.contains { kind.hasPrefix($0) }))
            }
        }

        /// Whether a directory lies on one.
        ///
        /// - Parameter path: a real path.
        func hold(_ path: String) -> Bool {
            // If two are mounted at one place, the later is seen.
            var best: (length: Int, isBlind: Bool) = (-1, false)
            for mount in mounts where mount.path.utf8.count >= best.length {
                let holds = mount.path == "/" || path.isExactly(mount.path) || path.hasPrefix(mount.path + "/")
                if holds { best = (mount.path.utf8.count, mount.isBlind) }
            }
            return best.isBlind
        }

        /// The files below a directory that are mounted by themselves: their changes are reported for the directory that they lie in elsewhere.
        ///
        /// - Parameter root: a real path.
        func files(below root: String) -> [String] {
            let prefix = root == "/" ? root : root + "/"
            return mounts.map(\.path).filter { $0.hasPrefix(prefix) && FileStatus(path: $0)?.kind == .file }
        }

        /// A path without the octal codes that blanks are written with.
        private static func unescaped(_ text: Substring) -> String {
            var bytes: [UInt8] = []
            var rest = text.utf8[...]
            while let byte = rest.popFirst() {
                let digits = rest.prefix(3)
                guard byte == UInt8(ascii: "\\"), digits.count == 3,
                    let code = UInt8(String(Substring(digits)), radix: 8)
                else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(code)
                rest = rest.dropFirst(3)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
