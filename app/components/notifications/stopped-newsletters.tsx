import { Form } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

/** The creators whose posts the member stopped by email, each with the way back. */
export function StoppedNewsletters({ creators }: { creators: { id: string; name: string }[] }) {
  if (creators.length === 0) return null;
  return (
    <Card className="mt-6 flex flex-col gap-2 p-5 sm:p-6">
      <h2 className="text-[1.125rem] leading-6">Publicações que você não recebe por e-mail</h2>
      <ul className="divide-y divide-line">
        {creators.map(({ id, name }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span className="min-w-0 font-semibold break-words">{name}</span>
            <Form method="post" action={`/settings/notifications/newsletters/${id}/resumption`}>
              <Button variant="outline" size="sm" aria-label={`Voltar a receber ${name}`}>
                Voltar a receber
              </Button>
            </Form>
          </li>
        ))}
      </ul>
    </Card>
  );
}
