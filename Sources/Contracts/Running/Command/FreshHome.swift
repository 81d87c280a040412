// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The home directory of one run of a command, empty when it begins and removed with it: the files of an earlier run, such as a token or a cache, are
/// not there.
struct FreshHome: ~Copyable {
    let path: String

    /// - Throws: if no directory can be made.
    init() throws(ChildProcess.Failure) {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("mockapi-home-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: path + "/tmp", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ChildProcess.Failure(text: "its home \(path) cannot be made: \(error)")
        }
    }

    deinit {
        let files = FileManager.default
        if (try? files.removeItem(atPath: path)) != nil { return }
        // Caches of modules are written so that nobody changes them, and cannot be removed as they are.
        for name in (try? files.subpathsOfDirectory(atPath: path)) ?? [] {
            let inner = path + "/" + name
            guard let type = try? files.attributesOfItem(atPath: inner)[.type] as? FileAttributeType,
                type == .typeDirectory
            else { continue }
            try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: inner)
        }
        try? files.removeItem(atPath: path)
    }

    /// The variables that lead a command to it: home and temporary files, and none that leads to caches elsewhere (XDG Base Directory
    /// Specification 0.8).
    var environment: [String: String?] {
        var variables: [String: String?] = [:]
        variables.updateValue(path, forKey: "HOME")
        for name in ["TMPDIR", "TMP", "TEMP"] { variables.updateValue(path + "/tmp", forKey: name) }
        for name in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            variables.updateValue(nil, forKey: name)
        }
        return variables
    }
}
