import { useRef, useState } from "react";
import type { FormEvent } from "react";
import { Form, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { SelectField, TextArea } from "#app/components/ui/fields/field.tsx";
import { CONTENT_MAX } from "#app/domain/posts/schema.ts";
import { useAutosave } from "./use-autosave.ts";

/**
 * Seed of a new post: id, author and tab, as an empty composer has them
 * (docs/decisions/interface/give-a-draft-its-id-before-the-first-save.md).
 */
type NewPostSeed = { authorId: string; postId: string; tab: string };

type QuickComposerProps = {
  name: string;
  avatarUrl: string | null;
  seed: NewPostSeed;
  /** After the post comes the next of the first steps. */
  isFirst?: boolean;
  /** Shows every field at once, also without JavaScript. */
  startsOpen?: boolean;
};

const WAYS = [
  { value: "public", label: "Todo mundo" },
  { value: "followers", label: "Quem segue" },
  { value: "subscribers", label: "Quem assina" },
];
/** Opens the composer with the typed text as a draft; without text, an empty composer. */
const GOES_ON = "/post/draft?start";

/**
 * Short composer above a list: a title, then text and audience once it has focus. Anything more
 * needs the full composer, which gets the typed text. Without JavaScript it has the title and a
 * link to the composer.
 */
export function QuickComposer({
  name,
  avatarUrl,
  seed,
  isFirst = false,
  startsOpen = false,
}: QuickComposerProps) {
  // A revalidation returns another id: the started post keeps its own.
  const [{ authorId, postId, tab }] = useState(seed);
  const [isOpen, setOpen] = useState(startsOpen);
  const form = useRef<HTMLFormElement>(null);
  const { saveStatus, touched } = useAutosave({ form, authorId, postId, savesDrafts: true });
  const isBusy = useNavigation().state === "submitting";
  /** Keeps an offline submit in the form; the autosave says why. */
  function submitOffline(event: FormEvent) {
    if (navigator.onLine) return;
    event.preventDefault();
    touched();
  }
  return (
    <Card
      as="section"
      label="Escrever"
      className="px-5 py-3 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0"
    >
      <Form
        ref={form}
        method="post"
        action="/post/create"
        encType="multipart/form-data"
        onInput={touched}
        onChange={touched}
        onSubmit={submitOffline}
        className="flex flex-col gap-4"
      >
        <ActingField />
        <input type="hidden" name="postId" defaultValue={postId} />
        <input type="hidden" name="tab" defaultValue={tab} />
        <input type="hidden" name="version" defaultValue="0" />
        {isFirst ? <input type="hidden" name="first" defaultValue="true" /> : null}
        <div className="flex items-center gap-3">
          <Avatar name={name} src={avatarUrl} />
          <input
            name="title"
            aria-label={isOpen ? "Título" : "O que você quer contar hoje?"}
            placeholder={isOpen ? "Título" : "O que você quer contar?"}
            required={isOpen}
            autoComplete="off"
            onFocus={() => setOpen(true)}
            className={`min-h-11 min-w-0 flex-1 rounded-field bg-transparent px-2 placeholder:text-muted ${isOpen ? "border border-edge font-semibold" : ""}`}
          />
          {isOpen ? null : (
            <Button formAction={GOES_ON} formNoValidate variant="outline" size="sm">
              Escrever
            </Button>
          )}
        </div>
        {isOpen ? <Rest isBusy={isBusy} /> : <input type="hidden" name="ways" value="public" />}
        <p
          role="status"
          className={`text-small empty:hidden ${saveStatus?.tone === "problem" ? "font-medium text-attention" : "text-muted"}`}
        >
          {saveStatus?.text}
        </p>
      </Form>
    </Card>
  );
}

function Rest({ isBusy }: { isBusy: boolean }) {
  return (
    <>
      <TextArea label="Texto" name="content" rows={4} required limit={CONTENT_MAX} />
      <div className="flex flex-wrap items-end justify-between gap-3">
        <SelectField
          label="Quem pode ver"
          name="ways"
          options={WAYS}
          defaultValue="public"
          className="basis-48"
        />
        <div className="flex flex-wrap gap-2">
          <Button formAction={GOES_ON} formNoValidate variant="outline" disabled={isBusy}>
            Mais opções
          </Button>
          <Button disabled={isBusy}>Publicar</Button>
        </div>
      </div>
    </>
  );
}
