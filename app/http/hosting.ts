import type { RouterContextProvider } from "react-router";
import { actorContext } from "./contexts.ts";

/**
 * Whose posts' conversations the request may moderate: those of the page that it acts for, where
 * the place there permits it, else one's own.
 */
export function commentHostId(context: Readonly<RouterContextProvider>): string {
  const { member, space, may } = context.get(actorContext);
  return may("comments:moderate") ? space.personId : member.id;
}
