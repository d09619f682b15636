import { useEffect, useRef, useState } from "react";
import type { ComponentProps } from "react";
import { Form, useNavigation } from "react-router";
import { MediaPicker } from "#app/components/media/media-picker.tsx";
import type { PictureTaker } from "#app/components/media/media-picker.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { CheckboxField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import type { MediaItem } from "#app/domain/media/schema.ts";
import type { PostState } from "#app/domain/posts/rules/composing.ts";
import type { FieldsProps, SellingState } from "./access-fields.tsx";
import { ComposerButtons } from "./composer-buttons.tsx";
import { ComposerOptions } from "./composer-options.tsx";
import { counted } from "#app/domain/text.ts";
import { isOfPost } from "./local-copies.ts";
import { LocalRecovery } from "./local-recovery.tsx";
import { useAutosave } from "./use-autosave.ts";
import type { ComposerValues } from "./values.ts";
import { VersionChoice } from "./version-choice.tsx";
import type { OtherVersion } from "./version-choice.tsx";
import { insertPicture, Writing } from "./writing.tsx";

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
  link?: { to: string; text: string };
  values: Record<string, string>;
  /** Another composer saved this post since: its author chooses between the two. */
  other?: OtherVersion;
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
  const { saveStatus, touched, settled } = useAutosave({
    form,
    authorId,
    postId,
    savesDrafts: state !== "published",
  });
  const isSubmitted = useSubmitted(problem, postId, settled);
  useFirstError(problem);
  const [publishAt, setPublishAt] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const pictures = useRef<PictureTaker>(null);
  const putInText = (picture: MediaItem) => {
    if (area.current) insertPicture(area.current, picture);
  };
  const busy = useNavigation().state !== "idle";
  return (
    <>
      <LocalRecovery
        authorId={authorId}
        postId={postId}
        isNew={state === "new"}
        onRecover={setRecovered}
      />
      {problem?.other ? (
        <VersionChoice
          message={problem.message}
          typed={values}
          other={problem.other}
          onChosen={settled}
        />
      ) : null}
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
        className="flex flex-col gap-4"
        hidden={problem?.other !== undefined}
      >
        <ActingField />
        {["postId", "tab", "version"].map((name) => (
          <input key={name} type="hidden" name={name} defaultValue={values[name]} />
        ))}
        {values["first"] ? <input type="hidden" name="first" defaultValue="true" /> : null}
        <FormMessage message={problem?.other ? null : problem?.message} link={problem?.link} />
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] wide:gap-9">
          <div className="flex min-w-0 flex-col gap-6">
            <Card className="px-5 py-4 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 sm:px-8 sm:py-6">
              <Writing values={values} errors={errors} area={area} pictures={pictures} />
            </Card>
            <div className="flex flex-wrap items-center gap-3 empty:hidden">
              <p
                role="status"
                className={`text-small ${saveStatus?.tone === "problem" ? "font-medium text-attention" : "text-muted"}`}
              >
                {saveStatus?.text}
              </p>
              {saveStatus?.isOfTwoVersions ? (
                <Button variant="ink" formAction={`/post/${postId}/versions`} formNoValidate>
                  Ver as duas e escolher
                </Button>
              ) : null}
            </div>
            <Files
              errors={errors}
              values={values}
              media={media}
              onBusyChange={setSending}
              onPicture={putInText}
              pictures={pictures}
            />
          </div>
          <div className="flex min-w-0 flex-col gap-5 lg:sticky lg:top-6">
            <ComposerOptions
              state={state}
              plans={plans}
              collections={collections}
              selling={selling}
              values={values}
              errors={errors}
              isPollFixed={isPollFixed}
              onChanged={touched}
              publishAt={publishAt ?? values["publishAt"] ?? ""}
              onPublishAt={setPublishAt}
            />
            <ComposerButtons
              state={state}
              scheduled={values["publishAt"] ?? ""}
              publishAt={publishAt ?? values["publishAt"] ?? ""}
              busy={busy}
              isSending={isSending}
            />
          </div>
        </div>
      </Form>
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

/** Uploads files while the author writes. Without JavaScript, one image goes with the form. */
function Files({
  errors,
  values,
  media,
  ...picking
}: FieldsProps & { media: MediaItem[] } & Pick<
    ComponentProps<typeof MediaPicker>,
    "onBusyChange" | "onPicture" | "pictures"
  >) {
  const isAwake = useHydrated();
  const isPicked = values["hasPicker"] === "true";
  return (
    <>
      {isAwake ? <input type="hidden" name="hasPicker" value="true" /> : null}
      {!isAwake && isPicked ? <PickedBefore values={values} /> : null}
      <MediaPicker initial={media} errors={errors} values={values} {...picking} />
      {!isAwake && !isPicked && media.length > 0 ? (
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

/** Without JavaScript, the files that a preview stored go with the form again. */
function PickedBefore({ values }: Pick<FieldsProps, "values">) {
  const ids = (values["mediaIds"] ?? "").split("\n").filter(Boolean);
  const alts = (values["mediaAlts"] ?? "").split("\n");
  return (
    <div>
      <input type="hidden" name="hasPicker" value="true" />
      {ids.map((id, index) => (
        <div key={id}>
          <input type="hidden" name="mediaIds" value={id} />
          <input type="hidden" name="mediaAlts" value={alts[index] ?? ""} />
        </div>
      ))}
      {ids.length > 0 ? (
        <p className="text-small text-muted">
          {counted(ids.length, "arquivo já enviado vai junto.", "arquivos já enviados vão juntos.")}
        </p>
      ) : null}
    </div>
  );
}
