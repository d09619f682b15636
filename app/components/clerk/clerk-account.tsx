import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { AccountLinks, DeleteAccountLink } from "#app/components/account/account-links.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { ClerkScreen } from "./clerk-screen.tsx";

/** "Acesso e segurança" where Clerk handles sign-in: Clerk's own screen, and our links below it. */
export function ClerkAccount({ publishableKey }: { publishableKey: string }) {
  return (
    <>
      <AccountCrumb to="/settings">Ajustes</AccountCrumb>
      <PageHeader title="Acesso e segurança" lead="Como você entra no Coreto, e onde." />
      <div className="flex flex-col gap-4">
        <ClerkScreen publishableKey={publishableKey} name="profile" to="/auth/account" />
        <AccountLinks isOwnIdentity={false} />
        <DeleteAccountLink />
        <form method="post" action="/auth/logout" className="lg:hidden">
          <Button variant="outline" className="w-full">
            Sair
          </Button>
        </form>
      </div>
    </>
  );
}
