import { Form, redirect, useNavigation } from "react-router";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import {
  ACCOUNT_KIND_LABELS,
  DestinationForm,
} from "#app/components/payouts/destinations/destination-form.tsx";
import { KEY_KIND_LABELS } from "#app/components/payouts/destinations/key-masks.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { formatCnpj, maskCpf } from "#app/domain/identity/tax-ids/rules.ts";
import { payoutProviderFor } from "#app/domain/payments/providers/rules/providers.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/destinations/commands.server.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { decodeAccount } from "#app/domain/payouts/destinations/rules/accounts.ts";
import { maskDestination } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { nextScheduledPayoutAt } from "#app/domain/payouts/timeline/rules/timeline.ts";
import { withdrawalMethodSchema } from "#app/domain/payouts/destinations/schema.ts";
import type { PayoutSchedule } from "#app/domain/payouts/schema.ts";
import type { DestinationKind } from "#app/domain/payouts/schema/destinations.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import {
  refuseWithoutReauthentication,
  reauthenticationPath,
} from "#app/http/identity/account.server.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { cloudflareContext, domainContext, formSubmittedContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/withdrawal-method.ts";

export const meta: Route.MetaFunction = () => [{ title: "Para onde vai o dinheiro · Coreto" }];

const HERE = "/settings/withdrawal-method";

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const snapshot = await loadPayoutSnapshot(ctx, {
    creatorId: requireActor({ context }, "billing:manage").space.personId,
  });
  const {
    method,
    sent: { owner },
  } = snapshot;
  const takesAccounts = payoutProviderFor(ctx.payments, "transfer_to_bank_account") !== null;
  if (!method) return { method: null, takesAccounts, isHidden: false };
  const way = await reauthenticationPath(
    { env: context.get(cloudflareContext).env, ctx, request },
    HERE,
  );
  // After a refused form only the typed values are shown, and none of the saved ones.
  if (way !== null && context.get(formSubmittedContext))
    return { method: null, takesAccounts, isHidden: true };
  if (way !== null) throw redirect(way);
  const { pixKeyKind, pixKey, schedule, holdUntil } = method;
  const now = ctx.now();
  const heldUntil = holdUntil !== null && holdUntil > now ? holdUntil : null;
  return {
    method: {
      label: labelOf(pixKeyKind, pixKey),
      kind: pixKeyKind === "bank_account" ? null : pixKeyKind,
      isAccount: pixKeyKind === "bank_account",
      masked: maskDestination(pixKeyKind, pixKey),
      schedule,
      heldUntil,
    },
    arrivesAt: nextScheduledPayoutAt({
      ...snapshot,
      methodKind: pixKeyKind,
      holdUntil,
      schedule,
      now,
    }),
    takesAccounts,
    ownerMasked:
      owner === null
        ? null
        : owner.taxKind === "cpf"
          ? `CPF ${maskCpf(owner.taxId)}`
          : `CNPJ ${formatCnpj(owner.taxId)}`,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  context.set(formSubmittedContext, true);
  return await submitForSpace(
    { request, context },
    "billing:manage",
    withdrawalMethodSchema,
    async (input, { space }) => {
      const ctx = context.get(domainContext);
      if (input.form === "schedule") {
        await changeSchedule(ctx, { creatorId: space.personId, schedule: input.schedule });
        return await redirectWithToast(request, HERE, {
          kind: "success",
          message: "Agenda de saques salva.",
        });
      }
      await refuseWithoutReauthentication(
        { env: context.get(cloudflareContext).env, ctx, request },
        { path: HERE, before: "trocar para onde vai o dinheiro" },
      );
      await changeWithdrawalMethod(ctx, { creatorId: space.personId, to: input.to });
      return await redirectWithToast(request, HERE, {
        kind: "success",
        message:
          input.form === "key"
            ? "Chave Pix salva."
            : `Conta salva: ${maskDestination(input.to.kind, input.to.key)}.`,
      });
    },
  );
}

const labelOf = (kind: DestinationKind, key: string): string =>
  kind === "bank_account" ? ACCOUNT_KIND_LABELS[decodeAccount(key).kind] : KEY_KIND_LABELS[kind];
const SHOWN: readonly PayoutSchedule[] = ["weekly", "monthly", "manual"];
const SCHEDULES: Record<PayoutSchedule, { label: string; hint: string }> = {
  weekly: { label: "Toda segunda-feira", hint: "Tudo o que estiver disponível, sem taxa." },
  monthly: { label: "Todo dia 1º", hint: "Um saque por mês, sem taxa." },
  manual: { label: "Só quando eu pedir", hint: "O dinheiro espera no saldo até você sacar." },
};

export default function WithdrawalMethod({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  const { method, takesAccounts } = loaderData;
  if (method === null && loaderData.isHidden) {
    return (
      <>
        <PageHeader title="Para onde vai o dinheiro" />
        <Card className="p-5 sm:p-6">
          <DestinationForm
            problem={actionData}
            way="pix"
            kind={null}
            takesAccounts={takesAccounts}
            ownerMasked={null}
          />
        </Card>
      </>
    );
  }
  if (method === null) {
    return (
      <>
        <PageHeader title="Para onde vai o dinheiro" />
        <EmptyState
          title="Para onde vai o seu dinheiro?"
          action={<ButtonLink to="/settings/check-documents">Enviar documentos e chave</ButtonLink>}
        >
          A chave Pix vai junto com os documentos: o dinheiro só sai para quem foi reconhecido.
          {takesAccounts ? " Depois dá para trocar por uma conta bancária." : ""}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <PageHeader
        title="Para onde vai o dinheiro"
        lead={`${takesAccounts || method.isAccount ? "Uma chave Pix ou uma conta sua" : "Uma chave Pix sua"}, e quando sacar.`}
      />
      <div className="flex flex-col gap-6">
        <Card className="p-5 sm:p-6">
          <DetailList
            details={[
              { label: method.label, value: method.masked },
              ...(loaderData.arrivesAt === null
                ? []
                : [
                    {
                      label: method.isAccount
                        ? "O próximo da agenda chega em"
                        : "O próximo da agenda sai em",
                      value: formatDay(loaderData.arrivesAt),
                    },
                  ]),
              ...(method.heldUntil
                ? [{ label: "Saques voltam em", value: formatMinute(method.heldUntil) }]
                : []),
            ]}
          />
        </Card>
        <Card className="p-5 sm:p-6">
          <Form method="post" className="flex flex-col gap-5">
            <ActingField />
            <Choices
              key={method.schedule}
              legend="Sacar sozinho"
              name="schedule"
              defaultValue={method.schedule}
              error={actionData?.errors.schedule}
              options={SHOWN.map((value) => ({ value, ...SCHEDULES[value] }))}
            />
            <p className="text-small text-muted">
              O saque mínimo é R$&nbsp;10,00; o que fica parado por 30 dias pode ser sacado em
              qualquer valor.
            </p>
            <Button variant="outline" disabled={isBusy} className="self-start">
              Salvar agenda
            </Button>
          </Form>
        </Card>
        <Card className="p-5 sm:p-6">
          <DestinationForm
            problem={actionData}
            way={method.isAccount ? "account" : "pix"}
            kind={method.kind}
            takesAccounts={takesAccounts}
            ownerMasked={loaderData.ownerMasked}
          />
        </Card>
      </div>
    </>
  );
}
