import { Ellipsis } from "lucide-react";
import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";

/** Actions on a person that do not notify them. Opens without JavaScript. */
export function PersonMenu({
  username,
  name,
  isMuted,
}: {
  username: string;
  name: string;
  isMuted: boolean;
}) {
  const page = `/space/${username}`;
  return (
    <details className="!flex-none open:!basis-full">
      <summary
        aria-label={`Mais opções sobre ${name}`}
        className="flex size-11 cursor-pointer list-none items-center justify-center rounded-full border border-line bg-card hover:border-edge [&::-webkit-details-marker]:hidden"
      >
        <Ellipsis aria-hidden="true" className="size-5" />
      </summary>
      <div className="flex flex-wrap gap-2 pt-2">
        <Form method="post" action={`${page}/mute`}>
          <input type="hidden" name="muted" value={String(!isMuted)} />
          <input type="hidden" name="to" value={page} />
          <Button variant="outline" size="sm">
            {isMuted ? "Deixar de silenciar" : "Silenciar"}
          </Button>
        </Form>
        <ButtonLink to={`${page}/block`} variant="outline" size="sm">
          Bloquear
        </ButtonLink>
      </div>
    </details>
  );
}
