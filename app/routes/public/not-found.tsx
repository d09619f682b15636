import { data } from "react-router";
import { ErrorMessage } from "#app/components/shell/error-page.tsx";
import type { Route } from "./+types/not-found.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Página não encontrada · Coreto" },
  { name: "robots", content: "noindex" },
];

export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  return (
    <div className="px-4">
      <ErrorMessage
        title="Não encontramos esta página"
        text="O endereço pode ter mudado. Procure por quem você quer ver, ou volte ao início."
        status={404}
      />
    </div>
  );
}
