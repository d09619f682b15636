import { redirect } from "react-router";
import { addDevice } from "#app/domain/notifications/commands/devices.server.ts";
import { pushDeviceSchema } from "#app/domain/notifications/schema.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { currentSessionId } from "#app/http/identity/session.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/device-create.ts";

const SETTINGS = "/settings/notifications";

/** A script leads here, not a link: an address that somebody follows goes back to the settings. */
export const loader = () => redirect(SETTINGS);

/** Sends pushes to this browser from now on. Nobody typed what it sends: a fault is a toast. */
export async function action({ request, context }: Route.ActionArgs) {
  const device = pushDeviceSchema.safeParse(Object.fromEntries(await request.formData()));
  if (!device.success)
    return await redirectWithToast(request, SETTINGS, {
      kind: "error",
      message: "Este navegador não recebe avisos.",
    });
  await addDevice(context.get(domainContext), {
    ...device.data,
    personId: context.get(memberContext).id,
    sessionId: await currentSessionId({ env: context.get(cloudflareContext).env, request }),
    userAgent: request.headers.get("User-Agent") ?? "",
  });
  return await redirectWithToast(request, SETTINGS, {
    kind: "success",
    message: "Avisos ativados neste aparelho.",
  });
}
