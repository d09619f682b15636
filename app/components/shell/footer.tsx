import { Link } from "react-router";
import { LogoMark } from "#app/components/ui/brand/logo.tsx";
import { useCompanyIfKnown } from "./company.ts";
import { PublicThemeSwitch } from "./browser/theme-form.tsx";

const LINKS = [
  { to: "/ajuda", label: "Ajuda" },
  { to: "/terms", label: "Termos de uso" },
  { to: "/terms/privacy", label: "Privacidade" },
  { to: "/terms/cookies", label: "Cookies" },
  { to: "/terms/creators", label: "Para quem cria" },
];

export function Footer() {
  const company = useCompanyIfKnown();
  return (
    <footer className="mt-12 border-t border-line">
      <div className="mx-auto flex w-full max-w-[1112px] flex-col gap-4 px-4 py-8 text-small text-muted md:flex-row md:items-end md:justify-between">
        <div className="flex flex-col gap-2">
          <nav aria-label="Rodapé" className="-ml-2 flex flex-wrap">
            {LINKS.map((link) => (
              <Link
                key={link.to}
                to={link.to}
                reloadDocument
                className="inline-flex min-h-11 items-center px-2 hover:text-ink hover:underline"
              >
                {link.label}
              </Link>
            ))}
          </nav>
          {company ? (
            <p>
              {company.name} · CNPJ {company.cnpj}
              <br />
              {company.address} ·{" "}
              <a href={`mailto:${company.email}`} className="underline underline-offset-2">
                {company.email}
              </a>
            </p>
          ) : null}
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
          <a
            href="/"
            className="inline-flex min-h-11 items-center gap-2 font-semibold text-ink hover:underline"
          >
            <LogoMark className="size-6" />
            Feito no Coreto
          </a>
          <PublicThemeSwitch />
        </div>
      </div>
    </footer>
  );
}
