// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

extension Endpoint {
    /// What a request carries, and what becomes of its answer.
    public enum Task: Sendable {
        /// Nothing but the request.
        case requestPlain
        case requestData(Data)
        /// A value as JSON, its keys sorted; the content type is `application/json` where the target has none.
        case requestJSONEncodable(any Encodable & Sendable)
        case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)
        case requestParameters(parameters: Parameters, encoding: any ParameterEncoding)
        /// Data as the content, and parameters in the query.
        case requestCompositeData(bodyData: Data, urlParameters: Parameters)
        /// Parameters as the content, by an encoding that puts them there, and others in the query.
        case requestCompositeParameters(
            bodyParameters: Parameters, bodyEncoding: any ParameterEncoding, urlParameters: Parameters)
        /// The bytes of a file as the content, without being read into memory.
        case uploadFile(URL)
        case uploadMultipartFormData(MultipartFormData)
        case uploadCompositeMultipartFormData(MultipartFormData, urlParameters: Parameters)
        /// The content of the answer goes to a file; the data of the response is empty.
        case downloadDestination(DownloadDestination)
        case downloadParameters(
            parameters: Parameters, encoding: any ParameterEncoding, destination: DownloadDestination)

        public static func uploadMultipart(_ parts: [MultipartFormBodyPart]) -> Task {
            .uploadMultipartFormData(MultipartFormData(parts: parts))
        }

        public static func uploadCompositeMultipart(
            _ parts: [MultipartFormBodyPart], urlParameters: Parameters
        ) -> Task {
            .uploadCompositeMultipartFormData(MultipartFormData(parts: parts), urlParameters: urlParameters)
        }
    }
}

/// Says where a downloaded file goes, from where it is and what the answer was.
///
///     let destination: DownloadDestination = { _, _ in (file, [.removePreviousFile, .createIntermediateDirectories]) }
public typealias DownloadDestination =
    @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (
        destinationURL: URL, options: DownloadOptions
    )

/// What is done before a downloaded file is put in its place.
public struct DownloadOptions: OptionSet, Sendable {
    /// Makes the directories that the place is in.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1)
    /// Takes away the file that is there; without it, a file that is there fails the request.
    public static let removePreviousFile = DownloadOptions(rawValue: 2)

    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }
}

extension Endpoint {
    /// What a stub answers.
    public enum SampleResponse: Sendable {
        /// A status and a content; the response has no fields.
        case networkResponse(Int, Data)
        case response(HTTPURLResponse, Data)
        /// No answer comes.
        case networkError(any Error)
    }
}
