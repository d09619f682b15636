import { Form } from "react-router";
import { Badge } from "#app/components/ui/badge.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

export type EmailState = { email: string; isEmailVerified: boolean; newEmail: string | null };

/** The account's e-mail, whether it is confirmed, and the one that waits to take its place. */
export function EmailSection({ state: { email, isEmailVerified, newEmail } }: { state: EmailState }) {
  return (
    <Card as="section" label="E-mail" className="flex flex-col gap-3 p-5">
      <h2 className="text-heading">E-mail</h2>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 font-semibold wrap-anywhere">{email}</span>
        <Badge tone={isEmailVerified ? "good" : "attention"}>{isEmailVerified ? "Confirmado" : "Falta confirmar"}</Badge>
      </p>
      {newEmail === null ? null : (
        <p className="text-muted wrap-anywhere">
          {newEmail} espera o código que enviamos para lá. Até você digitá-lo, nada muda.
        </p>
      )}
      {isEmailVerified || newEmail !== null ? null : (
        <p className="text-muted">Assim recibos e avisos chegam a você, e a conta é sua de volta se a senha se perder. O código vale por 10 minutos.</p>
      )}
      <div className="flex flex-wrap gap-2">
        {newEmail !== null ? <ButtonLink to="/auth/verify">Digitar o código</ButtonLink> : null}
        {newEmail === null && !isEmailVerified ? (
          <>
            <ButtonLink to="/auth/verify">Digitar o código</ButtonLink>
            <Form method="post" action="/auth/verify/send">
              <Button variant="outline">Enviar código</Button>
            </Form>
          </>
        ) : null}
        <ButtonLink to="/auth/account/email" variant="outline">
          Trocar e-mail
        </ButtonLink>
      </div>
    </Card>
  );
}

export function PasswordSection() {
  return (
    <Card as="section" label="Senha" className="flex flex-wrap items-center justify-between gap-3 p-5">
      <div>
        <h2 className="text-heading">Senha</h2>
        <p className="text-muted">Trocar a senha encerra as outras sessões.</p>
      </div>
      <ButtonLink to="/auth/account/password" variant="outline">
        Trocar senha
      </ButtonLink>
    </Card>
  );
}
