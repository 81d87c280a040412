// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

extension ResponseDefinition {
    /// Reads the `response` of a stub file as it is read for serving, except for the files that it names.
    ///
    /// Wrong values are left out; they are findings when the file is loaded.
    package init(reading node: JSONNode) {
        var reader = StubFileReader(
            path: "", text: [], dialect: .mockapi, bodies: BodyFiles(root: "", files: []))
        self = reader.definition(Cursor(node, .root))
    }
}
