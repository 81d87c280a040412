// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ImageTests {
    @Test(arguments: [
        ("1", "aurora.png (PNG 1200 × 750)", 1_094_038), ("2", "dunes.jpg (JPEG 1060 × 680)", 60_928),
        ("3", "orbit.gif (GIF 320 × 200)", 81_280), ("4", "waves.webp (WebP 800 × 500)", 8_436),
        ("5", "layers.svg (SVG 640 × 400)", 901), ("56", "sunrise@2x.png (PNG 500 × 500)", 2_294),
        ("7102220", "aurora.png (PNG 1200 × 750)", 1_094_038),
    ])
    func anImageTellsItsFormatItsSizeAndItsSource(_ reference: String, _ text: String, _ size: Int) async throws {
        try await Service.with { service in
            let end = try await service.run("image", reference)
            #expect(end.code == 0)
            #expect(end.errors.isEmpty)
            let path = try #require(service.paths.last)
            #expect(end.output == "\(text)\n\(size) bytes from \(service.root)\(path)\n")
        }
    }

    @Test func anImageGoesToAFileByteForByte() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path + "/layers.svg"
        try await Service.with { service in
            let end = try await service.run("image", "5", "--output", file)
            #expect(end.code == 0)
            #expect(end.output.hasSuffix("/uploads/2026/layers.svg\nsaved: \(file)\n"))
        }
        let sample = URL(fileURLWithPath: Service.sample).appendingPathComponent("uploads/2026/layers.svg")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(contentsOf: sample))
    }

    @Test func aFileThatCannotBeWrittenIsAnError() async throws {
        let directory = try TemporaryDirectory()
        try await Service.with { service in
            for (file, reason) in [("/none/a", "there is no such folder"), ("", "it is a folder")] {
                let path = directory.path + file
                let end = try await service.run("image", "5", "--output", path)
                #expect(end.code == 1)
                #expect(end.output.isEmpty)
                #expect(end.errors == "error: \(path) cannot be written: \(reason)\n")
            }
        }
    }

    @Test func whatIsNoImageIsAnError() async throws {
        let image = { (name: String) in
            #"{"id": "\#(name)", "attributes": {"name": "\#(name)", "card_artwork_url": "http://images.example.com/\#(name)"}}"#
        }
        let directory = try TemporaryDirectory([
            "list.stub.json": #"""
            {
              "request": {"urlPath": "/api/contents"},
              "response": {
                "jsonBody": {"data": [\#(image("page.html")), \#(image("short.gif")), \#(image("none.png"))]},
                "rewriteOrigins": ["http://images.example.com"]
              }
            }
            """#,
            "page.html": "<html></html>", "short.gif": "GIF89a",
        ])
        try await Service.with(fixtures: directory.path) { service in
            var end = try await service.run("image", "1")
            #expect(end.code == 1)
            #expect(
                end.errors
                    == "error: \(service.root)/page.html shows no image: the bytes are not PNG, JPEG, GIF, WebP or SVG\n"
            )
            end = try await service.run("image", "2")
            #expect(end.code == 1)
            #expect(end.errors == "error: \(service.root)/short.gif shows no image: the GIF ends before its size\n")
            end = try await service.run("image", "3")
            #expect(end.code == 1)
            #expect(
                end.errors.hasPrefix(
                    "error: \(service.root)/none.png answered 404, not an image\n  nothing answers GET /none.png\n"))
        }
    }
}
