import type { RouterContextProvider } from "react-router";
import { resolveActor } from "./acting.server.ts";
import { actorContext, domainContext, viewerContext } from "./contexts.ts";
import { takeToast } from "./toast.server.ts";
import type { Context } from "#app/domain/context.ts";
import { deletionDueAt } from "#app/domain/deletion/rules.ts";
import { latestTermsStatement } from "#app/domain/identity/registration/queries.server.ts";
import {
  mustAcceptTerms,
  TERMS_VERSION,
  formatTermsVersion,
} from "#app/domain/identity/registration/rules/terms.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { unreadStatement } from "#app/domain/notifications/queries.server.ts";
import { toBalances, balancesStatements } from "#app/domain/payouts/queries.server.ts";
import { creatorsToFollowStatement } from "#app/domain/profiles/queries.server.ts";
import { seatsStatement } from "#app/domain/teams/queries.server.ts";
import type { Actor } from "#app/domain/teams/rules/actor.ts";
import { formatDay } from "#app/domain/time.ts";

const PEOPLE_SHOWN = 3;

type Asked = { request: Request; context: Readonly<RouterContextProvider> };

/** Reads what surrounds every page of a member, and the headers that clear a shown toast. */
export async function memberShell({ request, context }: Asked) {
  const ctx = context.get(domainContext);
  const actor = context.get(actorContext);
  const { name, username, avatarUrl, isModerator, leavingAt } = actor.member;
  const [{ toast, headers }, { unread, people, hasTeams, terms, balances }] = await Promise.all([
    takeToast(request),
    surroundings(ctx, actor),
  ]);
  const shell = {
    member: { name, username, avatarUrl, isModerator },
    acting: {
      spaceId: actor.isOwn ? null : actor.space.personId,
      name: actor.space.name,
      isCreator: actor.space.isCreator,
      publishes: actor.may("posts:publish"),
      readsMessages: actor.may("messages:read"),
      hasTeams,
      uncompletedFeatures: ctx.settings.uncompletedFeatures,
    },
    toast,
    leaving: leavingAt === null ? null : leavingText(deletionDueAt(leavingAt), ctx.now()),
    newTermsFrom: mustAcceptTerms(terms) ? formatTermsVersion(TERMS_VERSION) : null,
    unread,
    money: balances && {
      availableCents: balances.availableCents,
      pendingCents: balances.pendingCents,
      releases: balances.releases,
      lastReleaseAt: balances.lastReleaseAt,
    },
    people: people.map((person) => ({
      id: person.id,
      username: person.username,
      name: person.name,
      craft: person.craft,
      avatarUrl: person.avatarMediaId && mediaUrl(person.avatarMediaId, "320"),
    })),
  };
  return { shell, headers };
}

/** Reads the same for a page that everybody may open; null for a visitor. */
export async function viewerShell(asked: Asked) {
  const viewer = asked.context.get(viewerContext);
  if (!viewer) return null;
  const { actor } = await resolveActor(asked.context.get(domainContext), asked.request, viewer);
  asked.context.set(actorContext, actor);
  return await memberShell(asked);
}

function leavingText(dueAt: number, now: number) {
  return { dueDay: formatDay(dueAt), mayStay: now < dueAt };
}

/**
 * Loads what surrounds every page, in one round trip. Includes today's revenue for members who can
 * see the money of the page that they act for.
 */
async function surroundings(ctx: Context, { member, space, may }: Actor) {
  const personId = member.id;
  const around = [
    unreadStatement(ctx, { personId }),
    creatorsToFollowStatement(ctx, { viewerId: personId, limit: PEOPLE_SHOWN }),
    seatsStatement(ctx, { personId }),
    latestTermsStatement(ctx, { personId }),
  ] as const;
  if (!space.isCreator || !may("money:see")) {
    const [counted, people, seats, terms] = await ctx.db.batch(around);
    return {
      unread: counted[0]?.count ?? 0,
      people,
      hasTeams: isOnOthersTeam(seats, personId),
      terms: terms[0]?.version ?? null,
      balances: null,
    };
  }
  const [counted, people, seats, terms, ...money] = await ctx.db.batch([
    ...around,
    ...balancesStatements(ctx, { creatorId: space.personId }),
  ]);
  return {
    unread: counted[0]?.count ?? 0,
    people,
    hasTeams: isOnOthersTeam(seats, personId),
    terms: terms[0]?.version ?? null,
    balances: toBalances(money),
  };
}

function isOnOthersTeam(seats: { ownerId: string }[], personId: string): boolean {
  return seats.some((seat) => seat.ownerId !== personId);
}
