import { Outlet } from "react-router";
import { PublicError } from "#app/components/shell/errors/public-error.tsx";
import { PublicFrame } from "#app/components/shell/public-frame.tsx";
import type { Route } from "./+types/layout.ts";

/**
 * Marks the pages below as static. They have no framework JavaScript and no personal data, so that
 * the edge can cache them.
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
