import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button } from "#app/components/ui/button.tsx";
import type { PostState } from "#app/domain/posts/rules/composing.ts";
import { sendLabel } from "#app/domain/posts/rules/scheduling.ts";
import { PreviewButton } from "./preview.tsx";

type ComposerButtonsProps = {
  state: PostState | "new";
  /** When the stored post is due, as the field has it. */ scheduled: string;
  /** What is typed in "Publicar em". */ publishAt: string;
  busy: boolean;
  isSending: boolean;
};

/** A post sent while its files are on their way would be without them. */
export function ComposerButtons({
  state,
  scheduled,
  publishAt,
  busy,
  isSending,
}: ComposerButtonsProps) {
  const isHeld = busy || isSending;
  // Without JavaScript the button cannot follow what is typed.
  const isAwake = useHydrated();
  const asTyped = isAwake ? publishAt : state === "scheduled" ? scheduled : "";
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="lg" disabled={isHeld} className="basis-full">
        {isSending ? "Enviando arquivos…" : sendLabel({ state, scheduled, publishAt: asTyped })}
      </Button>
      {state === "published" || state === "scheduled" ? null : (
        <Button
          size="lg"
          variant="outline"
          disabled={isHeld}
          formAction="/post/draft"
          className="flex-1 whitespace-nowrap"
        >
          Salvar rascunho
        </Button>
      )}
      <PreviewButton disabled={busy} />
    </div>
  );
}
