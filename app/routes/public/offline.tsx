import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import type { Route } from "./+types/offline.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Sem conexão · Coreto" },
  { name: "robots", content: "noindex" },
];

/** What the installed app shows in place of a page while there is no network. */
export default function Offline() {
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-5 px-4 py-10">
      <h1 className="text-title">Você está sem conexão</h1>
      <EmptyState
        title="Esta página precisa de internet"
        action={
          <>
            {/* The address that was asked for: this page stands in for it. */}
            <a
              href=""
              className="inline-flex min-h-11 items-center rounded-full bg-signal px-5 font-semibold text-on-signal"
            >
              Tentar de novo
            </a>
            <ButtonLink to="/" reloadDocument variant="outline">
              Abrir o início
            </ButtonLink>
          </>
        }
      >
        Confira o Wi-Fi ou os dados do aparelho. O início mostra o que você viu por último.
      </EmptyState>
    </div>
  );
}
