// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import MockServer
public import NetworkingKit
import TestSupport
import Testing

/// The examples of `docs/networking/presentation.md`.
@Suite(.supervised) struct PresentationExamples {
    @Test func aCellShowsWhatItsViewModelIs() {
        var model = ArticleCellModel(title: "Parsing With Both Hands", artwork: "waves.webp", isSaved: false)
        #expect(cell(model, in: .plain) == "[ ] Parsing With Both Hands   waves.webp")
        model.onSwitchToggleOn(true)
        #expect(cell(model, in: .plain) == "[x] Parsing With Both Hands   waves.webp")
    }

    @Test func theNamespaceIsUsed() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let url = server.baseURL.appendingPathComponent("uploads/2026/waves.webp")
        let networker = Networker()
        let request = ImageRequest(url: url)
        print(try request.net.curlCommand)
        let response = try await networker.response(to: request)
        print(response.http.net.mediaType ?? "no type", response.data.net.imageInfo ?? "no image")
        #expect(try request.net.curlCommand == "curl \(url.absoluteString)")
        #expect(response.http.net.mediaType == "image/webp")
        #expect(response.data.net.imageInfo?.description == "WebP 800 × 500")
        await server.stop()
    }

    @Test func aTypeGetsAMemberOfItsOwn() throws {
        var components = URLComponents()
        components.queryItems = [URLQueryItem(name: "page[number]", value: "2")]
        #expect(components.net.page == 2)
    }
}

private struct ArticleCellModel {
    var title: String
    var artwork: String
    var isSaved: Bool
}

extension ArticleCellModel: TextPresentable {
    var text: String { title }
    var font: TextStyle.Font { .headline }
}

extension ArticleCellModel: ImagePresentable {
    var imageName: String { artwork }
}

extension ArticleCellModel: SwitchPresentable {
    var switchOn: Bool { isSaved }

    mutating func onSwitchToggleOn(_ on: Bool) {
        isSaved = on
    }
}

private func cell(
    _ model: some TextPresentable & ImagePresentable & SwitchPresentable, in renderer: TerminalRenderer
) -> String {
    "\(renderer.switch(model)) \(renderer.text(model))   \(renderer.image(model))"
}

extension URLComponents: NetCompatible {}

extension NetNamespace where Base == URLComponents {
    public var page: Int? {
        base.queryItems?.first { $0.name == "page[number]" }?.value.flatMap { Int($0) }
    }
}
