import { Form, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { BackupCodes } from "#app/components/account/sign-in/backup-codes.tsx";
import { SecretText } from "#app/components/account/api-keys/secret-text.tsx";
import { QrCode } from "#app/components/ui/qr-code.tsx";
import type { QrDrawing } from "#app/components/ui/qr-code.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { backupCodeText } from "#app/domain/identity/sign-in/rules/second-factor.ts";
import { authenticatorCodeSchema } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { sendSecurityEmail } from "#app/http/identity/security-emails.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import type { Route } from "./+types/second-factor-activation.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Ligar a verificação em duas etapas · Coreto" },
];

/**
 * Shows the secret until its first code is accepted, and never after. Never redirects, because the
 * answer to that code must still find its page.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { waitingEnrolment } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).secondFactor;
  const waiting = await waitingEnrolment();
  return { enrolment: waiting && { drawing: qrDrawing(waiting.uri), secret: waiting.key } };
}

type TurnedOn = { codes: string[] };

export async function action({ request, context }: Route.ActionArgs) {
  const { confirmEnrolment } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).secondFactor;
  return handleForm(request, authenticatorCodeSchema, async (input): Promise<TurnedOn> => {
    const codes = await confirmEnrolment(input);
    await sendSecurityEmail(context.get(domainContext), context.get(memberContext), {
      kind: "second_factor_on",
    });
    return { codes: codes.map(backupCodeText) };
  });
}

export default function ActivateSecondFactor({
  loaderData: { enrolment },
  actionData,
}: Route.ComponentProps) {
  if (actionData && "codes" in actionData)
    return <BackupCodes title="Verificação em duas etapas ligada" codes={actionData.codes} />;
  return (
    <>
      <AccountCrumb to="/auth/account/second-factor">Verificação em duas etapas</AccountCrumb>
      {enrolment ? <Enrolment {...enrolment} problem={actionData} /> : <NothingWaits />}
    </>
  );
}

function Enrolment({
  drawing,
  secret,
  problem,
}: {
  drawing: QrDrawing;
  secret: string;
  problem: FormProblem | undefined;
}) {
  const isBusy = useNavigation().state !== "idle";
  useFirstError(problem);
  return (
    <>
      <PageHeader
        title="Aponte o celular"
        lead="No aplicativo de autenticação, adicione uma conta e leia o QR code."
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <QrCode drawing={drawing} label="QR code para o aplicativo de autenticação" />
        <div className="flex flex-col gap-2">
          <p className="text-small text-muted">
            Neste mesmo celular, ou sem câmera? Digite a chave no aplicativo:
          </p>
          <SecretText label="Chave do aplicativo" copyLabel="Copiar chave" text={secret} />
        </div>
        <Form method="post" noValidate className="flex flex-col gap-5">
          <FormMessage message={problem?.message} />
          <TextField
            label="Código de 6 dígitos"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={16}
            hint="O que o aplicativo mostra agora para o Coreto."
            error={problem?.errors.code}
          />
          <Button size="lg" disabled={isBusy} className="self-start">
            Ligar
          </Button>
        </Form>
      </Card>
    </>
  );
}

function NothingWaits() {
  return (
    <EmptyState
      title="Este QR code não vale mais"
      action={<ButtonLink to="/auth/account/second-factor">Começar de novo</ButtonLink>}
    >
      Cada QR code vale 10 minutos e serve uma vez só.
    </EmptyState>
  );
}
