import { z } from "zod";
import { QuestionForm } from "#app/components/events/questions/question-form.tsx";
import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { addQuestion } from "#app/domain/events/questions/commands.server.ts";
import { QUESTION_KIND_LABELS, QUESTIONS_MAX } from "#app/domain/events/questions/rules.ts";
import type { EventQuestion } from "#app/domain/events/questions/rules.ts";
import { questionSchema } from "#app/domain/events/questions/schema.ts";
import { scopeSchema } from "#app/domain/events/series/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/questions.ts";

const EMPTY = {};

const schema = z.intersection(questionSchema, scopeSchema);

export const meta: Route.MetaFunction = () => [{ title: "Perguntas · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args);
  const { title, status, questions, seriesId } = event;
  return { title, status, questions, isRepeating: seriesId !== null };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const act = { request, context };
  return submitForSpace(act, "events:manage", schema, async (form, { space }) => {
    await addQuestion(context.get(domainContext), {
      ...form,
      eventId: params.id,
      creatorId: space.personId,
    });
    return redirectWithToast(request, `/events/${params.id}/questions`, {
      kind: "success",
      message: "Pergunta criada.",
    });
  });
}

export default function Questions({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, status, questions, isRepeating } = loaderData;
  const isChangeable = status !== "canceled";
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Perguntas" lead={title}>
        <ButtonLink to={`/events/${params.id}`} variant="outline" size="sm">
          Ver o evento
        </ButtonLink>
      </PageHeader>
      <p>
        {questions.length === 0
          ? "Pergunte o que precisa saber de quem vai. As respostas aparecem em “Quem vai” e na planilha."
          : "Quem pega vaga responde uma vez, antes de confirmar ou de pagar."}
      </p>
      <QuestionList questions={questions} path={`/events/${params.id}/questions`} />
      {isChangeable && questions.length < QUESTIONS_MAX ? (
        <Card as="section" label="Nova pergunta" className="flex flex-col gap-4 p-5 sm:p-6">
          <h2 className="text-heading">Nova pergunta</h2>
          <QuestionForm
            key={questions.length}
            values={EMPTY}
            problem={actionData}
            submitLabel="Criar pergunta"
            dates={
              isRepeating ? (
                <ScopeChoices
                  legend="Para quais datas"
                  chosen={actionData?.values["scope"] ?? "all"}
                  error={actionData?.errors["scope"]}
                />
              ) : null
            }
          />
        </Card>
      ) : null}
      {questions.length === QUESTIONS_MAX ? (
        <p className="text-small text-muted">Um evento tem até {QUESTIONS_MAX} perguntas.</p>
      ) : null}
    </div>
  );
}

function QuestionList({ questions, path }: { questions: EventQuestion[]; path: string }) {
  if (questions.length === 0) return null;
  return (
    <ol className="flex flex-col gap-3">
      {questions.map(({ id, text, kind, options, isRequired }) => (
        <Card as="li" key={id} className="flex flex-wrap items-center gap-3 p-5">
          <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
            <p className="font-semibold wrap-anywhere">{text}</p>
            <p className="text-small text-muted wrap-anywhere">
              {QUESTION_KIND_LABELS[kind]}
              {options.length > 0 ? `: ${options.join(", ")}` : ""}
            </p>
          </div>
          {isRequired ? <Badge>Obrigatória</Badge> : null}
          <ButtonLink
            to={`${path}/${id}`}
            variant="outline"
            size="sm"
            aria-label={`Editar a pergunta ${text}`}
          >
            Editar
          </ButtonLink>
        </Card>
      ))}
    </ol>
  );
}
