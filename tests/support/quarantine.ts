import { and, asc, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { testEnv } from "./worker-env.ts";

/**
 * These are the reasons, each once, of the deliveries that wait for people; and somebody looked at
 * them: a test that sets aside on purpose leaves nothing that waits.
 */
export async function expectQuarantined(ctx: Context, reasons: readonly string[]): Promise<void> {
  const waiting = await ctx.db
    .selectDistinct({ reason: inbox.quarantineReason })
    .from(inbox)
    .where(
      and(
        isNotNull(inbox.quarantinedAt),
        isNull(inbox.handledAt),
        ne(inbox.quarantineReason, "unknown_type"),
        sql`answer IS NOT 'closed'`,
      ),
    )
    .orderBy(asc(inbox.quarantineReason));
  expect(waiting.map(({ reason }) => reason)).toEqual(reasons.toSorted());
  await ctx.db
    .update(inbox)
    .set({
      answer: "closed",
      answeredAt: ctx.realNow(),
      answeredBy: "maria",
      answerNote: "De propósito, num teste.",
    })
    .where(
      and(isNotNull(inbox.quarantinedAt), isNull(inbox.handledAt), sql`answer IS NOT 'closed'`),
    );
}

/** The delivery was received `ms` earlier than it was, by the wall clock. */
export async function backdateReceived(inboxId: string, ms: number): Promise<void> {
  await testEnv.DB.prepare("UPDATE inbox SET received_at = received_at - ? WHERE id = ?")
    .bind(ms, inboxId)
    .run();
}
