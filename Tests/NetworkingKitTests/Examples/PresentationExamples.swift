// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation
import MockServer
import MockapiTestSupport
public import NetworkingKit
import Presentables
import Testing

/// The examples of `docs/networking/presentation.md`.
@Suite(.supervised) struct PresentationExamples {
    @Test func aCellShowsWhatItsViewModelIs() {
        var model = ArticleCellModel(title: "Parsing With Both Hands", artwork: "waves.webp", isSaved: false)
        #expect(cell(model) == "[ ] Parsing With Both Hands   waves.webp")
        model.onSwitchToggleOn(true)
        #expect(cell(model) == "[x] Parsing With Both Hands   waves.webp")
    }

    @Test func aHeadingHasDefaultsOfItsOwn() {
        #expect(ArticlesHeading().textStyle == TextStyle(color: .accent, font: .title))
    }

    @Test func theNamespaceIsUsed() async throws {
        let server = try await MockServer.start(fixtures: Sample.fixtures)
        let url = server.baseURL.appendingPathComponent("uploads/2026/waves.webp")
        let networker = Networker()
        let request = ImageRequest(url: url)
        print(try request.net.curlCommand)
        let response = try await networker.response(for: request)
        print(response.http.net.mediaType ?? "no type", response.data.count)
        #expect(try request.net.curlCommand == "curl \(url.absoluteString)")
        #expect(response.http.net.mediaType == "image/webp")
        #expect(!response.data.isEmpty)
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

private func cell(_ model: some TextPresentable & ImagePresentable & SwitchPresentable) -> String {
    "\(model.switchOn ? "[x]" : "[ ]") \(model.text)   \(model.imageName)"
}

private protocol HeaderTextPresentable: TextPresentable {}

extension HeaderTextPresentable {
    var textColor: TextStyle.Color { .accent }
    var font: TextStyle.Font { .title }
}

private struct ArticlesHeading: HeaderTextPresentable {
    let text = "Articles"
}

extension URLComponents: NetCompatible {}

extension NetNamespace where Base == URLComponents {
    public var page: Int? {
        base.queryItems?.first { $0.name == "page[number]" }?.value.flatMap { Int($0) }
    }
}
