import { quoted } from "#app/domain/text.ts";
import { useEffect, useState } from "react";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { formatMinute } from "#app/domain/time.ts";
import { localCopiesOf, deleteLocalCopy, newestUnsaved } from "./local-copies.ts";
import type { Recoverable } from "./local-copies.ts";
import type { ComposerValues } from "./values.ts";

type RecoveryProps = {
  authorId: string;
  postId: string;
  isNew: boolean;
  onRecover: (values: ComposerValues) => void;
};

/** Offers typed text that the server lacks: of this post, or of any post in an empty composer. */
export function LocalRecovery({ authorId, postId, isNew, onRecover }: RecoveryProps) {
  const [copy, setCopy] = useState<Recoverable | null>(null);
  useEffect(() => {
    let isGone = false;
    void newestUnsaved(
      authorId,
      localCopiesOf(authorId).filter((one) => isNew || one.postId === postId),
    ).then((found) => {
      if (!isGone) setCopy(found);
    });
    return () => {
      isGone = true;
    };
    // Looks once, when the composer opens: text typed later needs no recovery.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the first post of this composer is the one to look for
  }, [authorId]);
  if (!copy) return null;
  return (
    <section
      aria-label="Texto guardado neste aparelho"
      className="mb-4 flex flex-col gap-3 rounded-card border border-line bg-signal-soft p-5"
    >
      <p>
        Há um texto que não chegou a ser salvo, de {formatMinute(copy.savedAt)}
        {copy.values["title"] ? <>: {quoted(copy.values["title"])}</> : null}.
      </p>
      <div className="flex flex-wrap gap-2">
        {isNew && copy.isPublished ? (
          <ButtonLink to={`/post/${copy.postId}/edit`} size="sm" variant="ink">
            Continuar a edição
          </ButtonLink>
        ) : (
          <Button
            type="button"
            size="sm"
            variant="ink"
            onClick={() => {
              onRecover(copy.values);
              setCopy(null);
            }}
          >
            Recuperar
          </Button>
        )}
        <Button
          type="button"
          size="sm"
          variant="outline"
          onClick={() => {
            deleteLocalCopy(authorId, copy.postId);
            setCopy(null);
          }}
        >
          Descartar
        </Button>
      </div>
    </section>
  );
}
