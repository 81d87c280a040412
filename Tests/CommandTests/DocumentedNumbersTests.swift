// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The limits that the manual names, held against the constants of the code.
@Suite(.supervised) struct DocumentedNumbersTests {
    private static let root =
        URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/"

    /// A row of a table, by the beginning of its first cell, and the constants whose values its other cells name.
    struct Row: Sendable, CustomTestStringConvertible {
        let page: String
        let start: String
        let constants: [(file: String, name: String)]

        init(_ page: String, _ start: String, _ constants: String...) {
            self.page = page
            self.start = start
            self.constants = constants.map { constant in
                let parts = constant.split(separator: ".", maxSplits: 1).map(String.init)
                return (parts[0], parts[1])
            }
        }

        var testDescription: String { "\(page): \(start)" }
    }

    private static let rows: [Row] = [
        Row("options", "method", "RequestLimits.maxMethod"), Row("options", "field lines", "RequestLimits.maxFields"),
        Row("options", "size line of a chunk", "RequestLimits.maxChunkLine"),
        Row("options", "chunk extensions of a request", "RequestLimits.maxExtensions"),
        Row("options", "trailers", "RequestLimits.maxTrailers"),
        Row("options", "a passed response's chunk", "RequestLimits.maxExtensions", "Multi.silentLimit"),
        Row("options", "a passed response's trailers", "HTTP1ResponseParser.maxTrailers"),
        Row("options", "values of a JSON content", "AdminContent.values"),
        Row("options", "findings of one stub file", "StubFileReader.mostFindings"),
        Row("options", "reading from a refused client", "Connection.lingerLimit"),
        Row("options", "responses waiting to be sent", "ServerConfiguration.outputHighWater"),
        Row("options", "ranges of one request", "ByteRanges.maxRanges"),
        Row("options", "steps of the patterns of a request", "PatternLimits.steps"),
        Row("options", "memory for the content of all requests", "RequestLimits.maxContent"),
        Row("options", "a body that is matched on the event loop", "MatchQueue.bodyLimit", "MatchQueue.soleLimit"),
        Row("options", "the same, if stubs compare it as JSON", "MatchQueue.pathBodyLimit"),
        Row("options", "a head that is matched", "MatchQueue.headLimit"),
        Row(
            "options", "steps of the JSON paths", "JSONPath.steps", "JSONTesters.smallSteps", "JSONTesters.smallBytes"),
        Row("options", "parts of a multipart body", "MultipartBody.mostParts", "MultipartBody.mostLines"),
        Row("options", "text of the values that JSON paths find", "Meter.bytes"),
        Row("options", "requests that wait to be matched", "Configuration.maxWaiting"),
        Row(
            "options", "steps of a JSON Schema, of an XPath", "JSONSchemaLimits.steps", "XMLDocument.steps",
            "XMLDocument.comparisons"),
        Row("options", "text that is read as JSON", "MatchBudget.bytes"),
        Row("options", "memory of a body that is read as JSON", "MatchBudget.memory"),
        Row("options", "steps of comparing JSON", "MatchBudget.steps"),
        Row(
            "options", "a body that the report of a miss compares", "NearMissLimits.bodyBytes",
            "NearMissLimits.fileBodyBytes"),
        Row("options", "bodies kept with their origins", "RewriteCache.limit", "RewriteCache.largeLimit"),
        Row("options", "idle connections to other servers", "HTTPClient.maxIdleConnections"),
        Row("options", "a body held in memory", "Body.memoryLimit"),
        Row("options", "the name of a stub in the journal", "JournalNames.nameLimit"),
        Row("options", "reports of the journal", "AdminReports.textLimit"),
        Row(
            "options", "a report that the same request gets again", "RepeatedMisses.capacity",
            "RepeatedMisses.responseLimit", "RepeatedMisses.requestLimit"),
        Row("options", "the report of a miss", "MissReport.limit", "StubSuggestion.parameterLimit"),
        Row("options", "responses that clients gave up", "Journal.limit"),
        Row("options", "certificates kept for hosts", "LeafIssuer.limit"),
        Row("options", "responses to one connection", "Connection.requestsPerTurn", "Connection.bytesPerTurn"),
        Row("options", "TLS records taken", "TLSStream.recordsPerTurn"),
        Row("options", "TLS records in a row", "TLSStream.recordsWithoutContent", "TLSStream.maxReplies"),
        Row("options", "nesting of JSON", "JSONParser.maximumDepth"),
        Row("options", "files and directories of fixtures", "DirectoryWalk.entryLimit"),
        Row("options", "a stub file", "StubFileReader.sizeLimit"),
        Row("options", "any other file", "FileReader.sizeLimit"),
        Row("options", "lines of misses", "LineLimit.burst", "LineLimit.perSecond"),
        Row("options", "a key store", "KeyStoreFile.sizeLimit"),
        Row("options", "names in the certificate", "LeafIssuer.namesLimit"),
        Row("options", "lines of `serve` and `record`", "QueuedWriter.limit"),
        Row("options", "connections waiting", "ServerConfiguration.backlog"),

        Row("protocols", "streams at once", "HTTP2Limits.maxStreams"),
        Row("protocols", "a stream below the highest", "HTTP2Limits.maxGaps"),
        Row("protocols", "CONTINUATION frames", "HTTP2Limits.maxContinuations"),
        Row("protocols", "a header section of a response", "HTTP2Limits.maxSentHead"),
        Row("protocols", "content that may come", "HTTP2Limits.streamWindow", "HTTP2Limits.connectionWindow"),
        Row("protocols", "content of all unfinished requests", "HTTP2Limits.maxPending"),

        Row("recording-rules", "content of a request", "Configuration.maxBody"),
        Row("recording-rules", "a request's content that stands in the stub", "RequestContent.shownLimit"),
        Row("recording-rules", "content other than text that is stored", "RequestContent.binaryLimit"),
        Row("recording-rules", "fields of a form", "RequestContent.fieldLimit"),
        Row("recording-rules", "requests that differ", "Contrast.countLimit", "Contrast.sizeLimit"),
        Row("recording-rules", "values by which", "Senders.limit"),
        Row("recording-rules", "secrets that responses gave", "HandedSecrets.textLimit"),
        Row("recording-rules", "text of a response", "ContentSpool.textLimit"),
        Row("recording-rules", "a body on the disk", "ContentSpool.largestBody"),
        Row("recording-rules", "coded content without", "StreamDecoder.bytes", "StreamDecoder.factor"),
        Row("recording-rules", "other content in memory", "ContentSpool.memoryLimit"),
        Row("recording-rules", "contents of a request and its response", "RecordingQueue.recognisedSize"),
        Row("recording-rules", "requests whose last response", "RepeatedResponses.limit"),
        Row("recording-rules", "responses that are written together", "RecordingQueue.groupLimit"),
        Row("recording-rules", "coded bytes kept", "ContentSpool.rawLimit"),
        Row("recording-rules", "responses in memory", "RecordingQueue.highWater"),
        Row("recording-rules", "waiting for the client", "StreamedResponse.highWater"),
        Row("recording-rules", "text held back", "ResponseRelay.heldLimit"),
        Row("recording-rules", "header lines of a response", "UpstreamConfiguration.maxHead"),
        Row("recording-rules", "connections to a service", "UpstreamConfiguration.maxConnectionsPerHost"),
        Row("recording-rules", "a requests file", "RequestsFile.limit"),

        Row("templating", "a template's text", "Template.source"),
        Row("templating", "nested blocks", "Template.depth", "Template.branches"),
        Row("templating", "the output of a template", "Template.output"),
        Row("templating", "steps: rounds of loops", "Template.steps", "TemplatePattern.steps"),
        Row("templating", "lists within lists", "Renderer+Reading.listDepth"),

        Row("xml-and-schema", "bytes, nodes and levels", "XMLDocument.nodes", "XMLDocument.depth"),
        Row("xml-and-schema", "attributes of an element", "XMLDocument.attributes"),
        Row("xml-and-schema", "an XPath expression", "XMLDocument.expressionOperators", "XMLDocument.expressionDepth"),
        Row("xml-and-schema", "steps of an evaluation", "XMLDocument.steps", "XMLDocument.stepsPerNode"),
        Row("xml-and-schema", "pairs of compared nodes", "XMLDocument.comparisons"),
        Row("xml-and-schema", "tries of a placeholder's", "XMLPlaceholders.steps"),
        Row(
            "xml-and-schema", "bytes and levels of a JSON Schema", "JSONSchemaLimits.schemaBytes",
            "JSONSchemaLimits.schemaDepth", "JSONSchemaLimits.pointerBytes"),
        Row("xml-and-schema", "steps of a validation", "JSONSchemaLimits.steps", "JSONSchemaLimits.stepsPerValue"),
        Row("xml-and-schema", "steps of all patterns", "JSONSchemaLimits.patternSteps"),
        Row("xml-and-schema", "nested schemas", "JSONSchemaLimits.depth"),
        Row("xml-and-schema", "levels of a value", "JSONSchemaLimits.instanceDepth"),
    ]

    @Test(arguments: rows) func `a limit in the manual is that of the code`(row: Row) throws {
        let cells = try Self.cells(of: "docs/\(row.page).md").filter { $0[0].hasPrefix(row.start) }
        #expect(cells.count == 1)
        let text = (cells.first ?? []).joined(separator: " | ")
        for constant in row.constants {
            let value = try #require(try Self.value(of: constant.name, in: constant.file), "\(constant)")
            let forms = Self.forms(value)
            #expect(forms.contains { Self.stands($0, in: text) }, "\(constant) is \(forms): \(text)")
        }
    }

    /// The cells of the rows of all tables of a page.
    private static func cells(of page: String) throws -> [[String]] {
        try String(contentsOfFile: root + page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| ") }.map { line in
                line.split(separator: "|").map { $0.trimmed }
            }
    }

    /// The value of a constant, which is an integer or a product of some.
    private static func value(of name: String, in file: String) throws -> Int? {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root + "Sources")
            .filter { $0.hasSuffix("/\(file).swift") }
        let texts = try paths.map { try String(contentsOfFile: root + "Sources/" + $0, encoding: .utf8) }
        for word in ["static let", "let", "var"] {
            let expression = try Regex("\(word) \(name)(?:: [A-Za-z0-9.]+)? = ([0-9_*< ]+)$").anchorsMatchLineEndings()
            let matches = texts.lazy.compactMap { $0.firstMatch(of: expression)?.output[1].substring }
            guard let found = matches.first else { continue }
            return found.split(separator: "*").reduce(1) { product, factor in
                let digits = factor.filter { $0.isNumber || $0 == "<" }.split(separator: "<").compactMap { Int($0) }
                return product * (digits.count == 2 ? digits[0] << digits[1] : digits.first ?? 0)
            }
        }
        return nil
    }

    /// How the manual writes a number: grouped, and in the largest unit of bytes that it is a whole number of.
    private static func forms(_ value: Int) -> [String] {
        var digits = Array("\(value)")
        for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
        var forms = [String(digits)]
        var units = value
        for unit in ["KiB", "MiB", "GiB", "TiB", "PiB"] where units.isMultiple(of: 1024) {
            units /= 1024
            forms.append("\(units) \(unit)")
        }
        return forms
    }

    /// Whether a number stands in a text, and not as a part of a longer one.
    private static func stands(_ number: String, in text: String) -> Bool {
        text.ranges(of: number).contains { range in
            let before = range.lowerBound == text.startIndex ? " " : text[text.index(before: range.lowerBound)]
            let behind = text[range.upperBound...].prefix(2)
            let goesOn = behind.first.map { $0.isNumber || $0.isLetter } ?? false
            return !before.isNumber && before != "," && !goesOn
                && !(behind.first == "," && behind.last?.isNumber == true)
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
