import { scrypt } from "@noble/hashes/scrypt.js";
import { bytesToHex } from "@noble/hashes/utils.js";

/** Werkzeug's `check_password_hash`, with another implementation of scrypt than the product's. */
export function werkzeugAccepts(digest: string, password: string): boolean {
  const [method = "", salt = "", key = ""] = digest.split("$");
  const [name, N, r, p] = method.split(":");
  const bytes = new TextEncoder();
  return (
    name === "scrypt" &&
    bytesToHex(
      scrypt(bytes.encode(password), bytes.encode(salt), {
        N: Number(N),
        r: Number(r),
        p: Number(p),
        dkLen: 64,
      }),
    ) === key
  );
}
