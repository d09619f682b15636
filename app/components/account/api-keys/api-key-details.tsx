import { Badge } from "#app/components/ui/badge.tsx";

export type ApiKeyView = {
  id: string;
  name: string;
  description: string;
  hint: string;
  scopes: string[];
  created: string;
  expires: string | null;
  lastUsed: string | null;
  isExpired: boolean;
};

/** Details by which an owner recognises an API key: never the key, only its last characters. */
export function ApiKeyDetails({
  apiKey,
  level: Heading = "h2",
}: {
  apiKey: ApiKeyView;
  level?: "h2" | "h3";
}) {
  const { name, description, hint, scopes, created, expires, lastUsed, isExpired } = apiKey;
  return (
    <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
      <Heading className="flex flex-wrap items-center gap-2 text-[1.125rem] leading-6 wrap-anywhere">
        {name}
        {isExpired ? <Badge tone="attention">Expirada</Badge> : null}
      </Heading>
      {description ? <p className="wrap-anywhere">{description}</p> : null}
      <p className="font-mono text-small text-muted">coreto_…{hint}</p>
      <p className="text-small text-muted">{scopes.join(" · ")}</p>
      <p className="text-small text-muted">
        Criada em {created} ·{" "}
        {expires === null ? "não expira" : `${isExpired ? "expirou" : "expira"} em ${expires}`} ·{" "}
        {lastUsed === null ? "nunca usada" : `último uso ${lastUsed}`}
      </p>
    </div>
  );
}
