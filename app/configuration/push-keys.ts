/** The keys by which push services know the product (VAPID, RFC 8292), in base64url. */
export type PushKeys = { publicKey: string; privateKey: string };

/** Public in this repository: a local build stores its pushes and sends none. */
export const EXAMPLE_PUSH_KEYS: PushKeys = {
  publicKey:
    "BKfAgTc4DVPYY6y2UpKSICOPq2_S2G2o45a6D-QhT9jIl_sJARpJQwshyF2gGkfGjkmoypEkJ0KxrJ6iAXMb1VM",
  privateKey: "GaKhWSCtAY-EsFNFOkVjeQi_NPwebgz2Sz1b50Vt8tY",
};

type PushKeyVariables = { readonly [name: string]: unknown };
type PushKeyResult = { keys: PushKeys | null; problems: string[] };

/**
 * Reads `VAPID_PUBLIC_KEY` and `VAPID_PRIVATE_KEY`, both or neither. Without them a deployed
 * product offers no pushes (null), and a local build uses the example keys. Pure; problems in
 * Portuguese.
 */
export function readPushKeys(source: PushKeyVariables, isLocal = __LOCAL__): PushKeyResult {
  const publicKey = textOf(source.VAPID_PUBLIC_KEY);
  const privateKey = textOf(source.VAPID_PRIVATE_KEY);
  if (publicKey === "" && privateKey === "")
    return { keys: isLocal ? EXAMPLE_PUSH_KEYS : null, problems: [] };
  const isExample =
    publicKey === EXAMPLE_PUSH_KEYS.publicKey || privateKey === EXAMPLE_PUSH_KEYS.privateKey;
  const problems = [
    ...(isExample && !isLocal
      ? ["VAPID_PRIVATE_KEY: a chave de exemplo é pública; gere um par seu"]
      : []),
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
