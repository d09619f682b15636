import { Form, redirect, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { refundProblemText } from "#app/domain/billing/errors.ts";
import {
  refundConsequence,
  chargeRefundRecourse,
} from "#app/domain/billing/refunds/queries/refund.server.ts";
import type { RefundConsequence } from "#app/domain/billing/refunds/queries/refund.server.ts";
import { previewRefund, refundProblem } from "#app/domain/billing/refunds/rules.ts";
import type { RefundPreview } from "#app/domain/billing/refunds/rules.ts";
import { isTooOldForRefund } from "#app/domain/payments/refund-transfers/rules.ts";
import { parseRefundAmount } from "#app/domain/billing/statements/rules/statement.ts";
import { refundSchema } from "#app/domain/billing/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import {
  refuseWithoutReauthentication,
  requireReauthentication,
} from "#app/http/identity/account.server.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { cloudflareContext, domainContext, formSubmittedContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { loadTransactionForViewer } from "#app/http/money/transaction.server.ts";
import type { Route } from "./+types/transaction-refund.ts";

export const meta: Route.MetaFunction = () => [{ title: "Devolver · Coreto" }];

/**
 * Loads one of three steps. The address gives the amount, the page shows its exact effect, and then
 * the decision is asked for.
 */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireActor({ context }, "refunds:make");
  const ctx = context.get(domainContext);
  const { side, charge, payer, refunds } = await loadTransactionForViewer({ context }, params.id);
  if (side === "payer") throw redirect(`/settings/transactions/${params.id}`);
  const mostCents = remainingCents(charge);
  const problem = refundProblem(charge, refunds, { amountCents: null });
  const typed = new URL(request.url).searchParams.get("amount");
  const amount = typed === null || problem ? null : parseRefundAmount(typed, mostCents);
  // Asked before the reason is typed. After a refused form the action has asked already.
  if (amount && "cents" in amount && !context.get(formSubmittedContext))
    await requireReauthentication(
      { env: context.get(cloudflareContext).env, ctx, request },
      confirmationPath(params.id, amount.cents),
    );
  return {
    id: charge.id,
    description: charge.description,
    payerName: payer.name,
    leftCents: mostCents,
    typed,
    problem: problem && refundProblemText(problem),
    amountProblem: amount && "problem" in amount ? amount.problem : null,
    preview:
      amount && "cents" in amount
        ? previewRefund(charge, amount.cents, await chargeRefundRecourse(ctx, charge))
        : null,
    ending: await refundConsequence(ctx, charge),
    isByTransfer: isTooOldForRefund(charge, ctx.now()),
    refundId: ctx.newId(),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  context.set(formSubmittedContext, true);
  return await submitForSpace(
    { request, context },
    "refunds:make",
    refundSchema,
    async (input, { member, space }) => {
      const ctx = context.get(domainContext);
      const { side } = await loadTransactionForViewer({ context }, params.id);
      const sellerId = side === "moderation" ? null : space.personId;
      await refuseWithoutReauthentication(
        { env: context.get(cloudflareContext).env, ctx, request },
        { path: confirmationPath(params.id, input.amountCents), before: "devolver o pagamento" },
      );
      const done = await refundCharge(ctx, {
        ...input,
        sellerId,
        decidedBy: member.id,
        chargeId: params.id,
      });
      const money = formatMoney(input.amountCents);
      return await redirectWithToast(request, `/settings/transactions/${params.id}`, {
        kind: "success",
        message: DONE[done](money),
      });
    },
  );
}

/** The page that asks for the decision about this amount. It has no `&`, so that `?to=` can hold it. */
const confirmationPath = (chargeId: string, amountCents: number): string =>
  `/settings/transactions/${chargeId}/refund?amount=${(amountCents / 100).toFixed(2).replace(".", ",")}`;

const DONE: Record<Awaited<ReturnType<typeof refundCharge>>, (money: string) => string> = {
  succeeded: (money) => `Pronto: ${money} de volta para quem pagou.`,
  requested: (money) => `Pedimos a devolução de ${money}. O provedor ainda vai confirmar.`,
  awaiting_key: (money) =>
    `Pronto: ${money} separados. Pedimos a chave Pix a quem pagou, e o dinheiro vai assim que ela chegar.`,
};

export default function TransactionRefund({ loaderData, actionData }: Route.ComponentProps) {
  const { id, description, payerName, leftCents, typed, problem, amountProblem, preview } =
    loaderData;
  const back = `/settings/transactions/${id}`;
  return (
    <>
      <PageHeader title="Devolver um pagamento" lead={`${description}. Pago por ${payerName}.`} />
      <div className="flex flex-col gap-5">
        <FormMessage
          message={
            problem ??
            actionData?.message ??
            actionData?.errors.amountCents ??
            actionData?.errors.refundId
          }
          link={actionData?.link}
        />
        {problem ? (
          <ButtonLink to={back} variant="outline" className="self-start">
            Voltar
          </ButtonLink>
        ) : preview ? (
          <Confirmation
            loaderData={loaderData}
            preview={preview}
            reason={actionData?.values.reason}
            reasonError={actionData?.errors.reason}
          />
        ) : (
          <Card className="p-5 sm:p-6">
            <Form method="get" className="flex flex-col gap-5" noValidate>
              <TextField
                label="Quanto devolver"
                name="amount"
                inputMode="decimal"
                autoComplete="off"
                prefix="R$"
                defaultValue={typed ?? formatMoney(leftCents).replace(/^R\$\s/u, "")}
                error={amountProblem ?? undefined}
                hint={`Restam ${formatMoney(leftCents)} deste pagamento. Devolva tudo, ou só uma parte.`}
                maxLength={20}
              />
              <div className="flex flex-wrap gap-2">
                <Button>Ver como fica</Button>
                <ButtonLink to={back} variant="outline">
                  Não devolver
                </ButtonLink>
              </div>
            </Form>
          </Card>
        )}
      </div>
    </>
  );
}

type ConfirmationProps = {
  loaderData: Route.ComponentProps["loaderData"];
  preview: RefundPreview;
  reason: string | undefined;
  reasonError: string | undefined;
};

function Confirmation({
  loaderData: { id, refundId, ending, payerName, isByTransfer },
  preview,
  reason,
  reasonError,
}: ConfirmationProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <Card className="flex flex-col gap-5 p-5 sm:p-6">
      <DetailList details={detailsOf(preview)} />
      {isByTransfer ? (
        <p role="status" className="rounded-field bg-sand px-4 py-3">
          Este Pix tem mais de 90 dias, e o banco não deixa devolver pelo mesmo caminho. O valor sai
          do saldo agora e vai por transferência: pedimos a chave Pix a {payerName} e mandamos um
          Pix novo.
        </p>
      ) : null}
      <p className="text-muted">{meaningOf(preview, ending)}</p>
      <Form method="post" className="flex flex-col gap-5">
        <ActingField />
        {/* A form that is sent twice makes one refund. */}
        <input type="hidden" name="refundId" value={refundId} />
        <input type="hidden" name="amountCents" value={preview.amountCents} />
        <TextField
          label="Motivo"
          name="reason"
          required={false}
          limit={200}
          defaultValue={reason}
          error={reasonError}
          hint={`${payerName} lê o que você escrever.`}
        />
        <div className="flex flex-wrap gap-2">
          <Button variant="danger" disabled={isBusy}>
            Devolver {formatMoney(preview.amountCents)}
          </Button>
          <ButtonLink to={`/settings/transactions/${id}/refund`} variant="outline">
            Mudar o valor
          </ButtonLink>
        </div>
      </Form>
    </Card>
  );
}

function detailsOf({
  amountCents,
  feeCents,
  pendingCents,
  availableCents,
  owedCents,
}: RefundPreview) {
  const money = (label: string, cents: number) =>
    cents > 0 ? [{ label, value: <Money cents={cents} /> }] : [];
  return [
    { label: "Volta para quem pagou", value: <Money cents={amountCents} /> },
    ...money("O Coreto devolve da taxa", feeCents),
    ...money("Sai do que está a liberar", pendingCents),
    ...money("Sai do disponível", availableCents),
    ...money("Fica para descontar das próximas vendas", owedCents),
  ];
}

function meaningOf({ isWhole }: RefundPreview, { ends, alsoCents }: RefundConsequence): string {
  const last = "Depois de confirmada, a devolução não se desfaz.";
  if (ends === "no_access") return last;
  if (!isWhole || ends === "nothing") return `O acesso de quem pagou continua como está. ${last}`;
  if (ends === "gift")
    return `O presente deixa de valer; se alguém já o abriu, o acesso termina. ${last}`;
  if (ends === "period")
    return `A assinatura segue até o fim do que já está pago, e o que volta agora é cobrado de novo no dia dele. ${last}`;
  if (ends === "plan_change") return `A assinatura volta para o plano de antes da mudança. ${last}`;
  if (ends === "purchase") return `O acesso ao que foi comprado termina. ${last}`;
  const also =
    alsoCents > 0
      ? ` Voltam também ${formatMoney(alsoCents)} dos dias não usados de outro pagamento dela.`
      : "";
  return `A assinatura termina na hora.${also} ${last}`;
}
