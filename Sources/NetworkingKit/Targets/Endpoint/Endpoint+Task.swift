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
