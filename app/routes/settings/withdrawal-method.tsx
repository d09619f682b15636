import { Form, useNavigation } from "react-router";
import { Facts } from "#app/components/payments/facts.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { ActingField } from "#app/components/shell/acting-field.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/commands.server.ts";
import { changeSchedule } from "#app/domain/payouts/commands/schedule.server.ts";
import { withdrawalMethodOf } from "#app/domain/payouts/queries.server.ts";
import { maskPixKey } from "#app/domain/payouts/rules.ts";
import { withdrawalMethodSchema } from "#app/domain/payouts/schema.ts";
import type { PayoutSchedule } from "#app/domain/payouts/schema.ts";
import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { confirmFirst } from "#app/http/account.server.ts";
import { actorWhoMay, submittedForSpace } from "#app/http/acting.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/withdrawal-method.ts";

export const meta: Route.MetaFunction = () => [{ title: "Chave Pix e agenda · Coreto" }];

const HERE = "/settings/withdrawal-method";

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const method = await withdrawalMethodOf(ctx, { creatorId: actorWhoMay({ context }, "billing:manage").space.personId });
  if (!method) return { method: null };
  await confirmFirst({ env: context.get(cloudflareContext).env, ctx, request }, HERE);
  const { pixKeyKind, pixKey, schedule, holdUntil } = method;
  const heldUntil = holdUntil !== null && holdUntil > ctx.now() ? holdUntil : null;
  return { method: { kind: pixKeyKind, masked: maskPixKey(pixKeyKind, pixKey), schedule, heldUntil } };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submittedForSpace({ request, context }, "billing:manage", withdrawalMethodSchema, async (input, { space }) => {
    const ctx = context.get(domainContext);
    if (input.form === "schedule") {
      await changeSchedule(ctx, { creatorId: space.personId, schedule: input.schedule });
      return await redirectWithToast(request, HERE, { kind: "success", message: "Agenda de saques salva." });
    }
    await confirmFirst({ env: context.get(cloudflareContext).env, ctx, request }, HERE);
    await changeWithdrawalMethod(ctx, { creatorId: space.personId, pixKey: input.pixKey });
    return await redirectWithToast(request, HERE, { kind: "success", message: "Chave Pix salva." });
  });
}

const KIND_WORDS: Record<PixKeyKind, string> = { cpf: "CPF", cnpj: "CNPJ", email: "E-mail", phone: "Celular", evp: "Chave aleatória" };
const SHOWN: readonly PayoutSchedule[] = ["weekly", "monthly", "manual"];
const SCHEDULES: Record<PayoutSchedule, { label: string; hint: string }> = {
  weekly: { label: "Toda segunda-feira", hint: "Tudo o que estiver disponível, sem taxa." },
  monthly: { label: "Todo dia 1º", hint: "Um saque por mês, sem taxa." },
  manual: { label: "Só quando eu pedir", hint: "O dinheiro espera no saldo até você sacar." },
};

export default function WithdrawalMethod({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  const { method } = loaderData;
  if (!method) {
    return (
      <>
        <PageHeader title="Chave Pix" />
        <EmptyState title="Para onde vai o seu dinheiro?" action={<ButtonLink to="/settings/check-documents">Enviar documentos e chave</ButtonLink>}>
          A chave Pix vai junto com os documentos: o dinheiro só sai para quem foi reconhecido.
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Chave Pix e agenda" lead="Para onde vão os seus saques, e quando." />
      <div className="flex flex-col gap-6">
        <Card className="p-5 sm:p-6">
          <Facts
            facts={[
              { label: KIND_WORDS[method.kind], value: method.masked },
              ...(method.heldUntil ? [{ label: "Saques voltam em", value: formatMinute(method.heldUntil) }] : []),
            ]}
          />
        </Card>
        <Card className="p-5 sm:p-6">
          <Form method="post" className="flex flex-col gap-5">
            <ActingField />
            <Choices key={method.schedule} legend="Sacar sozinho" name="schedule" defaultValue={method.schedule} error={actionData?.errors.schedule} options={SHOWN.map((value) => ({ value, ...SCHEDULES[value] }))} />
            <p className="text-small text-muted">O saque mínimo é R$&nbsp;10,00; o que fica parado por 30 dias sai em qualquer valor.</p>
            <Button variant="outline" disabled={isBusy} className="self-start">
              Salvar agenda
            </Button>
          </Form>
        </Card>
        <Card className="p-5 sm:p-6">
          <Form method="post" className="flex flex-col gap-5" noValidate>
            <FormMessage message={actionData?.message} />
            <TextField
              label="Chave Pix"
              name="pixKey"
              autoComplete="off"
              maxLength={77}
              required
              defaultValue={actionData?.values.pixKey}
              error={actionData?.errors.pixKey}
              hint="CPF ou CNPJ dos seus documentos, e-mail, celular com DDD ou chave aleatória: descobrimos qual é."
            />
            <p className="text-small text-muted">Por segurança, depois da troca os saques esperam 24 horas.</p>
            <Button size="lg" disabled={isBusy} className="self-start">
              Trocar chave
            </Button>
          </Form>
        </Card>
      </div>
    </>
  );
}
