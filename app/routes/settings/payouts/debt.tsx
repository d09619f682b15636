import { Form, Link, redirect, useNavigation } from "react-router";
import { transactionKindLabel } from "#app/domain/ledger/rules/ledger-words.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { TruncatedNote } from "#app/components/ui/links/pager.tsx";
import type { TruncatedList } from "#app/domain/page.ts";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { formatMoney, typedReais } from "#app/domain/money.ts";
import { startDebtPayment } from "#app/domain/payments/debts/commands/debts.server.ts";
import { creatorDebt } from "#app/domain/payments/debts/queries/debts.server.ts";
import type { DebtReason } from "#app/domain/payments/debts/queries/debts.server.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { minimumDebtPaymentCents } from "#app/domain/payments/debts/rules.ts";
import { debtPaymentSchema } from "#app/domain/payments/schema/forms.ts";
import { formatDay } from "#app/domain/time.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { Route } from "./+types/debt.ts";

export const meta: Route.MetaFunction = () => [{ title: "A descontar · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space, isOwn } = requireActor({ context }, "money:see");
  const { owedCents, reasons, open } = await creatorDebt(ctx, { creatorId: space.personId });
  const isOpen =
    open?.status === "awaiting_payment" && open.expiresAt !== null && open.expiresAt > ctx.now();
  return {
    owedCents,
    reasons,
    openPath: isOwn && isOpen ? `/settings/transfers/debt/${open.chargeId}` : null,
    mayPay: isOwn && owedCents > 0 && isMethodOffered("pix", ctx),
    of: isOwn ? null : space.name,
  };
}

/** Starts a payment of the member's own debt. Team members cannot pay it. */
export async function action({ request, context }: Route.ActionArgs) {
  return await handleForm(request, debtPaymentSchema, async ({ amount }) => {
    const { chargeId } = await startDebtPayment(context.get(domainContext), {
      creatorId: context.get(memberContext).id,
      amountCents: amount,
    });
    return redirect(`/settings/transfers/debt/${chargeId}`, 303);
  });
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Debt({ loaderData, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const { owedCents, reasons, openPath, mayPay, of } = loaderData;
  return (
    <>
      <PageHeader title="A descontar" lead={of ? `Da página de ${of}.` : undefined} />
      <div className="flex flex-col gap-6">
        <Card as="section" label="Quanto falta" className="flex flex-col gap-3 p-5 sm:p-6">
          <Link
            to="/settings/transfers/entries?account=owed"
            className="self-start underline decoration-line decoration-2 underline-offset-[6px] hover:decoration-leaf"
          >
            <Money cents={owedCents} size="display" />
          </Link>
          <p className="text-muted">
            {owedCents === 0
              ? "Não há nada a descontar."
              : `Sai sozinho das próximas vendas: no máximo metade de cada valor que fica livre, até acabar.${mayPay ? " Se preferir receber tudo das próximas vendas, quite agora com Pix, tudo ou uma parte." : ""}`}
          </p>
          {openPath ? (
            <ButtonLink to={openPath} variant="outline" className="self-start">
              Ver o código que está aberto
            </ButtonLink>
          ) : null}
        </Card>
        <FormMessage message={actionData?.message} />
        {mayPay ? <PayForm owedCents={owedCents} problem={actionData} /> : null}
        {reasons.items.length > 0 ? <Reasons reasons={reasons} /> : null}
        <ButtonLink to="/settings/transfers" variant="ghost" className="-ml-5 self-start">
          Voltar para os saques
        </ButtonLink>
      </div>
    </>
  );
}

function PayForm({
  owedCents,
  problem,
}: {
  owedCents: LoaderData["owedCents"];
  problem: Route.ComponentProps["actionData"];
}) {
  const isBusy = useNavigation().state !== "idle";
  const leastCents = minimumDebtPaymentCents(owedCents);
  const hint =
    leastCents === owedCents
      ? "Este valor é pago inteiro."
      : `De ${formatMoney(leastCents)} a ${formatMoney(owedCents)}. Sem taxa.`;
  return (
    <Card as="section" label="Quitar com Pix" className="p-5 sm:p-6">
      <Form method="post" className="flex flex-col gap-5" noValidate>
        <TextField
          label="Quanto você quer pagar"
          name="amount"
          prefix="R$"
          inputMode="decimal"
          autoComplete="off"
          required
          hint={hint}
          defaultValue={problem?.values["amount"] ?? typedReais(owedCents)}
          error={problem?.errors["amount"]}
        />
        <Button size="lg" disabled={isBusy} className="self-start">
          Quitar com Pix
        </Button>
      </Form>
    </Card>
  );
}

function Reasons({ reasons }: { reasons: TruncatedList<DebtReason> }) {
  return (
    <section aria-labelledby="reasons" className="flex flex-col gap-3">
      <h2 id="reasons" className="text-heading">
        O que causou
      </h2>
      <Card className="p-0">
        <ul className="divide-y divide-line">
          {reasons.items.map(({ id, at, cents, kind, chargeId, description }) => (
            <li
              key={id}
              id={`motivo-${id}`}
              className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-5 py-4"
            >
              <span className="flex min-w-0 flex-col wrap-anywhere">
                {chargeId === null ? (
                  <span className="font-semibold">{transactionKindLabel(kind)}</span>
                ) : (
                  <Link
                    to={`/settings/transactions/${chargeId}`}
                    className="font-semibold underline underline-offset-4"
                  >
                    {transactionKindLabel(kind)}: {description}
                  </Link>
                )}
                <span className="text-small text-muted">{formatDay(at)}</span>
              </span>
              <Money cents={cents} />
            </li>
          ))}
        </ul>
      </Card>
      <TruncatedNote list={reasons} />
    </section>
  );
}
