import { data, Outlet } from "react-router";
import { BareShell } from "#app/components/shell/bare-shell.tsx";
import { ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { errorMeta } from "#app/http/public-pages/error-meta.ts";
import { takeToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/layout.ts";

export const meta: Route.MetaFunction = errorMeta;

/**
 * Loads the layout of the checkout, for members and for visitors without an account. It has only a
 * link home.
 */
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
