import { Form } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import type { PostState } from "#app/domain/posts/rules/composing.ts";

type RecordingToolsProps = {
  eventId: string;
  /** The post of the recording; its state is null before there is one. */
  recording: { postId: string; state: PostState | null; audience: string };
};

/** Publishes the recording of an event with one click, or leads to the post that there is. */
export function RecordingTools({
  eventId,
  recording: { postId, state, audience },
}: RecordingToolsProps) {
  if (state === null)
    return (
      <Form method="post" action={`/events/${eventId}/recording`} className="flex flex-col gap-2">
        <ActingField />
        <p className="text-small text-muted">
          A gravação vira uma publicação {audience}, com o texto e a capa do evento. Quem segue a
          página é avisado, como de toda publicação.
        </p>
        <div className="flex flex-wrap gap-2">
          <Button>Publicar a gravação</Button>
          <Button variant="outline" name="asDraft" value="true">
            Preparar um rascunho
          </Button>
        </div>
      </Form>
    );
  const isPublished = state === "published";
  return (
    <div className="flex flex-wrap gap-2">
      {isPublished ? (
        <ButtonLink to={`/post/${postId}`}>Ver a gravação publicada</ButtonLink>
      ) : null}
      <ButtonLink to={`/post/${postId}/edit`} variant="outline">
        {isPublished ? "Editar a gravação" : "Editar o rascunho da gravação"}
      </ButtonLink>
    </div>
  );
}
