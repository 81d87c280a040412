// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import NetworkingKit

/// How far something is that the user has asked for.
enum Stage<Value: Equatable & Sendable>: Equatable, Sendable {
    case idle
    case busy
    case done(Value)
    case failed(String)
}

/// The form that somebody signs in by.
@MainActor final class LoginModel: ObservableObject {
    @Published var name = ""
    @Published var password = ""
    @Published private(set) var state = Stage<User>.idle
    private let client: AppClient

    init(_ client: AppClient) { self.client = client }

    var canSubmit: Bool { !trimmedName.isEmpty && password.count >= 4 && state != .busy }

    private var trimmedName: String { name.trimmingCharacters(in: .whitespaces) }

    func submit() async {
        guard canSubmit else { return }
        state = .busy
        do {
            state = .done(try await client.signIn(trimmedName, password))
        } catch AppError.signedOut {
            state = .failed("Name or password is wrong.")
        } catch {
            state = .failed(error.shown)
        }
        password = ""
    }

    func signOut() async {
        await client.signOut()
        state = .idle
    }
}

/// The draft of an article, which is published once however often its button is pressed.
@MainActor final class ComposeModel: ObservableObject {
    @Published var draft = Draft(title: "", text: "")
    @Published private(set) var state = Stage<Article>.idle
    private var key = UUID().uuidString
    private let client: AppClient

    init(_ client: AppClient) { self.client = client }

    func publish() async {
        guard state != .busy, !draft.title.isEmpty else { return }
        state = .busy
        do {
            state = .done(try await client.publish(draft, key: key))
            draft = Draft(title: "", text: "")
            key = UUID().uuidString
        } catch {
            state = .failed(error.shown)
        }
    }
}

/// A photo on its way to the service.
@MainActor final class UploadModel: ObservableObject {
    /// 5 MB.
    nonisolated static let limit = 5_000_000

    @Published private(set) var state = Stage<Photo>.idle
    private var running: Task<Photo, any Error>?
    private let client: AppClient

    init(_ client: AppClient) { self.client = client }

    func send(_ photo: Data, named name: String) async {
        guard state != .busy else { return }
        guard photo.count <= Self.limit else {
            state = .failed(AppError.tooLarge.text)
            return
        }
        state = .busy
        let client = client
        let type = name.lowercased().hasSuffix(".png") ? "image/png" : "image/jpeg"
        let task = Task { try await client.upload(photo, named: name, type: type) }
        running = task
        switch await task.result {
        case .success(let sent): state = .done(sent)
        case .failure(let error):
            let told = (error as? AppError) ?? .failed(0)
            state = told == .cancelled ? .idle : .failed(told.text)
        }
        running = nil
    }

    func cancel() { running?.cancel() }
}

/// Pictures by their paths: each is asked for once for all who want it, and kept as long as the service says that it is the newest.
@MainActor final class ImageLoader {
    private struct Kept {
        let data: Data
        let tag: String?
    }

    private var kept: [String: Kept] = [:]
    private var order: [String] = []
    private var running: [String: Task<Data?, Never>] = [:]
    private let limit: Int
    private let client: AppClient

    init(_ client: AppClient, limit: Int = 20) {
        self.client = client
        self.limit = limit
    }

    /// - Returns: nil where there is none, of which a placeholder is shown.
    func picture(_ path: String) async -> Data? {
        if let running = running[path] { return await running.value }
        let task = Task { await load(path) }
        running[path] = task
        let data = await task.value
        running[path] = nil
        return data
    }

    private func load(_ path: String) async -> Data? {
        let known = kept[path]
        do {
            guard let new = try await client.picture(path, tag: known?.tag) else {
                touch(path)
                return known?.data
            }
            keep(Kept(data: new.data, tag: new.tag), at: path)
            return new.data
        } catch AppError.missing {
            kept[path] = nil
            return nil
        } catch {
            return known?.data
        }
    }

    private func keep(_ picture: Kept, at path: String) {
        kept[path] = picture
        touch(path)
        while order.count > limit { kept[order.removeFirst()] = nil }
    }

    private func touch(_ path: String) {
        order.removeAll { $0 == path }
        order.append(path)
    }
}
