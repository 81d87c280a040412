// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

extension ResponseDefinition {
    /// The `response` of a stub file, read as it is for serving, but for the files that it names.
    ///
    /// Values that are wrong are left out; they are findings where the file is loaded.
    package init(reading node: JSONNode) {
        var reader = StubFileReader(
            path: "", text: [], dialect: .mockapi, bodies: BodyFiles(root: "", files: []))
        self = reader.definition(Cursor(node, .root))
    }
}
