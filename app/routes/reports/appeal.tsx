import { data, Form, redirect, useNavigation } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { appealDecision } from "#app/domain/moderation/appeals/commands.server.ts";
import { appealPage } from "#app/domain/moderation/appeals/queries.server.ts";
import { appealProblem, appealUntil } from "#app/domain/moderation/appeals/rules.ts";
import {
  APPEAL_MAX,
  appealAddressSchema,
  appealSchema,
} from "#app/domain/moderation/appeals/schema.ts";
import { suspensionState } from "#app/domain/moderation/reports/queries.server.ts";
import {
  decisionEffectText,
  liftedBanText,
  PAST_SUSPENSION_TEXTS,
  REPORT_REASONS,
} from "#app/domain/moderation/reports/rules.ts";
import { ownSubjectText } from "#app/domain/moderation/reports/rules/subjects.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { NOINDEX_FORM_HEADERS } from "#app/http/headers/noindex.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/appeal.ts";

const GONE = "Este endereço não é de nenhuma decisão. Confira se ele veio inteiro.";

export const meta: Route.MetaFunction = () => [{ title: "Decisão da moderação · Coreto" }];

export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

/** Shows the decision to its author. Mail scanners open every link: opening changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const address = foundOr404(appealAddressSchema.safeParse(params).data, GONE);
  const { found, evidence, appeal } = foundOr404(await appealPage(ctx, address), GONE);
  const { decision, decidedAt, rule } = found;
  if (decision === null || decision === "dismiss" || decidedAt === null)
    throw data({ message: GONE }, { status: 404 });
  const subject = evidence ? ownSubjectText(evidence) : "um conteúdo seu";
  const suspendedUntil = found.suspendedUntil;
  const state = decision === "suspend" ? await suspensionState(ctx, found) : "running";
  return data(
    {
      effect:
        found.banLiftedAt !== null
          ? liftedBanText(subject)
          : state === "running"
            ? decisionEffectText(decision, { kind: found.subjectKind, subject, suspendedUntil })
            : PAST_SUSPENSION_TEXTS[state](subject),
      isReversed: found.reversedAt !== null,
      rule: rule === null ? null : REPORT_REASONS[rule].label,
      reason: found.decisionReason,
      decidedOn: formatDay(decidedAt),
      until: formatDay(appealUntil(decidedAt)),
      problem: appealProblem({ ...found, hasAppeal: appeal !== null }, ctx.now()),
      appeal: appeal && {
        text: appeal.words,
        filedOn: formatDay(appeal.createdAt),
        outcome: appeal.outcome,
        outcomeReason: appeal.outcomeReason,
      },
    },
    { headers: { ...NOINDEX_FORM_HEADERS, "Cache-Control": "private, no-store" } },
  );
}

export async function action({ request, params, context, url }: Route.ActionArgs) {
  const address = foundOr404(appealAddressSchema.safeParse(params).data, GONE);
  return await handleForm(request, appealSchema, async ({ words: text }) => {
    await appealDecision(context.get(domainContext), { ...address, text });
    return redirect(url.pathname, { status: 303, headers: NOINDEX_FORM_HEADERS });
  });
}

export default function Appeal({ loaderData: page, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  const isBusy = useNavigation().state !== "idle";
  return (
    <div className="flex flex-col gap-5">
      <h1 className="text-title">Decisão da moderação</h1>
      <Card className="flex flex-col gap-3 p-5 sm:p-6">
        <p className="wrap-anywhere">
          {page.isReversed ? "A decisão foi desfeita depois do seu recurso." : page.effect}
        </p>
        {page.rule ? (
          <p>
            <strong className="font-semibold">Regra:</strong> {page.rule}
          </p>
        ) : null}
        <p dir="auto" className="whitespace-pre-line wrap-anywhere">
          <strong className="font-semibold">Motivo:</strong> {page.reason}
        </p>
        <p className="text-small text-muted">Decidido em {page.decidedOn}.</p>
      </Card>
      {page.appeal ? <FiledAppeal appeal={page.appeal} /> : null}
      {page.problem === null ? (
        <Card className="p-5 sm:p-6">
          <Form method="post" className="flex flex-col gap-5" noValidate>
            <div className="flex flex-col gap-1">
              <h2 className="text-heading">Não concorda?</h2>
              <p className="text-muted">
                Você pode recorrer uma vez, até {page.until}. Outra pessoa da moderação decide,
                quando houver mais de uma.
              </p>
            </div>
            <FormMessage message={actionData?.message} />
            <TextArea
              label="Por que a decisão deve mudar"
              name="words"
              limit={APPEAL_MAX}
              defaultValue={actionData?.values.words}
              error={actionData?.errors.words}
            />
            <Button className="self-start" disabled={isBusy}>
              Recorrer
            </Button>
          </Form>
        </Card>
      ) : null}
      {page.problem === "too_late" ? (
        <p className="text-muted">O prazo para recorrer terminou em {page.until}.</p>
      ) : null}
    </div>
  );
}

function FiledAppeal({
  appeal,
}: {
  appeal: { text: string; filedOn: string; outcome: string | null; outcomeReason: string };
}) {
  return (
    <Card as="section" label="Seu recurso" className="flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-heading">Seu recurso, de {appeal.filedOn}</h2>
      <p dir="auto" className="whitespace-pre-line wrap-anywhere">
        {appeal.text}
      </p>
      <p role="status">
        {appeal.outcome === null
          ? "Recebemos o seu recurso. Você recebe um aviso quando ele for decidido."
          : appeal.outcome === "reversed"
            ? `Aceito: a decisão foi desfeita. ${appeal.outcomeReason}`
            : `A decisão foi mantida. ${appeal.outcomeReason}`}
      </p>
    </Card>
  );
}
