import { HelpLink } from "#app/components/help/help-link.tsx";
import { Link } from "react-router";
import {
  disputeAnswerText,
  disputeKindLabel,
  disputeStateLabel,
  disputeExplanation,
} from "#app/components/payments/dispute-labels.ts";
import { EntriesTable } from "#app/components/ledger/entries-table.tsx";
import { EvidenceFiles } from "#app/components/payments/evidence-files.tsx";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { disputeBalanceLines } from "#app/domain/disputes/rules/balance.ts";
import { saleEvidenceLines } from "#app/domain/disputes/rules/sale-evidence.ts";
import { disputeStateOf, evidenceEditProblem } from "#app/domain/disputes/rules/answers.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import { canAcceptDispute } from "#app/domain/payments/providers/rules/providers.ts";
import { formatMinute } from "#app/domain/time.ts";
import { actorContext, domainContext } from "#app/http/contexts.ts";
import { loadDisputeForViewer } from "#app/http/money/dispute.server.ts";
import type { Route } from "./+types/dispute.ts";

export const meta: Route.MetaFunction = () => [{ title: "Contestação · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { side, dispute, charge, payer, answer, files, entries, evidence } =
    await loadDisputeForViewer({ context }, params.id);
  const mayAnswer =
    side === "seller" &&
    context.get(actorContext).may("disputes:answer") &&
    evidenceEditProblem(dispute, answer, ctx.now()) === null;
  const {
    id,
    kind,
    amountCents,
    feeShareCents,
    createdAt,
    settledAt,
    respondBy,
    underReviewAt,
    remindedAt,
  } = dispute;
  return {
    dispute: {
      id,
      kind,
      amountCents,
      feeShareCents,
      createdAt,
      settledAt,
      respondBy,
      underReviewAt,
      remindedAt,
      state: disputeStateOf(dispute, ctx.now()),
    },
    charge: {
      id: charge.id,
      description: charge.description,
      amountCents: charge.amountCents,
      hasRest: remainingCents(charge) > 0,
    },
    payer: { name: payer.name, username: payer.username },
    answer: answer && {
      kind: answer.kind,
      status: answer.status,
      text: answer.text,
      submittedAt: answer.submittedAt,
    },
    files: files.map((file) => ({
      id: file.id,
      kind: file.kind,
      name: file.name,
      sizeBytes: file.sizeBytes,
    })),
    balance: disputeBalanceLines(dispute, entries),
    entries: entries.filter((entry) => entry.sourceKey.startsWith(`dispute:${id}:`)),
    evidence: saleEvidenceLines(evidence),
    mayAnswer,
    mayAccept: mayAnswer && canAcceptDispute(ctx, dispute),
  };
}

type Shown = Route.ComponentProps["loaderData"];

export default function Dispute({ loaderData: detail }: Route.ComponentProps) {
  const { dispute, charge, answer, balance, entries } = detail;
  const { label, tone } = disputeStateLabel(dispute.state);
  return (
    <>
      <PageHeader title={disputeKindLabel(dispute.kind)} lead={charge.description}>
        <Badge tone={tone}>{label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Card as="section" label="O que é" className="flex flex-col gap-4 p-5 sm:p-6">
          <p>{disputeExplanation(dispute.kind)}</p>
          {dispute.amountCents < charge.amountCents ? (
            <p>
              A contestação é de <Money cents={dispute.amountCents} className="font-semibold" /> de
              um pagamento de <Money cents={charge.amountCents} className="font-semibold" />.
            </p>
          ) : null}
          <Deadline detail={detail} />
          <Acts detail={detail} />
        </Card>
        <section className="flex flex-col gap-3">
          <h2 className="text-heading">O que aconteceu com o saldo</h2>
          <Card className="flex flex-col gap-4 p-5 sm:p-6">
            <DetailList
              details={balance.map(({ label: name, cents }) => ({
                label: name,
                value: <Money cents={cents} />,
              }))}
            />
            <p className="text-muted">{meaningOf(detail)}</p>
          </Card>
          {entries.length > 0 ? (
            <details>
              <summary className="flex min-h-11 items-center font-semibold text-leaf underline underline-offset-4">
                Ver os lançamentos
              </summary>
              <EntriesTable entries={entries} caption="Lançamentos da contestação" />
            </details>
          ) : null}
        </section>
        {answer && answer.kind === "evidence" && (answer.text !== "" || detail.files.length > 0) ? (
          <Answer detail={detail} />
        ) : null}
        <section className="flex flex-col gap-3">
          <h2 className="text-heading">O que o Coreto sabe, e envia junto</h2>
          <Card className="p-5 sm:p-6">
            <ul className="flex list-disc flex-col gap-2 pl-5">
              {detail.evidence.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Card>
        </section>
        <Card className="p-5 sm:p-6">
          <DetailList details={historyOf(detail)} />
        </Card>
        <ButtonLink
          to="/settings/transactions/disputes"
          variant="ghost"
          className="-ml-5 self-start"
        >
          Voltar para as contestações
        </ButtonLink>
      </div>
      <HelpLink answer="contestacao">O que é uma contestação</HelpLink>
    </>
  );
}

function Deadline({ detail: { dispute, answer } }: { detail: Shown }) {
  const answerText = disputeAnswerText(answer?.status ?? null, {
    isAcceptance: answer?.kind === "acceptance",
  });
  return (
    <>
      {dispute.state === "needs_response" &&
      dispute.respondBy !== null &&
      (answer === null || answer.status === "draft") ? (
        <p>
          Responda até <strong>{formatMinute(dispute.respondBy)}</strong>. Sem resposta, o banco
          costuma devolver o dinheiro a quem pagou.
        </p>
      ) : null}
      {dispute.state === "too_late" && answer === null ? (
        <p>O prazo para responder acabou. Avisamos assim que o banco decidir.</p>
      ) : null}
      {answerText ? <p className="font-semibold">{answerText}</p> : null}
    </>
  );
}

function Acts({ detail: { dispute, answer, mayAnswer, mayAccept } }: { detail: Shown }) {
  if (!mayAnswer) return null;
  const path = `/settings/transactions/disputes/${dispute.id}`;
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink to={`${path}/evidence`}>
        {answer ? "Continuar a resposta" : "Responder"}
      </ButtonLink>
      {mayAccept ? (
        <ButtonLink to={`${path}/acceptance`} variant="outline">
          Aceitar a perda
        </ButtonLink>
      ) : null}
    </div>
  );
}

function Answer({ detail: { dispute, answer, files } }: { detail: Shown }) {
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-heading">A resposta</h2>
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        {answer?.text ? (
          <p dir="auto" className="whitespace-pre-line wrap-anywhere">
            {answer.text}
          </p>
        ) : null}
        {files.length > 0 ? (
          <EvidenceFiles disputeId={dispute.id} files={files} removable={false} />
        ) : null}
      </Card>
    </section>
  );
}

function meaningOf({ dispute, charge }: Shown): string {
  if (dispute.state === "won")
    return "O banco decidiu a seu favor: o que estava bloqueado voltou a ser seu.";
  if (dispute.state === "lost" && charge.hasRest)
    return "O banco devolveu esta parte a quem pagou. O resto do pagamento continua seu, e o acesso ao que foi comprado continua.";
  if (dispute.state === "lost")
    return "O banco devolveu o valor a quem pagou, e o acesso ao que foi comprado terminou.";
  return "Nada disso é perda ainda. Se você vencer, o valor volta para o seu saldo; se perder, volta a quem pagou, e a taxa do Coreto volta junto.";
}

function historyOf({ dispute, answer, charge, payer }: Shown): Detail[] {
  const at = (label: string, when: number | null) =>
    when === null ? [] : [{ label, value: formatMinute(when) }];
  return [
    { label: "Quem pagou", value: `${payer.name} (@${payer.username})` },
    {
      label: "Pagamento",
      value: (
        <Link
          to={`/settings/transactions/${charge.id}`}
          className="inline-flex min-h-11 items-center underline underline-offset-4"
        >
          Ver no extrato
        </Link>
      ),
    },
    ...at("Aberta em", dispute.createdAt),
    ...at("Lembramos você em", dispute.remindedAt),
    ...at(
      answer?.kind === "acceptance" ? "Perda aceita em" : "Respondida em",
      answer?.submittedAt ?? null,
    ),
    ...at("Em análise desde", dispute.underReviewAt),
    ...at("Decidida em", dispute.settledAt),
  ];
}
