import { data, redirect } from "react-router";
import type {
  RouterContextProvider,
  UNSAFE_DataWithResponseInit as DataWithResponseInit,
} from "react-router";
import type { z } from "zod";
import type { Context } from "#app/domain/context.ts";
import type { Member } from "#app/domain/identity/schema.ts";
import { ActingPageChanged, TeamPermissionDenied } from "#app/domain/teams/errors.ts";
import { activeSeat } from "#app/domain/teams/queries.server.ts";
import type { Permission } from "#app/domain/teams/rules.ts";
import { ownActor, actorPageLabel, teamActor } from "#app/domain/teams/rules/actor.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import { actorContext, domainContext, actorConflictContext } from "./contexts.ts";
import { requestCookie } from "#app/lib/cookies.ts";
import { handleForm } from "./form.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { SPACE_FIELD } from "./space-field.ts";

const NAME = "__Host-coreto-acting";
const TEAM_ID = /^[0-9a-f]{32}$/;

/**
 * Stores for which team's page the browser acts, until it changes or the browser is closed. The
 * cookie grants nothing: the membership is read each time.
 */
export function actingCookie(teamId: string | null): string {
  return `${NAME}=${teamId ?? ""}; Path=/; HttpOnly; Secure; SameSite=Lax${teamId === null ? "; Max-Age=0" : ""}`;
}

/**
 * Resolves for whose page the request acts: the team of the cookie while its membership is valid,
 * else the member's own. Only a request with the cookie costs a query; `cookie` clears one that is
 * no longer valid.
 */
export async function resolveActor(
  ctx: Context,
  request: Request,
  member: Member,
): Promise<{ actor: Actor; cookie: string | null }> {
  const teamId = requestCookie(request, NAME);
  if (!teamId) return { actor: ownActor(member), cookie: null };
  const seat = TEAM_ID.test(teamId) ? await activeSeat(ctx, { teamId, personId: member.id }) : null;
  return seat
    ? { actor: teamActor(member, seat), cookie: null }
    : { actor: ownActor(member), cookie: actingCookie(null) };
}

type RouteContext = { context: Readonly<RouterContextProvider> };

/**
 * The actor, if their role on the page permits it. For loaders: otherwise the page says so, with
 * status 403.
 */
export function requireActor({ context }: RouteContext, permission: Permission): Actor {
  const actor = context.get(actorContext);
  if (!actor.may(permission))
    throw data({ message: new TeamPermissionDenied().message }, { status: 403 });
  return actor;
}

/**
 * `requireActor` for pages with a form. An actor without an open page is redirected to open one.
 * After a refused action the form is shown again as typed, even to an actor who can no longer open
 * it: it shows nothing private.
 */
export function requireWriter({ context }: RouteContext, permission: Permission): Actor {
  if (context.get(actorConflictContext)) return context.get(actorContext);
  const actor = requireActor({ context }, permission);
  if (!actor.space.isCreator) throw redirect("/space/create");
  return actor;
}

/**
 * `handleForm` for an action on a page. Refuses another page than the form's field `space` names,
 * and a role without permission. The input is kept in both cases. Without that field the form is
 * for the member's own page, or for the page that they act for (`unnamed`): what a device shares
 * comes from no page of ours. An action on another person's page is logged with its actor.
 */
export async function submitForSpace<Schema extends z.ZodType, Answer = Response>(
  { request, context }: RouteContext & { request: Request },
  permission: Permission,
  schema: Schema,
  act: (input: z.infer<Schema>, actor: Actor) => Promise<Answer>,
  { unnamed = "own" }: { unnamed?: "own" | "acting" } = {},
): Promise<Answer | DataWithResponseInit<FormProblem>> {
  return handleForm(request, schema, async (input, form) => {
    const actor = context.get(actorContext);
    const shown =
      form.get(SPACE_FIELD) ?? (unnamed === "own" ? actor.member.id : actor.space.personId);
    const refusal =
      shown !== actor.space.personId
        ? new ActingPageChanged(actorPageLabel(actor))
        : actor.may(permission)
          ? null
          : new TeamPermissionDenied();
    if (refusal) {
      context.set(actorConflictContext, true);
      throw refusal;
    }
    const answer = await act(input, actor);
    if (!actor.isOwn)
      context.get(domainContext).log("teams.acted", {
        permission,
        spaceId: actor.space.personId,
        personId: actor.member.id,
      });
    return answer;
  });
}
