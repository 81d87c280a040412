// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The contents of a directory at a revision, laid out in a temporary directory that goes with this object.
package final class GitTree {
    /// Why git has not given it, in its own words.
    package struct Failure: Error {
        package let text: String
    }

    /// The directory.
    package let path: String
    private let work: String

    /// Whether an argument names a revision and a path in it, as `main:Fixtures` does, and no directory.
    package static func isRevision(_ argument: String) -> Bool {
        guard let colon = argument.firstIndex(of: ":"), colon != argument.startIndex else { return false }
        return access(argument, F_OK) != 0
    }

    /// - Parameter revision: `REV:PATH`; the path is of the repository's root, or begins with `./`.
    package init(_ revision: String) throws(Failure) {
        work = try Self.workDirectory()
        path = work + "/tree"
        mkdir(path, 0o700)
        do throws(Failure) {
            // The tree itself: of a revision, an archive has the part of the working directory alone.
            let tree = try Self.line(["git", "rev-parse", "--verify", "--end-of-options", revision], log: work)
            _ = try Self.run(
                ["git"] + Self.top(log: work) + ["archive", "--format=tar", "-o", "\(work)/tree.tar", tree], log: work)
            _ = try Self.run(["tar", "-xf", "\(work)/tree.tar", "-C", path], log: work)
        } catch {
            let told = Self.explained(error, revision, log: work)
            Self.remove(work)
            throw told
        }
    }

    /// The option that makes git work at the top of the work tree; empty if there is no work tree.
    private static func top(log: String) -> [String] {
        guard let top = try? line(["git", "rev-parse", "--show-toplevel"], log: log), !top.isEmpty else { return [] }
        return ["-C", top]
    }

    private static func line(_ command: [String], log: String) throws(Failure) -> String {
        let output = try run(command, log: log)
        return String(decoding: output.prefix { $0 != 0x0A }, as: UTF8.self)
    }

    /// A failure with advice.
    private static func explained(_ failure: Failure, _ revision: String, log: String) -> Failure {
        let name = String(revision.prefix { $0 != ":" })
        let isKnown =
            (try? run(["git", "rev-parse", "--verify", "--end-of-options", name + "^{commit}"], log: log)) != nil
        if isKnown {
            return Failure(
                text:
                    "\(failure.text): \(name) has no such path; the path is of the repository's top, or begins with ./")
        }
        if (try? line(["git", "rev-parse", "--is-shallow-repository"], log: log)) == "true" {
            return Failure(
                text: "\(failure.text): the clone is shallow, and does not have \(name): "
                    + "git fetch --unshallow gets it, or fetch-depth: 0 in the checkout of CI")
        }
        return failure
    }

    /// The contents of a file at a revision.
    package static func contents(of revision: String) throws(Failure) -> [UInt8] {
        let work = try workDirectory()
        defer { remove(work) }
        do throws(Failure) {
            return try run(["git", "show", revision], log: work)
        } catch {
            throw explained(error, revision, log: work)
        }
    }

    private static func workDirectory() throws(Failure) -> String {
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(temporary)/mockapi-git.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(text: SystemError.lastWords) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(work)
    }

    /// The files below a directory that differ from a revision, untracked files too; relative to the directory.
    package static func changes(since revision: String, in directory: String) throws(Failure) -> Set<String> {
        let work = try workDirectory()
        defer { remove(work) }
        let changed = try run(
            ["git", "-C", directory, "diff", "--name-only", "--relative", "-z", revision, "--", "."], log: work)
        let added = try run(
            ["git", "-C", directory, "ls-files", "--others", "--exclude-standard", "-z"], log: work)
        return Set((changed + added).split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Runs a command to its end.
    ///
    /// - Parameter log: a directory for its output.
    /// - Returns: its standard output.
    private static func run(_ command: [String], log: String) throws(Failure) -> [UInt8] {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "\(log)/output", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "\(log)/errors", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        defer { for pointer in arguments { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, command[0], &actions, nil, &arguments, environ)
        guard code == 0 else {
            throw Failure(text: "\(command[0]) cannot be run: \(SystemError(call: "", code: code).words)")
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            let words = (FileReader.contents("\(log)/errors") ?? []).split(separator: 0x0A).first.map {
                String(decoding: $0, as: UTF8.self)
            }
            throw Failure(text: words ?? "\(command[0]) has failed")
        }
        return (FileReader.contents("\(log)/output") ?? [])
    }

    /// Removes a directory and all in it.
    private static func remove(_ path: String) {
        if let stream = opendir(path) {
            var names: [String] = []
            while let entry = readdir(stream) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
                }
                if name != ".", name != ".." { names.append(name) }
            }
            closedir(stream)
            for name in names {
                var status = stat()
                let entry = "\(path)/\(name)"
                if lstat(entry, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                    remove(entry)
                } else {
                    unlink(entry)
                }
            }
        }
        rmdir(path)
    }
}
