import { and, asc, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { testEnv } from "./worker-env.ts";

/**
 * Expects the open quarantined events to have exactly these reasons, and closes the events. A test
 * that quarantines events on purpose leaves none open.
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

/** Backdates the receipt of an inbox event by `ms`. */
export async function backdateReceived(inboxId: string, ms: number): Promise<void> {
  await testEnv.DB.prepare("UPDATE inbox SET received_at = received_at - ? WHERE id = ?")
    .bind(ms, inboxId)
    .run();
}
