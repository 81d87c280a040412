// Puts Java's HttpURLConnection to the contract, over HTTP/1.1. It undoes no codings, and knows no PATCH and no PURGE.
import java.io.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*; import java.util.regex.*; import java.util.stream.*;

class URLConnectionDriver {
    static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]++|\\\\.)*+\"|[\\[\\]{}]|[^\\s,:\\[\\]{}\"]+");
    /** JSON, which the platform has no reader of. */
    static Object json(Iterator<String> tokens, String token) {
        if (token.startsWith("\"")) return token.substring(1, token.length() - 1).replace("\\/", "/").translateEscapes();
        if (!token.equals("[") && !token.equals("{")) return token;
        var items = new ArrayList<Object>();
        for (String next = tokens.next(); !next.equals("]") && !next.equals("}"); next = tokens.next()) items.add(json(tokens, next));
        return token.equals("[") ? items : IntStream.range(0, items.size() / 2).boxed().collect(Collectors.toMap(i -> items.get(2 * i), i -> items.get(2 * i + 1)));
    }
    static String quoted(Object value) { return "\"" + value.toString().replaceAll("[^ -~]", " ").replaceAll("[\"\\\\]", "\\\\$0") + "\""; }
    static String kind(Throwable error) {
        if (error instanceof SocketTimeoutException) return "timeout";
        if (error.toString().matches("(?s).*(too many|Too many).*")) return "redirects";
        if (error instanceof javax.net.ssl.SSLException) return "certificate";
        if (error.toString().matches("(?s).*(Invalid|Missing|Bad|parse|chunk|protocol|Illegal).*")) return "protocol";
        return error instanceof IOException ? "connection" : "other";
    }
    static String take(Map<?, ?> step, int index) {
        var head = "{\"step\": " + quoted(step.get("id")) + ", \"index\": " + index;
        try {
            var body = step.containsKey("bodyBase64") ? Base64.getDecoder().decode((String) step.get("bodyBase64")) : step.containsKey("body") ? ((String) step.get("body")).getBytes() : null;
            var connection = (HttpURLConnection) new URL((String) (step.containsKey("urls") ? ((List<?>) step.get("urls")).get(index) : step.get("url"))).openConnection();
            // There is no other way to give a request up than a time-out.
            var cancelled = step.containsKey("cancelAfterMilliseconds") && index == 0;
            connection.setReadTimeout(cancelled ? Integer.parseInt((String) step.get("cancelAfterMilliseconds")) : 1000 * Integer.parseInt((String) step.get("timeoutSeconds")));
            connection.setRequestMethod((String) step.get("method"));
            for (var field : (List<?>) step.get("headers")) connection.addRequestProperty((String) ((List<?>) field).get(0), (String) ((List<?>) field).get(1));
            if (body != null) { connection.setDoOutput(true); connection.getOutputStream().write(body); }
            var status = connection.getResponseCode();
            var stream = status >= 400 ? connection.getErrorStream() : connection.getInputStream();
            var content = stream == null ? new byte[0] : stream.readAllBytes();
            var fields = IntStream.range(1, 500).takeWhile(i -> connection.getHeaderFieldKey(i) != null).mapToObj(i -> "[" + quoted(connection.getHeaderFieldKey(i)) + ", " + quoted(connection.getHeaderField(i)) + "]").collect(Collectors.joining(", ", "[", "]"));
            return head + ", \"status\": " + status + ", \"headers\": " + fields + ", \"bodyBase64\": " + quoted(Base64.getEncoder().encodeToString(content)) + "}";
        } catch (Exception error) {
            return head + ", \"error\": " + quoted(kind(error)) + ", \"detail\": " + quoted(error) + "}";
        }
    }
    public static void main(String[] arguments) throws Exception {
        var base = System.getenv("MOCKAPI_URL");
        var tokens = TOKEN.matcher(new String(new URL(base + "/__contract/plan").openStream().readAllBytes())).results().map(MatchResult::group).iterator();
        var pool = Executors.newCachedThreadPool();
        for (var step : (List<?>) ((Map<?, ?>) json(tokens, tokens.next())).get("steps")) {
            var answers = IntStream.range(0, Integer.parseInt((String) ((Map<?, ?>) step).get("times"))).mapToObj(index -> pool.submit(() -> take((Map<?, ?>) step, index))).toList();
            var texts = new ArrayList<String>(); for (var answer : answers) texts.add(answer.get());
            var report = (HttpURLConnection) new URL(base + "/__contract/report").openConnection();
            report.setDoOutput(true);
            report.getOutputStream().write(("[" + String.join(", ", texts) + "]").getBytes());
            report.getInputStream().readAllBytes();
        }
        pool.shutdown();
    }
}
