import type { ReactNode } from "react";
import { Link } from "react-router";
import { Logo } from "#app/components/ui/brand/logo.tsx";
import { FlashToast } from "./flash-toast.tsx";
import type { Flash } from "./flash-toast.tsx";
import { PrintedAddress } from "./printed-address.tsx";
import { SkipLink } from "./skip-link.tsx";

/** Minimal shell for payments and documents: only a link home. */
export function BareShell({ flash, children }: { flash: Flash | null; children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-[66rem] px-4">
      <SkipLink />
      <header className="py-2.5 print:hidden">
        <Link to="/" aria-label="Coreto, início" className="inline-flex min-h-11 items-center">
          <Logo />
        </Link>
      </header>
      <main id="conteudo" tabIndex={-1} className="pt-4 pb-16 outline-none">
        <FlashToast flash={flash} />
        {children}
        <PrintedAddress />
      </main>
    </div>
  );
}
