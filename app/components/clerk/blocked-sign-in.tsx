import { Button } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";

/**
 * For a person signed in at Clerk whom we refuse: says why, and offers to sign out. Clerk's own
 * screen would redirect them in a loop.
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
