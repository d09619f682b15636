import { useRef, useState } from "react";
import type { MouseEvent } from "react";
import { Button } from "#app/components/ui/button.tsx";
import { Loading } from "#app/components/ui/skeleton.tsx";
import { useSlow } from "#app/components/ui/use-slow.ts";
import { ReaderPreview } from "./reader-preview.tsx";
import type { PostInWriting } from "./reader-preview.tsx";

type Shown = { post: PostInWriting } | { message: string } | null;

/**
 * Shows what is typed as its reader will see it, above the page. Without JavaScript the button
 * sends the form to a page that shows the same.
 */
export function PreviewButton({ disabled }: { disabled: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [shown, setShown] = useState<Shown>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isSlow = useSlow(isOpen && shown === null);
  async function open(event: MouseEvent<HTMLButtonElement>) {
    event.preventDefault();
    const { form } = event.currentTarget;
    if (!form) return;
    setShown(null);
    setIsOpen(true);
    dialog.current?.showModal();
    setShown(await previewOf(form));
  }
  return (
    <>
      <Button
        size="lg"
        variant="outline"
        className="flex-1"
        disabled={disabled}
        formAction="/post/preview"
        formNoValidate
        onClick={(event) => void open(event)}
      >
        Prévia
      </Button>
      <dialog
        ref={dialog}
        aria-label="Prévia"
        onClose={() => setIsOpen(false)}
        className="m-auto max-h-[calc(100dvh-2rem)] w-[min(42rem,calc(100vw-2rem))] overflow-y-auto rounded-card border border-line bg-paper p-3 text-ink backdrop:bg-black/60 sm:p-4"
      >
        <div className="flex items-center justify-between gap-3 pb-3 pl-2">
          <p className="text-small text-muted">
            Assim quem tem acesso vai ler. Nada foi publicado.
          </p>
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
        <div aria-live="polite" aria-busy={isOpen && shown === null}>
          {shown === null ? (
            isSlow ? (
              <Loading shape="post" label="Preparando a prévia" />
            ) : null
          ) : "post" in shown ? (
            <ReaderPreview post={shown.post} />
          ) : (
            <p className="p-5 text-attention">{shown.message}</p>
          )}
        </div>
      </dialog>
    </>
  );
}

const OFFLINE: Shown = { message: "A prévia precisa de internet. O texto continua aí." };

async function previewOf(form: HTMLFormElement): Promise<Shown> {
  const body = new FormData(form);
  body.delete("image");
  try {
    const response = await fetch("/post/preview/content", { method: "POST", body });
    if (response.redirected || response.status === 401)
      return { message: "A sua sessão terminou. Entre em outra aba: o texto continua aqui." };
    if (response.ok) return { post: (await response.json()) as PostInWriting };
    if (response.status >= 500) return OFFLINE;
    const { message, errors } = (await response.json()) as {
      message?: string | null;
      errors?: Record<string, string>;
    };
    return { message: message ?? Object.values(errors ?? {})[0] ?? "Confira os campos." };
  } catch {
    return OFFLINE;
  }
}
