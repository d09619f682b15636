import { Form, useNavigation } from "react-router";
import { FeeReport } from "#app/components/ledger/fee-report.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea, TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { TruncatedNote } from "#app/components/ui/links/pager.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import {
  providerCostsCents,
  platformFeeLines,
} from "#app/domain/ledger/statements/queries/fees.server.ts";
import {
  parseReportMonth,
  monthBounds,
  monthAfter,
  monthBefore,
  monthOf,
} from "#app/domain/ledger/months/rules/months.ts";
import { formatPercent } from "#app/domain/money.ts";
import { changeCreatorFee } from "#app/domain/payments/fees/commands/fees.server.ts";
import { FeeStartDateInvalid, FeeCreatorNotFound } from "#app/domain/payments/errors.ts";
import { recentFeeChanges } from "#app/domain/payments/fees/queries.server.ts";
import { feeChangeSchema } from "#app/domain/payments/schema/forms.ts";
import { personByUsername } from "#app/domain/profiles/queries.server.ts";
import { formatDay, parseDay, startOfDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/fees.ts";

export const meta: Route.MetaFunction = () => [{ title: "Taxas · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const month = parseReportMonth(new URL(request.url).searchParams.get("month"), ctx.now());
  const [changes, lines, costCents] = await Promise.all([
    recentFeeChanges(ctx),
    platformFeeLines(ctx, monthBounds(month)),
    providerCostsCents(ctx, monthBounds(month)),
  ]);
  return {
    platform: formatPercent(ctx.settings.feeBasisPoints),
    changes,
    lines,
    costCents,
    month,
    before: monthBefore(month),
    after: month === monthOf(ctx.now()) ? null : monthAfter(month),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return await handleForm(
    request,
    feeChangeSchema,
    async ({ username, percent, startsOn, note }) => {
      const day = parseDay(startsOn);
      if (day === null) throw new FeeStartDateInvalid();
      const creator = await personByUsername(ctx, { username });
      if (!creator) throw new FeeCreatorNotFound();
      await changeCreatorFee(ctx, {
        creatorId: creator.id,
        basisPoints: percent,
        startsAt: startOfDay(day),
        note,
        moderatorId: context.get(memberContext).id,
      });
      return await redirectWithToast(request, "/admin/fees", {
        kind: "success",
        message: `Taxa de ${creator.name} mudada. A pessoa foi avisada.`,
      });
    },
  );
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Fees({
  loaderData: { platform, changes, lines, costCents, month, before, after },
  actionData,
}: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Taxas"
        lead={`A taxa do Coreto é ${platform}. Uma pessoa pode ter a sua, a partir de um dia.`}
      />
      <div className="flex flex-col gap-6">
        <FeeReport
          month={month}
          before={before}
          after={after}
          lines={lines}
          costCents={costCents}
        />
        <Card className="p-5 sm:p-6">
          <Form
            key={changes.items[0]?.id ?? "none"}
            method="post"
            className="flex flex-col gap-5"
            noValidate
          >
            <h2 className="text-heading">Mudar a taxa de uma pessoa</h2>
            <FormMessage message={actionData?.message} />
            <TextField
              label="Nome de usuário"
              name="username"
              prefix="@"
              autoComplete="off"
              required
              defaultValue={actionData?.values.username}
              error={actionData?.errors.username}
            />
            <TextField
              label="Taxa, em %"
              name="percent"
              inputMode="decimal"
              autoComplete="off"
              required={false}
              hint={`Vazio volta para a do Coreto (${platform}).`}
              defaultValue={actionData?.values.percent}
              error={actionData?.errors.percent}
            />
            <TextField
              label="A partir do dia"
              name="startsOn"
              type="date"
              required
              hint="O que já foi vendido mantém a taxa. Um aumento vale no mínimo 30 dias depois de hoje."
              defaultValue={actionData?.values.startsOn}
              error={actionData?.errors.startsOn}
            />
            <TextArea
              label="Motivo, para a equipe"
              name="note"
              rows={2}
              limit={300}
              required
              defaultValue={actionData?.values.note}
              error={actionData?.errors.note}
            />
            <Button disabled={isBusy} className="self-start">
              Mudar taxa
            </Button>
          </Form>
        </Card>
        <Changes changes={changes} platform={platform} />
      </div>
    </>
  );
}

function Changes({ changes, platform }: Pick<LoaderData, "changes" | "platform">) {
  return (
    <section aria-labelledby="changes" className="flex flex-col gap-3">
      <h2 id="changes" className="text-heading">
        Mudanças
      </h2>
      {changes.items.length === 0 ? (
        <p className="text-muted">Todos pagam a taxa do Coreto.</p>
      ) : (
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {changes.items.map((change) => (
              <li
                key={change.id}
                className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-5 py-4"
              >
                <span className="flex min-w-0 flex-col wrap-anywhere">
                  <span className="font-semibold">{change.name ?? "Conta encerrada"}</span>
                  <span className="text-small text-muted">
                    {change.username ? `@${change.username} · ` : ""}
                    {change.note}
                  </span>
                </span>
                <span className="text-right text-small text-muted">
                  <span className="block font-semibold text-ink">
                    {change.basisPoints === null
                      ? `A do Coreto (${platform})`
                      : formatPercent(change.basisPoints)}
                  </span>
                  desde {formatDay(change.startsAt)}
                  {change.setByName ? `, por ${change.setByName}` : ""}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <TruncatedNote list={changes} />
    </section>
  );
}
