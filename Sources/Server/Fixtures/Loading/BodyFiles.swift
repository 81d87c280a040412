// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files that stubs name as their bodies, each read once. Lives as long as one load.
final class BodyFiles {
    enum Lookup {
        /// The path relative to the fixture directory.
        case found(path: String, Content)
        case failed(String)
    }

    /// How many missing names a load looks for near ones; behind that only the missing name is reported.
    static let suggestionLimit = 100

    /// The fixture directory, absolute.
    let root: String
    private let files: [FileEntry]
    private let positions: [ExactText: Int]
    private lazy var loweredPaths = Dictionary(
        files.map { ($0.path.lowercased(), $0.path) }, uniquingKeysWith: { first, _ in first })
    private var contents: [ExactText: Content] = [:]
    private var verdicts: [ExactText: String?] = [:]
    private var suggestions = 0
    /// The files that stubs have named, relative to the fixture directory.
    private(set) var named: Set<ExactText> = []

    init(root: String, files: [FileEntry]) {
        self.root = root
        self.files = files
        positions = Dictionary(
            files.enumerated().map { (ExactText($1.path), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Finds the file that a stub names.
    ///
    /// - Parameters:
    ///   - name: as it was written, relative to `folder`.
    ///   - folder: relative to the fixture directory.
    ///   - boundary: the folder that the file must lie in; nil for the fixture directory itself.
    func find(_ name: String, in folder: String, within boundary: String? = nil) -> Lookup {
        if name.isEmpty { return .failed("expected the path of a file, found an empty string") }
        guard !name.hasPrefix("/"), let path = Self.resolve(name, in: folder),
            boundary.map({ path.hasPrefix("\($0)/") }) ?? true
        else {
            let place = boundary.map { "\"\($0)\"" } ?? "the fixture directory; write a path from the stub file on"
            return .failed("the body file \"\(name)\" lies outside of \(place)")
        }
        if let position = positions[ExactText(path)] { return read(files[position]) }
        if let other = loweredPaths[path.lowercased()] {
            return .failed(
                "there is no body file \"\(name)\"; \"\(other)\" differs from it only in case (names are case-sensitive)"
            )
        }
        // A file that the walk leaves out may be a body all the same: one whose name begins with a dot.
        if let real = realpath("\(root)/\(path)", nil) {
            defer { free(real) }
            let target = String(cString: real)
            guard target.hasPrefix(root == "/" ? root : root + "/") else {
                return .failed("the body file \"\(name)\" leads out of the fixture directory")
            }
            if let status = FileStatus(path: target) {
                if status.kind == .file { return read(FileEntry(path: path, status: status)) }
                return .failed("the body file \"\(name)\" is not a file")
            }
        }
        return .failed("there is no body file \"\(name)\"\(suggestion(for: path, in: folder))")
    }

    private func read(_ entry: FileEntry) -> Lookup {
        let key = ExactText(entry.path)
        named.insert(key)
        if let content = contents[key] { return .found(path: entry.path, content) }
        do {
            let content = try entry.content(in: root)
            contents[key] = content
            return .found(path: entry.path, content)
        } catch {
            return .failed("the body file \"\(entry.path)\" cannot be read: \(error.words)")
        }
    }

    /// A file of the same folder with nearly the same name, else one of the same name elsewhere.
    private func suggestion(for path: String, in folder: String) -> String {
        suggestions += 1
        guard suggestions <= Self.suggestionLimit else { return "" }
        let directory = path.directory
        let siblings = files.lazy.filter { $0.path.directory == directory && !$0.path.hasSuffix(".stub.json") }
            .prefix(10_000).map { String($0.name) }
        if let near = Nearest.word(to: String(path.fileName), among: siblings), near.isNear {
            return "; did you mean \"\(directory.isEmpty ? near.word : "\(directory)/\(near.word)")\"?"
        }
        guard let elsewhere = files.first(where: { $0.name == path.fileName }) else { return "" }
        return "; did you mean \"\(elsewhere.path)\"?"
    }

    /// A path without `.` and `..`; nil if it leads out of the fixture directory.
    static func resolve(_ name: String, in folder: String) -> String? {
        var parts = folder.split(ascii: "/")
        for part in name.split(ascii: "/") {
            switch part {
            case ".": continue
            case "..": if parts.popLast() == nil { return nil }
            default: parts.append(part)
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: "/")
    }

    /// How a media type contradicts the bytes; nil if it does not. A file is judged once a type.
    func contradiction(of type: String, to content: Content) -> String? {
        guard case .file(let file) = content.body else {
            return MediaCheck.contradiction(of: type, to: content)?.description
        }
        let key = ExactText("\(type)\n\(file.path)")
        if let verdict = verdicts[key] { return verdict }
        let verdict = MediaCheck.contradiction(of: type, to: content)?.description
        verdicts[key] = verdict
        return verdict
    }
}
