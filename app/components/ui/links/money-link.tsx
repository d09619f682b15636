import type { ComponentProps } from "react";
import { Link } from "react-router";
import { Money } from "#app/components/ui/money.tsx";

/** Amount with a link to the entries behind it; plain text where `to` is null. */
export function MoneyLink({ to, ...money }: ComponentProps<typeof Money> & { to: string | null }) {
  if (to === null) return <Money {...money} />;
  return (
    <Link
      to={to}
      className="-my-0.5 inline-block py-0.5 underline decoration-edge decoration-1 underline-offset-4 hover:decoration-leaf hover:decoration-2"
    >
      <Money {...money} />
    </Link>
  );
}
