import { counted } from "#app/domain/text.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { pathInCollection } from "#app/domain/collections/rules.ts";
import type { CollectionProgress } from "#app/domain/collections/schema.ts";

/**
 * Reading progress of the viewer, visible only to them, with a link to continue. Less prominent
 * beside a more important action.
 */
export function ReadingProgress({
  progress,
  collectionId,
  isQuiet,
}: {
  progress: CollectionProgress;
  collectionId: string;
  isQuiet: boolean;
}) {
  const { total, read, percent, isStarted, continueId } = progress;
  if (total === 0) return null;
  return (
    <Card
      as="section"
      label="A sua leitura"
      className="flex flex-wrap items-center justify-between gap-4 p-5"
    >
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-2">
        <p>
          <span className="font-semibold">{percent}%</span>{" "}
          <span className="text-small text-muted">
            · {counted(read, "lida", "lidas")} de {total} · só você vê
          </span>
        </p>
        <progress
          aria-label="Quanto você já leu"
          value={read}
          max={total}
          className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sand [&::-moz-progress-bar]:bg-leaf [&::-webkit-progress-bar]:bg-sand [&::-webkit-progress-value]:bg-leaf"
        />
      </div>
      {continueId === null ? (
        <p className="font-semibold text-leaf">Você leu tudo.</p>
      ) : (
        <ButtonLink
          to={pathInCollection(`/post/${continueId}`, collectionId)}
          variant={isQuiet ? "outline" : "primary"}
        >
          {isStarted ? "Continuar de onde parou" : "Começar a ler"}
        </ButtonLink>
      )}
    </Card>
  );
}
