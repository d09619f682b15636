/**
 * Proves, in an address that is handed out, that the product made it: nobody without its secret
 * can. `purpose` is signed too, and keeps apart what one secret signs for several ends. A signature
 * is 43 characters of base64url (256 bits).
 */
export type Signer = {
  sign(purpose: string, text: string): Promise<string>;
  isGenuine(purpose: string, text: string, signature: string): Promise<boolean>;
  /**
   * The SHA-256 of a secret in hex digits, by which it is kept and found; it does not depend on the
   * product's own.
   */
  digest(text: string): Promise<string>;
};
