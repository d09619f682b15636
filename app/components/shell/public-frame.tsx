import type { ReactNode } from "react";
import { Link } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Logo } from "#app/components/ui/logo.tsx";
import { Footer } from "./footer.tsx";
import { SkipLink } from "./skip-link.tsx";

/** What surrounds a page that anyone may see. It knows nobody: whoever is signed in finds "Entrar" leading home. */
export function PublicFrame({ children, isMember = false }: { children: ReactNode; isMember?: boolean }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b border-line">
        <div className="mx-auto flex w-full max-w-[1112px] items-center justify-between gap-3 px-4 py-2.5">
          <Link to="/" reloadDocument aria-label="Coreto, início" className="inline-flex min-h-11 items-center">
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
  return (
    <nav aria-label="Conta" className="flex items-center gap-2">
      <ButtonLink to="/auth/login" reloadDocument variant="outline" size="sm">
        Entrar
      </ButtonLink>
      <ButtonLink to="/auth/register" reloadDocument variant="ink" size="sm">
        Criar conta
      </ButtonLink>
    </nav>
  );
}
