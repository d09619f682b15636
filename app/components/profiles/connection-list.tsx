import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

export type ConnectionView = {
  id: string;
  username: string;
  name: string;
  since: string;
  avatarUrl: string | null;
};

/** Action that removes a connection: path, field and label. */
export type ConnectionRemoval = {
  path: "follow" | "mute" | "block";
  field: "following" | "muted" | "blocked";
  label: string;
  undo: string;
};

export const CONNECTION_REMOVALS = {
  follow: {
    path: "follow",
    field: "following",
    label: "Deixar de seguir",
    undo: "unfollow",
  },
  mute: {
    path: "mute",
    field: "muted",
    label: "Deixar de silenciar",
    undo: "unmute",
  },
  block: {
    path: "block",
    field: "blocked",
    label: "Desbloquear",
    undo: "unblock",
  },
} as const satisfies Record<string, ConnectionRemoval>;

/** List of people of one connection type, each with its removal. A page may offer to undo it. */
export function ConnectionList({
  people,
  takeBack,
  page,
  empty,
}: {
  people: ConnectionView[];
  takeBack: ConnectionRemoval;
  page: string;
  empty: ReactNode;
}) {
  if (people.length === 0) return empty;
  return (
    <Card className="overflow-hidden">
      <ul className="divide-y divide-line">
        {people.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-3 px-5 py-3">
            <Link
              to={`/space/${person.username}`}
              className="flex min-h-12 min-w-0 flex-1 basis-48 items-center gap-3"
            >
              <Avatar name={person.name} src={person.avatarUrl} size="md" />
              <span className="flex min-w-0 flex-col">
                <span className="font-semibold wrap-anywhere">{person.name}</span>
                <span className="text-small text-muted wrap-anywhere">
                  @{person.username} · desde {person.since}
                </span>
              </span>
            </Link>
            <ConnectionForm
              username={person.username}
              takeBack={takeBack}
              wanted={false}
              to={`${page}?undo=${takeBack.undo}&person=${person.username}`}
            >
              <Button variant="outline" size="sm" aria-label={`${takeBack.label} ${person.name}`}>
                {takeBack.label}
              </Button>
            </ConnectionForm>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The last action, with a button that undoes it. Works without JavaScript. */
export function UndoCard({
  done,
  person,
  page,
}: {
  done: string;
  person: { username: string; name: string };
  page: string;
}) {
  const takeBack = Object.values(CONNECTION_REMOVALS).find(({ undo }) => undo === done);
  if (!takeBack) return null;
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 p-5">
      <p role="status" className="font-semibold wrap-anywhere">
        {TEXTS[takeBack.path]} {person.name}.
      </p>
      <ConnectionForm username={person.username} takeBack={takeBack} wanted to={page}>
        <Button variant="outline" size="sm">
          Desfazer
        </Button>
      </ConnectionForm>
    </Card>
  );
}

const TEXTS = {
  follow: "Você deixou de seguir",
  mute: "Você deixou de silenciar",
  block: "Você desbloqueou",
};

function ConnectionForm({
  username,
  takeBack,
  wanted,
  to,
  children,
}: {
  username: string;
  takeBack: ConnectionRemoval;
  wanted: boolean;
  to: string;
  children: ReactNode;
}) {
  return (
    <Form method="post" action={`/space/${username}/${takeBack.path}`}>
      <input type="hidden" name={takeBack.field} value={String(wanted)} />
      <input type="hidden" name="to" value={to} />
      {children}
    </Form>
  );
}
