import { useEffect, useRef, useState } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { areShortcutsOn, setShortcuts } from "./key-presses.ts";
import type { Shortcut } from "./shortcuts.ts";

/** Lists the shortcuts, and switches those of one key off and on in this browser. */
export function ShortcutHelp({
  shortcuts,
  keys: others,
  onClose,
}: {
  shortcuts: readonly Shortcut[];
  /** Keys that a part of the product has by itself; each is pressed together. */
  keys: readonly Pick<Shortcut, "keys" | "label">[];
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOn, setOn] = useState(areShortcutsOn);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label="Atalhos do teclado"
      onClose={onClose}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] overflow-y-auto rounded-card border border-line bg-card p-5 text-ink shadow-float backdrop:bg-black/60"
    >
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-heading">Atalhos do teclado</h2>
        <Button
          type="button"
          variant="outline"
          size="sm"
          className="shrink-0 whitespace-nowrap"
          onClick={() => dialog.current?.close()}
        >
          Fechar
        </Button>
      </div>
      <table className="mt-3 w-full">
        <thead className="sr-only">
          <tr>
            <th scope="col">O que faz</th>
            <th scope="col">Teclas</th>
          </tr>
        </thead>
        <tbody>
          <Row label="Buscar ou ir para, de qualquer lugar" keys={["Ctrl", "K"]} joint="+" />
          {shortcuts.map(({ keys, label }) => (
            <Row key={keys.join(" ")} label={label} keys={keys} joint="depois" />
          ))}
          {others.map(({ keys, label }) => (
            <Row key={keys.join(" ")} label={label} keys={keys} joint="+" />
          ))}
        </tbody>
      </table>
      <label className="mt-4 flex min-h-11 items-start gap-3 border-t border-line pt-4">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          onChange={(event) => {
            setOn(event.currentTarget.checked);
            setShortcuts(event.currentTarget.checked);
          }}
          className="mt-1 size-5 shrink-0 accent-leaf"
        />
        <span>
          <span className="block font-semibold">Usar atalhos de uma tecla</span>
          <span className="block text-small text-muted">
            Desligue se as teclas atrapalham o seu leitor de tela ou comando de voz. Vale neste
            navegador. Ctrl+K e as teclas das mensagens continuam, e esta lista está lá.
          </span>
        </span>
      </label>
    </dialog>
  );
}

function Row({ label, keys, joint }: { label: string; keys: readonly string[]; joint: string }) {
  return (
    <tr className="border-b border-line last:border-b-0">
      <th scope="row" className="py-2 pr-4 text-left font-normal">
        {label}
      </th>
      <td className="py-2 text-right whitespace-nowrap">
        {keys.map((key, index) => (
          <span key={key}>
            {index > 0 ? <span className="px-1.5 text-small text-muted">{joint}</span> : null}
            <kbd className="inline-flex min-w-7 justify-center rounded-md border border-edge bg-paper px-2 text-small font-semibold">
              {key}
            </kbd>
          </span>
        ))}
      </td>
    </tr>
  );
}
