// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// What is sent as the content of an upload.
enum UploadContent {
    case data(Data)
    case file(URL, isTemporary: Bool)

    /// Removes a file that was made for the upload.
    func discard() {
        if case .file(let url, isTemporary: true) = self { try? FileManager.default.removeItem(at: url) }
    }
}
