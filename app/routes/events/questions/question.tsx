import { z } from "zod";
import { QuestionForm } from "#app/components/events/questions/question-form.tsx";
import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { updateQuestion } from "#app/domain/events/questions/commands.server.ts";
import { questionSchema } from "#app/domain/events/questions/schema.ts";
import { scopeSchema } from "#app/domain/events/series/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent, QUESTION_MISSING } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/question.ts";

const schema = z.intersection(questionSchema, scopeSchema);

export const meta: Route.MetaFunction = () => [{ title: "Editar pergunta · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args);
  const { text, kind, options, isRequired } = foundOr404(
    event.questions.find(({ id }) => id === args.params.questionId),
    QUESTION_MISSING,
  );
  return {
    title: event.title,
    isRepeating: event.seriesId !== null,
    values: {
      text,
      kind,
      options: options.join("\n"),
      isRequired: isRequired ? "true" : "",
    },
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const act = { request, context };
  return submitForSpace(act, "events:manage", schema, async (form, { space }) => {
    await updateQuestion(context.get(domainContext), {
      ...form,
      eventId: params.id,
      questionId: params.questionId,
      creatorId: space.personId,
    });
    return redirectWithToast(request, `/events/${params.id}/questions`, {
      kind: "success",
      message: "Pergunta salva.",
    });
  });
}

export default function Question({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, values, isRepeating } = loaderData;
  const questions = `/events/${params.id}/questions`;
  return (
    <>
      <PageHeader title="Editar pergunta" lead={title}>
        <ButtonLink to={questions} variant="outline" size="sm">
          Voltar
        </ButtonLink>
        <ButtonLink to={`${questions}/${params.questionId}/removal`} variant="ghost" size="sm">
          Apagar pergunta
        </ButtonLink>
      </PageHeader>
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p className="text-small text-muted">
          Quem já respondeu não responde de novo. As respostas dadas ficam com a pergunta como
          estava.
        </p>
        <QuestionForm
          values={values}
          problem={actionData}
          submitLabel="Salvar alterações"
          dates={
            isRepeating ? (
              <ScopeChoices
                legend="Mudar em quais datas"
                chosen={actionData?.values["scope"] ?? "all"}
                error={actionData?.errors["scope"]}
              />
            ) : null
          }
        />
      </Card>
    </>
  );
}
