import { redirect } from "react-router";
import { resumeAddress } from "#app/domain/notifications/commands/addresses.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/address-resumption.ts";

const SETTINGS = "/settings/notifications";

/** A form leads here, not a link: an address that somebody follows goes back to the settings. */
export const loader = () => redirect(SETTINGS);

/** Sends emails to the member's address again, after a bounce or a complaint. */
export async function action({ request, context }: Route.ActionArgs) {
  await resumeAddress(context.get(domainContext), { personId: context.get(memberContext).id });
  return await redirectWithToast(request, SETTINGS, {
    kind: "success",
    message: "Voltamos a enviar e-mails para você.",
  });
}
