import { redirect } from "react-router";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { refuseWithoutReauthentication, reauthenticationPath } from "./account.server.ts";
import type { AuthRequest } from "./session.server.ts";

type KeyChangeForm = { personId: string; path: string };

/**
 * Sends whoever looks at the form for documents to show that it is them, where they bring another
 * Pix key: with one that is kept, that is another place for the money. The first key asks for
 * nothing, and with approved documents none is taken. Gives whether what is kept must stay unseen:
 * the form has just been sent (`wasSent`), and comes back with what was typed.
 */
export async function confirmPixKeyChange(
  asked: AuthRequest,
  { wasSent, ...sending }: KeyChangeForm & { wasSent: boolean },
): Promise<{ isHidden: boolean }> {
  const way = (await bringsAnotherKey(asked, sending))
    ? await reauthenticationPath(asked, sending.path)
    : null;
  if (way !== null && !wasSent) throw redirect(way);
  return { isHidden: way !== null };
}

/** The same for the form itself, which keeps all that was typed. Refuses ConfirmationNeeded. */
export async function refuseUnconfirmedPixKey(
  asked: AuthRequest,
  sending: KeyChangeForm,
): Promise<void> {
  if (await bringsAnotherKey(asked, sending))
    await refuseWithoutReauthentication(asked, {
      path: sending.path,
      before: "enviar de novo os seus dados",
    });
}

async function bringsAnotherKey(
  { ctx }: AuthRequest,
  { personId }: KeyChangeForm,
): Promise<boolean> {
  const [method, documents] = await Promise.all([
    withdrawalMethodOfCreator(ctx, { creatorId: personId }),
    documentsOfPerson(ctx, { personId }),
  ]);
  return method !== null && documents?.status !== "approved";
}
