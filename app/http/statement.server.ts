import type { RouterContextProvider } from "react-router";
import { parseStatementFilter } from "#app/domain/billing/statements/rules/statement.ts";
import type { ParsedStatementFilter } from "#app/domain/billing/statements/rules/statement.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import { requireActor } from "./acting.server.ts";

export type StatementRequestContext = ParsedStatementFilter & {
  actor: Actor;
  personId: string;
  face: StatementSide;
  cursor: string | null;
};

/**
 * Whose statement a request asks for, and what of it. Of another's page, whose money one may see,
 * only what it received: never what its owner pays others.
 */
export function parseStatementRequest(
  routed: { context: Readonly<RouterContextProvider> },
  request: Request,
): StatementRequestContext {
  const actor = requireActor(routed, "money:see");
  const search = new URL(request.url).searchParams;
  const asked = parseStatementFilter(search);
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
