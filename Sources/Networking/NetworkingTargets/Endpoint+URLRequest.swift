// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
public import NetworkingCore

extension Endpoint {
    /// The request as Foundation has it.
    ///
    /// The content of an upload is not in it: that is read when the request is sent. Fields that frame a message are the transport's and
    /// left out, such as Content-Length and Host (RFC 9110 §7.6.1).
    /// - Throws: `requestMapping` if URL, method or fields make no request, `encodableMapping` and `parameterEncoding` if the task
    ///   cannot be encoded.
    public func urlRequest() throws(ProviderError) -> URLRequest {
        var request = try bareRequest()
        switch task {
        case .requestPlain, .uploadFile, .downloadDestination: break
        case .requestData(let data): request.httpBody = data
        case .requestJSONEncodable(let value): try request.setJSON(value, Coders.current.encoder)
        case .requestCustomJSONEncodable(let value, let encoder): try request.setJSON(value, encoder)
        case .requestParameters(let parameters, let encoding), .downloadParameters(let parameters, let encoding, _):
            request = try Self.encode(parameters, by: encoding, in: request)
        case .requestCompositeData(let data, let parameters):
            request.httpBody = data
            request = try Self.encode(parameters, by: URLEncoding.queryString, in: request)
        case .requestCompositeParameters(let bodyParameters, let bodyEncoding, let parameters):
            if let encoding = bodyEncoding as? URLEncoding, encoding.destination != .httpBody {
                throw .parameterEncoding(RequestError.bodyEncoding("URLEncoding.\(encoding.destination)"))
            }
            request = try Self.encode(bodyParameters, by: bodyEncoding, in: request)
            request = try Self.encode(parameters, by: URLEncoding.queryString, in: request)
        case .uploadMultipartFormData(let form):
            try setForm(form, of: &request)
        case .uploadCompositeMultipartFormData(let form, let parameters):
            try setForm(form, of: &request)
            request = try Self.encode(parameters, by: URLEncoding.queryString, in: request)
        }
        return request
    }

    private func bareRequest() throws(ProviderError) -> URLRequest {
        guard let url = URL(string: url), url.scheme != nil else { throw .requestMapping(url) }
        guard method.isValid else { throw .requestMapping("\(RequestError.method(method.rawValue))") }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        do {
            try request.setHeaders(httpHeaderFields ?? [:])
        } catch {
            throw .requestMapping("\(error)")
        }
        return request
    }

    private func setForm(_ form: MultipartFormData, of request: inout URLRequest) throws(ProviderError) {
        guard [.post, .put, .patch, .connect].contains(method) else {
            throw .parameterEncoding(RequestError.formMethod(method))
        }
        guard !form.parts.isEmpty else { throw .parameterEncoding(RequestError.emptyForm) }
        do {
            try form.check()
        } catch {
            throw .parameterEncoding(error)
        }
        request.setValue(form.contentType, forHTTPHeaderField: "Content-Type")
    }

    private static func encode(
        _ parameters: Parameters, by encoding: any ParameterEncoding, in request: URLRequest
    ) throws(ProviderError) -> URLRequest {
        do {
            return try encoding.encode(request, with: parameters)
        } catch let error as ProviderError {
            throw error
        } catch {
            throw .parameterEncoding(error)
        }
    }
}

extension URLRequest {
    fileprivate mutating func setJSON(_ value: any Encodable, _ encoder: JSONEncoder) throws(ProviderError) {
        do {
            httpBody = try encoder.encode(value)
        } catch {
            throw .encodableMapping(error)
        }
        setContentTypeIfAbsent("application/json")
    }
}
