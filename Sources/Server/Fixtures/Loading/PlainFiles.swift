// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

/// Makes plain files of the files that are neither stubs nor bodies, and deals out the request paths among them.
struct PlainFiles {
    private let root: String
    private let dialect: FixtureSet.Dialect
    private var files: [PlainFile] = []
    private(set) var findings: [Finding] = []
    /// The tags of large files, each made once however many names a file has.
    private var tags: [FileIdentity: String] = [:]

    init(root: String, dialect: FixtureSet.Dialect) {
        self.root = root
        self.dialect = dialect
    }

    mutating func add(_ entry: FileEntry) {
        do throws(SystemError) {
            let content = try entry.content(in: root)
            let path = dialect == .wireMock ? String(entry.path.dropFirst("__files/".count)) : entry.path
            let type = mediaType(of: path, content)
            files.append(
                PlainFile(
                    path: path, requestPaths: ["/" + path], body: content.body, mediaType: type,
                    entityTag: try loadedTag(of: content.body, in: entry), lastModified: entry.status.modifiedSecond))
            var place = Place(path: entry.path)
            let contradiction = contradiction(of: type, to: content, path)
            if let position = contradiction?.position { (place.line, place.column) = position }
            if let text = contradiction?.text ?? TextCoding.contradiction(of: type, in: content) {
                findings.append(Finding(.warning, text, at: place))
            }
            if let text = mistake(path, content) {
                findings.append(Finding(.warning, text, at: Place(path: entry.path)))
            }
        } catch {
            // It was there when the directory was listed: a temporary file of an editor.
            if error.isMissing { return }
            findings.append(Finding(.error, "the file cannot be read: \(error.words)", at: Place(path: entry.path)))
        }
    }

    /// How a file contradicts its name.
    private func contradiction(of type: String, to content: Content, _ path: String) -> MediaCheck.Contradiction? {
        guard let coding = PlainFile.contentCoding(of: path) else {
            if let broken = brokenJSON(of: type, content, path) { return broken }
            return MediaCheck.contradiction(of: type, to: content)
        }
        guard MediaCheck.contradiction(of: "application/\(coding)", to: content) != nil else { return nil }
        return MediaCheck.Contradiction(
            text:
                "an .svgz is sent with Content-Encoding: \(coding), but the bytes are not \(coding); compress it or call it .svg"
        )
    }

    /// How a file without an extension, whose type is that of its content, fails to be the JSON that it begins as.
    private func brokenJSON(of type: String, _ content: Content, _ path: String) -> MediaCheck.Contradiction? {
        guard dialect == .mockapi, path.fileExtension.isEmpty, case .bytes(let bytes) = content.body else { return nil }
        let start = bytes.lazy.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }.prefix(2)
        guard ["{\"", "[{"].contains(where: { start.elementsEqual($0.utf8) }) else { return nil }
        do throws(JSONError) {
            try JSONParser.check(bytes)
            return nil
        } catch {
            return MediaCheck.Contradiction(
                text: "begins as JSON, and is served as \(type), since it is not JSON: \(error.message)",
                position: LineMap(bytes).position(of: error.offset))
        }
    }

    /// Why a file is hardly as its author meant it.
    private func mistake(_ path: String, _ content: Content) -> String? {
        if "/\(path)".hasPrefix(StubFileReader.administration + "/") {
            return "no request reaches this file: paths below \(StubFileReader.administration) are the server's own"
        }
        return dialect == .mockapi ? MisnamedStub.warning(path, content) ?? ForeignDocument.warning(path, content) : nil
    }

    private func mediaType(of path: String, _ content: Content) -> String {
        // As WireMock has it.
        if dialect == .wireMock, !path.fileName.utf8.contains(UInt8(ascii: ".")) { return "application/json" }
        return MediaType.of(path, content)
    }

    /// The entity tag of a file that is too large to make it when it is asked for; nil for any other.
    private mutating func loadedTag(of body: Body, in entry: FileEntry) throws(SystemError) -> String? {
        guard case .file(let file) = body, file.size > EntityTagText.laterLimit else { return nil }
        if let known = tags[entry.status.identity] { return known }
        let tag = try entry.read(in: root) { path throws(SystemError) in try EntityTagText.of(file, at: path) }
        tags[entry.status.identity] = tag
        return tag
    }

    /// The files with all their request paths: own paths first, then names without `.json`, then indexes of folders.
    func claimed() -> [PlainFile] {
        var files = files
        var claims = Set(files.map { ExactText("/" + $0.path) })
        for rule in rules {
            for position in files.indices {
                for path in rule(files[position].path) where claims.insert(ExactText(path)).inserted {
                    files[position].requestPaths.append(path)
                    // The links of a page are relative to its folder, which a path without the slash does not name.
                    if dialect == .mockapi, files[position].path.fileName == "index.html", path.utf8.last != ASCII.slash
                    {
                        files[position].folderPath = path
                    }
                }
            }
        }
        return files
    }

    /// The paths that a file is served at beside its own, in the order in which files may claim them.
    private var rules: [(String) -> [String]] {
        switch dialect {
        case .mockapi:
            let bare: (String) -> [String] = { $0.hasSuffix(".json") ? ["/" + $0.dropLast(5)] : [] }
            return [bare] + ["index.json", "index.html"].map(Self.index)
        case .wireMock:
            return ["index.json", "index.html", "index.xml", "index.txt"].map(Self.index)
        }
    }

    /// The folder that a file of this name is the index of, with and without its slash.
    private static func index(_ name: String) -> (String) -> [String] {
        { path in
            guard path.fileName == name else { return [] }
            let folder = path.directory
            return folder.isEmpty ? ["/"] : ["/\(folder)/", "/\(folder)"]
        }
    }
}
