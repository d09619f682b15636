import { redirect } from "react-router";
import { z } from "zod";
import { markNotificationsUnread } from "#app/domain/notifications/commands.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/notifications-unread.ts";

const instantSchema = z.coerce.number().int().positive();

/** A form leads here, not a link: an address that somebody follows goes back to the list. */
export const loader = () => redirect("/notifications");

/** Undoes "Marcar tudo como lido". */
export async function action({ params, context }: Route.ActionArgs) {
  await markNotificationsUnread(context.get(domainContext), {
    personId: context.get(memberContext).id,
    readAt: foundOr404(instantSchema.safeParse(params.readAt).data, "Não há o que desfazer."),
  });
  return redirect("/notifications");
}
