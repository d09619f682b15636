import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";

const LINKS = [
  { to: "/auth/account/second-factor", label: "Verificação em duas etapas", hint: "Um código do celular, além da senha" },
  { to: "/auth/account/passkeys", label: "Chaves de acesso", hint: "Entrar com digital, rosto ou PIN" },
  { to: "/auth/account/keys", label: "Chaves de API", hint: "Programas que leem o Coreto em seu nome" },
];

/** Everything of an account that has a page of its own. */
export function AccountLinks() {
  return (
    <Card as="section" label="Mais da conta" className="overflow-hidden">
      <ul className="divide-y divide-line">
        {LINKS.map((link) => (
          <li key={link.to}>
            <Link to={link.to} className="flex min-h-16 items-center gap-3 px-5 py-3 hover:bg-sand/60">
              <span className="flex min-w-0 flex-1 flex-col">
                <span className="font-semibold">{link.label}</span>
                <span className="text-small text-muted">{link.hint}</span>
              </span>
              <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
