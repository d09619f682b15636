import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { AnswerFields } from "#app/components/events/questions/answer-fields.tsx";
import { kindSaleText } from "#app/components/events/ticket-kinds/ticket-kind-text.ts";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { SelectField, TextArea } from "#app/components/ui/fields/field.tsx";
import { livingOffer } from "#app/domain/events/rules.ts";
import { kindProblem, remainingOfKind } from "#app/domain/events/rules/tickets.ts";
import type { KindProblem, TicketKind } from "#app/domain/events/rules/tickets.ts";
import type { EventView } from "#app/domain/events/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { counted } from "#app/domain/text.ts";

export type PanelProps = { event: EventView; now: number };
/** What was typed and refused, so that nothing is lost. */
export type Typed = { values: Record<string, string>; errors: Record<string, string> };

function KindChoices({ event, now, chosenId }: PanelProps & { chosenId: string | undefined }) {
  // An approved request is for its own kind.
  const approved = livingOffer(event, now) > 0 ? (event.request?.kindId ?? null) : null;
  const offered = event.ticketKinds.filter(
    ({ id }) => !event.needsApproval || approved === null || approved === id,
  );
  const kinds = offered.map((kind) => ({ kind, problem: kindProblem(kind, 1, now) }));
  const first = kinds.find(({ problem }) => problem === null)?.kind.id;
  return (
    <Choices
      className="basis-full"
      legend="Ingresso"
      name="kindId"
      defaultValue={chosenId ?? first ?? ""}
      options={kinds.map(({ kind, problem }) => ({
        value: kind.id,
        label: `${kind.name}: ${kind.priceCents === 0 ? "grátis" : formatMoney(kind.priceCents)}`,
        hint: kindHint(event, kind, problem, now),
        disabled: problem !== null,
      }))}
    />
  );
}

function kindHint(
  { timeZone }: EventView,
  kind: TicketKind,
  problem: KindProblem | null,
  now: number,
): string | undefined {
  if (problem === "kind_few") return "Esgotado.";
  const remaining = remainingOfKind(kind);
  const left =
    problem !== null || remaining === null
      ? ""
      : `${counted(remaining, "ingresso", "ingressos")}. `;
  const isTimed = kind.saleStartsAt !== null || kind.saleEndsAt !== null;
  return `${left}${isTimed ? kindSaleText(kind, timeZone, now) : ""}`.trim() || undefined;
}

/** Kind, number, names and answers of who takes a seat, asks for one or waits. */
export function SeatForm({
  event,
  to,
  label,
  most,
  chosen = 1,
  now = null,
  typed,
  children,
}: {
  event: EventView;
  to: "seat" | "waiting" | "request";
  label: string;
  most: number;
  chosen?: number;
  /** When the kinds of tickets are shown, to be chosen from; null for the waiting list. */
  now?: number | null;
  typed?: Typed | undefined;
  children?: ReactNode;
}) {
  const isBusy = useNavigation().state !== "idle";
  const marked = useMarkedPath();
  return (
    <Form
      method="post"
      action={marked(`/events/${event.id}/${to}`)}
      className="flex flex-wrap items-end gap-x-3 gap-y-5"
      noValidate
    >
      {now === null || event.ticketKinds.length === 0 ? null : (
        <KindChoices event={event} now={now} chosenId={typed?.values["kindId"]} />
      )}
      {most > 1 ? (
        <SelectField
          label="Quantas"
          name="quantity"
          defaultValue={typed?.values["quantity"] ?? String(Math.min(chosen, most))}
          options={Array.from({ length: most }, (_, index) => ({
            value: String(index + 1),
            label: String(index + 1),
          }))}
          className="w-28"
        />
      ) : (
        <input type="hidden" name="quantity" value="1" />
      )}
      {now !== null && most > 1 ? (
        <TextArea
          label="Nomes nos ingressos"
          name="names"
          rows={2}
          className="basis-full"
          defaultValue={typed?.values["names"]}
          error={typed?.errors["names"]}
          required={false}
          hint="Um por linha. Em branco, o seu nome. Dá para mudar depois, no ingresso."
        />
      ) : null}
      {now === null ? null : <AnswerFields questions={event.questions} typed={typed} />}
      <Button size="lg" disabled={isBusy}>
        {label}
      </Button>
      {children}
    </Form>
  );
}
