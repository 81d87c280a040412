// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiSystemIO

/// The fixes that `mockapi check --fix` writes: it shows them first, and writes them only if the user agrees.
struct MappingFixes {
    private let root: String
    private let fixes: [MappingFix]
    private let isAgreed: Bool

    /// - Parameter isAgreed: whether the user has agreed already, so that no question is asked.
    init(_ loaded: LoadedFixtures, isAgreed: Bool) {
        root = loaded.root
        fixes = loaded.set.dialect == .wireMock ? MappingFix.all(in: loaded.root) : []
        self.isAgreed = isAgreed
    }

    /// Shows the fixes and writes them if the user agrees; true if files were written.
    func write() throws -> Bool {
        if fixes.isEmpty {
            Output.note("nothing to fix")
            return false
        }
        for fix in fixes {
            Output.note("--- \(fix.path)")
            for line in fix.lines {
                Output.note("@@ line \(line.number) @@")
                Output.note("-" + line.before.printable)
                Output.note("+" + line.after.printable)
            }
        }
        let files = Counts.count(fixes.count, "file")
        guard isAgreed || agrees("Write \(files)? [y/N] ") else {
            Output.note("nothing is written; --yes writes \(files) without asking")
            return false
        }
        var count = 0
        for fix in fixes {
            do throws(SystemError) {
                if try fix.write(in: root) {
                    count += 1
                } else {
                    Output.note("error: \(fix.path) has changed meanwhile, and is not written")
                }
            } catch {
                Output.note("error: \(fix.path) is not written: \(error.words)")
            }
        }
        Output.note("\(Counts.count(count, "file")) written")
        if count < fixes.count { throw Exit.impossible }
        return true
    }

    private func agrees(_ question: String) -> Bool {
        Output.part(question, isResult: false)
        return readLine().map { ["y", "yes"].contains($0.lowercased()) } ?? false
    }
}
