// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// An enumeration as a service, in the form that Moya publishes.
enum MoyaService {
    case articles(page: Int)
    case showArticle(slug: String)
    case createArticle(name: String, kind: String)
    case rename(id: Int, name: String)
    case remove(id: Int)
    case uploadGif(Data, description: String)
}

extension MoyaService: TargetType {
    /// Where the service is; a test puts its server here.
    @TaskLocal static var base = URL(fileURLWithPath: "/")

    var baseURL: URL { Self.base }

    var path: String {
        switch self {
        case .articles, .createArticle:
            return "/api/contents"
        case .showArticle(let slug):
            return "/api/contents/\(slug)"
        case .rename(let id, _), .remove(let id):
            return "/api/contents/\(id)"
        case .uploadGif:
            return "/api/gifs"
        }
    }

    var method: NetworkingKit.HTTPMethod {
        switch self {
        case .articles, .showArticle:
            return .get
        case .createArticle, .uploadGif:
            return .post
        case .rename:
            return .patch
        case .remove:
            return .delete
        }
    }

    var task: Endpoint.Task {
        switch self {
        case .showArticle, .remove:
            return .requestPlain
        case let .articles(page):
            return .requestParameters(
                parameters: ["filter": ["content_types": ["article"]], "page": ["number": page]],
                encoding: URLEncoding.queryString)
        case let .createArticle(name, kind):
            return .requestParameters(parameters: ["name": name, "kind": kind], encoding: JSONEncoding.default)
        case let .rename(_, name):
            return .requestJSONEncodable(["name": name])
        case let .uploadGif(data, description):
            let gifData = MultipartFormBodyPart(
                provider: .data(data), name: "file", fileName: "gif.gif", mimeType: "image/gif")
            let descriptionData = MultipartFormBodyPart(provider: .data(Data(description.utf8)), name: "description")
            return .uploadMultipart([gifData, descriptionData])
        }
    }

    var sampleData: Data {
        switch self {
        case .articles:
            return Data(#"{"data": []}"#.utf8)
        case .showArticle(let slug):
            return Data(#"{"data": {"id": "7102220", "attributes": {"name": "\#(slug)"}}}"#.utf8)
        default:
            return Data()
        }
    }

    var headers: [String: String]? {
        return ["Accept": "application/json"]
    }
}

extension MoyaService: AccessTokenAuthorizable {
    var authorizationType: AuthorizationType? {
        switch self {
        case .articles: return nil
        default: return .bearer
        }
    }
}
