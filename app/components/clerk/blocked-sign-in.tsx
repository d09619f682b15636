import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";

/**
 * Signed in at Clerk and not welcome here: says why, and lets them leave. Clerk's own screen would
 * send them round in circles.
 */
export function BlockedSignIn({ message }: { message: string }) {
  return (
    <>
      <h1 className="text-title">Entrar</h1>
      <div className="mt-6">
        <FormMessage message={message} />
      </div>
      <form method="post" action="/auth/logout" className="mt-6">
        <Button variant="outline">Sair desta conta</Button>
      </form>
    </>
  );
}
