import { documentsOf } from "#app/domain/documents/queries.server.ts";
import { withdrawalMethodOf } from "#app/domain/payouts/queries/standing.server.ts";
import { confirmFirst } from "#app/http/account.server.ts";
import type { Asked } from "#app/http/session.server.ts";

/**
 * `confirmFirst` for who sends documents again: they bring a Pix key with them, and where there is one already that is another place for
 * the money. The first key asks for nothing, and with approved documents none is taken.
 */
export async function confirmAnotherKey(asked: Asked, { personId, path }: { personId: string; path: string }): Promise<void> {
  const [method, documents] = await Promise.all([withdrawalMethodOf(asked.ctx, { creatorId: personId }), documentsOf(asked.ctx, { personId })]);
  if (method !== null && documents?.status !== "approved") await confirmFirst(asked, path);
}
