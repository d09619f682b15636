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
 * The browser acts for a team's page until it says otherwise or is closed. The cookie opens
 * nothing: the membership is read each time.
 */
export function actingCookie(teamId: string | null): string {
  return `${NAME}=${teamId ?? ""}; Path=/; HttpOnly; Secure; SameSite=Lax${teamId === null ? "; Max-Age=0" : ""}`;
}

/**
 * For whose page the request acts: the team's that the cookie names while its membership lives,
 * else one's own. Only a request with the cookie costs a query; a cookie that opens nothing any
 * more is taken away by `cookie`.
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
 * Who acts, when their place on the page they act for permits it. For loaders: otherwise the page
 * says so, with status 403.
 */
export function requireActor({ context }: RouteContext, permission: Permission): Actor {
  const actor = context.get(actorContext);
  if (!actor.may(permission))
    throw data({ message: new TeamPermissionDenied().message }, { status: 403 });
  return actor;
}

/**
 * `requireActor` for the pages where one writes; who acts for no open page goes to open one. After
 * a refused act the form comes back with what was typed, also to who would not come to it any more:
 * it shows nothing that is not public.
 */
export function requireWriter({ context }: RouteContext, permission: Permission): Actor {
  if (context.get(actorConflictContext)) return context.get(actorContext);
  const actor = requireActor({ context }, permission);
  if (!actor.space.isCreator) throw redirect("/space/create");
  return actor;
}

/**
 * `handleForm` for what is done on a page: never for another page than the form showed (its field
 * `space`; none means one's own), and only where one's place permits it. What was typed is kept in
 * both cases. What is done for another's page is logged with who did it.
 */
export async function submitForSpace<Schema extends z.ZodType, Answer = Response>(
  { request, context }: RouteContext & { request: Request },
  permission: Permission,
  schema: Schema,
  act: (input: z.infer<Schema>, actor: Actor) => Promise<Answer>,
): Promise<Answer | DataWithResponseInit<FormProblem>> {
  return handleForm(request, schema, async (input, form) => {
    const actor = context.get(actorContext);
    const shown = form.get(SPACE_FIELD) ?? actor.member.id;
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
