// Puts Node's http and https to the contract. They follow no redirections and undo no codings by themselves.
import fs from "node:fs";
import http from "node:http";
import https from "node:https";

const KINDS = [[/ETIMEDOUT/, "timeout"], [/ABORT_ERR/, "cancelled"], [/HPE_|Parse Error/, "protocol"], [/CERT|certificate|SELF_SIGNED|ALTNAME/, "certificate"], [/ECONN|EPIPE|socket hang up|aborted/, "connection"]];
let authority, agents = { "http:": new http.Agent({ keepAlive: true }) };

/** What is not for the client under test goes by a connection of its own. */
function ask(url, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: body ? "POST" : "GET", agent: false }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    request.on("error", reject).end(body);
  });
}

function send(step, index, signal) {
  return new Promise((resolve, reject) => {
    const url = new URL(step.urls?.[index] ?? step.url);
    const headers = {};
    for (const [name, value] of step.headers) headers[name] = value;
    const auth = step.user && `${step.user}:${step.password}`;
    const { request: start } = url.protocol === "https:" ? https : http;
    const request = start(url, { method: step.method, headers, agent: agents[url.protocol], ca: authority, signal, ...(auth && { auth }) }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk)).on("error", reject).on("end", () => {
        const fields = answer.rawHeaders.flatMap((name, place, all) => (place % 2 ? [] : [[name, all[place + 1]]]));
        resolve({ status: answer.statusCode, headers: fields, bodyBase64: Buffer.concat(chunks).toString("base64") });
      });
    });
    request.on("error", reject);
    if (step.pieces) { for (const piece of step.pieces) request.write(piece); request.end(); }
    else request.end(step.bodyBase64 ? Buffer.from(step.bodyBase64, "base64") : step.body);
  });
}

async function take(step, index) {
  const end = new AbortController(), used = ["pieces", "user"].filter((name) => step[name]);
  const timer = setTimeout(() => end.abort(Object.assign(new Error("it took too long"), { code: "ETIMEDOUT" })), step.timeoutSeconds * 1000);
  if (step.cancelWhen && index === 0) ask(step.cancelWhen).then(() => end.abort());
  try {
    return { ...(await send(step, index, end.signal)), used };
  } catch (error) {
    const detail = [error.cause, error].filter(Boolean).map((one) => `${one.name} ${one.code ?? ""} ${one.message}`).join(": ");
    return { error: KINDS.find(([pattern]) => pattern.test(detail))?.[1] ?? "other", detail, used };
  } finally {
    clearTimeout(timer);
  }
}

const plan = JSON.parse(await ask(`${process.env.MOCKAPI_URL}/__contract/plan`));
if (plan.authority) authority = fs.readFileSync(plan.authority);
for (const step of plan.steps) {
  const outcomes = step.id.startsWith("redirect.") ? [{ skipped: "it leaves redirections to who uses it" }] : await Promise.all(Array.from({ length: step.times }, (_, index) => take(step, index)));
  await ask(plan.report, JSON.stringify(outcomes.map((outcome, index) => ({ step: step.id, index, ...outcome }))));
}
