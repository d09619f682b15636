import { redirect } from "react-router";
import { resumeNewsletter } from "#app/domain/notifications/commands/choices.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/newsletter-resumption.ts";

const SETTINGS = "/settings/notifications";

/** A form leads here, not a link: an address that somebody follows goes back to the settings. */
export const loader = () => redirect(SETTINGS);

/** Sends the member a creator's posts by email again. */
export async function action({ request, params, context }: Route.ActionArgs) {
  await resumeNewsletter(context.get(domainContext), {
    personId: context.get(memberContext).id,
    creatorId: params.id,
  });
  return await redirectWithToast(request, SETTINGS, {
    kind: "success",
    message: "Você volta a receber essas publicações por e-mail.",
  });
}
