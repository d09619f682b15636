import { redirect } from "react-router";
import { openNotification } from "#app/domain/notifications/commands.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/notification.ts";

const GONE = "Esta notificação não existe mais.";

/** Marks a notification as read and leads to what it is about. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const opened = await openNotification(context.get(domainContext), {
    personId: context.get(memberContext).id,
    id: params.id,
  });
  return opened
    ? redirect(opened.path)
    : await redirectWithToast(request, "/notifications", { kind: "error", message: GONE });
}
