import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { BackupCodes } from "#app/components/account/sign-in/backup-codes.tsx";
import { PasswordForm } from "#app/components/account/sign-in/password-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { backupCodeText } from "#app/domain/identity/sign-in/rules/second-factor.ts";
import { currentPasswordSchema } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { sendSecurityEmail } from "#app/http/identity/security-emails.server.ts";
import { asksPassword } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { Route } from "./+types/second-factor-backup-codes.ts";

export const meta: Route.MetaFunction = () => [{ title: "Novos códigos de reserva · Coreto" }];

type Renewed = { codes: string[] };

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return { asksPassword: await asksPassword(asked, "/auth/account/second-factor/backup-codes") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { renewBackupCodes } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).secondFactor;
  return handleForm(request, currentPasswordSchema, async (input): Promise<Renewed> => {
    const codes = await renewBackupCodes(input);
    await sendSecurityEmail(context.get(domainContext), context.get(memberContext), {
      kind: "backup_codes_renewed",
    });
    return { codes: codes.map(backupCodeText) };
  });
}

export default function RenewBackupCodes({ loaderData, actionData }: Route.ComponentProps) {
  if (actionData && "codes" in actionData)
    return <BackupCodes title="Novos códigos de reserva" codes={actionData.codes} />;
  return (
    <>
      <AccountCrumb to="/auth/account/second-factor">Verificação em duas etapas</AccountCrumb>
      <PageHeader
        title="Gerar novos códigos de reserva?"
        lead="Os antigos deixam de abrir a conta."
      />
      <Card className="p-5 sm:p-6">
        <PasswordForm
          problem={actionData}
          act="Gerar códigos"
          back="/auth/account/second-factor"
          asksPassword={loaderData.asksPassword}
        />
      </Card>
    </>
  );
}
