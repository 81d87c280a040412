<?php
// Puts PHP's streams (file_get_contents and a context) to the contract.
$base = getenv('MOCKAPI_URL');

function kind(string $text): string {
    $kinds = ['/timed out|time-out/i' => 'timeout', '/[Rr]edirection limit/' => 'redirects',
        '/Connection (refused|reset)|HTTP request failed!\s*$|end of file/' => 'connection', '/HTTP request failed! \S|[Bb]ad chunk|dechunk/' => 'protocol'];
    foreach ($kinds as $pattern => $kind) if (preg_match($pattern, $text)) return $kind;
    return 'other';
}

function take(array $step, int $index): array {
    $isCancelled = isset($step['cancelWhen']) && $index === 0;
    // There is no other way to give a request up than a time-out.
    $seconds = $isCancelled ? $step['cancelAfterMilliseconds'] / 1000 : $step['timeoutSeconds'];
    $headers = array_map(fn ($pair) => "$pair[0]: $pair[1]", $step['headers']);
    $body = isset($step['bodyBase64']) ? base64_decode($step['bodyBase64']) : ($step['body'] ?? '');
    if ($body !== '' && !preg_grep('/^content-type:/i', $headers)) $headers[] = 'Content-Type: application/octet-stream';
    $context = stream_context_create(['http' => ['method' => $step['method'], 'header' => $headers, 'content' => $body,
        'timeout' => $seconds, 'ignore_errors' => true, 'protocol_version' => 1.1]]);
    $warnings = [];
    $start = microtime(true);
    set_error_handler(function ($_, $text) use (&$warnings) { $warnings[] = $text; return true; });
    $stream = fopen($step['urls'][$index] ?? $step['url'], 'r', false, $context);
    $content = $stream ? stream_get_contents($stream) : false;
    $meta = $stream ? stream_get_meta_data($stream) : ['timed_out' => false, 'wrapper_data' => []];
    restore_error_handler();
    if ($stream) fclose($stream);
    $text = implode('; ', $warnings);
    if ($meta['timed_out'] || $warnings && microtime(true) - $start >= $seconds) return ['error' => 'timeout', 'detail' => $text];
    if ($content === false || $warnings) return ['error' => kind($text), 'detail' => $text];
    $status = 0;
    $fields = [];
    foreach ($meta['wrapper_data'] as $line) {
        if (preg_match('/^HTTP\/\S+ (\d+)/', $line, $match)) [$status, $fields] = [(int) $match[1], []];
        elseif (str_contains($line, ':')) $fields[] = array_map('trim', explode(':', $line, 2));
    }
    if ($status === 0) return ['error' => 'protocol', 'detail' => 'no status line'];
    return ['status' => $status, 'headers' => $fields, 'bodyBase64' => base64_encode($content)];
}

function report(string $base, array $step, int $index): void {
    $text = json_encode(['step' => $step['id'], 'index' => $index] + take($step, $index), JSON_INVALID_UTF8_SUBSTITUTE);
    $context = ['http' => ['method' => 'POST', 'header' => 'Content-Type: application/json', 'content' => $text]];
    file_get_contents("$base/__contract/report", false, stream_context_create($context));
}

foreach (json_decode(file_get_contents("$base/__contract/plan"), true)['steps'] as $step) {
    // A process for each of many requests at once.
    for ($index = 0; $index < $step['times'] - 1; $index++) if (pcntl_fork() === 0) exit(report($base, $step, $index));
    report($base, $step, $step['times'] - 1);
    while (pcntl_wait($status) > 0);
}
