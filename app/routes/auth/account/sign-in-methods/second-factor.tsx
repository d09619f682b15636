import { redirect } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { PasswordForm } from "#app/components/account/sign-in/password-form.tsx";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { currentPasswordSchema } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import { formatMinute } from "#app/domain/time.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { asksPassword } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { Route } from "./+types/second-factor.ts";

export const meta: Route.MetaFunction = () => [{ title: "Verificação em duas etapas · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const factor = await embedded(asked).secondFactor.ownSecondFactor();
  return {
    asksPassword: factor ? true : await asksPassword(asked, "/auth/account/second-factor"),
    factor: factor && {
      since: formatMinute(factor.since),
      backupCodesLeft: factor.backupCodesLeft,
    },
  };
}

/** Starts the activation. The next page shows the QR code. */
export async function action({ request, context }: Route.ActionArgs) {
  const { startEnrolment } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).secondFactor;
  return handleForm(request, currentPasswordSchema, async (input) => {
    await startEnrolment(input);
    return redirect("/auth/account/second-factor/activation");
  });
}

export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const { factor } = loaderData;
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title="Verificação em duas etapas"
        lead="Depois de entrar, um código que só o seu celular sabe."
      />
      <Card className="p-5 sm:p-6">
        {factor ? <On {...factor} /> : <Off {...loaderData} problem={actionData} />}
      </Card>
    </>
  );
}

function Off({
  problem,
  asksPassword: isAsked,
}: {
  problem: FormProblem | undefined;
  asksPassword: boolean;
}) {
  return (
    <PasswordForm problem={problem} act="Ligar" back="/auth/account" asksPassword={isAsked}>
      <p>
        Você vai precisar de um aplicativo de autenticação no celular, como Google Authenticator,
        Microsoft Authenticator ou o gerenciador de senhas que já usa.
      </p>
    </PasswordForm>
  );
}

function On({ since, backupCodesLeft }: { since: string; backupCodesLeft: number }) {
  return (
    <div className="flex flex-col gap-5">
      <DetailList
        details={[
          { label: "Situação", value: <Badge tone="good">Ligada</Badge> },
          { label: "Desde", value: since },
          { label: "Códigos de reserva que restam", value: String(backupCodesLeft) },
        ]}
      />
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/auth/account/second-factor/backup-codes" variant="outline">
          Gerar novos códigos de reserva
        </ButtonLink>
        <ButtonLink to="/auth/account/second-factor/deactivation" variant="outline">
          Desligar
        </ButtonLink>
      </div>
    </div>
  );
}
