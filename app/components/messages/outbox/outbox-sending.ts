import { readShape } from "#app/lib/json-shape.ts";
import type { StoredMessage } from "./forget-outboxes.ts";
import { changeStored, storedMessages } from "./outbox-storage.ts";
import type { OutboxOwner } from "./outbox-storage.ts";
import { isSignedOut } from "#app/components/messages/live/signed-out.ts";

/** Without a connection the outbox tries again this often, and when the browser says it is back. */
export const RETRY_MS = 15_000;
/** So often the server may fail at a message before the ones after it go on. */
const FAILURES_MAX = 5;

type Progress = {
  onChange(): void;
  /** The server answered. */
  onProgress(): void;
  onSent(message: StoredMessage): void;
};

/** Sends what waits, in order. Returns why it stopped; null when nothing waits any more. */
export async function sendAll(
  own: OutboxOwner,
  sendPath: (conversationId: string) => string,
  { onChange, onProgress, onSent }: Progress,
): Promise<Stop | null> {
  for (;;) {
    onChange();
    const next = storedMessages(own).find(({ problem }) => problem === null);
    if (!next) return null;
    if (failedJustNow(next)) return { problem: null };
    const answer = await sendOne(own, next, sendPath(next.conversationId));
    // It stays until something is answered: a retry alone changes nothing that is shown.
    if (answer.state === "stopped") return answer;
    if (answer.state === "failed") {
      if (countFailure(own, next) < FAILURES_MAX) return { problem: null };
      changeOne(own, next, { problem: FAILED });
      continue;
    }
    onProgress();
    changeOne(own, next, answer.problem === null ? null : { problem: answer.problem });
    if (answer.problem === null) onSent(next);
  }
}

/** Changes one message; removes it with null. */
function changeOne(
  owner: OutboxOwner,
  { clientMessageId }: StoredMessage,
  to: Partial<Pick<StoredMessage, "problem" | "failures">> | null,
): void {
  changeStored(owner, (messages) =>
    messages.flatMap((one) => {
      if (one.clientMessageId !== clientMessageId) return [one];
      return to === null ? [] : [{ ...one, ...to }];
    }),
  );
}

/**
 * The server failed at it a moment ago. Other tabs, which hear of each change, ask again only after
 * a while. Any distance counts, because the device's clock may be set back.
 */
const failedJustNow = ({ failures }: StoredMessage): boolean =>
  failures !== undefined && Math.abs(Date.now() - failures.at) < RETRY_MS - 1_000;

/** Counts a failure of the server at a message. Returns how many there are. */
function countFailure(owner: OutboxOwner, message: StoredMessage): number {
  const count = (message.failures?.count ?? 0) + 1;
  changeOne(owner, message, { failures: { count, at: Date.now() } });
  return count;
}

/** Why nothing can be sent for now; null without a connection. */
export type Stop = {
  problem: string | null;
  /** Nobody is signed in, or somebody else. */
  isSignedOut?: boolean;
};
type Answer =
  | ({ state: "stopped" } & Stop)
  /** Of the server, or of something on the way to it; it says nothing about the message. */
  | { state: "failed" }
  | { state: "answered"; problem: string | null };

const TOO_MANY_REQUESTS = 429;
/** Said until the page has led to the sign-in. */
const SIGNED_OUT = "A sua sessão acabou. Entre de novo para enviar.";
/** Of an answer on the way to the server, which names no reason. */
const REFUSED = "O envio foi recusado.";
/** Of a message that the server fails at each time. */
const FAILED = "não enviada";

/**
 * Sends one message. `problem` of an answer says why the server refused it; null once it is stored.
 * A limit stops all messages, so that they keep their order.
 */
async function sendOne(
  { account, space }: OutboxOwner,
  { text, clientMessageId, replyTo }: StoredMessage,
  path: string,
): Promise<Answer> {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        text,
        clientMessageId,
        account,
        space,
        ...(replyTo === null ? {} : { replyTo }),
      }),
    });
    if (answer.status >= 500) return { state: "failed" };
    if (isSignedOut(answer))
      return { state: "stopped", problem: await problemOf(answer, SIGNED_OUT), isSignedOut: true };
    if (answer.ok) {
      readShape(await answer.json(), { seq: "number" });
      return { state: "answered", problem: null };
    }
    const problem = await problemOf(answer, REFUSED);
    return { state: answer.status === TOO_MANY_REQUESTS ? "stopped" : "answered", problem };
  } catch {
    return { state: "stopped", problem: null };
  }
}

async function problemOf(answer: Response, otherwise: string): Promise<string> {
  try {
    return readShape(await answer.json(), { error: "string" }).error;
  } catch {
    return otherwise;
  }
}
