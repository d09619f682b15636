import { ArrowLeftRight } from "lucide-react";
import { Form, Link } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import type { ShownFeatures } from "#app/lib/uncompleted-features.ts";

/**
 * The page that a person acts for, and their permissions there. `spaceId` is null on their own
 * page.
 */
export type ActingContext = ShownFeatures & {
  spaceId: string | null;
  name: string;
  isCreator: boolean;
  publishes: boolean;
  readsMessages: boolean;
  hasTeams: boolean;
};

/** Link in the rail to switch pages, only for members of a team. */
export function SwitchPageLink({ acting }: { acting: ActingContext }) {
  if (!acting.hasTeams) return null;
  const place = acting.spaceId === null ? "sua página" : `página de ${acting.name}`;
  return (
    <Link
      to="/settings/teams/acting"
      title={`Você está em: ${place}`}
      className="mt-4 flex min-h-12 items-center gap-3 rounded-field border border-line bg-card px-3 py-1.5 hover:border-edge max-xl:size-12 max-xl:justify-center max-xl:self-center max-xl:p-0"
    >
      <ArrowLeftRight aria-hidden="true" className="size-5 shrink-0" />
      <span className="flex min-w-0 flex-col max-xl:sr-only">
        <span className="text-caption text-muted">Você está em:</span>
        <span className="truncate text-small font-semibold">{place}</span>
      </span>
    </Link>
  );
}

/** Notice above every page while a person acts for another's page, with a link back. */
export function ActingNotice({ acting }: { acting: ActingContext }) {
  if (acting.spaceId === null) return null;
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-attention-soft px-4 py-2"
    >
      <p className="min-w-0 text-small">
        Você está em:{" "}
        <Link
          to="/me"
          className="font-semibold underline underline-offset-2"
        >{`página de ${acting.name}`}</Link>
      </p>
      <Form method="post" action="/settings/teams/acting">
        <input type="hidden" name="team" value="" />
        <Button variant="outline" size="sm">
          Voltar para a sua página
        </Button>
      </Form>
    </div>
  );
}
