import { contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";
import type { ContactKind } from "#app/domain/identity/contacts/rules/contacts.ts";
import { refuseWithoutReauthentication } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { AuthRequest } from "#app/http/identity/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";

/**
 * Adds an email or a phone and redirects to the page that asks for its code. Refuses
 * ReauthenticationRequired.
 */
export async function contactAdded(
  asked: AuthRequest,
  { kind, address }: { kind: ContactKind; address: string },
): Promise<Response> {
  const here = contactsPath(kind);
  await refuseWithoutReauthentication(asked, {
    path: here,
    before: kind === "email" ? "acrescentar um e-mail" : "acrescentar um telefone",
  });
  const { contactId, shown, cookie } = await embedded(asked).contacts.addOwnContact({
    kind,
    address,
  });
  const headers = new Headers({ "Set-Cookie": cookie });
  return redirectWithToast(
    asked.request,
    `${here}/${contactId}/code`,
    { kind: "success", message: `Código enviado para ${shown}.` },
    headers,
  );
}
