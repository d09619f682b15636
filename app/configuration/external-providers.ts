import { oidcProviderId, WALLET } from "#app/domain/identity/external-accounts/schema.ts";

/** An external sign-in provider by OpenID Connect. */
export type ExternalProvider = {
  id: string;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
};

type ExternalProviderVariables = { readonly [name: string]: unknown };
type ExternalProvidersResult = { providers: ExternalProvider[]; problems: string[] };

const ID = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
const MOST = 8;
/** The same for every Google client, so that only the two secrets are configured. */
const GOOGLE = { id: "google", name: "Google", issuer: "https://accounts.google.com" };

/**
 * Reads `OIDC_GOOGLE_CLIENT_ID` with its secret, and for every id in `OIDC_PROVIDERS` its issuer,
 * client, secret and name. An incomplete provider is a problem, reported in Portuguese. None at all
 * is fine.
 */
export function readExternalProviders(source: ExternalProviderVariables): ExternalProvidersResult {
  const ids = textOf(source.OIDC_PROVIDERS)
    .split(/[\s,]+/)
    .filter((id) => id !== "");
  const wrong = ids.filter((id) => !ID.test(id) || ids.indexOf(id) !== ids.lastIndexOf(id));
  if (wrong.length > 0)
    return {
      providers: [],
      problems: [
        `OIDC_PROVIDERS: ${JSON.stringify(wrong[0])} precisa ser um nome em minúsculas, com letras, números e hífen, uma vez só`,
      ],
    };
  if (ids.length > MOST) return { providers: [], problems: [`OIDC_PROVIDERS: no máximo ${MOST}`] };
  const google =
    ids.includes(GOOGLE.id) || isConfigured(source) ? [oneProvider(source, GOOGLE)] : [];
  const others = ids.filter((id) => id !== GOOGLE.id).map((id) => oneProvider(source, { id }));
  const read = [...google, ...others];
  return {
    providers: read.flatMap(({ providers }) => providers),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** Returns the name of a person's provider, also of one that is not configured any more. */
export function outsideNameOf(
  providers: readonly Pick<ExternalProvider, "id" | "name">[],
  providerId: string,
): string {
  if (providerId === WALLET) return "Carteira Ethereum";
  return (
    providers.find(({ id }) => oidcProviderId(id) === providerId)?.name ??
    providerId.replace(/^oidc:/, "")
  );
}

function isConfigured(source: ExternalProviderVariables): boolean {
  return [source.OIDC_GOOGLE_CLIENT_ID, source.OIDC_GOOGLE_CLIENT_SECRET].some(
    (value) => textOf(value) !== "",
  );
}

function oneProvider(
  source: ExternalProviderVariables,
  { id, ...existing }: { id: string; name?: string; issuer?: string },
): ExternalProvidersResult {
  const prefix = `OIDC_${id.toUpperCase().replaceAll("-", "_")}_`;
  const value = (part: string) => textOf(source[prefix + part]);
  const provider = {
    id,
    issuer: value("ISSUER") || (existing.issuer ?? ""),
    clientId: value("CLIENT_ID"),
    clientSecret: value("CLIENT_SECRET"),
    name: value("NAME") || (existing.name ?? ""),
  };
  const parts = [
    ["ISSUER", provider.issuer],
    ["CLIENT_ID", provider.clientId],
    ["CLIENT_SECRET", provider.clientSecret],
    ["NAME", provider.name],
  ] as const;
  const problems = parts
    .filter(([, text]) => text === "")
    .map(
      ([part]) =>
        `${prefix}${part}: falta um valor; as variáveis de ${JSON.stringify(id)} vêm juntas, ou nenhuma`,
    );
  if (provider.issuer !== "" && !isIssuer(provider.issuer))
    problems.push(`${prefix}ISSUER: precisa ser um endereço https, sem parâmetros`);
  return problems.length > 0
    ? { providers: [], problems }
    : { providers: [provider], problems: [] };
}

/** Only a local machine may be called without TLS, and only by a build that is not deployed. */
function isIssuer(text: string): boolean {
  const parsed = URL.parse(text);
  if (!parsed || parsed.search !== "" || parsed.hash !== "" || parsed.username !== "") return false;
  return parsed.protocol === "https:" || isLocalhost(parsed);
}

export const isLocalhost = ({ protocol, hostname }: URL): boolean =>
  __LOCAL__ && protocol === "http:" && /^(localhost|127\.0\.0\.1)$/.test(hostname);

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
