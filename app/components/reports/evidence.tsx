import { Link } from "react-router";
import { eventMomentText } from "#app/domain/events/times/rules.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Evidence, EvidenceFile } from "#app/domain/moderation/reports/schema.ts";
import { counted, nounFor } from "#app/domain/text.ts";

/** Shows a subject as it was at one moment, as plain text. */
export function EvidenceView({ evidence }: { evidence: Evidence | null }) {
  if (evidence === null)
    return <p className="text-muted">A cópia já foi apagada: o prazo de guarda terminou.</p>;
  switch (evidence.kind) {
    case "post":
      return (
        <div className="flex flex-col gap-2">
          <p dir="auto" className="font-semibold wrap-anywhere">
            {evidence.title}
          </p>
          {evidence.isSensitive ? <p className="text-small text-muted">Marcada como 18+</p> : null}
          <Quote text={evidence.teaser} />
          <Quote text={evidence.content} />
          <Files files={evidence.files} />
        </div>
      );
    case "event":
      return (
        <div className="flex flex-col gap-2">
          <p dir="auto" className="font-semibold wrap-anywhere">
            {evidence.title}
          </p>
          <p className="text-small text-muted">
            {eventMomentText(evidence.startsAt, evidence.timeZone)}
          </p>
          <Quote text={evidence.place} />
          <Quote text={evidence.link} />
          <Quote text={evidence.description} />
          <Files files={evidence.files} />
        </div>
      );
    case "comment":
      return (
        <div className="flex flex-col gap-2">
          <Quote text={evidence.body} />
          <p className="text-small text-muted">
            Em{" "}
            <Link to={`/post/${evidence.postId}`} className="underline underline-offset-2">
              {evidence.postTitle}
            </Link>
          </p>
        </div>
      );
    case "message":
      return (
        <div className="flex flex-col gap-2">
          <Quote text={evidence.body} />
          <Files files={evidence.files ?? []} />
          {evidence.priceCents ? (
            <p className="text-small text-muted">
              O arquivo está à venda por {formatMoney(evidence.priceCents)}
            </p>
          ) : null}
        </div>
      );
    case "profile":
      return (
        <div className="flex flex-col gap-2">
          <p className="font-semibold wrap-anywhere">
            {evidence.name} · @{evidence.username}
          </p>
          <Quote text={[evidence.craft, evidence.city].filter(Boolean).join(" · ")} />
          <Quote text={evidence.bio} />
          <Quote text={evidence.links.join("\n")} />
          <Files files={evidence.files} />
        </div>
      );
  }
}

function Quote({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <p dir="auto" className="max-h-96 overflow-y-auto whitespace-pre-line wrap-anywhere">
      {text}
    </p>
  );
}

/** Pictures stay covered until they are wanted. Opens without JavaScript. */
function Files({ files }: { files: readonly EvidenceFile[] }) {
  if (files.length === 0) return null;
  return (
    <details className="rounded-field border border-line px-3">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">
        {nounFor(
          files.length,
          "Ver o arquivo",
          `Ver os ${counted(files.length, "arquivo", "arquivos")}`,
        )}
      </summary>
      <ul className="flex flex-col gap-3 pb-3">
        {files.map(({ id, kind, alt }) => (
          <li key={id}>
            {kind === "image" ? (
              <img
                src={mediaUrl(id, "640")}
                alt={alt || "Sem descrição"}
                loading="lazy"
                className="max-h-80 rounded-field"
              />
            ) : (
              <a href={mediaUrl(id, "original")} className="underline underline-offset-2">
                {FILE_LABELS[kind]}
              </a>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

const FILE_LABELS = {
  video: "Abrir o vídeo",
  audio: "Abrir o áudio",
  document: "Abrir o documento",
} as const;
