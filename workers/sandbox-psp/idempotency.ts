import { eq } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { digest, happensByChance, consumeSwitch } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { PspRefusal } from "./refusal.ts";
import { idempotencyKeys } from "./tables.ts";

/** What a write will answer and change; nothing has happened yet. */
export type IdempotentEffect = {
  answer: unknown;
  writes: BatchWrite[];
  /** The error code if a concurrent write came first. */
  staleCode?: string;
  /** The effect happens, and its answer is lost. */
  isAnswerLost?: boolean;
};

/**
 * Runs a write once per idempotency key. The key and its answer are committed with the effect. A
 * second call, even a concurrent one, replays the first answer. The same key with other parameters
 * is refused.
 */
export async function runIdempotent(
  psp: Psp,
  request: Request,
  body: unknown,
  make: () => Promise<IdempotentEffect>,
): Promise<Response> {
  const key = request.headers.get("idempotency-key");
  if (!key || key.length > 200)
    throw new PspRefusal(
      400,
      "idempotency_key_required",
      "Send an Idempotency-Key header of at most 200 characters.",
    );
  const fingerprint = await digest(
    `${request.method} ${new URL(request.url).pathname} ${JSON.stringify(body)}`,
  );
  const earlier = await replay(psp, key, fingerprint);
  if (earlier) return earlier;
  const effect = await make();
  const answer = JSON.stringify(effect.answer);
  const claimStatement = psp.db
    .insert(idempotencyKeys)
    .values({ id: key, fingerprint, status: 201, answer, createdAt: psp.realNow() });
  try {
    await commit(psp.db, [claimStatement, ...effect.writes]);
  } catch (error) {
    if (error instanceof StaleWrite)
      throw new PspRefusal(409, effect.staleCode ?? "card_token_used", "Somebody else was faster.");
    if (error instanceof RuleViolation)
      throw new PspRefusal(422, "refund_exceeds_charge", "More than what is left of the charge.");
    if (!(error instanceof UniqueViolation)) throw error;
    const first = await replay(psp, key, fingerprint);
    if (first) return first;
    throw new PspRefusal(
      409,
      "reference_taken",
      "This reference was used under another idempotency key.",
    );
  }
  if (
    effect.isAnswerLost ||
    happensByChance(psp.chaos.timeout_percent) ||
    (await consumeSwitch(psp, "timeouts"))
  ) {
    throw new PspRefusal(504, "timeout", "The answer was lost; what was asked may have happened.");
  }
  return jsonText(answer, 201);
}

async function replay(psp: Psp, key: string, fingerprint: string): Promise<Response | null> {
  const [savedAnswer] = await psp.db
    .select()
    .from(idempotencyKeys)
    .where(eq(idempotencyKeys.id, key));
  if (!savedAnswer) return null;
  if (savedAnswer.fingerprint !== fingerprint) {
    throw new PspRefusal(
      409,
      "idempotency_mismatch",
      "This Idempotency-Key was used with other parameters.",
    );
  }
  return jsonText(savedAnswer.answer, savedAnswer.status, { "idempotent-replayed": "true" });
}

export function jsonText(
  text: string,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  });
}
