import { counted } from "#app/domain/text.ts";
import { Link } from "react-router";
import { Badge } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { formatAgo, formatMinute } from "#app/domain/time.ts";

type Coming = { id: string; title: string; scheduledAt: number | null; updatedAt: number };
type Preparation = { drafts: number; scheduled: number; next: Coming[] };

/**
 * Scheduled posts and drafts of a page, visible only to its authors. Renders nothing without
 * either.
 */
export function UnpublishedCard({
  preparation: { drafts, scheduled, next },
  now,
}: {
  preparation: Preparation;
  now: number;
}) {
  if (drafts + scheduled === 0) return null;
  return (
    <Card as="section" label="Em preparo" className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-heading">Em preparo</h2>
        <Link
          to="/me/drafts"
          className="inline-flex min-h-11 items-center font-semibold text-leaf hover:underline"
        >
          {unpublishedText(drafts, scheduled)}
        </Link>
      </div>
      <ul className="flex flex-col divide-y divide-line">
        {next.map((post) => (
          <li key={post.id} className="flex flex-wrap items-center justify-between gap-x-3">
            <Link
              to={`/post/${post.id}/edit`}
              className="flex min-h-14 min-w-0 flex-1 basis-52 flex-col justify-center"
            >
              <span className="font-semibold wrap-anywhere">{post.title || "Sem título"}</span>
              <span className="text-small text-muted">mudou {formatAgo(post.updatedAt, now)}</span>
            </Link>
            {post.scheduledAt === null ? (
              <Badge>Rascunho</Badge>
            ) : (
              <Badge tone="good">Sai em {formatMinute(post.scheduledAt)}</Badge>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function unpublishedText(drafts: number, scheduled: number): string {
  const parts = [
    drafts > 0 ? counted(drafts, "rascunho", "rascunhos") : "",
    scheduled > 0 ? counted(scheduled, "agendada", "agendadas") : "",
  ];
  return parts.filter(Boolean).join(" e ");
}
