import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { asaasDouble } from "./asaas.ts";
import { Refuses } from "./double.ts";
import type { Answer, Double, Received } from "./double.ts";
import { stripeDouble } from "./stripe.ts";

type Fault = {
  fault: string;
  seconds: number;
  /** Pattern of the request to break: "METHOD path". */ on: string;
};
type Account = { stripe: Double; asaas: Double; faults: Fault[]; received: Received[] };

/** Delay of a late answer. The adapters under test time out after five seconds. */
const LATE_MS = 7_000;

/**
 * Starts the doubles of Stripe and Asaas on one port of this machine. Each API key has its own
 * account: `sk_test_<account>` for Stripe, `<account>` for Asaas. Tests call `/_/<account>/…` to
 * play payers, banks and a bad network.
 */
export async function startDoubles(): Promise<{ origin: string; stop(): Promise<void> }> {
  const accounts = new Map<string, Account>();
  let origin = "";
  const accountOf = (name: string): Account => {
    const known = accounts.get(name) ?? {
      stripe: stripeDouble(`${origin}/_/${name}/stripe`),
      asaas: asaasDouble(),
      faults: [],
      received: [],
    };
    accounts.set(name, known);
    return known;
  };
  const server = createServer((request, response) => {
    void handled(request, accountOf).then(
      (answer) => send(response, answer),
      (error: unknown) => send(response, { status: 599, body: String(error) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The response to a request. Null closes the connection without one. */
async function handled(
  request: IncomingMessage,
  accountOf: (name: string) => Account,
): Promise<Answer | null> {
  const received = await read(request);
  const [, marker, name = "", ...act] = (received.path.split("?")[0] ?? "").split("/");
  if (marker === "_") return acted(accountOf(name), act, received);
  const stripeKey = /^Bearer sk_test_(\w+)$/.exec(received.headers["authorization"] ?? "")?.[1];
  const account = accountOf(stripeKey ?? received.headers["access_token"] ?? "nobody");
  account.received.push(received);
  const fault = takeFault(account, received);
  const answer = () =>
    refusable(() => (stripeKey ? account.stripe : account.asaas).answer(received));
  return fault ? faulty(fault, answer, stripeKey !== undefined) : answer();
}

function acted(account: Account, [provider = "", act = ""]: string[], { body }: Received): Answer {
  const input = body.startsWith("{")
    ? (JSON.parse(body) as Record<string, string>)
    : Object.fromEntries(new URLSearchParams(body));
  if (provider === "fault")
    account.faults.push({
      fault: input["fault"] ?? "",
      seconds: Number(input["seconds"]),
      on: input["on"] ?? ".",
    });
  else if (provider === "received") return { status: 200, body: account.received };
  else if (provider === "stripe" || provider === "asaas")
    return { status: 200, body: account[provider].act(act, input) ?? {} };
  return { status: 200, body: {} };
}

function takeFault(account: Account, { method, path }: Received): Fault | null {
  const index = account.faults.findIndex(({ on }) => new RegExp(on).test(`${method} ${path}`));
  return index < 0 ? null : (account.faults.splice(index, 1)[0] ?? null);
}

function refusable(answer: () => Answer): Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Refuses) return error.answer;
    throw error;
  }
}

/** Applies a fault. A lost, late or broken answer has its effect first; a refusal has none. */
async function faulty(
  { fault, seconds }: Fault,
  answer: () => Answer,
  isStripe: boolean,
): Promise<Answer | null> {
  const says = (code: string) =>
    isStripe ? { error: { type: code, message: code } } : { errors: [{ code, description: code }] };
  switch (fault) {
    case "no answer":
      answer();
      return null;
    case "a late answer": {
      const late = answer();
      await new Promise((resolve) => setTimeout(resolve, LATE_MS));
      return late;
    }
    case "malformed JSON":
      return { ...answer(), body: '{"object": "pay' };
    case "429":
      return {
        status: 429,
        headers: isStripe
          ? { "retry-after": String(seconds) }
          : { "ratelimit-reset": String(seconds), "ratelimit-remaining": "0" },
        body: says("rate_limit_error"),
      };
    case "500":
      return { status: 500, body: says("api_error") };
    case "403":
    case "404":
    case "409":
      return {
        status: Number(fault),
        body: says(fault === "409" && isStripe ? "idempotency_error" : "forbidden"),
      };
    case "503":
      return { status: 503, body: "<html>busy</html>" };
    case "another currency": {
      const said = answer();
      return {
        ...said,
        body: JSON.stringify(said.body).replaceAll('"currency":"brl"', '"currency":"usd"'),
      };
    }
    case "another shape":
      return { status: 200, body: { object: "payment_intent", id: 7 } };
    case "a redirect":
      return { status: 302, headers: { location: "/elsewhere" }, body: "" };
    default:
      return {
        status: 401,
        body: says(isStripe ? "invalid_request_error" : "invalid_access_token"),
      };
  }
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}

function send(response: ServerResponse, answer: Answer | null): void {
  if (answer === null) {
    response.destroy();
    return;
  }
  response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
  response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
}
