import MockServerTesting
import NetworkingKit
import Testing

@Suite(.mockServer(fixtures: "Fixtures"))
struct TestingExample {
}
