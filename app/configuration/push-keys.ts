/** The keys by which push services know the product (VAPID, RFC 8292), in base64url. */
export type PushKeys = { publicKey: string; privateKey: string };

type PushKeyVariables = { readonly [name: string]: unknown };
type PushKeyResult = { keys: PushKeys | null; problems: string[] };

/**
 * Reads `VAPID_PUBLIC_KEY` and `VAPID_PRIVATE_KEY`, both or neither: without them no pushes are
 * offered (null). A local product makes its own at the first start. Pure; problems in Portuguese.
 */
export function readPushKeys(source: PushKeyVariables): PushKeyResult {
  const publicKey = textOf(source.VAPID_PUBLIC_KEY);
  const privateKey = textOf(source.VAPID_PRIVATE_KEY);
  if (publicKey === "" && privateKey === "") return { keys: null, problems: [] };
  const problems = [
    ...(/^B[\w-]{86}$/.test(publicKey)
      ? []
      : ["VAPID_PUBLIC_KEY: precisa ser um ponto da curva P-256 em base64url, de 87 letras"]),
    ...(/^[\w-]{43}$/.test(privateKey)
      ? []
      : ["VAPID_PRIVATE_KEY: precisa ser uma chave da curva P-256 em base64url, de 43 letras"]),
  ];
  return { keys: problems.length > 0 ? null : { publicKey, privateKey }, problems };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");
