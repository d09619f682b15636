import { redirect } from "react-router";
import { resumeAddress } from "#app/domain/notifications/commands/addresses.server.ts";
import { addressResumptionSchema } from "#app/domain/notifications/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/address-resumption.ts";

const SETTINGS = "/settings/notifications";

/** A form leads here, not a link: an address that somebody follows goes back to the settings. */
export const loader = () => redirect(SETTINGS);

/** Tries emails to the member's address again, after a bounce or a complaint. */
export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, addressResumptionSchema, async ({ reason }) => {
    const { id: personId } = context.get(memberContext);
    await resumeAddress(context.get(domainContext), { personId, reason });
    return await redirectWithToast(request, SETTINGS, {
      kind: "success",
      message: "Vamos tentar de novo no próximo e-mail.",
    });
  });
}
