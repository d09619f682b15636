import { ChevronDown } from "lucide-react";
import { Link } from "react-router";

type CreatorMenuProps = {
  username: string;
  publishes: boolean;
  /** They manage plans, and there is at least one. */
  sells: boolean;
  /** It is the member's own page, not one of a team. */
  isOwn: boolean;
};

const ITEM =
  "flex min-h-11 items-center rounded-field px-3 font-semibold whitespace-nowrap hover:bg-sand";

/** Everything about a page that its creator does less often. Opens without JavaScript. */
export function CreatorMenu({ username, publishes, sells, isOwn }: CreatorMenuProps) {
  const items = [
    ...(publishes
      ? [
          { to: "/me/drafts", label: "Rascunhos" },
          { to: "/me/collections", label: "Coleções" },
        ]
      : []),
    ...(sells
      ? [
          { to: "/me/subscribers", label: "Assinantes" },
          { to: "/plan/create", label: "Novo plano" },
          { to: "/me/coupons", label: "Cupons" },
          { to: "/me/vacation", label: "Férias" },
        ]
      : []),
    ...(isOwn ? [{ to: "/me/first-steps", label: "Primeiros passos" }] : []),
  ];
  return (
    <details className="group/menu open:!basis-full">
      <summary className="flex min-h-11 items-center justify-center gap-2 rounded-full border border-line bg-card px-5 font-semibold hover:border-edge sm:w-fit">
        Menu
        <ChevronDown
          aria-hidden="true"
          className="size-4.5 transition-transform group-open/menu:rotate-180"
        />
      </summary>
      <nav aria-label="Sua página" className="mt-2 rounded-card border border-line bg-card p-2">
        <ul className="grid grid-cols-2 gap-1 sm:grid-cols-3">
          <li>
            <Link to={`/space/${username}/public`} reloadDocument className={ITEM}>
              Ver como visitante
            </Link>
          </li>
          {items.map(({ to, label }) => (
            <li key={to}>
              <Link to={to} className={ITEM}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  );
}
