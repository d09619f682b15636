import type { RouterContextProvider } from "react-router";
import { askedFilter } from "#app/domain/billing/rules/statement.ts";
import type { AskedFilter } from "#app/domain/billing/rules/statement.ts";
import type { Face } from "#app/domain/billing/schema.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import { actorWhoMay } from "#app/http/acting.server.ts";

export type AskedStatement = AskedFilter & {
  actor: Actor;
  personId: string;
  face: Face;
  cursor: string | null;
};

/**
 * Whose statement a request asks for, and what of it. Of another's page, whose money one may see,
 * only what it received: never what its owner pays others.
 */
export function askedStatement(
  routed: { context: Readonly<RouterContextProvider> },
  request: Request,
): AskedStatement {
  const actor = actorWhoMay(routed, "money:see");
  const search = new URL(request.url).searchParams;
  const asked = askedFilter(search);
  const face = actor.isOwn
    ? (asked.face ?? (actor.space.isCreator ? "received" : "paid"))
    : "received";
  const own =
    face === "paid"
      ? asked
      : {
          ...asked,
          filter: { ...asked.filter, subscription: null },
          values: { ...asked.values, subscription: "" },
        };
  return { ...own, actor, personId: actor.space.personId, face, cursor: search.get("cursor") };
}
