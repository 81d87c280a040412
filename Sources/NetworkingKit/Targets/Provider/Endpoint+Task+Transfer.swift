// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

extension Endpoint.Task {
    /// Where a download goes; nil for what is no download.
    var destination: DownloadDestination? {
        switch self {
        case .downloadDestination(let destination), .downloadParameters(_, _, let destination): destination
        default: nil
        }
    }

    /// What an upload sends; nil for what is no upload.
    func uploadContent() throws(ProviderError) -> UploadContent? {
        switch self {
        case .uploadFile(let file):
            do {
                _ = try file.regularFileSize()
            } catch {
                throw .parameterEncoding(Endpoint.TaskError.file(file, error.reason))
            }
            return .file(file, isTemporary: false)
        case .uploadMultipartFormData(let form), .uploadCompositeMultipartFormData(let form, _):
            do {
                return try form.content()
            } catch {
                throw .parameterEncoding(error)
            }
        default: return nil
        }
    }
}

extension Endpoint.Response {
    /// This response, or the error that it is to its target.
    func validated(for target: any TargetType) -> Result<Endpoint.Response, ProviderError> {
        guard target.validationType.accepts(statusCode) else {
            return .failure(.underlying(ProviderError.statusCode(self), self))
        }
        return .success(self)
    }
}
