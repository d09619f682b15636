import { data, Link, Outlet, useRouteLoaderData } from "react-router";
import { FlashToast } from "#app/components/shell/flash-toast.tsx";
import { PublicError } from "#app/components/shell/errors/public-error.tsx";
import { SkipLink } from "#app/components/shell/skip-link.tsx";
import { ThemeSwitch } from "#app/components/shell/browser/theme-form.tsx";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { Logo } from "#app/components/ui/brand/logo.tsx";
import { errorMeta } from "#app/http/public-pages/error-meta.ts";
import { takeToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/layout.ts";

export const meta: Route.MetaFunction = errorMeta;

export async function loader({ request }: Route.LoaderArgs) {
  const { toast, headers } = await takeToast(request);
  return data({ toast }, headers ? { headers } : undefined);
}

export default function AuthLayout({ loaderData }: Route.ComponentProps) {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)] lg:grid-rows-1">
      <SkipLink />
      <Bandeirinhas
        seed="a praça"
        columns={16}
        rows={14}
        className="h-24 w-full lg:sticky lg:top-0 lg:h-dvh"
      />
      <div className="flex flex-col px-4 py-4">
        <header className="mx-auto flex w-full max-w-md items-center justify-between">
          <Link
            to="/"
            reloadDocument
            aria-label="Coreto, início"
            className="inline-flex min-h-11 items-center"
          >
            <Logo />
          </Link>
          <ThemeSwitch />
        </header>
        <main
          id="conteudo"
          tabIndex={-1}
          className="mx-auto flex w-full max-w-md flex-1 flex-col py-8 sm:justify-center outline-none"
        >
          <FlashToast flash={loaderData.toast} />
          <Outlet />
        </main>
        <footer className="mx-auto w-full max-w-md text-small text-muted">
          <Link
            to="/terms"
            reloadDocument
            className="inline-flex min-h-11 items-center underline underline-offset-2"
          >
            Termos de uso
          </Link>
          {" · "}
          <Link
            to="/terms/privacy"
            reloadDocument
            className="inline-flex min-h-11 items-center underline underline-offset-2"
          >
            Privacidade
          </Link>
        </footer>
      </div>
    </div>
  );
}

/** Shows an expired gift or email link. Does not ask a signed-in member to sign in. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const root = useRouteLoaderData<{ signedIn: boolean }>("root");
  return <PublicError error={error} isMember={root?.signedIn ?? false} />;
}
