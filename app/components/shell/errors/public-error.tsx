import { ErrorPage } from "./error-page.tsx";
import { PublicFrame } from "#app/components/shell/public-frame.tsx";

/**
 * Error page when nothing else of the page is available. `isMember` hides "Entrar" from a person
 * who is, or may be, signed in.
 */
export function PublicError({ error, isMember = false }: { error: unknown; isMember?: boolean }) {
  return (
    <PublicFrame isMember={isMember}>
      <div className="px-4">
        <ErrorPage error={error} />
      </div>
    </PublicFrame>
  );
}
