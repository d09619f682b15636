import { useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { MediaPicker } from "#app/components/media/media-picker.tsx";
import { ActingField } from "#app/components/shell/acting-field.tsx";
import { useHydrated } from "#app/components/shell/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { CheckboxField, TextArea, TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { PostState } from "#app/domain/posts/rules/composing.ts";
import { CONTENT_MAX, TEASER_MAX, TITLE_MAX } from "#app/domain/posts/schema.ts";
import { AccessFields } from "./access-fields.tsx";
import type { FieldsProps, SellingState } from "./access-fields.tsx";
import { ComposerButtons } from "./composer-buttons.tsx";
import { CollectionFields } from "./collection-fields.tsx";
import { isOfPost } from "./local-copies.ts";
import { LocalRecovery } from "./local-recovery.tsx";
import { PollFields } from "./poll-fields.tsx";
import { Preview } from "./preview.tsx";
import { markByKey, Toolbar } from "./toolbar.tsx";
import { useAutosave } from "./use-autosave.ts";
import type { ComposerValues } from "./values.ts";

export type ComposerData = {
  authorId: string;
  values: ComposerValues;
  state: PostState | "new";
  media: MediaItem[];
  plans: { id: string; name: string; price: string }[];
  collections: { id: string; title: string }[];
  /** The poll already has votes. */
  isPollFixed?: boolean;
  selling: SellingState;
};

type Problem = {
  errors: Record<string, string>;
  message: string | null;
  link?: { to: string; words: string };
  values: Record<string, string>;
};

/**
 * Form that writes a post. It works without JavaScript. With JavaScript it also autosaves, shows a
 * preview and formats text.
 */
export function Composer({
  authorId,
  values: initial,
  state,
  media,
  plans,
  collections,
  selling,
  isPollFixed = false,
  problem,
}: ComposerData & { problem: Problem | undefined }) {
  const [recovered, setRecovered] = useState<ComposerValues | null>(null);
  const values = problem?.values ?? recovered ?? initial;
  const errors = problem?.errors ?? {};
  const form = useRef<HTMLFormElement>(null);
  const postId = values["postId"] ?? "";
  const { said, touched, settled } = useAutosave({
    form,
    authorId,
    postId,
    savesDrafts: state !== "published",
  });
  const isSubmitted = useSubmitted(problem, postId, settled);
  useFirstError(problem);
  const [publishAt, setPublishAt] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <LocalRecovery
        authorId={authorId}
        postId={postId}
        isNew={state === "new"}
        onRecover={setRecovered}
      />
      <Card className="p-5 sm:p-6">
        <Form
          key={recovered ? `${postId}-recovered` : postId}
          ref={form}
          method="post"
          encType="multipart/form-data"
          action={state === "published" ? `/post/${postId}/edit` : "/post/create"}
          noValidate
          onInput={touched}
          onChange={touched}
          onSubmit={isSubmitted}
          className="flex flex-col gap-5"
        >
          <ActingField />
          {["postId", "tab", "version"].map((name) => (
            <input key={name} type="hidden" name={name} defaultValue={values[name]} />
          ))}
          <FormMessage message={problem?.message} link={problem?.link} />
          <TextField
            label="Título"
            name="title"
            defaultValue={values["title"]}
            error={errors["title"]}
            required
            limit={TITLE_MAX}
          />
          <Words values={values} errors={errors} />
          <Files errors={errors} values={values} media={media} onBusyChange={setSending} />
          <PollFields values={values} errors={errors} isFixed={isPollFixed} onChanged={touched} />
          <CheckboxField
            label="Conteúdo sensível"
            name="isSensitive"
            value="true"
            defaultChecked={values["isSensitive"] === "true"}
            hint="O que se vê fica coberto até a pessoa escolher ver."
          />
          <AccessFields plans={plans} selling={selling} errors={errors} values={values} />
          <TextField
            label="Chamada"
            name="teaser"
            defaultValue={values["teaser"]}
            error={errors["teaser"]}
            required={false}
            limit={TEASER_MAX}
            hint="Todo mundo lê esta frase, também quem ainda não tem acesso."
          />
          <CollectionFields collections={collections} values={values} errors={errors} />
          {state === "published" ? null : (
            <TextField
              type="datetime-local"
              label="Publicar em"
              name="publishAt"
              defaultValue={values["publishAt"]}
              onInput={(event) => setPublishAt(event.currentTarget.value)}
              error={errors["publishAt"]}
              required={false}
              hint="Em branco, sai agora. Com data, sai sozinha nessa hora de São Paulo."
            />
          )}
          <ComposerButtons
            state={state}
            scheduled={values["publishAt"] ?? ""}
            publishAt={publishAt ?? values["publishAt"] ?? ""}
            busy={busy}
            isSending={isSending}
          />
          <p
            role="status"
            className={`text-small ${said?.tone === "problem" ? "font-medium text-attention" : "text-muted"}`}
          >
            {said?.text}
          </p>
        </Form>
      </Card>
    </>
  );
}

/**
 * A submit that led to the post was accepted: what this browser kept of it can go. It stays after a
 * refusal, and after a submit that led elsewhere, as to sign-in.
 */
function useSubmitted(
  problem: Problem | undefined,
  postId: string,
  settled: () => void,
): () => void {
  const isUnderWay = useRef(false);
  useEffect(() => {
    if (problem) isUnderWay.current = false;
  }, [problem]);
  useEffect(
    () => () => {
      if (isUnderWay.current && isOfPost(window.location.pathname, postId)) settled();
    },
    [settled, postId],
  );
  return () => {
    isUnderWay.current = true;
  };
}

function Words({ values, errors }: FieldsProps) {
  const isAwake = useHydrated();
  const area = useRef<HTMLTextAreaElement | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const wrap = useRef<HTMLDivElement>(null);
  useEffect(() => {
    area.current = wrap.current?.querySelector("textarea") ?? null;
  }, []);
  return (
    <div ref={wrap} className="flex flex-col gap-2">
      {isAwake ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Toolbar area={area} />
          <Button
            type="button"
            variant="outline"
            size="sm"
            aria-pressed={preview !== null}
            onClick={() => setPreview(preview === null ? (area.current?.value ?? "") : null)}
          >
            Prévia
          </Button>
        </div>
      ) : null}
      <TextArea
        id="composer-content"
        label="Texto"
        name="content"
        rows={12}
        defaultValue={values["content"]}
        error={errors["content"]}
        required
        limit={CONTENT_MAX}
        onKeyDown={markByKey}
        onInput={preview === null ? undefined : (event) => setPreview(event.currentTarget.value)}
        hint="Vale Markdown: **negrito**, *itálico*, # título, - lista, > citação. Um endereço do YouTube ou do Vimeo sozinho na linha vira vídeo."
      />
      {preview === null ? null : <Preview text={preview} />}
    </div>
  );
}

/** Uploads files while the author writes. Without JavaScript, one image goes with the form. */
function Files({
  errors,
  values,
  media,
  onBusyChange,
}: FieldsProps & { media: MediaItem[]; onBusyChange: (isBusy: boolean) => void }) {
  const isAwake = useHydrated();
  return (
    <>
      {isAwake ? <input type="hidden" name="hasPicker" value="true" /> : null}
      <MediaPicker initial={media} errors={errors} values={values} onBusyChange={onBusyChange} />
      {!isAwake && media.length > 0 ? (
        <CheckboxField
          label="Tirar os arquivos que já tem"
          name="removesImage"
          value="true"
          defaultChecked={values["removesImage"] === "true"}
        />
      ) : null}
    </>
  );
}
