import { Form } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { shownTicketCode } from "#app/domain/events/rules.ts";
import { paidOrders } from "#app/domain/events/tickets/queries/orders.server.ts";
import type { PaidOrder } from "#app/domain/events/tickets/queries/orders.server.ts";
import { refundRuleText, ticketRefundUntil } from "#app/domain/events/rules/tickets.ts";
import { formatMoney } from "#app/domain/money.ts";
import { formatMinute } from "#app/domain/time.ts";
import { quoted } from "#app/domain/text.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { memberEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/seat-cancellation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Cancelar minha vaga · Coreto" }];

/** Empty for all of them. */
const schema = z.object({
  seatId: z
    .string()
    .regex(/^[0-9a-f]{0,64}$/)
    .default("")
    .transform((id) => (id === "" ? undefined : id)),
});

export async function loader(args: Route.LoaderArgs) {
  const ctx = args.context.get(domainContext);
  const personId = args.context.get(memberContext).id;
  const { id, title, status } = await memberEvent(args);
  const tickets = await ticketsOf(ctx, { eventId: id, personId });
  const orderIds = tickets.flatMap(({ orderId }) => orderId ?? []);
  const orders = orderIds.length > 0 ? await paidOrders(ctx, { eventId: id, orderIds }) : [];
  return {
    title,
    tickets: (status === "published" ? tickets : [])
      .filter(({ checkedInAt }) => checkedInAt === null)
      .map(({ seatId, code, orderId }) => ({
        seatId,
        code,
        refund: refundShown(
          orders.find((order) => order.orderId === orderId),
          personId,
          ctx.now(),
        ),
      })),
  };
}

/** What canceling one ticket refunds, and until when; null for a free one. */
function refundShown(order: PaidOrder | undefined, personId: string, now: number) {
  if (!order) return null;
  const until = ticketRefundUntil(order);
  return {
    until,
    cents: now < until ? order.unitPriceCents : 0,
    isOwn: order.payerId === personId,
    ruleText: refundRuleText(order.refundHours),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, schema, async ({ seatId }) => {
    const { refundCents } = await cancelSeats(context.get(domainContext), {
      eventId: params.id,
      personId,
      seatId,
    });
    const canceled = seatId ? "Vaga cancelada." : "Você não vai mais. A vaga passou adiante.";
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message:
        refundCents === 0
          ? canceled
          : `${canceled} Devolvemos ${formatMoney(refundCents)} pelo meio em que você pagou.`,
    });
  });
}

export default function SeatCancellation({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, tickets } = loaderData;
  return (
    <>
      <PageHeader title="Cancelar minha vaga" />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <p>
          {tickets.length === 0
            ? `Você não tem vaga que possa cancelar em ${quoted(title)}.`
            : `${quoted(title)}. A sua vaga passa para quem espera na fila, e o ingresso deixa de valer.`}
        </p>
        <RefundText tickets={tickets} />
        {[...new Set(tickets.flatMap(({ refund }) => refund?.ruleText ?? []))].map((text) => (
          <p key={text} className="text-small text-muted">
            A regra da sua compra: {text}
          </p>
        ))}
        <Form method="post" className="flex flex-col gap-4">
          {tickets.length > 1 ? (
            <Choices
              legend="Quais"
              name="seatId"
              defaultValue=""
              options={[
                { value: "", label: "Todas" },
                ...tickets.map(({ seatId, code, refund }) => ({
                  value: seatId,
                  label: `Só a do ingresso ${shownTicketCode(code)}`,
                  ...(refund ? { hint: refundHint(refund) } : {}),
                })),
              ]}
            />
          ) : null}
          <div className="flex flex-wrap gap-2">
            {tickets.length > 0 ? <Button variant="danger">Cancelar minha vaga</Button> : null}
            <ButtonLink to={`/events/${params.id}`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}

type Refund = { until: number; cents: number; isOwn: boolean; ruleText: string };

const refundHint = ({ until, cents, isOwn }: Refund): string =>
  cents === 0
    ? `O prazo de devolução terminou em ${formatMinute(until)}.`
    : `Devolvemos ${formatMoney(cents)}${isOwn ? "" : " a quem pagou"}, até ${formatMinute(until)}.`;

/** What comes back for the paid tickets among them, in a sentence. */
function RefundText({ tickets }: { tickets: { refund: Refund | null }[] }) {
  const refunds = tickets.flatMap(({ refund }) => (refund ? [refund] : []));
  if (refunds.length === 0) return null;
  const cents = refunds.reduce((sum, refund) => sum + refund.cents, 0);
  const until = Math.min(...refunds.map((refund) => refund.until));
  const isOwn = refunds.every((refund) => refund.isOwn);
  return cents === 0 ? (
    <p className="font-medium text-attention">
      O prazo para receber o dinheiro de volta terminou em {formatMinute(until)}, pelo horário de
      Brasília. Cancelando agora, nada é devolvido.
    </p>
  ) : (
    <p className="font-medium">
      Cancelando tudo agora, devolvemos {formatMoney(cents)}{" "}
      {isOwn ? "pelo meio em que você pagou" : "a quem pagou"}.
    </p>
  );
}
