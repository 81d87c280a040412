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

extension FixtureSet {
    /// Bytes of a path that a file is looked for by. 4 KiB.
    private static let pathLimit = 4096

    /// Why the file that lies at a path of a request is not served; nil if there is none.
    ///
    /// - Parameter path: decoded, without its slash in front.
    package func unservedReason(of path: String) -> String? {
        let parts = path.split(ascii: "/", omittingEmptySubsequences: false)
        guard !root.isEmpty, dialect == .mockapi, path.utf8.count <= Self.pathLimit, !path.utf8.contains(0),
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }),
            FileStatus(path: "\(root)/\(path)")?.kind == .file,
            !files.contains(where: { $0.path.isExactly(path) })
        else { return nil }
        guard let real = realpath("\(root)/\(path)", nil) else { return nil }
        defer { free(real) }
        guard String(cString: real).hasPrefix(root == "/" ? root : "\(root)/") else { return nil }
        if let soleFile { return "\(soleFile) alone is served" }
        if HiddenName.isIn(path) {
            return "names that begin with a dot are left out, except for \(HiddenName.wellKnown)"
        }
        if path.hasSuffix(".stub.json") { return "it is a stub file" }
        if path.hasSuffix(".contract.json") { return "it is a contract" }
        if bodyFiles.contains(ExactText(path)) { return "it is the body of a stub, and so not a plain file" }
        if parts.count == 1, path.hasPrefix("README") { return "a README at the top of the directory is left out" }
        return "it is newer than the fixtures that were read, or could not be read"
    }
}
