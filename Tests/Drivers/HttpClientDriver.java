// Puts Java's HttpClient to the contract, over HTTP/1.1 or, with the argument h2, over HTTP/2 by an Upgrade. It undoes no codings.
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*; import java.util.regex.*; import java.util.stream.*;

class HttpClientDriver {
    static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]++|\\\\.)*+\"|[\\[\\]{}]|[^\\s,:\\[\\]{}\"]+");
    static final HttpClient OTHER = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    /** JSON, which the platform has no reader of. */
    static Object json(Iterator<String> tokens, String token) {
        if (!token.equals("[") && !token.equals("{")) return token.startsWith("\"") ? token.substring(1, token.length() - 1).replace("\\/", "/").translateEscapes() : token;
        var items = new ArrayList<Object>();
        for (String next = tokens.next(); !next.equals("]") && !next.equals("}"); next = tokens.next()) items.add(json(tokens, next));
        return token.equals("[") ? items : IntStream.range(0, items.size() / 2).boxed().collect(Collectors.toMap(i -> items.get(2 * i), i -> items.get(2 * i + 1)));
    }
    /** Content in pieces, whose length nobody knows before its end. */
    record Pieces(Iterator<?> left, Flow.Subscriber<? super ByteBuffer> reader) implements Flow.Subscription {
        public void request(long count) { if (left.hasNext()) reader.onNext(ByteBuffer.wrap(((String) left.next()).getBytes())); else reader.onComplete(); }
        public void cancel() { }
    }
    static String quoted(Object value) { return "\"" + value.toString().replaceAll("[^ -~]", " ").replaceAll("[\"\\\\]", "\\\\$0") + "\""; }
    static String kind(Throwable error) {
        if (error instanceof TimeoutException || error instanceof CancellationException) return error instanceof TimeoutException ? "timeout" : "cancelled";
        if (error.toString().matches("(?s).*(parsing|[Ii]nvalid|[Bb]ad |Illegal|status line|chunk).*")) return "protocol";
        return error.toString().matches("(?s).*(EOF|reset|closed|received no bytes|refused|GOAWAY|RST).*") ? "connection" : "other";
    }
    static CompletableFuture<String> take(HttpClient client, Map<?, ?> step, int index) {
        var body = step.containsKey("bodyBase64") ? Base64.getDecoder().decode((String) step.get("bodyBase64"))
            : Objects.requireNonNullElse((String) step.get("body"), "").getBytes();
        var url = step.containsKey("urls") ? ((List<?>) step.get("urls")).get(index) : step.get("url");
        var content = step.containsKey("pieces") ? BodyPublishers.fromPublisher(it -> it.onSubscribe(new Pieces(((List<?>) step.get("pieces")).iterator(), it)))
            : body.length > 0 ? BodyPublishers.ofByteArray(body) : BodyPublishers.noBody();
        var request = HttpRequest.newBuilder(URI.create((String) url)).method((String) step.get("method"), content);
        for (var field : (List<?>) step.get("headers")) request.header((String) ((List<?>) field).get(0), (String) ((List<?>) field).get(1));
        var answer = client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        if (step.containsKey("cancelWhen") && index == 0) get((String) step.get("cancelWhen")).thenRun(() -> answer.cancel(true));
        var head = "{\"step\": " + quoted(step.get("id")) + ", \"index\": " + index + (step.containsKey("pieces") ? ", \"used\": [\"pieces\"]" : "");
        return answer.orTimeout(Long.parseLong((String) step.get("timeoutSeconds")), TimeUnit.SECONDS).handle((it, thrown) -> {
            var error = thrown instanceof CompletionException ? thrown.getCause() : thrown;
            if (error != null) return head + ", \"error\": " + quoted(kind(error)) + ", \"detail\": " + quoted(error) + "}";
            var fields = it.headers().map().entrySet().stream().flatMap(field -> field.getValue().stream().map(value -> "[" + quoted(field.getKey()) + ", " + quoted(value) + "]")).collect(Collectors.joining(", ", "[", "]"));
            return head + ", \"status\": " + it.statusCode() + ", \"headers\": " + fields + ", \"bodyBase64\": " + quoted(Base64.getEncoder().encodeToString(it.body())) + "}";
        });
    }
    static CompletableFuture<String> get(String url) { return OTHER.sendAsync(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString()).thenApply(HttpResponse::body); }
    public static void main(String[] arguments) throws Exception {
        var client = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).version(List.of(arguments).contains("h2") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1).build();
        var tokens = TOKEN.matcher(get(System.getenv("MOCKAPI_URL") + "/__contract/plan").get()).results().map(MatchResult::group).iterator();
        var plan = (Map<?, ?>) json(tokens, tokens.next());
        for (var step : (List<?>) plan.get("steps")) {
            var answers = IntStream.range(0, Integer.parseInt((String) ((Map<?, ?>) step).get("times"))).mapToObj(index -> take(client, (Map<?, ?>) step, index)).toList();
            var text = answers.stream().map(CompletableFuture::join).collect(Collectors.joining(", ", "[", "]"));
            OTHER.send(HttpRequest.newBuilder(URI.create((String) plan.get("report"))).POST(BodyPublishers.ofString(text)).build(), HttpResponse.BodyHandlers.discarding());
        }
    }
}
