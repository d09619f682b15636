import { Outlet } from "react-router";
import { PublicError } from "#app/components/shell/public-error.tsx";
import { PublicFrame } from "#app/components/shell/public-frame.tsx";
import type { Route } from "./+types/layout.ts";

/**
 * No framework JavaScript and nobody's data: what is below is the same for everyone, so that the
 * edge may keep it.
 */
export const handle = { static: true };

export default function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PublicError error={error} />;
}
