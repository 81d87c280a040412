// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit
import Synchronization
import UpstreamNetworking

extension PlantedDefect {
    /// Those that send or give something else than they are told.
    static let messages = [
        request(
            "drops a header",
            breaks: [
                "redirect.301", "redirect.302", "redirect.303", "redirect.303.put", "redirect.307.put",
                "redirect.308.put", "redirect.307.patch", "header.value", "redirect.307",
                "redirect.308", "redirect.fields",
            ]
        ) {
            $0.setValue(nil, forHTTPHeaderField: "X-Contract")
        },
        request("maps PATCH to POST", breaks: ["method.patch"]) {
            if $0.httpMethod == "PATCH" { $0.httpMethod = "POST" }
        },
        request(
            "decodes percent-encoding twice",
            breaks: ["query.percent", "query.plus", "query.items", "query.delimiters"]
        ) { request in
            guard let text = request.url?.absoluteString, let query = text.firstIndex(of: "?") else { return }
            let decoded = text[query...].removingPercentEncoding ?? String(text[query...])
            // What cannot stand in a URL is encoded again, as any client has to; what looks encoded is taken for it.
            let again = decoded.replacing("%A", with: "%25A").replacing(" ", with: "%20").replacing(
                " & ", with: "%20%26%20")
            request.url = URL(string: text[..<query] + again)
        },
        request("keeps one value of each name of a query", breaks: ["query.repeats"]) { request in
            guard let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
                let items = parts.percentEncodedQueryItems
            else { return }
            var names: Set<String> = []
            parts.percentEncodedQueryItems = items.filter { names.insert($0.name).inserted }
            request.url = parts.url
        },
        request("sends a body as text", breaks: ["body.bytes", "body.large"]) { request in
            request.httpBody = request.httpBody.map { Data(String(decoding: $0, as: UTF8.self).utf8) }
        },
        request("waits for ever", breaks: ["fault.stall", "fault.silence"]) { $0.timeoutInterval = 3_600 },
        PlantedDefect("sends no files", breaks: ["body.file"]) {
            AlteredNetworking { request, _, options, networker throws(URLError) in
                try await networker.send(request, file: nil, options: options)
            }
        },
        PlantedDefect(
            "takes a response for text",
            breaks: [
                "answer.gzip", "answer.large", "answer.png", "answer.jpeg", "answer.gif", "answer.webp",
                "answer.charset",
                "decode.png",
                "decode.jpeg", "decode.webp",
            ]
        ) {
            AlteredNetworking { request, file, options, networker throws(URLError) in
                let response = try await networker.send(request, file: file, options: options)
                let text = Data(String(decoding: response.data, as: UTF8.self).utf8)
                return DataResponse(data: text, http: response.http, file: response.file)
            }
        },
        PlantedDefect(
            "takes every status for a success",
            breaks: [
                "status.404", "status.401", "status.422", "status.500", "status.503", "status.304",
                "status.retry-after", "status.retry-after.date", "status.421", "status.304.length",
                "status.304.chunked",
                "status.published", "transform.retry",
            ]
        ) {
            AlteredNetworking(statuses: .any) { request, file, options, networker throws(URLError) in
                try await networker.send(request, file: file, options: options)
            }
        },
    ]
}
