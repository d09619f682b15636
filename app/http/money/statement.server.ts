import type { RouterContextProvider } from "react-router";
import { parseStatementFilter } from "#app/domain/billing/statements/rules/statement.ts";
import type { ParsedStatementFilter } from "#app/domain/billing/statements/rules/statement.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import { requireActor } from "#app/http/acting.server.ts";

export type StatementRequestContext = ParsedStatementFilter & {
  actor: Actor;
  personId: string;
  face: StatementSide;
  cursor: string | null;
};

/**
 * Parses whose statement is requested, and its filters. For another person's page, with permission
 * for its money, only what it received: never its owner's own payments.
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
  const other =
    face === "paid" ? (["plan", "link", "item", "refunds"] as const) : (["subscription"] as const);
  const own = { ...asked, filter: { ...asked.filter }, values: { ...asked.values } };
  for (const name of other) {
    own.filter[name] = null;
    own.values[name] = "";
  }
  return { ...own, actor, personId: actor.space.personId, face, cursor: search.get("cursor") };
}
