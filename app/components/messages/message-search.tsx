import { Form, Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { INPUT } from "#app/components/ui/fields/field-look.ts";

type MessageSearchProps = {
  query: string;
  /** The page of the search: of all conversations, or of one. */
  action?: string;
};

/** The form of a search over the person's own conversations. */
export function MessageSearch({ query, action = "/messages" }: MessageSearchProps) {
  return (
    <Form role="search" action={action} className="flex items-center gap-2 pb-4">
      <input
        key={query}
        type="search"
        name="q"
        aria-label="Procurar nas mensagens"
        placeholder="Procurar nas mensagens"
        maxLength={100}
        defaultValue={query}
        className={`${INPUT} min-h-11 border-edge`}
      />
      <Button variant="outline" className="shrink-0 whitespace-nowrap">
        Procurar
      </Button>
    </Form>
  );
}

type ShownMessage = {
  path: string;
  name: string;
  avatarUrl: string | null;
  text: string;
  ago: string;
};

/** The messages that a search found, newest first. */
export function FoundList({
  found,
  clearedAt = "/messages",
}: {
  found: ShownMessage[];
  /** The page without the search. */
  clearedAt?: string;
}) {
  return (
    <section aria-labelledby="encontradas" className="pb-6">
      <div className="flex items-baseline justify-between gap-3 pb-2">
        <h2 id="encontradas" className="text-heading">
          {found.length === 0 ? "Nada encontrado" : "Encontradas"}
        </h2>
        <Link to={clearedAt} className="text-small font-semibold text-leaf">
          Limpar a busca
        </Link>
      </div>
      {found.length === 0 ? (
        <p className="text-muted">Nenhuma mensagem sua tem essas palavras.</p>
      ) : (
        <Card className="overflow-hidden">
          <ul className="divide-y divide-line">
            {found.map(({ path, name, avatarUrl, text, ago }) => (
              <li key={path}>
                <Link to={path} className="flex items-center gap-3 px-4 py-3 hover:bg-sand/60">
                  <Avatar name={name} src={avatarUrl} />
                  <span className="flex min-w-0 flex-1 flex-col">
                    <span className="flex items-baseline justify-between gap-3">
                      <span className="truncate font-semibold">{name}</span>
                      <span className="shrink-0 text-caption text-muted">{ago}</span>
                    </span>
                    <span className="line-clamp-2 text-small text-muted">{text}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}
