import { useRef, useState } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";

type WelcomeFieldProps = {
  value: string | undefined;
  error: string | undefined;
  /** A text to start from. */
  draft: string;
};

/**
 * The welcome message of a plan, with a folded draft that one button writes into the empty field.
 * Without JavaScript, or beside a typed message, the draft is there to copy.
 */
export function WelcomeField({ value, error, draft }: WelcomeFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [isEmpty, setEmpty] = useState((value ?? "").trim() === "");
  function writeDraft() {
    const field = area.current;
    if (!field || field.value.trim() !== "") return;
    field.value = draft;
    // The field counts its letters by its own event.
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.focus();
  }
  return (
    <div className="flex flex-col gap-1">
      <TextArea
        ref={area}
        label="Mensagem de boas-vindas"
        name="welcomeMessage"
        rows={3}
        defaultValue={value}
        error={error}
        limit={1_000}
        required={false}
        hint="Chega para cada pessoa assim que ela assina."
        onInput={({ currentTarget }) => setEmpty(currentTarget.value.trim() === "")}
      />
      <details>
        <summary className="flex min-h-11 items-center text-small font-semibold">
          Uma ideia de mensagem
        </summary>
        <div className="flex flex-col items-start gap-3 rounded-field bg-sand px-4 py-3">
          <p className="text-small whitespace-pre-line select-all">{draft}</p>
          {isEmpty ? (
            <Button
              type="button"
              variant="outline"
              size="sm"
              className="noscript:hidden"
              onClick={writeDraft}
            >
              Usar esta mensagem
            </Button>
          ) : null}
        </div>
      </details>
    </div>
  );
}
