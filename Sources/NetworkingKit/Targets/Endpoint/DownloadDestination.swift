// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

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
