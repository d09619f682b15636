import { Form } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { USERNAME_MAX } from "#app/domain/identity/rules/username-length.ts";

/** Offers a guest to choose a username, after what they bought. Whoever does not is asked nothing. */
export function UsernameOffer({
  given,
  suggested,
  to,
}: {
  given: string;
  suggested: string;
  /** Where the choice leads back to. */
  to: string;
}) {
  return (
    <Card as="section" label="Escolher um nome de usuário" className="flex flex-col gap-4 p-6">
      <div className="flex flex-col gap-1">
        <h2 className="text-heading">Escolha o seu nome de usuário</h2>
        <p className="text-muted wrap-anywhere">
          A sua conta está pronta, e por enquanto você é @{given}. Se quiser, escolha agora; ou
          depois, em Ajustes, Página pública.
        </p>
      </div>
      <Form
        method="post"
        action="/auth/account/username"
        className="flex flex-col gap-3 sm:flex-row sm:items-end"
      >
        <input type="hidden" name="to" value={to} />
        <TextField
          label="Nome de usuário"
          name="username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={USERNAME_MAX}
          defaultValue={suggested}
          className="min-w-0 flex-1"
        />
        <Button variant="outline" className="min-h-12 self-start sm:self-auto">
          Escolher
        </Button>
      </Form>
    </Card>
  );
}
