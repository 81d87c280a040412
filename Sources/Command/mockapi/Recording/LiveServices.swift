// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiRecording
import MockapiUpstream

/// The preparations of a recording before it begins.
enum LiveServices {
    /// Ends the command if libcurl, which asks the services, is not there.
    static func check() throws {
        do throws(UpstreamError) {
            _ = try UpstreamClient.libraryVersion()
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
    }

    static func recorder(directory: String, _ options: RecorderOptions) throws -> Recorder {
        do throws(RecordingError) {
            let recorder = try Recorder(directory: directory, options: options)
            Output.note(recorder.findings.map { $0.located(in: directory) })
            return recorder
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
    }
}
