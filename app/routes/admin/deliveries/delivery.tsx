import { Form, useNavigation } from "react-router";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { OurObjectLink } from "#app/components/reconciliation/our-object-link.tsx";
import {
  QUARANTINE_STATE_LABELS,
  QUARANTINE_REASON_LABELS,
  EVENT_TYPE_LABELS,
} from "#app/components/reconciliation/quarantine-labels.ts";
import { useReloadWhile } from "#app/components/reconciliation/use-reload-while.ts";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { closeQuarantinedEvent } from "#app/domain/payments/webhook-events/commands/quarantine.server.ts";
import { quarantinedEvent } from "#app/domain/payments/webhook-events/queries/quarantine.server.ts";
import { quarantineClosingSchema } from "#app/domain/payments/schema/forms.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/delivery.ts";

const LIST = "/admin/reconciliation/deliveries";

export const meta: Route.MetaFunction = () => [{ title: "Aviso separado · Coreto" }];

// The payload of the event never leaves the server, because it may name the payer.
export async function loader({ params, context }: Route.LoaderArgs) {
  return foundOr404(
    await quarantinedEvent(context.get(domainContext), {
      inboxId: params.id,
      moderatorId: context.get(memberContext).id,
    }),
    "Não encontramos este aviso.",
  );
}

/** Closes the quarantined event for good, with its outcome. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await handleForm(request, quarantineClosingSchema, async (closing) => {
    await closeQuarantinedEvent(context.get(domainContext), {
      ...closing,
      inboxId: params.id,
      moderatorId: context.get(memberContext).id,
    });
    return await redirectWithToast(request, LIST, {
      kind: "success",
      message: "Anotado: o aviso está encerrado.",
    });
  });
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Delivery({ loaderData: delivery, actionData }: Route.ComponentProps) {
  const { state, reason } = delivery;
  useFirstError(actionData);
  useReloadWhile(state === "queued");
  return (
    <>
      <PageHeader title={QUARANTINE_REASON_LABELS[reason].label} lead={leadOf(delivery)}>
        <Badge tone={QUARANTINE_STATE_LABELS[state].tone}>
          {QUARANTINE_STATE_LABELS[state].label}
        </Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Card className="p-5 sm:p-6">
          <DetailList details={detailsOf(delivery)} />
        </Card>
        {state === "waiting" ? (
          <Acts delivery={delivery} problem={actionData} />
        ) : (
          <Unsaved problem={actionData} />
        )}
        {state === "queued" ? (
          <ButtonLink
            to={`${LIST}/${encodeURIComponent(delivery.id)}`}
            variant="outline"
            className="self-start"
          >
            Ver como ficou
          </ButtonLink>
        ) : null}
        <ButtonLink to={LIST} variant="ghost" className="-ml-5 self-start">
          Voltar aos avisos separados
        </ButtonLink>
      </div>
    </>
  );
}

function leadOf({ state, reason }: LoaderData): string {
  if (state === "waiting") return QUARANTINE_REASON_LABELS[reason].hint;
  if (state === "queued") return "Voltou para a fila, e costuma levar poucos segundos.";
  return state === "applied"
    ? "Foi aplicado: o que temos aqui é o que o provedor diz."
    : "Alguém olhou e anotou o que foi feito.";
}

const code = (text: string) => <code className="text-small break-all">{text}</code>;

function detailsOf({
  provider,
  type,
  objectId,
  eventId,
  about,
  detail,
  attempts,
  receivedAt,
  quarantinedAt,
  handledAt,
  answeredAt,
  answeredBy,
  note,
  state,
}: LoaderData): Detail[] {
  const who = answeredBy ?? "Alguém da equipe";
  const answered =
    answeredAt === null
      ? null
      : state === "closed"
        ? `Encerrado por ${who} em ${formatMinute(answeredAt)}`
        : `Tentado de novo por ${who} em ${formatMinute(answeredAt)}`;
  return [
    { label: "Provedor", value: providerLabel(provider) },
    { label: "Sobre", value: EVENT_TYPE_LABELS[type] },
    { label: "Aqui", value: about ? <OurObjectLink about={about} /> : "Nada daqui que saibamos" },
    { label: "Código no provedor", value: code(objectId) },
    { label: "Código do aviso", value: code(eventId) },
    ...(detail === null ? [] : [{ label: "Resposta ou falha", value: code(detail) }]),
    ...(attempts === 0 ? [] : [{ label: "Tentativas que falharam", value: attempts }]),
    { label: "Recebido", value: formatMinute(receivedAt) },
    ...(quarantinedAt === null ? [] : [{ label: "Separado", value: formatMinute(quarantinedAt) }]),
    ...(answered === null ? [] : [{ label: "O que foi feito", value: answered }]),
    ...(handledAt === null ? [] : [{ label: "Aplicado", value: formatMinute(handledAt) }]),
    ...(note === null
      ? []
      : [
          {
            label: "Nota",
            value: (
              <span dir="auto" className="wrap-anywhere whitespace-pre-line">
                {note}
              </span>
            ),
          },
        ]),
  ];
}

type Problem = { problem: Route.ComponentProps["actionData"] };

function Acts({
  delivery: { id, quarantinedAt, isSide },
  problem,
}: { delivery: LoaderData } & Problem) {
  const isBusy = useNavigation().state !== "idle";
  const seen = <input type="hidden" name="seenAt" value={quarantinedAt ?? 0} />;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card className="flex flex-col items-start gap-3 p-5 sm:p-6">
        <h2 className="text-heading">Tentar de novo</h2>
        <p className="text-muted">
          Perguntamos ao provedor como está agora, e o que for certo é aplicado. Se não der, ele
          volta para cá.
        </p>
        <Form method="post" action={`${LIST}/${encodeURIComponent(id)}/retry`}>
          {seen}
          <Button variant="outline" disabled={isBusy}>
            Tentar de novo
          </Button>
        </Form>
      </Card>
      <Card className="p-5 sm:p-6">
        {isSide ? (
          <div className="flex flex-col gap-3">
            <h2 className="text-heading">Encerrar com uma nota</h2>
            <p className="text-muted">
              Este aviso é sobre dinheiro seu ou de uma equipe sua: outra pessoa da moderação
              encerra.
            </p>
          </div>
        ) : (
          <Form method="post" className="flex flex-col gap-4" noValidate>
            <h2 className="text-heading">Encerrar com uma nota</h2>
            <FormMessage message={problem?.message} />
            {seen}
            <TextArea
              label="O que foi feito"
              name="note"
              rows={3}
              required
              minLength={3}
              limit={500}
              defaultValue={problem?.values.note}
              error={problem?.errors.note}
              hint="Fica com o seu nome e não muda mais. Nada mais será aplicado deste aviso."
            />
            <Button className="self-start" disabled={isBusy}>
              Encerrar
            </Button>
          </Form>
        )}
      </Card>
    </div>
  );
}

/** Shows the typed note that was not saved because another moderator acted first. */
function Unsaved({ problem }: Problem) {
  if (!problem) return null;
  return (
    <div className="flex flex-col gap-3">
      <FormMessage message={problem.message} />
      {problem.values.note ? (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line text-muted">
          O que você escreveu não foi guardado: {problem.values.note}
        </p>
      ) : null}
    </div>
  );
}
