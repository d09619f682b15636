import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { READ_GAP_MS } from "#app/components/messages/live/use-inbox-changes.ts";
import { inboxTopic } from "#app/domain/messages/rules.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { liveUpdates } from "#app/integrations/live/live-updates.server.ts";
import { spacedCalls } from "#app/lib/spaced-calls.ts";
import { inRoot } from "#scripts/paths.ts";
import { freePortPair } from "#scripts/ports.ts";
import { signUpMember, signUpSeller } from "#tests/support/form-client.ts";
import type { FormClient } from "#tests/support/form-client.ts";
import { startServer, stopServer } from "./harness.ts";
import { sized } from "./size.ts";

const SOCKETS = sized(500, 8);
const PAIRS = sized(16, 2);
const ROUNDS = sized(18, 2);
/** Each message is sent at its time, however long the ones before it take. */
const SEND_EVERY_MS = 250;
/** After this a message counts as lost: long enough for a busy machine. */
const SEEN_WITHIN_MS = 60_000;
/** Signs the addresses of the pages that only listen. */
const AUTH_SECRET = "a bench's own secret, of no value elsewhere";

export type SocketTimes = { acknowledgedMs: number[]; seenMs: number[] };

/** Somebody with a conversation open, as their browser has it. */
type OpenPage = {
  personId: string;
  conversationId: string;
  client: FormClient;
  /** Changed messages are read after this revision. */
  revision: number;
  /** What is to be seen here, by its text. */
  awaited: Map<string, () => void>;
  reading: Promise<void>;
};

/**
 * Sends messages between members of the served product with 500 pages connected, over loopback:
 * real sockets, requests and reads. A page reads when its socket says so, as a browser's does.
 * Times run from when a message is due: to the answer of its request, and to the page that has it.
 */
export async function measureSockets(): Promise<SocketTimes> {
  const directory = mkdtempSync(join(tmpdir(), "coreto-bench-messages-"));
  const port = await freePortPair();
  const origin = `http://localhost:${port}`;
  const server = await startServer(
    inRoot("bench", "server.ts"),
    {
      PORT: String(port),
      CORETO_DATA_DIRECTORY: directory,
      BENCH_ENTRY: "none",
      BENCH_AUTH_SECRET: AUTH_SECRET,
    },
    "bench server ready",
  );
  const sockets: WebSocket[] = [];
  try {
    const pairs = await openConversations(origin);
    for (const page of pairs.flat()) sockets.push(await connectedPage(origin, page));
    while (sockets.length < SOCKETS) sockets.push(await idlePage(origin, sockets.length));
    const times = await exchanged(origin, pairs);
    await new Promise((resolve) => setTimeout(resolve, 2 * READ_GAP_MS));
    await Promise.all(pairs.flat().map(({ reading }) => reading));
    const open = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    if (open < SOCKETS) throw new Error(`${open} of ${SOCKETS} sockets stayed open`);
    return times;
  } finally {
    for (const socket of sockets) socket.close();
    await stopServer(server);
    rmSync(directory, { recursive: true, force: true });
  }
}

type Pair = [OpenPage, OpenPage];

/** Each fan writes to a creator of their own, who accepts. */
async function openConversations(origin: string): Promise<Pair[]> {
  const pairs: Pair[] = [];
  while (pairs.length < PAIRS) {
    const seller = await signUpSeller(origin);
    const member = await signUpMember(origin, "Bia Rocha");
    const path = await member.postAndFollow(`/messages/new/${seller.username}`, {
      text: "Oi",
      clientMessageId: crypto.randomUUID(),
    });
    const conversationId = /^\/messages\/([\w-]+)/.exec(path)?.[1] ?? "";
    await seller.postAndFollow(`/messages/${conversationId}/act`, { act: "accept" });
    pairs.push([await openPage(member, conversationId), await openPage(seller, conversationId)]);
  }
  return pairs;
}

async function openPage(client: FormClient, conversationId: string): Promise<OpenPage> {
  const html = await (await client.get(`/messages/${conversationId}`)).text();
  const personId = /\/live\/inbox%3A([\w-]+)\?/.exec(html)?.[1];
  if (!personId) throw new Error("the page names no address to listen at");
  return {
    personId,
    conversationId,
    client,
    revision: 0,
    awaited: new Map(),
    reading: Promise.resolve(),
  };
}

async function addressOf(origin: string, personId: string): Promise<string> {
  const { address } = liveUpdates({ AUTH_SECRET, CLERK_SECRET_KEY: "" }, () => {});
  return `${origin.replace("http", "ws")}${await address(inboxTopic(personId), Date.now() + DAY_MS)}`;
}

/** Node's takes headers, which a browser's does not. */
const NodeWebSocket: new (address: string, options: { headers: HeadersInit }) => WebSocket =
  WebSocket as never;

/** Connects one page. Resolves once it listens. */
async function connected(
  origin: string,
  personId: string,
  onMessage: () => void,
): Promise<WebSocket> {
  const socket = new NodeWebSocket(await addressOf(origin, personId), {
    headers: { Origin: origin },
  });
  return await new Promise((resolve, reject) => {
    socket.addEventListener("error", () => reject(new Error("a socket was refused")));
    socket.addEventListener("message", () => {
      onMessage();
      resolve(socket);
    });
  });
}

/** Keeps the page of a person without messages connected. */
const idlePage = (origin: string, index: number) =>
  connected(origin, `idle-${index}`, () => undefined);

/** Connects a page that reads what changed. */
async function connectedPage(origin: string, page: OpenPage): Promise<WebSocket> {
  const { ask } = spacedCalls(() => {
    page.reading = page.reading.then(() => readChanges(page));
  }, READ_GAP_MS);
  return await connected(origin, page.personId, ask);
}

async function readChanges(page: OpenPage): Promise<void> {
  const answer = await page.client.get(
    `/messages/${page.conversationId}/changes?after=${page.revision}`,
  );
  const { messages } = (await answer.json()) as {
    messages: { text: string; revision: number }[];
  };
  for (const { text, revision } of messages) {
    page.revision = Math.max(page.revision, revision);
    page.awaited.get(text)?.();
  }
}

/** Sends on schedule, in turns between all pairs. The two sides write in turns. */
async function exchanged(origin: string, pairs: readonly Pair[]): Promise<SocketTimes> {
  const times: SocketTimes = { acknowledgedMs: [], seenMs: [] };
  const startsAt = performance.now() + SEND_EVERY_MS;
  const turns = Array.from({ length: ROUNDS }, (_, round) =>
    pairs.map(([fan, creator]): Pair => (round % 2 === 0 ? [fan, creator] : [creator, fan])),
  ).flat();
  const sends = turns.map(async ([from, to], index) => {
    const dueAt = startsAt + index * SEND_EVERY_MS;
    await new Promise((resolve) => setTimeout(resolve, dueAt - performance.now()));
    const text = `Mensagem ${index}`;
    const seen = seenAt(to, text);
    await send(origin, from, text);
    times.acknowledgedMs.push(performance.now() - dueAt);
    times.seenMs.push((await seen) - dueAt);
  });
  await Promise.all(sends);
  return times;
}

const seenAt = (page: OpenPage, text: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("a message was not seen")), SEEN_WITHIN_MS);
    page.awaited.set(text, () => {
      clearTimeout(late);
      page.awaited.delete(text);
      resolve(performance.now());
    });
  });

async function send(origin: string, page: OpenPage, text: string): Promise<void> {
  const answer = await fetch(`${origin}/messages/${page.conversationId}/send`, {
    method: "POST",
    headers: {
      Origin: origin,
      Cookie: page.client.cookies(),
      "Content-Type": "application/json",
      Accept: "application/json",
    },
    body: JSON.stringify({
      account: page.personId,
      space: page.personId,
      text,
      clientMessageId: crypto.randomUUID(),
    }),
  });
  if (!answer.ok)
    throw new Error(`a message was answered ${answer.status}: ${await answer.text()}`);
}
