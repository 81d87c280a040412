// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// The file names of a recording: made of the URL's path, the method unless it is GET, and the difference of its query from others.
struct FixtureName {
    /// Relative to the fixture directory; empty for the directory itself.
    let directory: String
    /// The path's last segment, made fit, without an extension that is the body's own.
    private let base: String
    /// The extension that the URL itself has, if it is the body's.
    private let ownExtension: String?
    private let discriminators: [String]

    /// - Parameters:
    ///   - fileExtension: of the first body; empty if there is none.
    ///   - further: further words that tell the recording from others.
    ///   - isFlat: whether all of the path is in one name, since a file stands where a folder would.
    init(_ request: DerivedRequest, fileExtension: String, further: [String] = [], isFlat: Bool = false) {
        var segments = request.segments.map { $0.isEmpty ? "_" : FileNameText.safe($0) }
        let last = request.segments.last ?? ""
        if !segments.isEmpty { segments.removeLast() }
        directory = isFlat ? "" : Self.directory(segments)
        let ownName = last.isEmpty ? "index" : FileNameText.safe(last)
        let name = isFlat ? FileNameText.word(request.segments.joined(separator: "-")) : ownName
        if let dot = name.lastIndex(ascii: "."), dot > name.startIndex,
            Self.isSame(String(name.suffix(behind: dot)).lowercased(), fileExtension)
        {
            base = String(name[..<dot])
            ownExtension = String(name.suffix(behind: dot))
        } else {
            base = name
            ownExtension = nil
        }
        let method = request.method == "GET" ? [] : [FileNameText.word(request.method)]
        let operation = request.operation.map { [FileNameText.word($0)] } ?? []
        let query = FileNameText.joined(request.items.map { "\($0.name)-\($0.value)" })
        let sender = request.sender.map { [FileNameText.word($0)] } ?? []
        discriminators = (method + operation + query + sender + further).filter { !$0.isEmpty }
    }

    /// The folders of a path; if it is longer than systems take, a hash stands for the rest.
    private static func directory(_ segments: [String]) -> String {
        var folders: [String] = []
        var count = 0
        for segment in segments {
            count += segment.utf8.count + 1
            if count > directoryLimit {
                let hash = ContentHash.of(Array(segments.joined(separator: "/").utf8)).hexadecimal.prefix(8)
                return (folders + [String(hash)]).joined(separator: "/")
            }
            folders.append(segment)
        }
        return folders.joined(separator: "/")
    }

    /// Bytes of folders; the least that a system takes of a whole path are 1,024. 512.
    private static let directoryLimit = 512

    private var stem: String {
        let stem = FileNameText.stem([base] + discriminators)
        // A body's name must not be that of a stub file, or of the contract of a file beside it.
        return [".stub", ".contract"].contains(where: stem.hasSuffix) ? stem + "_" : stem
    }

    /// Relative to the fixture directory.
    var stub: String { path((ownExtension.map { "\(stem).\($0)" } ?? stem) + ".stub.json") }

    /// The file of a step's body, relative to the fixture directory.
    ///
    /// - Parameter step: counted from 1.
    func body(step: Int, fileExtension: String) -> String {
        let number = step == 1 ? "" : ".\(step)"
        let own = ownExtension.flatMap { Self.isSame($0.lowercased(), fileExtension) ? $0 : nil }
        return path("\(stem)\(number).\(own ?? fileExtension)")
    }

    /// The file of the request's content.
    func request(fileExtension: String) -> String { path("\(stem).request.\(fileExtension)") }

    private func path(_ name: String) -> String { directory.isEmpty ? name : "\(directory)/\(name)" }

    /// Whether two extensions are of one kind of file.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left == right || synonyms.contains { $0.contains(left) && $0.contains(right) }
    }

    private static let synonyms: [Set<String>] = [
        ["jpg", "jpeg"], ["htm", "html"], ["tif", "tiff"], ["mp4", "m4v"], ["yml", "yaml"], ["js", "mjs"],
        ["json", "map", "geojson", "jsonld", "har", "webmanifest"], ["xml", "rss", "atom", "xsd", "xsl"],
        ["txt", "log", "ini", "conf", "md", "csv", "srt"], ["bin", "dat"],
    ]
}
