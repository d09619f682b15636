import { useEffect, useState } from "react";
import { PostText } from "#app/components/posts/post-text.tsx";

const AFTER_MS = 400;

/** Preview of the text, rendered by the server shortly after each change. */
export function Preview({ text }: { text: string }) {
  const [html, setHtml] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const asking = new AbortController();
    const timer = setTimeout(() => {
      void preview(text, asking.signal).then(
        (made) => {
          setFailed(made === null);
          if (made !== null) setHtml(made);
        },
        () => undefined,
      );
    }, AFTER_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [text]);
  return (
    <section
      aria-label="Prévia"
      aria-live="off"
      className="rounded-field border border-line bg-paper px-4 py-4"
    >
      {failed ? (
        <p className="text-small text-attention">
          A prévia precisa de internet. O texto continua aí.
        </p>
      ) : null}
      {html ? (
        <PostText html={html} />
      ) : failed ? null : (
        <p className="text-muted">Escreva, e o texto aparece aqui como será lido.</p>
      )}
    </section>
  );
}

/**
 * Renders a preview on the server. Null when there is no answer; rejects when a later change
 * aborted it.
 */
async function preview(text: string, signal: AbortSignal): Promise<string | null> {
  const body = new FormData();
  body.set("content", text);
  try {
    const response = await fetch("/resources/post-preview", { method: "POST", body, signal });
    if (!response.ok) return null;
    return ((await response.json()) as { html: string }).html;
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}
