import { redirect } from "react-router";
import { removeDevice } from "#app/domain/notifications/commands/devices.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/device-removal.ts";

const SETTINGS = "/settings/notifications";

/** A form leads here, not a link: an address that somebody follows goes back to the settings. */
export const loader = () => redirect(SETTINGS);

/** Sends no more pushes to a device of the member. */
export async function action({ request, params, context }: Route.ActionArgs) {
  await removeDevice(context.get(domainContext), {
    personId: context.get(memberContext).id,
    id: params.id,
  });
  return await redirectWithToast(request, SETTINGS, {
    kind: "success",
    message: "Esse aparelho não recebe mais avisos.",
  });
}
