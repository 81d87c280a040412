// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Images of three by two pixels, drawn by program, one of each format that services send.
package enum ContractImages {
    package struct Image: Sendable {
        package let name: String
        package let mediaType: String
        package let bytes: [UInt8]
    }

    package static let all = [
        image(
            "png", "image/png",
            base64: """
                iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAHUlEQVR42mM4oaGhcUJDQ+MEw4cPNjYfPnyw+QAAUPAJnRUuyywA\
                AAAASUVORK5CYII=
                """),
        image(
            "jpeg", "image/jpeg",
            base64: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71\
                ////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4\
                +Pj4+Pj4+Pj/wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAZEAADAAMAAAAAAAAAAAAAAAAAAgMT\
                IpH/xAAVAQEBAAAAAAAAAAAAAAAAAAADBP/EABgRAAIDAAAAAAAAAAAAAAAAAAABAjEy/9oADAMBAAIRAxEAPwC7TTK2i8ABXDKF\
                VH//2Q==
                """),
        image(
            "gif", "image/gif",
            base64: "R0lGODdhAwACAIIAAMwzMzPMM///MzMzzP8zzDPM/wAAAAAAACwAAAAAAwACAAAICQABBBggoACBgAA7"),
        image(
            "webp", "image/webp",
            base64: """
                UklGRkwAAABXRUJQVlA4IEAAAADQAQCdASoDAAIABABoJagCdAEPAzVrAAD5aYlQYvaiDmJ1llfkynb8//k3/y5c2vjPX/8m+8Jl\
                r3QMX3N9/QAA
                """),
        Image(
            name: "svg", mediaType: "image/svg+xml",
            bytes: Array(
                #"<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><rect width="3" height="2"/></svg>"#.utf8
            )),
    ]

    private static func image(_ name: String, _ mediaType: String, base64: String) -> Image {
        Image(name: name, mediaType: mediaType, bytes: Array(Data(base64Encoded: base64) ?? Data()))
    }
}
