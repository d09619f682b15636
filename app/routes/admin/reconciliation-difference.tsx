import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { KIND_HINTS, KIND_WORDS, OBJECT_WORDS, STATE_WORDS } from "#app/components/reconciliation/difference-words.ts";
import { Sides } from "#app/components/reconciliation/sides.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { explain } from "#app/domain/reconciliation/commands/resolve.server.ts";
import { differenceDetail } from "#app/domain/reconciliation/queries/differences.server.ts";
import { explanationSchema } from "#app/domain/reconciliation/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/reconciliation-difference.ts";

const LIST = "/admin/reconciliation";

export const meta: Route.MetaFunction = () => [{ title: "Diferença · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  return found(await differenceDetail(context.get(domainContext), { differenceId: params.id }), "Não encontramos esta diferença.");
}

/** Why it is none, for good. */
export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitted(request, explanationSchema.extend({ lastSeenAt: z.coerce.number().int() }), async ({ note, lastSeenAt }) => {
    await explain(context.get(domainContext), { differenceId: params.id, lastSeenAt, moderatorId: context.get(memberContext).id, note });
    return await redirectWithToast(request, LIST, { kind: "success", message: "Anotado: a diferença está explicada." });
  });
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function ReconciliationDifference({ loaderData, actionData }: Route.ComponentProps) {
  const { difference, notes } = loaderData;
  const isBusy = useNavigation().state !== "idle";
  const isOpen = difference.state === "open";
  return (
    <>
      <PageHeader title={`${OBJECT_WORDS[difference.object]}: ${KIND_WORDS[difference.kind].toLowerCase()}`} lead={isOpen ? KIND_HINTS[difference.kind] : `${STATE_WORDS[difference.state].label} em ${formatMinute(difference.resolvedAt ?? difference.lastSeenAt)}.`}>
        <Badge tone={STATE_WORDS[difference.state].tone}>{STATE_WORDS[difference.state].label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Sides object={difference.object} ours={difference.ours} theirs={difference.theirs} provider={difference.provider} />
        <Facts difference={difference} />
        {notes.length > 0 ? <Notes notes={notes} /> : null}
        {isOpen ? (
          <div className="grid gap-6 lg:grid-cols-2">
            <Card className="flex flex-col items-start gap-3 p-5 sm:p-6">
              <h2 className="text-heading">Perguntar de novo</h2>
              <p className="text-muted">O provedor diz como está agora, e o que for certo é aplicado na hora.</p>
              <Form method="post" action={`${LIST}/${difference.id}/ask`}>
                <Button variant="outline" disabled={isBusy}>
                  Perguntar ao provedor
                </Button>
              </Form>
            </Card>
            <Card className="p-5 sm:p-6">
              <Form method="post" className="flex flex-col gap-4" noValidate>
                <h2 className="text-heading">Marcar como explicada</h2>
                <FormMessage message={actionData?.message} />
                <input type="hidden" name="lastSeenAt" value={difference.lastSeenAt} />
                <TextArea label="O que você descobriu" name="note" rows={3} required maxLength={500} defaultValue={actionData?.values.note} error={actionData?.errors.note} hint="Fica com o seu nome e não muda mais. Se um dos lados mudar, ela volta a abrir." />
                <Button className="self-start" disabled={isBusy}>
                  Marcar como explicada
                </Button>
              </Form>
            </Card>
          </div>
        ) : null}
        <ButtonLink to={LIST} variant="ghost" className="-ml-5 self-start">
          Voltar para a conciliação
        </ButtonLink>
      </div>
    </>
  );
}

function Facts({ difference }: Pick<LoaderData, "difference">) {
  const { objectId, ourId, reference, gapCents, isMoney, firstSeenAt, lastSeenAt } = difference;
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
      <Fact term="Código no provedor">
        <code className="text-small break-all">{objectId}</code>
      </Fact>
      <Fact term="Código aqui">{ourId || reference ? <code className="text-small break-all">{ourId ?? reference}</code> : "Sem referência nossa"}</Fact>
      <Fact term="Dinheiro em jogo">
        {isMoney && gapCents !== 0 ? (
          <>
            <Money cents={Math.abs(gapCents)} /> a mais {gapCents > 0 ? "aqui do que no provedor" : "no provedor do que aqui"}
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
