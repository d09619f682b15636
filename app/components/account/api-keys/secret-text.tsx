import { CopyButton } from "#app/components/ui/copy-button.tsx";

type SecretTextProps = { label: string; copyLabel: string; text: string };

/**
 * Secret that is shown once. A touch selects all of it, and with JavaScript a button copies it.
 * Keeps line breaks.
 */
export function SecretText({ label, copyLabel, text }: SecretTextProps) {
  return (
    <div className="flex flex-col gap-3">
      <code
        tabIndex={0}
        aria-label={label}
        className="rounded-field bg-sand px-4 py-3 font-mono text-small break-all whitespace-pre-wrap select-all"
      >
        {text}
      </code>
      <p className="hidden text-small text-muted noscript:block">
        Toque no texto: ele se seleciona inteiro. Copie e guarde.
      </p>
      <CopyButton
        text={text}
        label={copyLabel}
        copiedText="Copiado"
        manualText="Toque no texto e copie."
        className="self-start"
      />
    </div>
  );
}
