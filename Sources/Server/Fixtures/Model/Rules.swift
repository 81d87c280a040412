// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// When a rule holds: all that is asked has to be so.
package struct RuleCondition: Equatable, Sendable {
    /// The client of a request.
    package enum Client: Equatable, Sendable {
        /// An address without its port.
        case address(String)
        /// A field line; the name is in lower case.
        case field(name: String, value: String)
    }

    /// A moment that a rule begins or ends at.
    package enum Moment: Equatable, Sendable {
        /// The request of the response with this number, from 1.
        case request(Int)
        /// Milliseconds since the server started, or was reset.
        case elapsed(Int)
        /// Milliseconds since 1970.
        case date(Int)
    }

    /// The state that a scenario is in.
    package struct ScenarioState: Equatable, Sendable {
        package var scenario: String
        package var state: String

        package init(scenario: String, state: String) {
            self.scenario = scenario
            self.state = state
        }
    }

    package var scenarioState: ScenarioState?
    package var client: Client?
    /// The first moment at which it holds.
    package var from: Moment?
    /// The first moment at which it holds no longer.
    package var until: Moment?

    package init() {}
}

/// A fault that some responses have.
package struct FaultRule: Equatable, Sendable {
    package var fault: Fault
    /// Whether it hits the whole connection over HTTP/2.
    package var endsConnection = false
    /// From 0 to 1.
    package var probability = 1.0
    package var condition = RuleCondition()

    package init(_ fault: Fault) {
        self.fault = fault
    }
}

/// A delay that some responses have beside their own.
package struct DelayRule: Equatable, Sendable {
    package var delay: ResponseDelay
    /// From 0 to 1.
    package var probability = 1.0
    package var condition = RuleCondition()

    package init(_ delay: ResponseDelay) {
        self.delay = delay
    }
}

/// How many requests are served in a time.
package struct RateLimit: Equatable, Sendable {
    /// Whose requests are counted together.
    package enum Party: Equatable, Sendable {
        case all
        /// Those of one address.
        case client
        /// Those with one value of a field line; the name is in lower case.
        case field(String)
    }

    package var requests: Int
    package var milliseconds: Int
    package var party = Party.client

    package init(requests: Int, milliseconds: Int) {
        self.requests = requests
        self.milliseconds = milliseconds
    }
}
