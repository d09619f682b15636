import type { ReactNode } from "react";
import { Form, Link, useNavigation } from "react-router";
import { z } from "zod";
import {
  KIND_HINTS,
  DIFFERENCE_KIND_LABELS,
  RECONCILED_OBJECT_LABELS,
  differenceBadge,
  DIFFERENCE_STATE_LABELS,
} from "#app/components/reconciliation/difference-labels.ts";
import { ExplanationForm } from "#app/components/reconciliation/explanation-form.tsx";
import { DifferenceSides } from "#app/components/reconciliation/difference-sides.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import {
  rejectExplanation,
  explainDifference,
} from "#app/domain/reconciliation/commands/explain.server.ts";
import { differenceDetail } from "#app/domain/reconciliation/queries/differences.server.ts";
import { needsSecondApproval } from "#app/domain/reconciliation/rules/explanations.ts";
import { explanationSchema } from "#app/domain/reconciliation/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/reconciliation-difference.ts";

const LIST = "/admin/reconciliation";

export const meta: Route.MetaFunction = () => [{ title: "Diferença · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const detail = foundOr404(
    await differenceDetail(ctx, {
      differenceId: params.id,
      viewerId: context.get(memberContext).id,
    }),
    "Não encontramos esta diferença.",
  );
  const limitCents = ctx.settings.payoutApprovalCents;
  return {
    ...detail,
    forTwo: needsSecondApproval(detail.difference, limitCents) ? { limitCents } : null,
  };
}

const answerSchema = explanationSchema.extend({
  lastSeenAt: z.coerce.number().int(),
  act: z.enum(["explain", "dismiss"]),
});

const DONE = {
  explained: "Anotado: a diferença está explicada.",
  asked: "Anotado. Outra pessoa da moderação precisa concordar.",
  dismissed: "Anotado: a explicação foi retirada.",
} as const;

/** Explains the difference, or rejects an explanation. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return await handleForm(request, answerSchema, async ({ act, ...explanation }) => {
    const explaining = {
      ...explanation,
      differenceId: params.id,
      moderatorId: context.get(memberContext).id,
    };
    const done =
      act === "explain"
        ? await explainDifference(ctx, { ...explaining, moderatorIds: await moderatorIds(ctx) })
        : await rejectExplanation(ctx, explaining);
    return await redirectWithToast(request, LIST, { kind: "success", message: DONE[done] });
  });
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function ReconciliationDifference({ loaderData, actionData }: Route.ComponentProps) {
  const { difference, notes, concerned, isSide, asked, forTwo } = loaderData;
  const to = wayTo(concerned);
  const isBusy = useNavigation().state !== "idle";
  const isOpen = difference.state === "open";
  return (
    <>
      <PageHeader
        title={`${RECONCILED_OBJECT_LABELS[difference.object]}: ${DIFFERENCE_KIND_LABELS[difference.kind].toLowerCase()}`}
        lead={isOpen ? KIND_HINTS[difference.kind] : overText(loaderData)}
      >
        <Badge tone={differenceBadge(difference).tone}>{differenceBadge(difference).label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <DifferenceSides
          object={difference.object}
          ours={difference.ours}
          theirs={difference.theirs}
          provider={difference.provider}
          to={to}
        />
        <DifferenceDetails difference={difference} to={to} />
        {notes.length > 0 ? <Notes notes={notes} /> : null}
        {isOpen ? (
          <div className="grid gap-6 lg:grid-cols-2">
            <Card className="flex flex-col items-start gap-3 p-5 sm:p-6">
              <h2 className="text-heading">Perguntar de novo</h2>
              <p className="text-muted">
                O provedor diz como está agora, e o que for certo é aplicado na hora.
              </p>
              <Form method="post" action={`${LIST}/${difference.id}/ask`}>
                <Button variant="outline" disabled={isBusy}>
                  Perguntar ao provedor
                </Button>
              </Form>
            </Card>
            {isSide ? (
              <p className="text-muted">
                Esta diferença é de um dinheiro seu, ou da página em cuja equipe você trabalha:
                outra pessoa da moderação explica.
              </p>
            ) : (
              <ExplanationForm
                lastSeenAt={difference.lastSeenAt}
                asked={asked}
                forTwo={forTwo}
                problem={actionData}
              />
            )}
          </div>
        ) : null}
        <ButtonLink to={LIST} variant="ghost" className="-ml-5 self-start">
          Voltar para a conciliação
        </ButtonLink>
      </div>
    </>
  );
}

/** Returns the path of our charge or payout that the difference is about. Null if there is none. */
function wayTo(concerned: LoaderData["concerned"]): string | null {
  if (concerned?.chargeId) return `/settings/transactions/${concerned.chargeId}`;
  return concerned?.payoutId ? `/admin/payouts/${concerned.payoutId}` : null;
}

function overText({
  difference: { state, resolvedAt, lastSeenAt },
  explainedBy,
}: LoaderData): string {
  const over = `${DIFFERENCE_STATE_LABELS[state].label} em ${formatMinute(resolvedAt ?? lastSeenAt)}`;
  const [first, second] = explainedBy.map((name) => name ?? "alguém da equipe");
  if (first === undefined) return `${over}.`;
  return second === undefined
    ? `${over}, por ${first}.`
    : `${over}, por ${first}, e ${second} concordou.`;
}

function DifferenceDetails({
  difference,
  to,
}: Pick<LoaderData, "difference"> & { to: string | null }) {
  const { objectId, ourId, reference, gapCents, isMoney, firstSeenAt, lastSeenAt } = difference;
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      <Fact term="Código no provedor">
        <code className="text-small break-all">{objectId}</code>
      </Fact>
      <Fact term="Código aqui">
        <OurCode code={ourId ?? reference} to={to} />
      </Fact>
      <Fact term="Dinheiro em jogo">
        {isMoney && gapCents !== 0 ? (
          <>
            <MoneyLink to={to} cents={Math.abs(gapCents)} isTotal={to === null} /> a mais{" "}
            {gapCents > 0 ? "aqui do que no provedor" : "no provedor do que aqui"}
          </>
        ) : isMoney ? (
          "Nenhum a mais de um lado"
        ) : (
          "Nenhum se moveu"
        )}
      </Fact>
      <Fact term="Vista">
        {formatMinute(firstSeenAt)}, e de novo em {formatMinute(lastSeenAt)}
      </Fact>
    </dl>
  );
}

function OurCode({ code, to }: { code: string | null; to: string | null }) {
  const shown = code ? (
    <code className="text-small break-all">{code}</code>
  ) : to === null ? (
    "Sem referência nossa"
  ) : (
    "Ver o que é"
  );
  if (to === null) return shown;
  return (
    <Link to={to} className="inline-flex min-h-11 items-center underline underline-offset-4">
      {shown}
    </Link>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-col">
      <dt className="text-small text-muted">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Notes({ notes }: Pick<LoaderData, "notes">) {
  return (
    <section aria-labelledby="notes" className="flex flex-col gap-3">
      <h2 id="notes" className="text-heading">
        O que foi anotado
      </h2>
      <ul className="flex flex-col gap-3">
        {notes.map((one) => (
          <li key={one.id} className="flex flex-col">
            <p dir="auto" className="wrap-anywhere whitespace-pre-line">
              {one.note}
            </p>
            <p className="text-small text-muted">
              {one.writtenBy ?? "Alguém da equipe"}, em {formatMinute(one.createdAt)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
