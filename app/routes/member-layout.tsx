import type { ReactNode } from "react";
import { data, isRouteErrorResponse, Outlet } from "react-router";
import { ErrorPage } from "#app/components/shell/error-page.tsx";
import { MemberShell } from "#app/components/shell/member-shell.tsx";
import { PublicError } from "#app/components/shell/public-error.tsx";
import type { Context } from "#app/domain/context.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { unreadStatement } from "#app/domain/notifications/queries.server.ts";
import { asBalances, balancesStatements } from "#app/domain/payouts/queries.server.ts";
import { creatorsToFollowStatement } from "#app/domain/profiles/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import { getToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/member-layout.ts";

export const middleware: Route.MiddlewareFunction[] = [requireMember];

/** Every page below has its own title; this one is for the page that could not come. */
export const meta: Route.MetaFunction = ({ error }) => {
  if (!error) return [];
  return [{ title: `${isRouteErrorResponse(error) && error.status === 404 ? "Página não encontrada" : "Não deu para abrir"} · Coreto` }];
};

const PEOPLE_SHOWN = 3;

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id, name, username, avatarUrl, isCreator, isModerator } = context.get(memberContext);
  const [{ toast, headers }, { unread, people, balances }] = await Promise.all([getToast(request), surroundings(ctx, { personId: id, isCreator })]);
  const shell = {
    member: { name, username, avatarUrl, isCreator, isModerator },
    toast,
    unread,
    money: balances && { availableCents: balances.availableCents, pendingCents: balances.pendingCents, releases: balances.releases },
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

/** What stands around every page, in one round trip; a creator's includes the money of today. */
async function surroundings(ctx: Context, { personId, isCreator }: { personId: string; isCreator: boolean }) {
  const unreadOf = unreadStatement(ctx, { personId });
  const toFollow = creatorsToFollowStatement(ctx, { viewerId: personId, limit: PEOPLE_SHOWN });
  if (!isCreator) {
    const [counted, people] = await ctx.db.batch([unreadOf, toFollow]);
    return { unread: counted[0]?.count ?? 0, people, balances: null };
  }
  const [counted, people, ...money] = await ctx.db.batch([unreadOf, toFollow, ...balancesStatements(ctx, { creatorId: personId })]);
  return { unread: counted[0]?.count ?? 0, people, balances: asBalances(money) };
}

/** Without a network there is nothing newer; what is there stays around the page that could not come. */
export function shouldRevalidate({ defaultShouldRevalidate }: { defaultShouldRevalidate: boolean }): boolean {
  return defaultShouldRevalidate && navigator.onLine;
}

type Shell = Route.ComponentProps["loaderData"];

function Frame({ shell, children }: { shell: Shell; children: ReactNode }) {
  return (
    <MemberShell member={shell.member} unread={shell.unread} money={shell.money} people={shell.people} flash={shell.toast}>
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

/** Keeps the person's surroundings when they are known: an error is no reason to lose one's way. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (!loaderData) return <PublicError error={error} isMember />;
  return (
    <Frame shell={loaderData}>
      <ErrorPage error={error} />
    </Frame>
  );
}
