// Puts Node's http2 to the contract, by prior knowledge. It follows no redirections and undoes no codings.
import http from "node:http";
import http2 from "node:http2";
import { readFileSync } from "node:fs";

const sessions = {};

function ask(url, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: body ? "POST" : "GET", agent: false }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk)).on("end", () => resolve(Buffer.concat(chunks).toString()));
    });
    request.on("error", reject).end(body);
  });
}

function connected(origin) {
  const session = sessions[origin];
  if (session && !session.closed && !session.destroyed) return session;
  return (sessions[origin] = http2.connect(origin, { ca: authority }).on("error", () => {}));
}

function take(step, index) {
  return new Promise((resolve) => {
    const [, origin, path] = (step.urls?.[index] ?? step.url).match(/^(\w+:\/\/[^/?#]+)([^#]*)/);
    const body = Buffer.from(step.bodyBase64 ?? step.body ?? "", step.bodyBase64 ? "base64" : "utf8");
    const stream = connected(origin).request({ ":method": step.method, ":path": path, ...Object.fromEntries(step.headers) }, { endStream: !body.length });
    let head, failure, chunks = [];
    const giveUp = (error) => {
      stream.close(http2.constants.NGHTTP2_CANCEL);
      if (error === "timeout") delete sessions[origin]; // What broke it may have been told to the server alone.
      resolve(failure ?? { error });
    };
    const timer = setTimeout(giveUp, step.timeoutSeconds * 1000, "timeout");
    if (step.cancelWhen && index === 0) ask(step.cancelWhen).then(() => giveUp("cancelled"));
    stream.on("response", (fields) => (head = fields)).on("data", (chunk) => chunks.push(chunk));
    stream.on("error", (error) => {
      const isProtocol = /PROTOCOL_ERROR|ERR_HTTP2_ERROR/.test(`${error.code} ${error.message}`);
      failure ??= { error: isProtocol ? "protocol" : "connection", detail: `${error.code} ${error.message}` };
    });
    stream.on("close", () => {
      clearTimeout(timer);
      if (!failure && (!head || stream.rstCode)) failure = { error: "connection", detail: `reset ${stream.rstCode}` };
      const { ":status": status, ...fields } = head ?? {};
      resolve(failure ?? { status, headers: fields, bodyBase64: Buffer.concat(chunks).toString("base64") });
    });
    if (body.length) stream.end(body);
  });
}

const plan = JSON.parse(await ask(`${process.env.MOCKAPI_URL}/__contract/plan`));
const authority = plan.authority && readFileSync(plan.authority);
for (const step of plan.steps) {
  const follows = step.id.startsWith("redirect.") && { skipped: "it leaves redirections to who uses it" };
  const outcomes = await Promise.all(Array.from({ length: follows ? 1 : step.times }, (_, index) => follows || take(step, index)));
  await ask(plan.report, JSON.stringify(outcomes.map((outcome, index) => ({ step: step.id, index, ...outcome }))));
}
process.exit();
