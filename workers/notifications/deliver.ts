import type { Context } from "#app/domain/context.ts";
import { deliverTipLine, deliverWelcomeNote } from "#app/domain/messages/commands.server.ts";
import { sendNewsletterPage } from "#app/domain/newsletters/commands.server.ts";
import { isNewsletter } from "#app/domain/newsletters/rules.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";

/**
 * Delivers an outbox message: its notifications, and before them what another module makes of it.
 * The last step stamps the message as delivered, so that a killed run does all of it again. A
 * newsletter is sent page by page.
 */
export async function deliverMessage(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<void> {
  if (isNewsletter(outboxId)) return await sendNewsletterPage(ctx, { outboxId });
  await deliverWelcomeNote(ctx, { outboxId });
  await deliverTipLine(ctx, { outboxId });
  await deliverOutboxMessage(ctx, { outboxId });
}
