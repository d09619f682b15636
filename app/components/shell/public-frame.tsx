import type { ReactNode } from "react";
import { Link, useLocation, useRouteLoaderData } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Logo } from "#app/components/ui/brand/logo.tsx";
import { Footer } from "./footer.tsx";
import { SkipLink } from "./skip-link.tsx";

/** Frame of a public page. It has no session: "Entrar" leads a signed-in visitor home. */
export function PublicFrame({
  children,
  isMember = false,
}: {
  children: ReactNode;
  isMember?: boolean;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b border-line">
        <div className="mx-auto flex w-full max-w-[1112px] items-center justify-between gap-3 px-4 py-2.5">
          <Link
            to="/"
            reloadDocument
            aria-label="Coreto, início"
            className="inline-flex min-h-11 items-center"
          >
            <Logo />
          </Link>
          {isMember ? null : <AccountLinks />}
        </div>
      </header>
      <main id="conteudo" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer />
    </div>
  );
}

function AccountLinks() {
  const search = useWayBack();
  return (
    <nav
      aria-label="Conta"
      className="flex shrink-0 items-center gap-2 *:whitespace-nowrap max-[22.5rem]:gap-1 max-[22.5rem]:*:px-3"
    >
      <ButtonLink to={`/auth/login${search}`} reloadDocument variant="outline" size="sm">
        Entrar
      </ButtonLink>
      <ButtonLink to={`/auth/register${search}`} reloadDocument variant="ink" size="sm">
        Criar conta
      </ButtonLink>
    </nav>
  );
}

/** Sign-in path that returns a visitor of a profile to that profile as a member. */
function useWayBack(): string {
  const { pathname } = useLocation();
  const space = useRouteLoaderData("routes/public/space");
  return space
    ? `?${new URLSearchParams({ to: pathname.replace(/\/public\/?$/, "") }).toString()}`
    : "";
}
