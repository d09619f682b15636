import type { ReactNode } from "react";
import { data, Outlet } from "react-router";
import { ErrorPage } from "#app/components/shell/error-page.tsx";
import { MemberShell } from "#app/components/shell/member-shell.tsx";
import { PublicFrame } from "#app/components/shell/public-frame.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { unreadCount } from "#app/domain/notifications/queries.server.ts";
import { balancesOf } from "#app/domain/payouts/queries.server.ts";
import { creatorsToFollow } from "#app/domain/profiles/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { requireMember } from "#app/http/require-member.ts";
import { getToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/member-layout.ts";

export const middleware: Route.MiddlewareFunction[] = [requireMember];

const PEOPLE_SHOWN = 3;

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { id, name, username, avatarUrl, isCreator, isModerator } = context.get(memberContext);
  const [{ toast, headers }, unread, people, balances] = await Promise.all([
    getToast(request),
    unreadCount(ctx, { personId: id }),
    creatorsToFollow(ctx, { viewerId: id, limit: PEOPLE_SHOWN }),
    isCreator ? balancesOf(ctx, { creatorId: id }) : null,
  ]);
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
  if (!loaderData) {
    return (
      <PublicFrame>
        <ErrorPage error={error} />
      </PublicFrame>
    );
  }
  return (
    <Frame shell={loaderData}>
      <ErrorPage error={error} />
    </Frame>
  );
}
