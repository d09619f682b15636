import { COMPANY, TERMS_DATE } from "#app/components/shell/company.ts";
import { Card } from "#app/components/ui/card.tsx";
import { LinkList } from "#app/components/ui/link-list.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { termsAccepted } from "#app/domain/identity/queries/registration.server.ts";
import { termsDay } from "#app/domain/identity/rules/terms.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/policies.ts";

export const meta: Route.MetaFunction = () => [{ title: "Termos e privacidade · Coreto" }];

const LINKS = [
  { to: "/terms", label: "Termos de uso", hint: "Conta, compras, arrependimento em 7 dias, o que não pode." },
  { to: "/terms/privacy", label: "Privacidade", hint: "Que dados guardamos, por quê e como pedir uma cópia ou apagar." },
  { to: "/terms/cookies", label: "Cookies", hint: "Os poucos que usamos, todos necessários." },
  { to: "/terms/creators", label: "Para quem cria", hint: "Taxa, prazos de liberação, saques, documentos." },
];

/** What the person accepted when they registered. */
export async function loader({ context }: Route.LoaderArgs) {
  const accepted = await termsAccepted(context.get(domainContext), { personId: context.get(memberContext).id });
  return { accepted: accepted.map(({ version, acceptedAt }) => ({ version, from: termsDay(version), acceptedAt: formatMinute(acceptedAt) })) };
}

export default function Policies({ loaderData: { accepted } }: Route.ComponentProps) {
  const [latest, ...earlier] = accepted;
  return (
    <>
      <PageHeader title="Termos e privacidade" lead={latest ? `A versão de ${latest.from}, aceita por você em ${latest.acceptedAt}.` : "O que vale para quem usa o Coreto."} />
      <LinkList links={LINKS} isPublic />
      {earlier.length === 0 ? null : (
        <Card as="section" label="Versões anteriores" className="mt-4 p-5">
          <h2 className="text-heading">Versões anteriores</h2>
          <ul className="mt-2 flex flex-col gap-1 text-muted">
            {earlier.map(({ version, from, acceptedAt }) => (
              <li key={version}>
                {from}, aceita em {acceptedAt}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <p className="mt-4 text-small text-muted">
        Versão em vigor desde {TERMS_DATE}. Para uma cópia dos seus dados, correção ou encerramento da conta, escreva para{" "}
        <a href={`mailto:${COMPANY.privacyEmail}`} className="text-leaf underline underline-offset-2">
          {COMPANY.privacyEmail}
        </a>
        ; respondemos em até 15 dias.
      </p>
    </>
  );
}
