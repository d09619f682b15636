import { redirect } from "react-router";
import { documentsOf } from "#app/domain/documents/queries.server.ts";
import { withdrawalMethodOf } from "#app/domain/payouts/queries/standing.server.ts";
import { refuseUnconfirmed, wayToConfirm } from "#app/http/account.server.ts";
import type { Asked } from "#app/http/session.server.ts";

type Sending = { personId: string; path: string };

/**
 * Sends whoever looks at the form for documents to show that it is them, where they bring another
 * Pix key: with one that is kept, that is another place for the money. The first key asks for
 * nothing, and with approved documents none is taken. Gives whether what is kept must stay unseen:
 * the form has just been sent (`wasSent`), and comes back with what was typed.
 */
export async function confirmAnotherKey(
  asked: Asked,
  { wasSent, ...sending }: Sending & { wasSent: boolean },
): Promise<{ isHidden: boolean }> {
  const way = (await bringsAnotherKey(asked, sending))
    ? await wayToConfirm(asked, sending.path)
    : null;
  if (way !== null && !wasSent) throw redirect(way);
  return { isHidden: way !== null };
}

/** The same for the form itself, which keeps all that was typed. Refuses ConfirmationNeeded. */
export async function refuseAnotherKey(asked: Asked, sending: Sending): Promise<void> {
  if (await bringsAnotherKey(asked, sending))
    await refuseUnconfirmed(asked, { path: sending.path, before: "enviar de novo os seus dados" });
}

async function bringsAnotherKey({ ctx }: Asked, { personId }: Sending): Promise<boolean> {
  const [method, documents] = await Promise.all([
    withdrawalMethodOf(ctx, { creatorId: personId }),
    documentsOf(ctx, { personId }),
  ]);
  return method !== null && documents?.status !== "approved";
}
