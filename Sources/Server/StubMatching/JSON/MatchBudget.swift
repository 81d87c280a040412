// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
package import MockapiJSONText
import MockapiMetering

/// Limits on the cost of comparing JSON.
package enum JSONLimits {
    /// Steps of one request if a part of the value may be left out or stands for more than itself; a body of more
    /// bytes has as many as those. A comparison that needs more does not match and is reported.
    package static let steps = 200_000
    /// Bytes of a text that is read as JSON; a longer one counts as none.
    static let bytes = 1 << 30
    /// Bytes of memory that a body may take that is read as JSON, beside its own. 32 MiB. A body that takes more is not compared, does not match
    /// and is reported.
    package static let memory = 32 << 20
    /// Its values, names and texts in the tree and in the form that is compared.
    package static let weights = JSONParser.Weights(
        value: MemoryLayout<JSONNode>.stride + MemoryLayout<JSONForm.Node>.stride + MemoryLayout<String>.stride,
        name: MemoryLayout<JSONObject.Member>.stride - MemoryLayout<JSONNode>.stride
            + MemoryLayout<JSONForm.Slot>.stride + MemoryLayout<String>.stride,
        text: 32)
    /// In words that follow the body.
    package static let tooLarge = "takes more than \(memory >> 20) MiB of memory as JSON"
}

/// The work that the matching of one request may take, and the share of each kind.
final class MatchBudget {
    private let all: Meter
    private var forPatterns: Allowance
    private var forPaths: Allowance
    private var forComparisons: Allowance
    /// Whether comparing JSON asked for more than there was.
    private(set) var isSpent = false
    /// Whether nothing was taken since a request began without a body and without a stop: the next such request begins with the same.
    private var isWhole = false

    /// Whether all requests pay from one meter.
    private var isShared = false
    /// Whether this is the budget of an event loop, which gives up if much is asked for: the work is done again beside the loop.
    private let isOnLoop: Bool
    /// How often something was not paid for when the request began.
    private var earlierRefusals = 0

    init(isOnLoop: Bool = false) {
        self.isOnLoop = isOnLoop
        all = Meter()
        forPatterns = Allowance(units: 0, of: all)
        forPaths = forPatterns
        forComparisons = forPatterns
    }

    /// Pays for all work of the request.
    var meter: Meter {
        isWhole = false
        return all
    }

    /// The share of patterns, wherever they stand.
    var patterns: Allowance {
        get { forPatterns }
        _modify {
            isWhole = false
            yield &forPatterns
        }
    }

    /// The share of JSON paths.
    var paths: Allowance {
        get { forPaths }
        _modify {
            isWhole = false
            yield &forPaths
        }
    }

    /// How often something was not paid for, in all requests together.
    var refusals: Int { all.refusals }
    /// Whether nothing is left, for whatever kind of work.
    var hasRunOut: Bool { all.left == 0 }
    /// Whether the work was given up since nobody waits for it.
    var isStopped: Bool { all.isStopped }
    /// Whether the request takes more than it may on an event loop, so that nothing is known of it yet.
    var isCut: Bool { isOnLoop && all.refusals != earlierRefusals }

    /// Takes the steps of looking through so many things: nothing if they are few, as they are in nearly every request.
    @inline(__always)
    func look(through count: Int) -> Bool { count <= Self.few || meter.pay(count) }

    /// 32.
    private static let few = 32

    /// Begins for another request, with the full budget.
    ///
    /// - Parameter bytes: the size of the request's body.
    func begin(_ bytes: Int, stop: WorkStop?) {
        if isWhole, bytes == 0, stop == nil { return }
        if !isShared { all.begin(content: bytes, stop: stop, most: isOnLoop ? Meter.onLoop : .max) }
        earlierRefusals = all.refusals
        refill(bytes)
        isWhole = bytes == 0 && stop == nil && !isShared
    }

    /// Lets the search for near misses, or the report on one stub, take some more.
    func grant(_ bytes: Int) {
        if !isShared { meter.grant(isOnLoop ? Meter.onLoop / 4 : Self.reportUnits) }
        isWhole = false
        refill(bytes)
        forPaths.refill(steps: JSONPathLimits.steps(body: bytes) / Self.shareOfPaths)
    }

    /// The search for near misses, and the report on each, get one part in so many of the steps of paths. 4.
    private static let shareOfPaths = 4

    /// Makes all requests from now on pay from one meter.
    func share(stop: WorkStop?) {
        meter.begin(content: Self.searchUnits / Meter.step, stop: stop)
        isShared = true
    }

    /// Units of a search through a journal. 805,306,368, eight times a request's.
    private static let searchUnits = Meter.units * 8

    /// Units of the search for near misses, and of the report on each. 6,291,456, a sixteenth of a request's.
    private static let reportUnits = Meter.units / 16

    private func refill(_ bytes: Int) {
        forComparisons.refill(steps: max(JSONLimits.steps, bytes))
        forPatterns.refill(steps: max(PatternLimits.steps, bytes))
        forPaths.refill(steps: JSONPathLimits.steps(body: bytes))
        isSpent = false
    }

    /// Takes steps of the share of comparing JSON; false, from then on, if they are more than there are.
    func spend(_ steps: Int) -> Bool {
        isWhole = false
        if !isSpent, forComparisons.pay(steps: steps) { return true }
        isSpent = true
        return false
    }
}
