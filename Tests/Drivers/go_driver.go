// Puts Go's net/http to the contract, over HTTP/1.1 or, with the argument h2, over HTTP/2 by TLS.
package main

import ("bytes"; "context"; "crypto/tls"; "crypto/x509"; "encoding/json"; "errors"; "io"; "net"; "net/http"; neturl "net/url"; "os"; "regexp"; "strings"; "sync"; "time")

type Step struct {
	ID, Method, URL, Body, CancelWhen, Base, User, Password string
	URLs []string; Headers, Query [][2]string; BodyBase64 []byte; TimeoutSeconds, Times int
	Cancelled []struct { URL string; Times, AfterMilliseconds int }
}
var secure = len(os.Args) > 1 && os.Args[1] == "h2"
var client = &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 50,
	TLSClientConfig: &tls.Config{RootCAs: x509.NewCertPool()}}}
var other = &http.Client{Transport: &http.Transport{}}

func kind(err error) string {
	var timeout net.Error; text := err.Error()
	switch {
	case errors.Is(err, context.Canceled): return "cancelled"
	case errors.As(err, &timeout) && timeout.Timeout(): return "timeout"
	case strings.Contains(text, "stopped after"): return "redirects"; case strings.Contains(text, "x509"): return "certificate"
	case regexp.MustCompile("gzip|flate").MatchString(text): return "decoding"
	case regexp.MustCompile("malformed|invalid|http2:").MatchString(text): return "protocol"; case regexp.MustCompile("EOF|reset|stream error").MatchString(text): return "connection"
	}
	return "other"
}

func reached(url string) string { if !secure { return url }; return strings.Replace(url, "http://127.0.0.1", "https://localhost", 1) }

func take(step Step, index int) map[string]any {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(step.TimeoutSeconds)*time.Second); defer cancel()
	if step.CancelWhen != "" && index == 0 { go func() { other.Get(step.CancelWhen); cancel() }() }; url, body := step.URL, append([]byte(step.Body), step.BodyBase64...)
	if step.URLs != nil { url = step.URLs[index] }; used, separator := []string{}, "?"
	if step.Query != nil { url, used = step.Base, append(used, "query") }
	for _, pair := range step.Query { url += separator + neturl.Values{pair[0]: {pair[1]}}.Encode(); separator = "&" }; url = reached(url); if step.Cancelled != nil { used = append(used, "cancelled") }
	request, err := http.NewRequestWithContext(ctx, step.Method, url, bytes.NewReader(body)); if step.User != "" { request.SetBasicAuth(step.User, step.Password); used = append(used, "user") }
	for _, field := range step.Headers { request.Header.Add(field[0], field[1]) }
	answer, err := client.Do(request); if err == nil { body, err = io.ReadAll(answer.Body) }
	if err != nil { return map[string]any{"error": kind(err), "detail": err.Error(), "used": used, "index": index, "step": step.ID} }
	return map[string]any{"status": answer.StatusCode, "headers": answer.Header, "bodyBase64": body, "used": used, "index": index, "step": step.ID}
}

func main() {
	var plan struct { Steps []Step; Report, Authority string }
	answer, _ := other.Get(os.Getenv("MOCKAPI_URL") + "/__contract/plan")
	json.NewDecoder(answer.Body).Decode(&plan)
	authority, _ := os.ReadFile(plan.Authority); client.Transport.(*http.Transport).TLSClientConfig.RootCAs.AppendCertsFromPEM(authority)
	for _, step := range plan.Steps {
		outcomes, group := make([]map[string]any, step.Times), sync.WaitGroup{}
		for _, round := range step.Cancelled {
			ctx, cancel := context.WithCancel(context.Background()); url := reached(round.URL)
			for i := 0; i < round.Times; i++ { group.Add(1); go func() { defer group.Done(); request, _ := http.NewRequestWithContext(ctx, "GET", url, nil); client.Do(request) }() }
			time.Sleep(time.Duration(round.AfterMilliseconds) * time.Millisecond); cancel(); group.Wait()
		}
		for index := range outcomes { index := index; group.Add(1); go func() { outcomes[index] = take(step, index); group.Done() }() }
		group.Wait(); text, _ := json.Marshal(outcomes)
		other.Post(plan.Report, "application/json", bytes.NewReader(text))
	}
}
