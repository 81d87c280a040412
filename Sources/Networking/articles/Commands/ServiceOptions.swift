// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import Foundation
import NetworkingKit

/// Where the articles are, which every command asks.
struct ServiceOptions: ParsableArguments {
    private static let variable = "ARTICLES_URL"
    /// How long the service may say nothing, in seconds.
    private static let patience: TimeInterval = 20

    @Option(
        name: .customLong("url"),
        help: ArgumentHelp(
            "The API: http or https, a host, a path. (default: $\(variable), else \(ServiceURL.local))",
            valueName: "url"))
    var given: ServiceURL?

    /// As it is given, else as the environment has it, else the local one.
    private var service: ServiceURL? {
        let fallback = ProcessInfo.processInfo.environment[Self.variable].flatMap { $0.isEmpty ? nil : $0 }
        return given ?? ServiceURL(argument: fallback ?? ServiceURL.local)
    }

    func validate() throws {
        guard service != nil else {
            let value = ProcessInfo.processInfo.environment[Self.variable] ?? ""
            throw ValidationError(
                "\(Self.variable) is \(value.debugDescription), which is not a URL of http or https such as \(ServiceURL.local)"
            )
        }
    }

    /// A view model of the service.
    @MainActor
    func viewModel() throws -> ArticlesViewModel {
        guard let service else { throw ExitCode.validationFailure }
        let configuration = URLSessionConfiguration.withoutCache
        configuration.timeoutIntervalForRequest = Self.patience
        return ArticlesViewModel(networking: Networker(configuration: configuration), api: service.url)
    }
}
