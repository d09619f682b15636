import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

/**
 * Asks the buyer to sign in or create an account first, where an external provider stores accounts.
 * The purchase continues at the same URL.
 */
export function SignInFirst({
  loginPath,
  registerPath,
}: {
  loginPath: string;
  registerPath: string;
}) {
  return (
    <Card as="section" label="Sua conta" className="flex flex-col gap-4 p-5">
      <p>Para pagar, entre na sua conta ou crie uma. Você volta direto para cá.</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={loginPath} size="lg">
          Entrar
        </ButtonLink>
        <ButtonLink to={registerPath} variant="outline" size="lg">
          Criar conta
        </ButtonLink>
      </div>
    </Card>
  );
}
