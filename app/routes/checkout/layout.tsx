import { data, Outlet } from "react-router";
import { BareShell } from "#app/components/shell/bare-shell.tsx";
import { ErrorPage } from "#app/components/shell/error-page.tsx";
import { errorMeta } from "#app/http/error-meta.ts";
import { takeToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/layout.ts";

export const meta: Route.MetaFunction = errorMeta;

/** Around what is paid for, by a member or by who has no account yet: nothing but the way home. */
export async function loader({ request }: Route.LoaderArgs) {
  const { toast, headers } = await takeToast(request);
  return data({ toast }, headers ? { headers } : undefined);
}

export default function CheckoutLayout({ loaderData }: Route.ComponentProps) {
  return (
    <BareShell flash={loaderData.toast}>
      <Outlet />
    </BareShell>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <BareShell flash={null}>
      <ErrorPage error={error} />
    </BareShell>
  );
}
