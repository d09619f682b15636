import { DifferenceList } from "#app/components/reconciliation/difference-list.tsx";
import { DifferenceSides } from "#app/components/reconciliation/difference-sides.tsx";
import { ExplanationForm } from "#app/components/reconciliation/explanation-form.tsx";
import { OurObjectLink } from "#app/components/reconciliation/our-object-link.tsx";
import { CaseActionPage } from "#app/components/reports/case-action-page.tsx";
import { AppealForm, DecisionForm } from "#app/components/reports/case-forms.tsx";
import {
  AuthorHistory,
  CaseLog,
  EvidencePair,
  ReportLines,
} from "#app/components/reports/case-parts.tsx";
import { IssuerMissing } from "#app/components/ledger/issuer-missing.tsx";
import { MonthHeading } from "#app/components/ledger/month-heading.tsx";
import { PlatformForm } from "#app/components/ledger/platform-form.tsx";
import { PlatformMoneyMoves, WithdrawalList } from "#app/components/ledger/platform-money.tsx";
import { WriteOff } from "#app/components/ledger/write-off.tsx";
import { BatchStates } from "#app/components/payouts/batches/batch-states.tsx";
import { DocumentPhotos } from "#app/components/payouts/documents/document-photos.tsx";
import { DocumentRegistry } from "#app/components/payouts/documents/document-registry.tsx";
import {
  DocumentViews,
  SameCpfAccounts,
} from "#app/components/payouts/documents/document-review.tsx";
import { ReviewList } from "#app/components/payouts/reviews/review-list.tsx";
import { StaffActionList } from "#app/components/payouts/reviews/staff-actions.tsx";
import {
  ReasonedActionForm,
  StaffActionButton,
} from "#app/components/payouts/reviews/staff-review-forms.tsx";
import type { Evidence } from "#app/domain/moderation/reports/schema.ts";
import { differenceKinds } from "#app/domain/reconciliation/schema.ts";
import {
  DAY_MS,
  LONG_NAME,
  LONG_WORD,
  NOW,
  problem,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const evidence: Evidence = {
  kind: "comment",
  body: LONG_WORD,
  postId: "a",
  postTitle: LONG_NAME,
  editedAt: null,
};
const side = { status: "succeeded", amountCents: 1_990, backCents: 0 };

export const STAFF: GalleryScreen = {
  slug: "staff",
  title: "Equipe do Coreto",
  parts: [
    {
      name: "Denúncias de um caso",
      element: (
        <ReportLines
          total={2}
          reports={[
            {
              id: "a",
              reason: "Assédio",
              details: LONG_WORD,
              reporter: LONG_NAME,
              when: "há 2 h",
              copy: null,
            },
          ]}
        />
      ),
    },
    {
      name: "Antes e agora",
      element: (
        <EvidencePair before={evidence} beforeWhen="há 2 h" now={null} nowState="Foi apagado." />
      ),
      isWide: true,
    },
    {
      name: "Histórico, e nenhum",
      element: (
        <div className="flex flex-col gap-4">
          <AuthorHistory
            history={[{ id: "a", title: "Aviso", when: "3 de março", isReversed: true }]}
          />
          <AuthorHistory history={[]} />
        </div>
      ),
    },
    {
      name: "Registro",
      element: (
        <CaseLog
          log={[{ id: "a", act: "Aviso", by: "Carla", reason: LONG_WORD, when: "há 1 h" }]}
        />
      ),
    },
    {
      name: "Decisão, com erro",
      element: (
        <DecisionForm
          version={1}
          reportsSeen={2}
          kind="comment"
          decisions={["dismiss", "hide", "warn"]}
          suggestedRule="harassment"
          problem={problem({ reason: "Escreva o motivo." })}
        />
      ),
    },
    { name: "Recurso", element: <AppealForm action="/appeal/a" /> },
    {
      name: "Assumir um caso",
      element: (
        <CaseActionPage
          title="Assumir o caso"
          caseId="a"
          act="claim"
          version={1}
          button="Assumir"
        />
      ),
    },
    {
      name: "Diferenças da conciliação",
      element: (
        <DifferenceList
          rows={differenceKinds.map((kind) => ({
            id: kind,
            provider: "sandbox",
            object: "charge",
            kind,
            state: "open",
            isAsked: false,
            ours: kind === "ours_missing" ? null : side,
            theirs: kind === "theirs_missing" ? null : { ...side, amountCents: 2_000 },
            isMoney: true,
            gapCents: 10,
            firstSeenAt: NOW,
          }))}
        />
      ),
      isWide: true,
    },
    { name: "Nenhuma diferença", element: <DifferenceList rows={[]} /> },
    {
      name: "Os dois lados",
      element: (
        <DifferenceSides object="charge" ours={side} theirs={null} provider="sandbox" to="/admin" />
      ),
    },
    {
      name: "Explicação",
      element: (
        <ExplanationForm
          lastSeenAt={NOW}
          asked={null}
          forTwo={{ limitCents: 100_000 }}
          problem={undefined}
        />
      ),
    },
    {
      name: "O que é nosso",
      element: (
        <OurObjectLink
          about={{ object: "charge", id: "a", status: "succeeded", amountCents: 1_990 }}
        />
      ),
    },
    {
      name: "Saques a rever, e nenhum",
      element: (
        <div className="flex flex-col gap-4">
          <ReviewList
            items={[
              {
                id: "a",
                name: LONG_NAME,
                username: "bia",
                status: "held",
                label: "Retido",
                heldLabel: "Documentos",
                to: "Pix: ***",
                cents: 123_456,
                requestedAt: NOW,
              },
            ]}
          />
          <ReviewList items={[]} />
        </div>
      ),
      isWide: true,
    },
    {
      name: "Lote do dia",
      element: (
        <BatchStates
          day="2026-11-11"
          shown={null}
          parts={[{ status: "sent", heldReason: null, openCount: 1, count: 12, cents: 123_456 }]}
        />
      ),
      isWide: true,
    },
    {
      name: "O que a equipe fez",
      element: (
        <StaffActionList
          acts={[
            {
              act: "hold",
              note: LONG_WORD,
              createdAt: NOW,
              moderatorId: "carla",
              moderatorName: "Carla",
            },
          ]}
        />
      ),
    },
    {
      name: "Reter, com motivo",
      element: (
        <div className="flex flex-col gap-4">
          <ReasonedActionForm
            act="hold"
            title="Reter o saque"
            hint="Quem pediu lê o motivo."
            problem={problem({ reason: "Escreva o motivo." })}
          >
            Reter
          </ReasonedActionForm>
          <StaffActionButton act="retry">Tentar de novo</StaffActionButton>
        </div>
      ),
    },
    {
      name: "Documentos",
      element: (
        <DocumentPhotos
          files={[
            { kind: "id_front", isPhoto: true, createdAt: NOW, url: "/coreto.png", isOpened: true },
          ]}
          shownKind="id_front"
          missing={["selfie"]}
          asksForAll={false}
        />
      ),
    },
    {
      name: "Receita Federal",
      element: (
        <DocumentRegistry
          personId="a"
          mayAsk
          numbers={[{ shown: "CPF 123.456.789-09", answer: null, isOtherName: false }]}
        />
      ),
    },
    {
      name: "Quem abriu, e outras contas",
      element: (
        <div className="flex flex-col gap-4">
          <DocumentViews views={[{ kind: "id_front", viewerName: LONG_NAME, viewedAt: NOW }]} />
          <SameCpfAccounts
            others={[{ personId: "b", status: "approved", sellerName: LONG_NAME, isBanned: true }]}
          />
        </div>
      ),
    },
    {
      name: "Mês",
      element: (
        <MonthHeading id="mes" before="2026-10" after={null}>
          Novembro de 2026
        </MonthHeading>
      ),
    },
    {
      name: "Nota fiscal que falta",
      element: <IssuerMissing missing={["Inscrição municipal"]} waiting={null} />,
    },
    {
      name: "Entrada de dinheiro",
      element: (
        <PlatformForm way="in" id="a" today="2026-11-11" providers={["sandbox"]} problem={null} />
      ),
    },
    {
      name: "Saídas pedidas",
      element: (
        <WithdrawalList
          withdrawals={{
            isCut: false,
            items: [
              {
                id: "a",
                provider: "sandbox",
                amountCents: 50_000,
                movedOn: "2026-11-11",
                note: LONG_WORD,
                askedAt: NOW,
                state: "asked",
                by: "Carla",
                decidedByName: null,
                isOwn: false,
              },
            ],
          }}
        />
      ),
      isWide: true,
    },
    {
      name: "Movimentos",
      element: (
        <PlatformMoneyMoves
          moves={{
            isCut: false,
            items: [
              {
                id: "a",
                way: "out",
                provider: "sandbox",
                amountCents: 50_000,
                movedOn: "2026-11-11",
                note: "Servidores",
                by: "Carla",
                approvedBy: LONG_NAME,
                at: NOW - DAY_MS,
              },
            ],
          }}
        />
      ),
      isWide: true,
    },
    {
      name: "Dívida perdoada",
      element: (
        <WriteOff
          done={{ isCut: false, items: [] }}
          owedCents={12_345}
          writableCents={12_345}
          isOwn={false}
          problem={undefined}
        />
      ),
    },
  ],
};
