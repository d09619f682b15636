import type { ReactNode } from "react";
import { data, Outlet } from "react-router";
import { DeletionNotice } from "#app/components/account/deletion-notice.tsx";
import { TermsNotice } from "#app/components/account/terms-notice.tsx";
import { ErrorPage } from "#app/components/shell/error-page.tsx";
import { MemberShell } from "#app/components/shell/member-shell.tsx";
import { PublicError } from "#app/components/shell/public-error.tsx";
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
import { actorContext, domainContext } from "#app/http/contexts.ts";
import { errorMeta } from "#app/http/public-pages/error-meta.ts";
import { followAsIntended } from "#app/http/follow-intent.server.ts";
import { visitorsToPublicPage } from "#app/http/public-pages/public-address.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import { revalidateOnConflict } from "#app/http/space-field.ts";
import { takeToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/member-layout.ts";

export const middleware: Route.MiddlewareFunction[] = [
  visitorsToPublicPage,
  requireMember,
  followAsIntended,
];

export const meta: Route.MetaFunction = errorMeta;

const PEOPLE_SHOWN = 3;

export async function loader({ request, context }: Route.LoaderArgs) {
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
    leaving: leavingAt === null ? null : leavingWords(deletionDueAt(leavingAt), ctx.now()),
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
  return data(shell, headers ? { headers } : undefined);
}

function leavingWords(dueAt: number, now: number) {
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

/**
 * Skips the reload without a network. The present surroundings stay around the page that could not
 * load.
 */
export function shouldRevalidate(asked: Parameters<typeof revalidateOnConflict>[0]): boolean {
  return revalidateOnConflict(asked) && navigator.onLine;
}

type Shell = Route.ComponentProps["loaderData"];

function Frame({ shell, children }: { shell: Shell; children: ReactNode }) {
  return (
    <MemberShell
      member={shell.member}
      acting={shell.acting}
      unread={shell.unread}
      money={shell.money}
      people={shell.people}
      flash={shell.toast}
    >
      {shell.newTermsFrom ? <TermsNotice from={shell.newTermsFrom} /> : null}
      {shell.leaving ? <DeletionNotice {...shell.leaving} /> : null}
      {children}
    </MemberShell>
  );
}

export default function MemberLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame shell={loaderData}>
      <Outlet />
    </Frame>
  );
}

/** Shows the error inside the layout when the member is known, so that the navigation stays. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (!loaderData) return <PublicError error={error} isMember />;
  return (
    <Frame shell={loaderData}>
      <ErrorPage error={error} />
    </Frame>
  );
}
