import { redirect } from "react-router";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { withdrawalMethodOfCreator } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import {
  refuseWithoutReauthentication,
  reauthenticationPath,
} from "#app/http/identity/account.server.ts";
import type { AuthRequest } from "#app/http/identity/session.server.ts";

type KeyChangeForm = { personId: string; path: string };

/**
 * Requires reauthentication before the documents form changes a saved Pix key, because payouts
 * would go elsewhere. The first key needs none, and with approved documents it cannot be changed.
 * Returns whether the saved key must be hidden: the form was just submitted (`wasSent`) and is
 * shown again as typed.
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

/** The same for the submitted form, which keeps its input. Refuses ReauthenticationRequired. */
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
