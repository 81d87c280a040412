// Puts Node's fetch to the contract.
import http from "node:http";

const KINDS = [
  [/TimeoutError|_TIMEOUT/, "timeout"],
  [/AbortError/, "cancelled"],
  [/redirect count/, "redirects"],
  [/Z_\w+_ERROR|ERR__ERROR_FORMAT/, "decoding"],
  [/HPE_|RES_CONTENT_LENGTH_MISMATCH/, "protocol"],
  [/ECONN|EPIPE|UND_ERR_SOCKET|other side closed|terminated/, "connection"],
];

/** What is not for the client under test goes by another. */
function ask(url, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: body ? "POST" : "GET", agent: false }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    request.on("error", reject).end(body);
  });
}

async function take(step, index) {
  const end = new AbortController();
  const late = () => end.abort(new DOMException("it took too long", "TimeoutError"));
  const timer = setTimeout(late, step.timeoutSeconds * 1000);
  if (step.cancelWhen && index === 0) ask(step.cancelWhen).then(() => end.abort());
  const body = step.bodyBase64 ? Buffer.from(step.bodyBase64, "base64") : step.body;
  try {
    const query = step.query && `?${new URLSearchParams(step.query)}`;
    const url = query ? step.base + query : step.urls?.[index] ?? step.url;
    const { method, headers } = step;
    const answer = await fetch(url, { method, headers, body, signal: end.signal });
    const content = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: [...answer.headers], bodyBase64: content.toString("base64"), used: ["query", "cancelled"].filter((name) => step[name]) };
  } catch (error) {
    const detail = [end.signal.reason, error, error.cause].filter(Boolean).map((one) => `${one.name} ${one.code ?? ""} ${one.message}`).join(": ");
    return { error: KINDS.find(([pattern]) => pattern.test(detail))?.[1] ?? "other", detail, used: ["cancelled"].filter((name) => step[name]) };
  } finally {
    clearTimeout(timer);
  }
}

/** Requests that are all given up, before those of the step. */
async function cancelAll({ url, times, afterMilliseconds }) {
  const end = new AbortController();
  const all = Array.from({ length: times }, () => fetch(url, { signal: end.signal }));
  setTimeout(() => end.abort(), afterMilliseconds);
  await Promise.allSettled(all);
}

const plan = JSON.parse(await ask(`${process.env.MOCKAPI_URL}/__contract/plan`));
for (const step of plan.steps) {
  for (const round of step.cancelled ?? []) await cancelAll(round);
  const outcomes = await Promise.all(Array.from({ length: step.times }, (_, index) => take(step, index)));
  await ask(plan.report, JSON.stringify(outcomes.map((outcome, index) => ({ step: step.id, index, ...outcome }))));
}
