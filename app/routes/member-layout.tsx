import { data, Outlet } from "react-router";
import { ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { MemberFrame } from "#app/components/shell/member-frame.tsx";
import { PublicError } from "#app/components/shell/errors/public-error.tsx";
import { errorMeta } from "#app/http/public-pages/error-meta.ts";
import { followAsIntended } from "#app/http/follow-intent.server.ts";
import { memberShell } from "#app/http/member-shell.server.ts";
import { visitorsToPublicPage } from "#app/http/public-pages/public-address.server.ts";
import { requireMember } from "#app/http/require-member.ts";
import { revalidateOnConflict } from "#app/http/space-field.ts";
import type { Route } from "./+types/member-layout.ts";

export const middleware: Route.MiddlewareFunction[] = [
  visitorsToPublicPage,
  requireMember,
  followAsIntended,
];

export const meta: Route.MetaFunction = errorMeta;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { shell, headers } = await memberShell({ request, context });
  return data(shell, headers ? { headers } : undefined);
}

/**
 * Skips the reload without a network. The present surroundings stay around the page that could not
 * load.
 */
export function shouldRevalidate(asked: Parameters<typeof revalidateOnConflict>[0]): boolean {
  return revalidateOnConflict(asked) && navigator.onLine;
}

export default function MemberLayout({ loaderData }: Route.ComponentProps) {
  return (
    <MemberFrame shell={loaderData}>
      <Outlet />
    </MemberFrame>
  );
}

/** Shows the error inside the layout when the member is known, so that the navigation stays. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  if (!loaderData) return <PublicError error={error} isMember />;
  return (
    <MemberFrame shell={loaderData}>
      <ErrorPage error={error} />
    </MemberFrame>
  );
}
