import { Outlet } from "react-router";
import { Tabs } from "#app/components/ui/links/tabs.tsx";
import { TERMS_DATE } from "#app/components/shell/company.ts";

const PAGES = [
  { to: "/terms", label: "Termos de uso" },
  { to: "/terms/privacy", label: "Privacidade" },
  { to: "/terms/cookies", label: "Cookies" },
  { to: "/terms/creators", label: "Para quem cria" },
];

export default function TermsLayout() {
  return (
    <div className="mx-auto w-full max-w-[720px] px-4 pt-8">
      <Tabs label="Documentos" tabs={PAGES} />
      <article className="prose-coreto pt-8">
        <Outlet />
        <p className="mt-10! border-t border-line pt-4 text-small text-muted">
          Valem a partir de {TERMS_DATE}.
        </p>
      </article>
    </div>
  );
}
