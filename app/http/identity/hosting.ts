import type { RouterContextProvider } from "react-router";
import { actorContext } from "#app/http/contexts.ts";

/**
 * Whose comments the request can moderate: those of the page that it acts for, if the role permits
 * it, else the member's own.
 */
export function commentHostId(context: Readonly<RouterContextProvider>): string {
  const { member, space, may } = context.get(actorContext);
  return may("comments:moderate") ? space.personId : member.id;
}
