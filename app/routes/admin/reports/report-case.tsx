import { AppealForm, CaseActionForm, DecisionForm } from "#app/components/reports/case-forms.tsx";
import {
  AuthorHistory,
  CaseLog,
  EvidencePair,
  ReportLines,
} from "#app/components/reports/case-parts.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { decideCase } from "#app/domain/moderation/reports/commands/decide.server.ts";
import { caseDecisionSchema } from "#app/domain/moderation/reports/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { loadCase } from "./load-case.server.ts";
import type { LoadedCase } from "./load-case.server.ts";
import type { Route } from "./+types/report-case.ts";

export const meta: Route.MetaFunction = () => [{ title: "Caso · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  return foundOr404(
    await loadCase(context.get(domainContext), {
      caseId: params.id,
      moderatorId: context.get(memberContext).id,
    }),
    "Não encontramos este caso.",
  );
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, caseDecisionSchema, async (decision) => {
    await decideCase(context.get(domainContext), {
      caseId: params.id,
      moderatorId: context.get(memberContext).id,
      ...decision,
    });
    return await redirectWithToast(request, "/admin/reports", {
      kind: "success",
      message: "Decidido. As pessoas foram avisadas.",
    });
  });
}

export default function ReportCase({ loaderData: found, actionData }: Route.ComponentProps) {
  useFirstError(actionData);
  return (
    <>
      <PageHeader
        title={found.title}
        lead={
          <>
            {found.isUrgent ? "Urgente: exploração de criança ou adolescente · " : ""}
            {found.author ? `de ${found.author.name} (@${found.author.username}) · ` : ""}
            {found.summary}
          </>
        }
      >
        {found.author ? (
          <ButtonLink to={`/space/${found.author.username}`} variant="outline" size="sm">
            Ver a página
          </ButtonLink>
        ) : null}
      </PageHeader>
      <div className="flex flex-col gap-4">
        <EvidencePair
          before={found.before}
          beforeWhen={found.beforeWhen}
          now={found.current}
          nowState={found.currentState}
        />
        <ReportLines reports={found.reports} total={found.reportsCount} />
        <AuthorHistory history={found.history} />
        <CaseLog log={found.log} />
        {found.decided ? <Decided decided={found.decided} /> : null}
        {found.appeal ? <Appealed found={found} appeal={found.appeal} /> : null}
        {found.isParty ? (
          <p className="text-muted">Você é parte deste caso: outra pessoa da moderação decide.</p>
        ) : (
          <Acts found={found} problem={actionData} />
        )}
      </div>
    </>
  );
}

function Acts({
  found,
  problem,
}: {
  found: LoadedCase;
  problem: Route.ComponentProps["actionData"];
}) {
  const path = `/admin/reports/${found.id}`;
  if (found.claim === "decided") return null;
  if (found.claim === "other")
    return <p className="text-muted">{found.claimedByName ?? "Outra pessoa"} assumiu este caso.</p>;
  if (found.claim === "free")
    return (
      <Card as="section" label="Assumir o caso" className="flex flex-col gap-4 p-5 sm:p-6">
        <h2 className="text-heading">Assumir o caso</h2>
        <p className="text-muted">Por um dia, só você decide. Depois ele volta para a fila.</p>
        <CaseActionForm action={`${path}/claim`} version={found.version} button="Assumir" />
      </Card>
    );
  return (
    <>
      <DecisionForm
        version={found.version}
        reportsSeen={found.reportsCount}
        kind={found.kind}
        decisions={found.decisions}
        suggestedRule={found.suggestedRule}
        problem={problem}
      />
      <Card as="section" label="Soltar o caso" className="flex flex-col gap-4 p-5 sm:p-6">
        <h2 className="text-heading">Soltar o caso</h2>
        <p className="text-muted">Ele volta para a fila, e outra pessoa pode assumir.</p>
        <CaseActionForm action={`${path}/release`} version={found.version} button="Soltar" />
      </Card>
    </>
  );
}

function Decided({ decided }: { decided: NonNullable<LoadedCase["decided"]> }) {
  return (
    <Card as="section" label="Decisão" className="flex flex-col gap-2 p-5">
      <h2 className="text-heading">
        {decided.done}
        {decided.isReversed ? ", e desfeito por um recurso" : ""}
      </h2>
      {decided.rule ? <p>Regra: {decided.rule}</p> : null}
      <p dir="auto" className="whitespace-pre-line wrap-anywhere">
        {decided.reason}
      </p>
      {decided.suspendedUntil ? <p>Até {decided.suspendedUntil}.</p> : null}
    </Card>
  );
}

function Appealed({
  found,
  appeal,
}: {
  found: LoadedCase;
  appeal: NonNullable<LoadedCase["appeal"]>;
}) {
  return (
    <Card as="section" label="Recurso" className="flex flex-col gap-4 p-5 sm:p-6">
      <h2 className="text-heading">Recurso, de {appeal.when}</h2>
      <p dir="auto" className="whitespace-pre-line wrap-anywhere">
        {appeal.words}
      </p>
      {appeal.outcome === null && !found.isParty ? (
        <AppealForm action={`/admin/reports/${found.id}/appeal`} />
      ) : null}
    </Card>
  );
}
