import { ChevronLeft } from "lucide-react";
import { Link } from "react-router";

/** Back link of an account page. */
export function AccountCrumb({
  to = "/auth/account",
  children = "Acesso e segurança",
}: {
  to?: string;
  children?: string;
}) {
  return (
    <Link
      to={to}
      className="mb-1 -ml-1 inline-flex min-h-11 items-center gap-1 text-muted hover:text-ink"
    >
      <ChevronLeft aria-hidden="true" className="size-5" />
      {children}
    </Link>
  );
}
