import { useSearchParams } from "react-router";

import { ButtonLink } from "./button.tsx";

/** The way to the next keyset page; nothing at the end. Keeps every other parameter of the address. */
export function MoreLink({ next, parameter = "cursor" }: { next: string | null; parameter?: string }) {
  const [search] = useSearchParams();
  if (!next) return null;
  const forward = new URLSearchParams(search);
  forward.set(parameter, next);
  return (
    <div className="flex justify-center py-4">
      <ButtonLink to={`?${forward.toString()}`} variant="outline">
        Carregar mais
      </ButtonLink>
    </div>
  );
}
