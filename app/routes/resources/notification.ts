import { redirect } from "react-router";
import { openNotification } from "#app/domain/notifications/commands.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/notification.ts";

const GONE = "Esta notificação não existe mais.";

/** Marks a notification as read and leads to what it is about. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const opened = await openNotification(context.get(domainContext), {
    personId: context.get(memberContext).id,
    id: params.id,
  });
  return redirect(foundOr404(opened, GONE).path);
}
