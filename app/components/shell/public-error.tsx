import { ErrorPage } from "./error-page.tsx";
import { PublicFrame } from "./public-frame.tsx";

/**
 * An error where nothing else of the page is left. `isMember` keeps whoever is, or may be, signed
 * in from being asked to sign in.
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
