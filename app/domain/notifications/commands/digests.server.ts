import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { dueDigest, digestContent } from "#app/domain/notifications/queries/digests.server.ts";
import { isAddressOpen } from "#app/domain/notifications/rules/addresses.ts";
import { digestMail, nextDigestAt } from "#app/domain/notifications/rules/digests.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { notificationDigests } from "#drizzle/schema/notifications.ts";
import { recordSuppressed } from "./addresses.server.ts";
import { unsubscribeAddress } from "./choices.server.ts";

/**
 * Sends a person's due digest of what they did not read, once by its due time, and notes when the
 * next is due. Sends nothing where nothing is new, or to banned and deleted people. Safe to repeat
 * and to be killed anywhere.
 */
export async function sendDigest(ctx: Context, { personId }: { personId: string }): Promise<void> {
  const digest = await dueDigest(ctx, { personId });
  if (!digest) return;
  const { dueAt, sentUntil } = digest;
  // The same window for a repeated run, however late. What is being delivered just then is in it.
  const until = Math.max(sentUntil, dueAt - MINUTE_MS);
  const { bodies, total } = await digestContent(ctx, { personId, since: sentUntil, until });
  if (total > 0 && digest.isReachable && isAddressOpen(digest.address, "digest")) {
    const { appOrigin } = ctx.settings;
    const unsubscribeUrl = await unsubscribeAddress(ctx, { personId, kind: "digest" });
    const { subject, body } = digestMail({ bodies, total });
    const outcome = await ctx.mailer.send({
      key: `digest:${personId}:${dueAt}`,
      to: digest.email,
      subject,
      body,
      actionUrl: `${appOrigin}/notifications`,
      reason: "Você recebe este resumo porque o pediu em Ajustes, Preferências de notificação.",
      unsubscribeUrl,
    });
    if (outcome === "suppressed") await recordSuppressed(ctx, digest.email);
  }
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(notificationDigests)
          .set({
            dueAt: nextDigestAt(digest.rhythm, { now: ctx.now(), timeZone: digest.timeZone }),
            sentUntil: until,
          })
          .where(
            and(eq(notificationDigests.personId, personId), eq(notificationDigests.dueAt, dueAt)),
          ),
      ),
    ]);
  } catch (error) {
    // Another run was faster, or the person changed their mind.
    if (!(error instanceof StaleWrite)) throw error;
  }
}
