import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { dueDigest, digestContent } from "#app/domain/notifications/queries/digests.server.ts";
import { digestMail, nextDigestAt } from "#app/domain/notifications/rules/digests.ts";
import { notificationDigests } from "#drizzle/schema/notifications.ts";
import { unsubscribeAddress } from "./choices.server.ts";

/**
 * Sends a person's due digest of what they did not read, once by its due time, and notes when the
 * next is due. Sends nothing where nothing is new. Safe to repeat and to be killed anywhere.
 */
export async function sendDigest(ctx: Context, { personId }: { personId: string }): Promise<void> {
  const digest = await dueDigest(ctx, { personId });
  if (!digest) return;
  const until = ctx.now();
  const { bodies, total } = await digestContent(ctx, { personId, since: digest.sentUntil });
  if (total > 0) {
    const { appOrigin } = ctx.settings;
    const unsubscribeUrl = await unsubscribeAddress(ctx, { personId, kind: "digest" });
    const { subject, body } = digestMail({ bodies, total, appOrigin });
    await ctx.mailer.send({
      key: `digest:${personId}:${digest.dueAt}`,
      to: digest.email,
      subject,
      body: `${body}\n\nVocê recebe este resumo porque o pediu em Ajustes, Notificações. Não receber mais: ${unsubscribeUrl}`,
      unsubscribeUrl,
    });
  }
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(notificationDigests)
          .set({ dueAt: nextDigestAt(digest.rhythm, until), sentUntil: until })
          .where(
            and(
              eq(notificationDigests.personId, personId),
              eq(notificationDigests.dueAt, digest.dueAt),
            ),
          ),
      ),
    ]);
  } catch (error) {
    // Another run was faster, or the person changed their mind.
    if (!(error instanceof StaleWrite)) throw error;
  }
}
