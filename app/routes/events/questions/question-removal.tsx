import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { removeQuestion } from "#app/domain/events/questions/commands.server.ts";
import { scopeSchema } from "#app/domain/events/series/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent, QUESTION_MISSING } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/question-removal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Apagar pergunta · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event } = await ownEvent(args);
  const question = foundOr404(
    event.questions.find(({ id }) => id === args.params.questionId),
    QUESTION_MISSING,
  );
  return { text: question.text, isRepeating: event.seriesId !== null };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const act = { request, context };
  return submitForSpace(act, "events:manage", scopeSchema, async ({ scope }, { space }) => {
    await removeQuestion(context.get(domainContext), {
      scope,
      eventId: params.id,
      questionId: params.questionId,
      creatorId: space.personId,
    });
    return redirectWithToast(request, `/events/${params.id}/questions`, {
      kind: "success",
      message: "Pergunta apagada.",
    });
  });
}

/** Asks first: nothing else has the text of the question. */
export default function QuestionRemoval({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Apagar pergunta"
      title={loaderData.text}
      means="Ninguém mais responde a esta pergunta. As respostas dadas continuam na lista e na planilha."
      button={
        <>
          {loaderData.isRepeating ? (
            <ScopeChoices
              legend="Apagar em quais datas"
              chosen={actionData?.values["scope"] ?? "all"}
              error={actionData?.errors["scope"]}
            />
          ) : null}
          <Button variant="danger">Apagar pergunta</Button>
        </>
      }
      backTo={`/events/${params.id}/questions/${params.questionId}`}
      message={actionData?.message}
    />
  );
}
