import { TERMS_DATE, useCompany } from "#app/components/shell/company.ts";
import { Card } from "#app/components/ui/card.tsx";
import { LinkList } from "#app/components/ui/links/link-list.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { acceptTerms } from "#app/domain/identity/registration/commands.server.ts";
import { termsAccepted } from "#app/domain/identity/registration/queries.server.ts";
import {
  mustAcceptTerms,
  TERMS_VERSION,
  formatTermsVersion,
} from "#app/domain/identity/registration/rules/terms.ts";
import { termsSchema } from "#app/domain/identity/registration/schema/registration.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { Form, Link, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import type { Route } from "./+types/policies.ts";

export const meta: Route.MetaFunction = () => [{ title: "Termos e privacidade · Coreto" }];

const LINKS = [
  {
    to: "/terms",
    label: "Termos de uso",
    hint: "Conta, compras, arrependimento em 7 dias, o que não pode.",
  },
  {
    to: "/terms/privacy",
    label: "Privacidade",
    hint: "Que dados guardamos, por quê e como pedir uma cópia ou apagar.",
  },
  { to: "/terms/cookies", label: "Cookies", hint: "Os poucos que usamos, todos necessários." },
  {
    to: "/terms/creators",
    label: "Para quem cria",
    hint: "Taxa, prazos de liberação, saques, documentos.",
  },
];

/**
 * Loads the terms that the person accepted at registration and later. Asks about a version that is
 * new to them.
 */
export async function loader({ context }: Route.LoaderArgs) {
  const accepted = await termsAccepted(context.get(domainContext), {
    personId: context.get(memberContext).id,
  });
  return {
    asks: mustAcceptTerms(accepted[0]?.version ?? null) ? TERMS_VERSION : null,
    accepted: accepted.map(({ version, acceptedAt }) => ({
      version,
      from: formatTermsVersion(version),
      acceptedAt: formatMinute(acceptedAt),
    })),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, termsSchema, async ({ termsVersion }) => {
    await acceptTerms(context.get(domainContext), {
      personId: context.get(memberContext).id,
      version: termsVersion,
    });
    return await redirectWithToast(request, "/settings/policies", {
      kind: "success",
      message: "Termos aceitos.",
    });
  });
}

export default function Policies({
  loaderData: { accepted, asks },
  actionData,
}: Route.ComponentProps) {
  const company = useCompany();
  const [latest, ...earlier] = accepted;
  return (
    <>
      <PageHeader
        title="Termos e privacidade"
        lead={
          latest
            ? `A versão de ${latest.from}, aceita por você em ${latest.acceptedAt}.`
            : "O que vale para quem usa o Coreto."
        }
      />
      {asks ? (
        <NewTerms
          version={asks}
          problem={actionData?.errors.termsVersion ?? actionData?.message ?? null}
        />
      ) : null}
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
        Valem a partir de {TERMS_DATE}. Você{" "}
        <Link to="/auth/account/deletion" className="text-leaf underline underline-offset-2">
          encerra a conta
        </Link>{" "}
        aqui mesmo. Para uma cópia dos seus dados ou uma correção, escreva para{" "}
        <a
          href={`mailto:${company.privacyEmail}`}
          className="text-leaf underline underline-offset-2"
        >
          {company.privacyEmail}
        </a>
        ; respondemos em até 15 dias.
      </p>
    </>
  );
}

/**
 * Asks the person to accept new terms. Without an answer everything stays open and the question
 * stays.
 */
function NewTerms({ version, problem }: { version: string; problem: string | null }) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Card as="section" label="Versão nova" className="mb-4 flex flex-col gap-4 p-5">
      <h2 className="text-heading">Há uma versão nova, de {formatTermsVersion(version)}</h2>
      <p>Leia os documentos abaixo. Ao aceitar, guardamos a versão, o dia e a hora.</p>
      <FormMessage message={problem} />
      <Form method="post">
        <input type="hidden" name="termsVersion" value={version} />
        <Button disabled={isBusy}>Aceitar os termos de {formatTermsVersion(version)}</Button>
      </Form>
    </Card>
  );
}
