import { ExternalLink } from "lucide-react";
import { COMPANY, TERMS_DATE } from "#app/components/shell/company.ts";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { profileOf } from "#app/domain/profiles/queries.server.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/policies.ts";

export const meta: Route.MetaFunction = () => [{ title: "Termos e privacidade · Coreto" }];

const DOCUMENTS = [
  { to: "/terms", title: "Termos de uso", summary: "Conta, compras, arrependimento em 7 dias, o que não pode." },
  { to: "/terms/privacy", title: "Privacidade", summary: "Que dados guardamos, por quê e como pedir uma cópia ou apagar." },
  { to: "/terms/cookies", title: "Cookies", summary: "Os poucos que usamos, todos necessários." },
  { to: "/terms/creators", title: "Para quem cria", summary: "Taxa, prazos de liberação, saques, documentos." },
];

/** Creating the account is accepting: the form says so above its button. */
export async function loader({ context }: Route.LoaderArgs) {
  const profile = found(await profileOf(context.get(domainContext), { personId: context.get(memberContext).id }));
  return { acceptedAt: formatMinute(profile.createdAt) };
}

export default function Policies({ loaderData: { acceptedAt } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Termos e privacidade" lead={`Aceitos por você ao criar a conta, em ${acceptedAt}.`} />
      <Card className="overflow-hidden">
        <ul className="divide-y divide-line">
          {DOCUMENTS.map((document) => (
            <li key={document.to}>
              <a href={document.to} className="flex min-h-16 items-center gap-3 px-5 py-3 hover:bg-sand/60">
                <span className="flex min-w-0 flex-1 flex-col">
                  <span className="font-semibold">{document.title}</span>
                  <span className="text-small text-muted">{document.summary}</span>
                </span>
                <ExternalLink aria-hidden="true" className="size-5 shrink-0 text-muted" />
              </a>
            </li>
          ))}
        </ul>
      </Card>
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
