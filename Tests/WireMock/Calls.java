// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import static com.github.tomakehurst.wiremock.client.WireMock.*;

import com.github.tomakehurst.wiremock.admin.model.ServeEventQuery;
import com.github.tomakehurst.wiremock.client.VerificationException;
import com.github.tomakehurst.wiremock.client.WireMock;
import com.github.tomakehurst.wiremock.common.DateTimeTruncation;
import com.github.tomakehurst.wiremock.common.Metadata;
import com.github.tomakehurst.wiremock.global.GlobalSettings;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.UniformDistribution;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import com.github.tomakehurst.wiremock.stubbing.StubImport;
import com.github.tomakehurst.wiremock.stubbing.StubMapping;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.List;

/** What WireMock's client in Java can be asked for, each call once: a line for each, which begins with ok or FAIL. */
public class Calls {
    private interface Call {
        Object make() throws Exception;
    }

    private static String base;

    private static void call(String name, Call call) {
        String outcome = "ok";
        String text;
        try {
            text = String.valueOf(call.make());
        } catch (Throwable error) {
            outcome = "FAIL";
            text = error.getClass().getSimpleName() + " " + error.getMessage();
        }
        String line = text.replaceAll("\\s+", " ");
        System.out.println(outcome + " " + name + ": " + line.substring(0, Math.min(160, line.length())));
    }

    private static String ask(String method, String path) throws Exception {
        HttpURLConnection connection = (HttpURLConnection) new URL(base + path).openConnection();
        connection.setRequestMethod(method);
        int status = connection.getResponseCode();
        return status < 400 ? status + " " + new String(connection.getInputStream().readAllBytes()) : "" + status;
    }

    private static String failure(Call call) throws Exception {
        try {
            call.make();
            return "none";
        } catch (RuntimeException | VerificationException error) {
            return error.getClass().getSimpleName();
        }
    }

    private static StubMapping first() {
        return listAllStubMappings().getMappings().get(0);
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        String upstream = arguments[1];
        base = "http://localhost:" + port;
        configureFor("localhost", port);
        WireMock client = new WireMock("localhost", port);
        stubsAndRequests();
        scenariosAndSettings(client);
        removals();
        recordings(upstream);
        call("fault", () -> { stubFor(get("/f").willReturn(aResponse().withFault(Fault.EMPTY_RESPONSE))); return failure(() -> { try { return ask("GET", "/f"); } catch (IOException error) { throw new RuntimeException(error); } }); });
        call("proxy", () -> { stubFor(get("/up").willReturn(aResponse().proxiedFrom(upstream))); return ask("GET", "/up"); });
        call("broken stub", () -> failure(() -> stubFor(get(urlMatching("(")))));
        call("reset", () -> { reset(); return getAllServeEvents().size(); });
        call("resetAllRequests", () -> { resetAllRequests(); return getAllServeEvents().size(); });
        call("removeAllMappings", () -> { removeAllMappings(); return listAllStubMappings().getMappings().size(); });
        call("shutdownServer", () -> { shutdownServer(); return ""; });
    }

    private static void stubsAndRequests() {
        call("stubFor", () -> stubFor(get(urlEqualTo("/a")).withName("n").atPriority(2).withMetadata(Metadata.metadata().attr("k", "v")).willReturn(aResponse().withStatus(200).withHeader("X", "1", "2").withBody("A"))).getId() != null);
        call("a request", () -> ask("GET", "/a"));
        call("a miss", () -> ask("GET", "/missing?q=1"));
        call("verify", () -> { verify(1, getRequestedFor(urlEqualTo("/a"))); return ""; });
        call("verify, which fails", () -> failure(() -> { verify(getRequestedFor(urlEqualTo("/never"))); return ""; }));
        call("verify a number, which fails", () -> failure(() -> { verify(5, getRequestedFor(urlEqualTo("/a"))); return ""; }));
        call("verify fewer", () -> { verify(lessThan(3), getRequestedFor(urlEqualTo("/a"))); return ""; });
        call("findAll", () -> findAll(getRequestedFor(urlMatching(".*"))).size());
        call("findUnmatchedRequests", () -> findUnmatchedRequests().size());
        call("findNearMissesForAllUnmatched", () -> findNearMissesForAllUnmatched().size());
        call("findNearMissesFor a request", () -> findNearMissesFor(findAll(getRequestedFor(urlEqualTo("/a"))).get(0)).size());
        call("findNearMissesFor a pattern", () -> findNearMissesFor(getRequestedFor(urlEqualTo("/aa"))).size());
        call("getAllServeEvents", () -> { List<ServeEvent> events = getAllServeEvents(); ServeEvent oldest = events.get(events.size() - 1); return events.size() + " " + oldest.getWasMatched() + " " + oldest.getResponse().getBodyAsString() + " " + oldest.getStubMapping().getName() + " " + events.get(0).getWasMatched(); });
        call("unmatched events", () -> getAllServeEvents(ServeEventQuery.ALL_UNMATCHED).size());
        call("events of a stub", () -> getAllServeEvents(ServeEventQuery.forStubMapping(first())).size());
        call("findStubsByMetadata", () -> findStubsByMetadata(matchingJsonPath("$.k")).size());
        call("getSingleStubMapping", () -> getSingleStubMapping(first().getId()).getResponse().getBody());
        call("editStub", () -> { editStub(get(urlEqualTo("/a")).withId(first().getId()).willReturn(ok("B"))); return ask("GET", "/a"); });
        call("a pattern of everything", () -> { stubFor(post(urlPathMatching("/c/.*")).withHeader("A", matching("x.*").and(containing("y"))).withCookie("c", equalTo("d")).withQueryParam("q", absent()).withBasicAuth("u", "p").withRequestBody(equalToJson("{\"a\":1}", true, true)).withRequestBody(matchingJsonPath("$.a", equalTo("1"))).withRequestBody(equalToXml("<a/>")).willReturn(okJson("{}").withLogNormalRandomDelay(1, 0.1))); return first().getRequest().getBodyPatterns().size(); });
        call("multipart", () -> { StubMapping stub = stubFor(post("/m").withMultipartRequestBody(aMultipart("f").withBody(containing("x"))).willReturn(ok())); removeStub(stub); return stub.getRequest().getMultipartPatterns().size(); });
        call("dates", () -> { stubFor(get("/d").withHeader("D", before("now +3 days").truncateActual(DateTimeTruncation.FIRST_HOUR_OF_DAY)).withHeader("E", isNow()).willReturn(ok())); return first().getRequest().getHeaders().size(); });
    }

    private static void scenariosAndSettings(WireMock client) {
        call("a scenario", () -> { stubFor(get("/s").inScenario("sc").whenScenarioStateIs("Started").willSetStateTo("two").willReturn(ok("1"))); stubFor(get("/s").inScenario("sc").whenScenarioStateIs("two").willReturn(ok("2"))); return ask("GET", "/s") + ask("GET", "/s"); });
        call("getAllScenarios", () -> getAllScenarios().size() + " " + getAllScenarios().get(0).getState());
        call("setScenarioState", () -> { setScenarioState("sc", "Started"); return ask("GET", "/s"); });
        call("resetScenario", () -> { resetScenario("sc"); return ""; });
        call("resetAllScenarios", () -> { resetAllScenarios(); return ask("GET", "/s"); });
        call("setGlobalFixedDelay", () -> { setGlobalFixedDelay(1); return ask("GET", "/a"); });
        call("setGlobalRandomDelay", () -> { setGlobalRandomDelay(new UniformDistribution(1, 2)); return ask("GET", "/a"); });
        call("updateSettings", () -> { client.updateSettings(GlobalSettings.builder().build()); return ask("GET", "/a"); });
        call("importStubs", () -> { importStubs(StubImport.stubImport().stub(get("/i").willReturn(ok("i"))).ignoreExisting().build()); return ask("GET", "/i"); });
    }

    private static void removals() {
        call("removeStub by its request", () -> { removeStub(get("/i").willReturn(ok("i"))); return ask("GET", "/i"); });
        call("removeStub", () -> { removeStub(stubFor(get("/r"))); return ask("GET", "/r"); });
        call("removeServeEvent", () -> { removeServeEvent(getAllServeEvents().get(0).getId()); return ""; });
        call("removeStubsByMetadata", () -> { removeStubsByMetadata(matchingJsonPath("$.k")); return findStubsByMetadata(matchingJsonPath("$.k")).size(); });
        call("saveAllMappings", () -> { stubFor(get("/saved").willReturn(ok("s"))); saveAllMappings(); return ""; });
        call("resetToDefault", () -> { resetToDefault(); return ask("GET", "/saved"); });
    }

    private static void recordings(String upstream) {
        call("startRecording", () -> { startRecording(upstream); return getRecordingStatus().getStatus(); });
        call("what is recorded", () -> ask("GET", "/users/7?x=1") + ask("GET", "/step") + ask("GET", "/step"));
        call("stopRecording", () -> { int persistent = 0; for (StubMapping stub : stopRecording().getStubMappings()) if (stub.isPersistent()) persistent++; return persistent + " " + getRecordingStatus().getStatus(); });
        call("what was recorded", () -> ask("GET", "/users/7?x=1") + ask("GET", "/step") + ask("GET", "/step"));
        call("snapshotRecord", () -> snapshotRecord(recordSpec().onlyRequestsMatching(getRequestedFor(urlPathMatching("/step"))).captureHeader("Accept").extractTextBodiesOver(10).makeStubsPersistent(false).ignoreRepeatRequests().matchRequestBodyWithEqualToJson(true, false)).size());
        call("stopRecording, without one", () -> failure(() -> stopRecording()));
    }
}
